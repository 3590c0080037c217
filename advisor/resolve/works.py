"""The resolved work: one small record a kind of task, scalars only, every default filled.

Estimators see these and never a name or an open question.
"""

from dataclasses import dataclass

from advisor.facts.engines import Engine
from advisor.facts.formats import WeightFormat
from advisor.facts.media import AudioModel, DiffusionModel
from advisor.facts.models import ModelShape
from advisor.units import BITS_PER_BYTE


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """The engine and the settings a person stated; None where the engine's own default holds.

    memory_utilization: share of the card the engine takes, 0 to 1.
    """

    engine: Engine
    version: str
    memory_utilization: float | None = None
    max_concurrent_sequences: int | None = None
    max_batched_tokens: int | None = None
    cuda_graphs: bool | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """Speculative decoding: the draft model (None for n-grams and built-in layers), tokens a step, acceptance."""

    model: ModelShape | None
    kind: str
    tokens: int
    acceptance: float


@dataclass(frozen=True, slots=True)
class ServeWork:
    """Serving a language model. Token counts are a request's; `cache_bits` is of one cached element [bits].

    concurrency: sequences in flight over the whole deployment; None = as many as fit.
    offload_bytes: weights kept in host memory [bytes]; gpu_layers: llama.cpp's layers on the GPU, None = all.
    """

    model: ModelShape
    weights: WeightFormat
    cache_format: str
    cache_bits: float
    prompt_tokens: int
    output_tokens: int
    context_tokens: int
    shared_prefix_tokens: int
    image_tokens: int
    concurrency: int | None
    draft: Draft | None
    offload_bytes: float
    gpu_layers: int | None
    settings: EngineSettings


@dataclass(frozen=True, slots=True)
class TrainingWork:
    """Fine-tuning or pre-training a language model.

    sequence_tokens: packed or padded length of one sample [tokens]; average_tokens: mean real length [tokens];
    matrix_precision: bf16, fp8 or fp4, in which full training multiplies; dataset_tokens: NaN when not stated.
    """

    task: str
    model: ModelShape
    weights: WeightFormat
    method: str
    objective: str
    generations_per_prompt: int
    reference_model: str
    sequence_tokens: int
    average_tokens: int
    image_tokens: int
    micro_batch: int
    gradient_accumulation: int
    gradient_checkpointing: str
    flash_attention: bool
    fused_cross_entropy: bool
    packing: bool
    compile: bool
    optimizer: str
    training_precision: str
    lora_rank: int
    lora_targets: str
    dataset_tokens: float
    epochs: float
    offload: str
    sharding: str
    settings: EngineSettings

    @property
    def tokens_per_micro_batch(self) -> int:
        """Return the tokens of one forward pass on one data-parallel rank [tokens]."""
        return self.micro_batch * self.sequence_tokens


@dataclass(frozen=True, slots=True)
class MediaWork:
    """Making images or video, or fine-tuning such a model (`method` lora, qlora or full; empty = generating).

    *_bits: of one stored weight [bits]; compute: 16bit, fp8, int8 or fp4, the precision the backbone multiplies in.
    """

    task: str
    model: DiffusionModel
    weights_id: str
    backbone_bits: float
    text_encoder_bits: float
    vae_bits: float
    compute: str
    width: int
    height: int
    frames: int
    fps: float
    steps: int
    batch: int
    guidance: bool
    offload: str
    vae_tiling: bool
    compile: bool
    method: str
    micro_batch: int
    gradient_checkpointing: str
    optimizer: str
    training_precision: str
    lora_rank: int
    dataset_tokens: float
    epochs: float
    sharding: str
    settings: EngineSettings

    @property
    def stored_bytes(self) -> float:
        """Return the size of all parts on a disk [bytes]."""
        backbone = self.model.backbone_parameters * self.backbone_bits
        encoder = self.model.text_encoder_parameters * self.text_encoder_bits
        return (backbone + encoder + self.model.vae_parameters * self.vae_bits) / BITS_PER_BYTE


@dataclass(frozen=True, slots=True)
class AudioWork:
    """Speech or music: one clip of `audio_seconds` [s] a request, `batch` together."""

    model: AudioModel
    weights_id: str
    bits: float
    compute: str
    audio_seconds: float
    batch: int
    settings: EngineSettings

    @property
    def stored_bytes(self) -> float:
        """Return the size of the weights on a disk [bytes]."""
        return self.model.parameters * self.bits / BITS_PER_BYTE


Work = ServeWork | TrainingWork | MediaWork | AudioWork
