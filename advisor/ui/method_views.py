"""How the need came about, one line a part, with this work's own numbers and the formula's source."""

from advisor.resolve.works import AudioWork, MediaWork, ServeWork, TrainingWork
from advisor.ui.context import Page
from advisor.ui.formatting import compact, decimal, gib, percent
from advisor.ui.labels import format_name
from advisor.ui.language import _
from advisor.ui.markdown import money_safe
from advisor.ui.memory_views import Need


def memory_steps(page: Page, need: Need) -> list[str]:
    """Return the steps of the memory count."""
    ranking = page.ranking
    if ranking is None:
        return [_("There is nothing to count yet.")]
    work = ranking.work
    if isinstance(work, ServeWork):
        steps = [_weights_step(work, need), *_cache_steps(work, need)]
    elif isinstance(work, TrainingWork):
        steps = [_weights_step(work, need), _training_step(work, need)]
    else:
        steps = [_parts_step(work, need)]
    steps.append(_rest_step(need))
    return [money_safe(step) for step in steps]


def _weights_step(work: ServeWork | TrainingWork, need: Need) -> str:
    return _(
        "**Weights**: every group of tensors at its own width. {parameters} parameters, most in {format}, "
        "make {size} on each GPU."
    ).format(
        parameters=compact(work.model.parameters_total),
        format=format_name(work.weights.id),
        size=gib(need.memory.weights_gib or 0.0, 2),
    )


def _cache_steps(work: ServeWork, need: Need) -> list[str]:
    per_token = work.model.kv_bytes_per_token_full_bf16 * work.cache_bits / 16
    steps = [
        _(
            "**KV cache**: {bytes} bytes for each token in {format}, times {tokens} tokens, times {count} "
            "conversations: {size} on each GPU."
        ).format(
            bytes=decimal(per_token),
            format=format_name(work.cache_format),
            tokens=decimal(work.context_tokens),
            count=decimal(work.concurrency or 1),
            size=gib(need.memory.kv_cache_gib or 0.0, 2),
        )
    ]
    if work.model.sliding_attention_layers:
        steps.append(
            _("{count} layers keep only the last {window} tokens, so they stop growing there.").format(
                count=decimal(work.model.sliding_attention_layers), window=decimal(work.model.sliding_window)
            )
        )
    if need.memory.state_gib:
        steps.append(
            _("Linear-attention layers keep a fixed state instead of a growing cache: {size}.").format(
                size=gib(need.memory.state_gib, 2)
            )
        )
    if work.model.has_latent_cache:
        steps.append(
            _("The cache is one latent vector a token (MLA); every tensor-parallel GPU keeps all of it.")
        )
    return steps


def _training_step(work: TrainingWork, need: Need) -> str:
    memory = need.memory
    return _(
        "**Training state**: gradients {gradients}, optimizer {optimizer}, adapters {adapters}. "
        "**Activations**: {activations} for {tokens} tokens at once."
    ).format(
        gradients=gib(memory.gradients_gib or 0.0, 2),
        optimizer=gib(memory.optimizer_gib or 0.0, 2),
        adapters=gib(memory.adapters_gib or 0.0, 2),
        activations=gib(memory.activations_gib or 0.0, 2),
        tokens=decimal(work.tokens_per_micro_batch),
    )


def _parts_step(work: MediaWork | AudioWork, need: Need) -> str:
    return _(
        "**Weights**: all parts of the model in {format}: {weights}. **Activations**: {activations}."
    ).format(
        format=format_name(work.weights_id),
        weights=gib(need.memory.weights_gib or 0.0, 2),
        activations=gib(need.memory.activations_gib or 0.0, 2),
    )


def _rest_step(need: Need) -> str:
    memory = need.memory
    text = _("**Need**: the peak of {peak}, plus what allocator, context and buffers take: {need}.").format(
        peak=gib(memory.peak_gib or 0.0, 2), need=gib(memory.needed_gib or 0.0, 2)
    )
    if memory.reserved_gib and memory.leftover_gib and memory.budget_gib and memory.allocatable_gib:
        text += " " + _(
            "The engine takes {reserved} of the card at once ({share}); {leftover} of that stay free for more cache."
        ).format(
            reserved=gib(memory.reserved_gib),
            share=percent(memory.budget_gib / memory.allocatable_gib),
            leftover=gib(memory.leftover_gib),
        )
    return text
