"""Resolving image, video and audio work."""

from advisor.errors import AdvisorError
from advisor.facts import Facts
from advisor.facts.formats import COMPUTE_OF, SIXTEEN
from advisor.facts.media import AudioModel, DiffusionModel
from advisor.resolve.engine import resolve_settings
from advisor.resolve.filling import Filling
from advisor.resolve.works import AudioWork, MediaWork
from advisor.workload import Deployment, Workload

DEFAULT_FPS = 16.0
DEFAULT_FORMAT = "bf16"
DEFAULT_AUDIO_SECONDS = 30.0


def resolve_media(
    workload: Workload, model: DiffusionModel, deployment: Deployment, facts: Facts, filling: Filling
) -> MediaWork:
    """Return image or video work, or fine-tuning of such a model, with every default filled; raises AdvisorError."""
    task = workload.task if workload.task != "finetune" else model.kind
    method = filling.fill("method", workload.method, "lora") if workload.task == "finetune" else ""
    usual = "nf4" if method == "qlora" else DEFAULT_FORMAT
    weights_id = facts.formats.find_id(filling.fill("weights", workload.weights, usual))
    settings = resolve_settings(workload, deployment, weights_id, method, facts, filling)
    parts = _part_bits(workload, weights_id, facts)
    return MediaWork(
        task=task,
        model=model,
        weights_id=weights_id,
        backbone_bits=parts[0],
        text_encoder_bits=parts[1],
        vae_bits=parts[2],
        compute=COMPUTE_OF.get(weights_id, "16bit"),
        width=filling.fill("width", workload.width, model.default_width, "model-default"),
        height=filling.fill("height", workload.height, model.default_height, "model-default"),
        frames=_frames(workload, model, filling),
        fps=workload.fps or model.default_fps or DEFAULT_FPS,
        steps=filling.fill("steps", workload.steps, model.default_steps, "model-default"),
        batch=filling.fill("batch", workload.batch, 1),
        guidance=filling.fill("guidance", workload.guidance, model.default_guidance, "model-default"),
        offload=workload.offload or "none",
        vae_tiling=bool(workload.vae_tiling),
        compile=bool(workload.compile),
        method=method,
        micro_batch=workload.micro_batch or workload.batch or 1,
        gradient_checkpointing=workload.gradient_checkpointing or "full",
        optimizer=workload.optimizer or "adamw",
        training_precision=workload.training_precision or "mixed",
        lora_rank=workload.lora_rank or 16,
        dataset_tokens=workload.dataset_tokens or float("nan"),
        epochs=workload.epochs or 1.0,
        sharding=deployment.sharding or "none",
        settings=settings,
    )


def _frames(workload: Workload, model: DiffusionModel, filling: Filling) -> int:
    if model.kind == "image":
        return 1
    return filling.fill("frames", workload.frames, model.default_frames, "model-default")


def _part_bits(workload: Workload, weights_id: str, facts: Facts) -> tuple[float, float, float]:
    """Return the bits of backbone, text encoder and VAE weights.

    Text encoders are loaded in the format of the backbone unless named; the VAE is never quantized.
    """
    backbone = _bits(weights_id, facts)
    encoder, vae = workload.text_encoder_weights, workload.vae_weights
    return (
        backbone,
        _bits(facts.formats.find_id(encoder, "workload.text_encoder_weights"), facts)
        if encoder
        else backbone,
        _bits(facts.formats.find_id(vae, "workload.vae_weights"), facts) if vae else max(SIXTEEN, backbone),
    )


def _bits(format_id: str, facts: Facts) -> float:
    return 16.0 if format_id == "native" else facts.formats.row(format_id).bits


def resolve_audio(
    workload: Workload, model: AudioModel, deployment: Deployment, facts: Facts, filling: Filling
) -> AudioWork:
    """Return audio work with every default filled; raises AdvisorError."""
    if not model.parameters:
        raise AdvisorError("model-without-shape", "workload.model", (), {"given": model.name})
    usual = model.native_format or DEFAULT_FORMAT
    weights_id = facts.formats.find_id(filling.fill("weights", workload.weights, usual, "native-format"))
    return AudioWork(
        model=model,
        weights_id=weights_id,
        bits=_bits(weights_id, facts),
        compute=COMPUTE_OF.get(weights_id, "16bit"),
        audio_seconds=filling.fill("audio_seconds", workload.audio_seconds, DEFAULT_AUDIO_SECONDS),
        batch=workload.batch or workload.concurrency or 1,
        settings=resolve_settings(workload, deployment, weights_id, "", facts, filling),
    )
