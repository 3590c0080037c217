"""Resolving a serving workload: tokens, formats, concurrency, engine."""

from advisor.codes import message
from advisor.facts import Facts
from advisor.facts.formats import CACHE_BITS, WeightFormat
from advisor.facts.models import ModelShape
from advisor.resolve.engine import resolve_settings
from advisor.resolve.filling import Filling
from advisor.resolve.models import resolve_model
from advisor.resolve.vision import image_tokens_per_request
from advisor.resolve.works import Draft, EngineSettings, ServeWork
from advisor.units import bytes_from_gib
from advisor.workload import Deployment, Speculative, Workload

DEFAULT_PROMPT_TOKENS = 7_168
DEFAULT_OUTPUT_TOKENS = 1_024

LLAMA_CPP_FILE_TYPES = {"mxfp4": "gguf-mxfp4_moe"}
"""Formats that llama.cpp runs under a file type of its own."""


def resolve_serving(workload: Workload, deployment: Deployment, facts: Facts, filling: Filling) -> ServeWork:
    """Return the serving work with every default filled and recorded; raises AdvisorError."""
    model = resolve_model(workload, facts)
    assert isinstance(model, ModelShape)
    weights = resolve_weights(workload, model, facts, filling)
    settings = resolve_settings(workload, deployment, weights.id, "", facts, filling)
    weights = _as_file_type(weights, settings, model, facts, filling)
    cache_format = filling.fill("kv_cache", workload.kv_cache, weights.kv_default, "format-default")
    prompt, output, context = resolve_tokens(workload, model, filling)
    return ServeWork(
        model=model,
        weights=weights,
        cache_format=cache_format,
        cache_bits=CACHE_BITS[cache_format],
        prompt_tokens=prompt,
        output_tokens=output,
        context_tokens=context,
        shared_prefix_tokens=min(workload.shared_prefix_tokens or 0, context),
        image_tokens=image_tokens_per_request(workload, model),
        concurrency=workload.concurrency,
        draft=_resolve_draft(workload.speculative, facts),
        offload_bytes=bytes_from_gib(workload.offload_gib or 0.0) if workload.offload == "weights" else 0.0,
        gpu_layers=workload.gpu_layers,
        settings=settings,
    )


def resolve_weights(workload: Workload, model: ModelShape, facts: Facts, filling: Filling) -> WeightFormat:
    """Return the weight format, the model's native one when none was named."""
    if workload.weights is None:
        format_id = model.native_format
        filling.assume("weights", format_id, "native-format")
    else:
        format_id = facts.formats.find_id(workload.weights)
    return facts.formats.weight_format(format_id, model)


def _as_file_type(
    weights: WeightFormat, settings: EngineSettings, model: ModelShape, facts: Facts, filling: Filling
) -> WeightFormat:
    """Return the format as llama.cpp stores it: its MXFP4 files keep eight bits, not sixteen, outside the experts."""
    file_type = LLAMA_CPP_FILE_TYPES.get(weights.id)
    if settings.engine.profile != "llama.cpp" or file_type is None:
        return weights
    filling.assume("weights", file_type, "format-default")
    return facts.formats.weight_format(file_type, model)


def resolve_tokens(workload: Workload, model: ModelShape, filling: Filling) -> tuple[int, int, int]:
    """Return prompt, output and context tokens of a request; context = prompt + output unless given."""
    prompt, output, context = workload.prompt_tokens, workload.output_tokens, workload.context_tokens
    if output is None:
        room = max(
            1, (context - (prompt or 0)) if context and prompt is not None else (context or 8_192) // 8
        )
        output = filling.fill("output_tokens", None, min(DEFAULT_OUTPUT_TOKENS, room))
    if prompt is None:
        left = DEFAULT_PROMPT_TOKENS if context is None else max(1, context - output)
        prompt = filling.fill("prompt_tokens", None, left)
    if context is None:
        context = prompt + output
    if context > model.max_context > 0:
        filling.warn(
            message("context-above-maximum", context_tokens=context, maximum_tokens=model.max_context)
        )
    return prompt, output, context


def _resolve_draft(speculative: Speculative | None, facts: Facts) -> Draft | None:
    if speculative is None:
        return None
    kind = speculative.draft or "mtp"
    model = None
    if kind not in ("mtp", "ngram"):
        found = facts.language_models.names.find(kind, "workload.speculative.draft")[0]
        model, kind = facts.language_models.by_id[found], "model"
    return Draft(
        model,
        kind,
        speculative.tokens or 3,
        0.7 if speculative.acceptance is None else speculative.acceptance,
    )
