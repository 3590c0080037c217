"""How memory grows with the context, and how speed grows with the conversations: the two sweeps of serving."""

import numpy as np

from advisor.recommend import RankedOffer
from advisor.resolve.works import ServeWork
from advisor.sweeps import ConcurrencySweep, ContextSweep, memory_over_context, speed_over_concurrency
from advisor.ui.chart_texts import alt_text, doubling_ticks, numbers
from advisor.ui.chart_views import BoundRange, ConcurrencyView, Curve, GrowthView, Mark, Tick
from advisor.ui.context import Page
from advisor.ui.formatting import decimal, gib, short, tokens, with_unit
from advisor.ui.language import _, ngettext
from advisor.ui.memory_views import Need, class_line, verdicts
from advisor.wording import N_

POINTS = 60

BOUND_LABELS = {
    "bandwidth": N_("memory bandwidth"),
    "compute": N_("compute"),
    "communication": N_("link"),
    "launch": N_("launch overhead"),
    "capacity": N_("cache space"),
    "offload": N_("host memory"),
}


def bound_label(bound: str) -> str:
    """Return what limits a speed, in the reader's language."""
    return _(BOUND_LABELS[bound]) if bound in BOUND_LABELS else bound


def serving(page: Page) -> tuple[ServeWork, RankedOffer] | None:
    """Return work and recommended offer where both sweeps make sense."""
    ranking, best = page.ranking, page.best
    if ranking is None or best is None or not isinstance(ranking.work, ServeWork):
        return None
    return ranking.work, best


def growth_view(page: Page, need: Need) -> GrowthView | None:
    """Return the curve of memory over context; None where the work has no context."""
    found = serving(page)
    if found is None:
        return None
    work, offer = found
    sweep = memory_over_context(work, offer, page.facts)
    contexts = np.geomspace(sweep.context_tokens[0], sweep.context_tokens[-1], POINTS)

    def line(column: np.ndarray) -> tuple[float, ...]:
        # Memory is linear in the context, so few counted points give many drawn ones.
        return tuple(np.interp(contexts, sweep.context_tokens, column).tolist())

    most = float(sweep.needed_gib.max())
    classes = [verdict for verdict in verdicts(page, need) if verdict.usable_gib <= 1.1 * most]
    return GrowthView(
        alt=alt_text(growth_sentence(sweep, work)),
        numbers=numbers(),
        contexts=tuple(contexts.tolist()),
        curves=(
            Curve(_("KV cache"), "orange", line(sweep.cache_gib)),
            Curve(_("Weights"), "blue", line(sweep.weights_gib)),
            Curve(_("Total"), "ink", line(sweep.needed_gib)),
        ),
        ticks=doubling_ticks(contexts[0], contexts[-1]),
        here=Mark(
            float(work.context_tokens),
            need.per_gpu_gib,
            _("you: {need}").format(need=gib(need.per_gpu_gib)),
        ),
        crossing=_crossing(sweep),
        classes=tuple(class_line(verdict) for verdict in classes),
        x_title=_conversations_title(work),
        y_title="GiB",
    )


def _conversations_title(work: ServeWork) -> str:
    count = work.concurrency or 1
    return ngettext(
        "Tokens per conversation ({count} conversation)",
        "Tokens per conversation ({count} conversations)",
        count,
    ).format(count=decimal(count))


def _crossing(sweep: ContextSweep) -> Mark | None:
    if np.isnan(sweep.crossing_tokens):
        return None
    return Mark(sweep.crossing_tokens, float(sweep.weights_gib[0]), _("cache = weights"))


def growth_sentence(sweep: ContextSweep, work: ServeWork) -> str:
    """Return where the cache reaches the weights, in one sentence."""
    if np.isnan(sweep.crossing_tokens):
        return _("In the range of this model the KV cache stays on one side of the weights.")
    count = work.concurrency or 1
    return ngettext(
        "With {count} conversation the KV cache reaches the weights at {tokens} tokens.",
        "With {count} conversations the KV cache reaches the weights at {tokens} tokens each.",
        count,
    ).format(count=decimal(count), tokens=tokens(sweep.crossing_tokens))


def concurrency_view(page: Page) -> ConcurrencyView | None:
    """Return total and per-reader speed over conversations; None where nobody reads."""
    found = serving(page)
    if found is None:
        return None
    work, offer = found
    sweep = speed_over_concurrency(work, offer, page.facts)
    if len(sweep.concurrency) < 3:
        return None
    each = sweep.tokens_per_second_per_request
    wanted = page.number("tokens_per_second_per_request") or 0.0
    return ConcurrencyView(
        alt=alt_text(knee_sentence(sweep)),
        numbers=numbers(),
        concurrency=tuple(sweep.concurrency.tolist()),
        total=Curve(_("all readers"), "blue", tuple(sweep.tokens_per_second.tolist())),
        per_reader=Curve(_("each reader"), "orange", tuple(each.tolist())),
        ticks=doubling_ticks(1, sweep.concurrency[-1]),
        knee=_knee(sweep),
        here=_here(sweep, work),
        bounds=_bounds(sweep),
        minimum=Tick(wanted, _("your minimum: {speed}").format(speed=short(wanted))) if wanted else None,
        x_title=_("Conversations at once"),
        y_title="tokens/s",
    )


def _at(sweep: ConcurrencySweep, column: np.ndarray, concurrency: float) -> float:
    return float(np.interp(concurrency, sweep.concurrency, column))


def _knee(sweep: ConcurrencySweep) -> Mark:
    total = _at(sweep, sweep.tokens_per_second, sweep.knee)
    return Mark(sweep.knee, total, _("knee: {count}").format(count=decimal(sweep.knee)))


def _here(sweep: ConcurrencySweep, work: ServeWork) -> Mark | None:
    count = float(work.concurrency or 1)
    if count > sweep.concurrency[-1]:
        return None
    speed = _at(sweep, sweep.tokens_per_second_per_request, count)
    return Mark(count, speed, _("you: {speed}").format(speed=with_unit(speed, "tokens/s")))


def _bounds(sweep: ConcurrencySweep) -> tuple[BoundRange, ...]:
    """Return the stretches in which one thing limits the speed."""
    ranges: list[BoundRange] = []
    for concurrency, bound in zip(sweep.concurrency.tolist(), sweep.bound, strict=True):
        label = bound_label(bound)
        if ranges and ranges[-1].label == label:
            ranges[-1] = BoundRange(ranges[-1].first, concurrency, label)
        else:
            ranges.append(BoundRange(concurrency, concurrency, label))
    return tuple(ranges)


def knee_sentence(sweep: ConcurrencySweep) -> str:
    """Return what more conversations bring, in one sentence."""
    one = _at(sweep, sweep.tokens_per_second, 1)
    knee = _at(sweep, sweep.tokens_per_second, sweep.knee)
    gain = _(
        "One conversation makes {one}, {count} together {knee}: one pass over the weights serves them all."
    ).format(one=with_unit(one, "tokens/s"), count=decimal(sweep.knee), knee=with_unit(knee, "tokens/s"))
    if sweep.knee >= sweep.concurrency[-1]:
        return f"{gain} " + _("More do not fit the cache of this machine.")
    return f"{gain} " + _("Beyond that, twice as many bring less than a fifth more.")


def batching_sentence(page: Page) -> str:
    """Return the sentence under the concurrency chart."""
    found = serving(page)
    return "" if found is None else knee_sentence(speed_over_concurrency(*found, page.facts))
