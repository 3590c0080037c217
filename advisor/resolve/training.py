"""Resolving fine-tuning and pre-training of a language model."""

from advisor.errors import AdvisorError
from advisor.facts import Facts
from advisor.facts.models import ModelShape
from advisor.resolve.engine import resolve_settings
from advisor.resolve.filling import Filling
from advisor.resolve.vision import image_tokens_per_request
from advisor.resolve.works import TrainingWork
from advisor.workload import Deployment, Workload

DEFAULT_SEQUENCE_TOKENS = {"finetune": 2_048, "pretrain": 4_096}
TRAINING_OFFLOADS = ("none", "optimizer", "parameters", "activations", "all")
DEFAULT_WEIGHTS = {"qlora": "nf4", "lora": "bf16", "full": "bf16"}


def resolve_training(
    workload: Workload, model: ModelShape, deployment: Deployment, facts: Facts, filling: Filling
) -> TrainingWork:
    """Return the training work with every default filled and recorded; raises AdvisorError."""
    method = "full" if workload.task == "pretrain" else filling.fill("method", workload.method, "lora")
    weights = workload.weights
    if weights is None:
        weights = DEFAULT_WEIGHTS[method]
        filling.assume("weights", weights, "method-default")
    format_id = facts.formats.find_id(weights)
    settings = resolve_settings(workload, deployment, format_id, method, facts, filling)
    sequence = filling.fill(
        "sequence_tokens", workload.sequence_tokens, DEFAULT_SEQUENCE_TOKENS[workload.task]
    )
    adapters = method != "full"
    return TrainingWork(
        task=workload.task,
        model=model,
        weights=facts.formats.weight_format(format_id, model),
        method=method,
        objective=workload.objective or "sft",
        generations_per_prompt=workload.generations_per_prompt or 1,
        reference_model=_reference_model(workload, method),
        sequence_tokens=sequence,
        average_tokens=min(workload.average_tokens or sequence, sequence),
        image_tokens=image_tokens_per_request(workload, model),
        micro_batch=filling.fill("micro_batch", workload.micro_batch, 1),
        gradient_accumulation=filling.fill("gradient_accumulation", workload.gradient_accumulation, 1),
        gradient_checkpointing=filling.fill(
            "gradient_checkpointing", workload.gradient_checkpointing, "full"
        ),
        flash_attention=filling.fill("flash_attention", workload.flash_attention, True),
        fused_cross_entropy=filling.fill("fused_cross_entropy", workload.fused_cross_entropy, False),
        packing=True if workload.packing is None else workload.packing,
        compile=bool(workload.compile),
        optimizer=filling.fill("optimizer", workload.optimizer, "adamw"),
        training_precision=filling.fill("training_precision", workload.training_precision, "mixed"),
        lora_rank=filling.fill("lora_rank", workload.lora_rank, 16) if adapters else 0,
        lora_targets=(filling.fill("lora_targets", workload.lora_targets, "all-linear") if adapters else ""),
        dataset_tokens=workload.dataset_tokens or float("nan"),
        epochs=workload.epochs or 1.0,
        offload=_offload(workload),
        sharding=_sharding(deployment, settings.engine.profile, filling),
        settings=settings,
    )


def _offload(workload: Workload) -> str:
    """Return what training keeps on the host; raises AdvisorError for what only inference can move there."""
    offload = workload.offload or "none"
    if offload not in TRAINING_OFFLOADS:
        raise AdvisorError("unknown-value", "workload.offload", TRAINING_OFFLOADS, {"given": offload})
    return offload


def _reference_model(workload: Workload, method: str) -> str:
    if workload.reference_model is not None:
        return workload.reference_model
    if (workload.objective or "sft") == "sft":
        return "none"
    return "resident" if method == "full" else "adapter-off"


def _sharding(deployment: Deployment, engine: str, filling: Filling) -> str:
    """Return how the training state is split; several GPUs are taken as fully sharded.

    Stated data parallelism without a word on sharding is plain data parallelism: each copy holds everything.
    Megatron's tensor and pipeline parallelism comes with its distributed optimizer.
    """
    if deployment.sharding is not None:
        return deployment.sharding
    split = max(deployment.tensor_parallel or 1, deployment.pipeline_parallel or 1) > 1
    if engine == "megatron" and split and deployment.data_parallel is None:
        return filling.fill("sharding", None, "zero1", "engine-default")
    several = (deployment.gpu_count or 1) > 1 and deployment.data_parallel is None
    return filling.fill("sharding", None, "fsdp") if several else "none"
