"""The chosen model in one line, and the starts and sizes for people who know only roughly what they run."""

from dataclasses import dataclass

from advisor.facts import Facts
from advisor.facts.media import AudioModel, DiffusionModel
from advisor.facts.models import ModelShape
from advisor.resolve.models import resolve_model
from advisor.ui.formatting import compact, tokens
from advisor.ui.labels import format_name
from advisor.ui.language import _
from advisor.wording import N_
from advisor.workload import Workload

ATTENTION = {
    "mha": "MHA",
    "gqa": "GQA",
    "mqa": "MQA",
    "mla": "MLA",
    "sliding-mha": N_("sliding window"),
    "sliding-gqa": N_("GQA, sliding window"),
    "sliding-mqa": N_("MQA, sliding window"),
    "hybrid-mha": N_("hybrid attention"),
    "hybrid-gqa": N_("hybrid attention"),
    "hybrid-mqa": N_("hybrid attention"),
    "hybrid-mla": N_("hybrid attention"),
}


@dataclass(frozen=True, slots=True)
class ModelLine:
    """The model in one line, its licence as the table names it (empty where not known), its page on the Hub."""

    text: str
    licence: str
    url: str


def model_line(task: str, model_id: str, facts: Facts) -> ModelLine:
    """Return parameters, active ones, attention, native format and longest context, whatever the table knows."""
    model = resolve_model(Workload(task=task, model=model_id), facts)
    if isinstance(model, ModelShape):
        parts = _language_parts(model)
    elif isinstance(model, DiffusionModel):
        parts = _diffusion_parts(model)
    else:
        parts = _audio_parts(model)
    url = f"https://huggingface.co/{model.hf_id}" if model.hf_id else ""
    return ModelLine(" · ".join(part for part in parts if part), model.license, url)


def _language_parts(model: ModelShape) -> list[str]:
    parts = [_("{count} parameters").format(count=compact(model.parameters_total))]
    if model.parameters_active < 0.9 * model.parameters_total:
        parts.append(_("{count} active").format(count=compact(model.parameters_active)))
    parts.append(_(ATTENTION[model.attention_kind]))
    parts.append(format_name(model.native_format))
    if model.max_context:
        parts.append(_("up to {count} tokens").format(count=tokens(model.max_context)))
    return parts


def _diffusion_parts(model: DiffusionModel) -> list[str]:
    whole = model.backbone_parameters + model.text_encoder_parameters + model.vae_parameters
    return [
        _("{count} parameters").format(count=compact(whole)),
        _("{count} in the denoiser").format(count=compact(model.backbone_parameters)),
        _("{count} steps").format(count=model.default_steps),
    ]


def _audio_parts(model: AudioModel) -> list[str]:
    kinds = {"music": _("music"), "tts": _("text to speech"), "stt": _("speech to text")}
    return [
        _("{count} parameters").format(count=compact(model.parameters)),
        kinds.get(model.kind, model.kind),
        format_name(model.native_format) if model.native_format else "",
    ]


SIZE_PRESETS = {
    N_("8B"): "llama-3.1-8b",
    N_("14B"): "qwen3-14b",
    N_("32B"): "qwen3-32b",
    N_("70B"): "llama-3.3-70b",
    N_("Large MoE"): "deepseek-v3",
}
"""For people who know only «a 13B model»: a usual model of each size."""
