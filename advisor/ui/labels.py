"""What the options of the questions are called: English msgids by question and code.

A code without an entry is a name that no language translates (BF16, LoRA, a GPU): it is shown as written here or as it
stands.
"""

from advisor.ui.formatting import country
from advisor.ui.language import _, pgettext
from advisor.wording import N_

OPTION_LABELS = {
    "task.serve": N_("Serve text"),
    "task.image": N_("Make images"),
    "task.video": N_("Make video"),
    "task.audio": N_("Speech and music"),
    "task.finetune": N_("Fine-tune"),
    "task.pretrain": N_("Pre-train"),
    "method.full": N_("Full"),
    "provider_kinds.hyperscaler": N_("Big clouds"),
    "provider_kinds.neocloud": N_("Specialists"),
    "provider_kinds.marketplace": N_("Marketplaces"),
    "gpu_classes.consumer": N_("Consumer"),
    "gpu_classes.workstation": N_("Workstation"),
    "gpu_classes.datacenter": N_("Data center"),
    "pricing.on-demand": N_("On demand"),
    "pricing.spot": N_("Spot"),
    "pricing.reserved": N_("Reserved"),
    "pricing.cheapest": N_("The cheapest of these"),
    "sort.cost": N_("Cost"),
    "sort.speed": N_("Speed"),
    "sort.value": N_("Value for money"),
    "sort.bandwidth-per-usd": N_("Bandwidth per dollar"),
    "where.any": N_("Anywhere"),
    "where.EU": N_("European Union"),
    "where.EEA": N_("European Economic Area"),
    "where.LATAM": N_("Latin America"),
    "offload.none": N_("None"),
    "offload.model": N_("Whole parts, one at a time"),
    "offload.sequential": N_("Layer by layer (slow)"),
    "gradient_checkpointing.none": N_("None"),
    "gradient_checkpointing.selective": N_("Attention only"),
    "gradient_checkpointing.full": N_("Every layer"),
    "training_precision.mixed": N_("Mixed (32-bit master weights)"),
    "training_precision.pure-bf16": N_("Pure BF16"),
    "lora_targets.attention-qv": N_("Queries and values"),
    "lora_targets.attention": N_("Attention"),
    "lora_targets.all-linear": N_("All linear layers"),
    "objective.sft": N_("Supervised (SFT)"),
}

NAMES = {
    "lora": "LoRA",
    "qlora": "QLoRA",
    "dpo": "DPO",
    "grpo": "GRPO",
    "ppo": "PPO",
    "adamw": "AdamW",
    "adamw-8bit": "AdamW 8-bit",
    "paged-adamw-8bit": "Paged AdamW 8-bit",
    "adafactor": "Adafactor",
    "lion": "Lion",
    "sgd": "SGD",
    "muon": "Muon",
    "nvswitch": "NVSwitch",
    "nvlink": "NVLink",
    "pcie": "PCIe",
    "infinity-fabric": "Infinity Fabric",
    "ici": "ICI",
    "neuronlink": "NeuronLink",
    "ethernet": "Ethernet",
    "int4-awq": "4-bit AWQ",
    "int4-gptq": "4-bit GPTQ",
    "int4-g32": "4-bit, groups of 32",
    "int8-gptq": "INT8 GPTQ",
    "nf4": "NF4",
    "nf4-dq": "NF4, double quantized",
}

FOUR_BITS = N_("4 bits")
NATIVE = N_("As published")


def option_label(key: str, code: str) -> str:
    """Return what an option of a question is called in the reader's language."""
    full = f"{key}.{code}"
    if full in OPTION_LABELS:
        return _(OPTION_LABELS[full])
    if key == "where":
        return country(code)
    return format_name(code)


def format_name(code: str) -> str:
    """Return a weight format, method, link or optimizer as people write it."""
    if code.lower() in NAMES:
        return NAMES[code.lower()]
    if code == "native":
        return _(NATIVE)
    if code.startswith("gguf-"):
        return "GGUF " + code.removeprefix("gguf-").upper()
    if code.startswith("exl2-"):
        return f"EXL2 {code.removeprefix('exl2-')} bpw"
    return code.upper()


def short_format_name(code: str) -> str:
    """Return a weight format for a button: the usual 4-bit format is simply «4 bits»."""
    return _(FOUR_BITS) if code == "int4-awq" else format_name(code)


def yes_no(value: bool) -> str:
    """Return yes or no."""
    return pgettext("answer", "Yes") if value else pgettext("answer", "No")


CLASS_NOUNS = {
    "consumer": N_("consumer card"),
    "workstation": N_("workstation card"),
    "datacenter": N_("data-center GPU"),
}
