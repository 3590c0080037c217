"""What the model types of Hugging Face have in common and a configuration does not say.

Taken from the model classes of transformers: which matrices have a bias, how many norms a layer has, what a
silent configuration means. A type that is not listed is read as a Llama-like decoder.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, eq=False)
class Traits:
    """Structure of one model type where its configuration is silent; a stated key always wins.

    four_times: the feed-forward width is four times the hidden size unless stated; window_every: one layer
    in so many sees everything and the others a sliding window (1: the window, if any, holds on every layer).
    """

    family: str
    matrices: int = 3
    tied: bool = False
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    head_bias: bool = False
    norms_per_layer: int = 2
    norm_vectors: int = 1
    final_norm: bool = True
    embedding_norm: bool = False
    qk_norm: str = ""
    bias_reaches_output: bool = True
    output_gate: bool = False
    sinks: bool = False
    expert_bias: bool = False
    router_bias: bool = False
    shared_gate: bool = False
    four_times: bool = False
    learned_positions: bool = False
    position_offset: int = 0
    window_every: int = 1
    has_window: bool = True


_LLAMA = Traits("Llama")
_MISTRAL = replace(_LLAMA, family="Mistral")
_QWEN2 = Traits("Qwen", qkv_bias=True, bias_reaches_output=False)
_QWEN3 = Traits("Qwen", qk_norm="head")
_QWEN_HYBRID = replace(_QWEN3, output_gate=True, shared_gate=True)
_GEMMA = Traits("Gemma", tied=True)
_GEMMA2 = replace(_GEMMA, norms_per_layer=4, window_every=2)
_GEMMA3 = replace(_GEMMA2, qk_norm="head", window_every=6)
_ALL_BIASES = Traits(
    "GPT", matrices=2, qkv_bias=True, output_bias=True, mlp_bias=True, norm_vectors=2, four_times=True
)
_PHI = replace(_ALL_BIASES, family="Phi", head_bias=True, norms_per_layer=1)
_GPT2 = replace(_ALL_BIASES, family="GPT-2", tied=True, learned_positions=True)
_COHERE = Traits("Command", tied=True, norms_per_layer=1)
_OLMO2 = Traits("OLMo", qk_norm="all", window_every=4)
_GLM = Traits("GLM", qkv_bias=True, bias_reaches_output=False)
_DEEPSEEK = Traits("DeepSeek")
_GRANITE = Traits("Granite", tied=True)

TRAITS: dict[str, Traits] = {
    "llama": _LLAMA,
    "llama4_text": _LLAMA,
    "mistral": _MISTRAL,
    "mistral3": _MISTRAL,
    "ministral": _MISTRAL,
    "mixtral": _MISTRAL,
    "qwen2": _QWEN2,
    "qwen2_vl": _QWEN2,
    "qwen2_vl_text": _QWEN2,
    "qwen2_5_vl": _QWEN2,
    "qwen2_5_vl_text": _QWEN2,
    "qwen2_moe": replace(_QWEN2, shared_gate=True),
    "qwen3": _QWEN3,
    "qwen3_moe": _QWEN3,
    "qwen3_vl_text": _QWEN3,
    "qwen3_vl_moe_text": _QWEN3,
    "qwen3_next": _QWEN_HYBRID,
    "qwen3_5_text": replace(_QWEN_HYBRID, shared_gate=False),
    "qwen3_5": replace(_QWEN_HYBRID, shared_gate=False),
    "qwen3_5_moe_text": _QWEN_HYBRID,
    "qwen3_5_moe": _QWEN_HYBRID,
    "gemma": _GEMMA,
    "gemma2": _GEMMA2,
    "gemma3": _GEMMA3,
    "gemma3_text": _GEMMA3,
    "phi": _PHI,
    "phi3": Traits("Phi"),
    "phi3_v": Traits("Phi"),
    "phimoe": Traits("Phi", norm_vectors=2),
    "gpt2": _GPT2,
    "gpt_bigcode": replace(_GPT2, family="StarCoder"),
    "gpt_neo": replace(_GPT2, family="GPT-Neo", qkv_bias=False, has_window=False),
    "gptj": replace(_PHI, family="GPT-J", qkv_bias=False, output_bias=False),
    "codegen": replace(_PHI, family="CodeGen", qkv_bias=False, output_bias=False),
    "gpt_neox": replace(_ALL_BIASES, family="GPT-NeoX"),
    "opt": replace(_ALL_BIASES, family="OPT", tied=True, learned_positions=True, position_offset=2),
    "bloom": replace(_ALL_BIASES, family="BLOOM", tied=True, embedding_norm=True),
    "falcon": Traits("Falcon", matrices=2, tied=True, norm_vectors=2, four_times=True),
    "mpt": Traits("MPT", matrices=2, tied=True, four_times=True),
    "starcoder2": replace(_ALL_BIASES, family="StarCoder", tied=True, has_window=False),
    "stablelm": Traits("StableLM", norm_vectors=2),
    "persimmon": replace(_ALL_BIASES, family="Persimmon"),
    "cohere": _COHERE,
    "cohere2": replace(_COHERE, window_every=4),
    "olmo": Traits("OLMo", norm_vectors=0),
    "olmo2": replace(_OLMO2, has_window=False),
    "olmo3": _OLMO2,
    "olmoe": Traits("OLMo", qk_norm="all"),
    "glm": _GLM,
    "chatglm": _GLM,
    "glm4": replace(_GLM, qkv_bias=False, norms_per_layer=4),
    "glm4_moe": _GLM,
    "deepseek_v2": _DEEPSEEK,
    "deepseek_v3": _DEEPSEEK,
    "deepseek_v32": _DEEPSEEK,
    "kimi_k2": _DEEPSEEK,
    "gpt_oss": Traits(
        "gpt-oss",
        qkv_bias=True,
        output_bias=True,
        sinks=True,
        expert_bias=True,
        router_bias=True,
        window_every=2,
    ),
    "dbrx": Traits("DBRX"),
    "granite": _GRANITE,
    "granitemoe": _GRANITE,
    "granitemoehybrid": _GRANITE,
    "nemotron": Traits("Nemotron", matrices=2, norm_vectors=2),
    "exaone4": Traits("EXAONE", qk_norm="head", window_every=4),
    "seed_oss": Traits("Seed", qkv_bias=True, bias_reaches_output=False),
    "smollm3": Traits("SmolLM", tied=True),
    "ernie4_5": Traits("ERNIE", tied=True),
    "ernie4_5_moe": Traits("ERNIE", tied=True, router_bias=True),
    "hunyuan_v1_dense": Traits("Hunyuan", qk_norm="head", tied=True),
    "hunyuan_v1_moe": Traits("Hunyuan", qk_norm="head", tied=True),
    "minimax_m2": Traits("MiniMax", qk_norm="all"),
}

NOT_DECODERS = frozenset(
    {
        "albert",
        "bart",
        "bert",
        "clip",
        "deberta",
        "deberta-v2",
        "distilbert",
        "electra",
        "falcon_h1",
        "falcon_mamba",
        "jamba",
        "kimi_linear",
        "lfm2",
        "lfm2_moe",
        "m2m_100",
        "mamba",
        "mamba2",
        "marian",
        "mbart",
        "minimax",
        "mt5",
        "nemotron_h",
        "pegasus",
        "recurrent_gemma",
        "roberta",
        "rwkv",
        "siglip",
        "t5",
        "vit",
        "wav2vec2",
        "whisper",
        "xlm-roberta",
        "xlstm",
        "zamba",
        "zamba2",
    }
)
"""Types whose layers the usual formulas do not describe: encoders, and state spaces of their own layout."""


def traits_of(model_type: str) -> Traits:
    """Return the traits of a model type, those of a Llama-like decoder for one that is not listed."""
    return TRAITS.get(model_type, Traits("other"))
