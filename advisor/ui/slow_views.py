"""Question 4, it runs and is slow: the ceiling, the share reached, what binds, what each remedy brings."""

from dataclasses import dataclass
from functools import lru_cache

from advisor.diagnose import Advice, Remedy, diagnose
from advisor.errors import AdvisorError
from advisor.estimate import estimate
from advisor.estimate.results import Number, Throughput
from advisor.facts import Facts
from advisor.facts.gpus import Gpu
from advisor.ui.chart_texts import alt_text, numbers
from advisor.ui.chart_views import Bar, BarsView, Role, Tick
from advisor.ui.context import Page
from advisor.ui.formatting import decimal, duration, factor, percent, short, with_unit
from advisor.ui.growth_views import bound_label
from advisor.ui.language import _, ngettext
from advisor.ui.memory_views import gpus_per_copy
from advisor.ui.offer_views import gpu_name
from advisor.ui.questions import SERVE, TRAINING
from advisor.ui.requests import Running, running_of
from advisor.ui.sentences import formatted, sentence
from advisor.units import SECONDS_PER_HOUR
from advisor.wording import N_, SENTENCES
from advisor.workload import Observed

MOST_REMEDIES = 5
ABOVE = 1.1
LEAST_PART = 0.01
IDLE = N_("A GPU that looks idle is normal here: it waits for memory, not for work.")
FREE_REMEDIES = (
    "cuda-graphs",
    "larger-batch",
    "lower-precision",
    "quantized-cache",
    "keep-on-gpu",
    "shorter-context",
)
"""What costs nothing but a setting; the rest means renting something else."""

TOTAL_OF = {"decode_tokens_per_second_per_request": "decode_tokens_per_second"}
"""The figure of all readers together behind a headline of one."""

SHORT_CAUSES = {
    "bandwidth-ceiling": N_("memory bandwidth is the limit"),
    "small-batch": N_("the batch is small"),
    "eager-launches": N_("the CPU holds up every step"),
    "pcie-all-reduce": N_("the GPUs wait for PCIe"),
    "host-offload": N_("part of it is in host memory"),
    "format-kernel": N_("the format's kernels are slow"),
    "cache-thrash": N_("the cache is too small"),
    "throttling": N_("the card is throttled"),
    "compute-ceiling": N_("compute is the limit"),
    "prefill-interference": N_("prompts hold up answers"),
    "above-ceiling": N_("check engine and format"),
}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What section 4 knows. ceiling: of the set-up; seen: measured speed, None until somebody types it.

    advice: the diagnosis, of the ceiling itself where nothing was measured; None for work without tokens.
    """

    gpu: Gpu
    gpu_count: int
    concurrency: int
    ceiling: Throughput[Number]
    seen: float | None
    share: float | None
    advice: Advice | None

    @property
    def ceiling_speed(self) -> float:
        """Return the headline speed of the set-up, in its own unit."""
        return total_speed(self.ceiling)


def total_speed(speed: Throughput[Number]) -> float:
    """Return the speed of all readers, or of the work where nobody reads: tokens, images, clips, seconds a second."""
    value = getattr(speed, TOTAL_OF.get(speed.headline, speed.headline))
    if not value:
        return 0.0
    return 1 / value if speed.headline.startswith("seconds_per_") else float(value)


def diagnosis_of(page: Page) -> Diagnosis | None:
    """Return the diagnosis of the set-up in use; None where no GPU is recommended or named. Raises AdvisorError."""
    best = page.best
    recommended = ("", 1) if best is None else (best.gpu.id, gpus_per_copy(page, best))
    running = running_of(page.answers, *recommended, page.facts)
    return None if running.deployment.gpu is None else _diagnosis(running, page.facts)


@lru_cache(maxsize=128)
def _diagnosis(running: Running, facts: Facts) -> Diagnosis:
    deployment = running.deployment
    ceiling = estimate(running.workload, deployment, facts).throughput
    assert ceiling is not None
    assert deployment.gpu is not None
    seen = running.observed.tokens_per_second if running.observed is not None else None
    fastest = total_speed(ceiling)
    advice = None
    if running.workload.task == SERVE and fastest:
        observed = running.observed or Observed(tokens_per_second=fastest)
        advice = diagnose(running.workload, deployment, observed, facts)
    return Diagnosis(
        gpu=facts.gpus.find(deployment.gpu)[0],
        gpu_count=deployment.gpu_count or 1,
        concurrency=running.workload.concurrency or 1,
        ceiling=ceiling,
        seen=seen,
        share=seen / fastest if seen and fastest else None,
        advice=advice,
    )


# --- sentences ---


def speed_of(page: Page, diagnosis: Diagnosis, speed: float) -> str:
    """Return a speed in the unit of the work."""
    task = page.answers.task
    if task == SERVE or task in TRAINING:
        return with_unit(speed, "tokens/s")
    if task == "image":
        return with_unit(speed * 60, _("images/min"))
    if task == "video":
        return duration(1 / speed / SECONDS_PER_HOUR) if speed else "–"
    return with_unit(speed, _("× real time"))


def gpus_text(diagnosis: Diagnosis) -> str:
    """Return the GPUs in use, «2 × RTX 4090»."""
    name = gpu_name(diagnosis.gpu)
    return name if diagnosis.gpu_count == 1 else f"{decimal(diagnosis.gpu_count)} × {name}"


def slow_headline(page: Page, diagnosis: Diagnosis | None) -> str:
    """Return the answer of section 4."""
    if diagnosis is None:
        return _("Name the GPU in use to see what it should give")
    if not diagnosis.ceiling_speed:
        return _("There are no figures for the speed of {gpu}").format(gpu=gpus_text(diagnosis))
    if diagnosis.share is None:
        return _expectation(page, diagnosis)
    if diagnosis.share > ABOVE:
        return _("You are past the ceiling we calculate: check engine and format")
    pattern = _("You are at {share} of the ceiling: {cause}")
    return pattern.format(share=percent(diagnosis.share), cause=_short_cause(diagnosis))


def _expectation(page: Page, diagnosis: Diagnosis) -> str:
    speed = speed_of(page, diagnosis, diagnosis.ceiling_speed)
    if page.answers.task == SERVE:
        return ngettext(
            "{gpu} should give {speed} with one conversation",
            "{gpu} should give {speed} with {count} conversations",
            diagnosis.concurrency,
        ).format(gpu=gpus_text(diagnosis), speed=speed, count=decimal(diagnosis.concurrency))
    if page.answers.task == "video":
        return _("{gpu} should take {time} for a clip").format(gpu=gpus_text(diagnosis), time=speed)
    return _("{gpu} should give {speed}").format(gpu=gpus_text(diagnosis), speed=speed)


def _short_cause(diagnosis: Diagnosis) -> str:
    if diagnosis.advice is None or not diagnosis.advice.causes:
        return bound_label(diagnosis.ceiling.bound)
    return _(SHORT_CAUSES[diagnosis.advice.causes[0].message.code])


def slow_reason(page: Page, diagnosis: Diagnosis | None) -> str:
    """Return the likely cause and the first remedy, or what to expect while nothing was typed."""
    if diagnosis is None or not diagnosis.ceiling_speed:
        return _("The catalogue has no offer for this work within your limits.") if diagnosis is None else ""
    if diagnosis.share is None:
        bound = _("What binds is {bound}.").format(bound=bound_label(diagnosis.ceiling.bound))
        if page.answers.task == SERVE:
            return " ".join((_("Do you see less? Type what you measure."), bound, _(IDLE)))
        return f"{_('Do you see less? Type what you measure.')} {bound}" if page.asks("seen") else bound
    advice = diagnosis.advice
    if advice is None:
        return _("It should give {speed}; what binds then is {bound}.").format(
            speed=speed_of(page, diagnosis, diagnosis.ceiling_speed),
            bound=bound_label(diagnosis.ceiling.bound),
        )
    sentences = [sentence(cause.message) for cause in advice.causes[:2]]
    remedies = ordered_remedies(advice)
    if launches_are_slow(diagnosis):
        sentences.append(
            _(
                "Switch on CUDA graphs first, or take an engine that uses them: that alone should bring {speed}."
            ).format(speed=speed_of(page, diagnosis, diagnosis.ceiling_speed))
        )
    elif remedies:
        sentences.append(
            _("First: {remedy} ({factor} times as fast).").format(
                remedy=remedy_text(remedies[0]), factor=factor(remedies[0].factor / min(1.0, diagnosis.share))
            )
        )
    return " ".join(sentences)


def launches_are_slow(diagnosis: Diagnosis) -> bool:
    """Whether starting kernels one by one is the likeliest cause of what was measured."""
    advice = diagnosis.advice
    if diagnosis.seen is None or advice is None or not advice.causes:
        return False
    return advice.causes[0].message.code == "eager-launches"


def short_slow_answer(page: Page, diagnosis: Diagnosis | None) -> str:
    """Return the answer for the table of contents."""
    if diagnosis is None or not diagnosis.ceiling_speed:
        return _("No figures")
    if diagnosis.share is not None:
        return _("{share} of the ceiling").format(share=percent(diagnosis.share))
    if page.answers.task == "video":
        return _("{time} a clip").format(time=speed_of(page, diagnosis, diagnosis.ceiling_speed))
    alone = page.answers.task == SERVE and diagnosis.concurrency == 1
    pattern = _("{speed}, one reader") if alone else _("Expect {speed}")
    return pattern.format(speed=speed_of(page, diagnosis, diagnosis.ceiling_speed))


def ordered_remedies(advice: Advice) -> tuple[Remedy, ...]:
    """Return the remedies: those that cost nothing but a setting first, then by gain."""
    free = FREE_REMEDIES

    def place(remedy: Remedy) -> tuple[bool, float]:
        return remedy.message.code not in free, remedy.factor

    return tuple(sorted(advice.remedies, key=place))[:MOST_REMEDIES]


def remedy_text(remedy: Remedy) -> str:
    """Return a remedy in a few words."""
    values = {name: formatted(name, value) for name, value in remedy.message.values.items()}
    return _(SENTENCES[remedy.message.code]).format(**values)


# --- chart ---


def remedies_view(page: Page, diagnosis: Diagnosis) -> BarsView | None:
    """Return today's speed beside what each remedy would bring; None where there is none to show."""
    advice = diagnosis.advice
    if advice is None or not advice.remedies:
        return None
    ceiling = diagnosis.ceiling_speed
    today = diagnosis.seen or ceiling
    is_seen = diagnosis.seen is not None
    first = Bar(
        label=_("Today") if is_seen else _("As it is"),
        value=today,
        text=short(today),
        role="orange" if is_seen else "grey",
        details=_details(_("Today") if is_seen else _("As it is"), today, 1.0),
    )
    bars = [_remedy_bar(remedy, ceiling, today, page.facts) for remedy in ordered_remedies(advice)]
    if launches_are_slow(diagnosis) and all(bar.value != ceiling for bar in bars):
        label, gain = _("CUDA graphs on"), ceiling / today
        bars.insert(0, Bar(label, ceiling, _gain_text(ceiling, gain), "blue", _details(label, ceiling, gain)))
    rule = Tick(ceiling, _("ceiling: {speed}").format(speed=short(ceiling))) if is_seen else None
    return BarsView(
        alt=alt_text(slow_headline(page, diagnosis), slow_reason(page, diagnosis)),
        numbers=numbers(),
        bars=(first, *bars),
        rule=rule,
    )


def _remedy_label(remedy: Remedy, facts: Facts) -> str:
    """Return a remedy within the width of a bar's label on a phone."""
    if remedy.message.code == "faster-memory":
        gpu = facts.gpus.find(str(remedy.change["gpu"]))[0]
        return f"{gpu_name(gpu)} ({gpu.memory_type})"
    text = remedy_text(remedy)
    return text[:1].upper() + text[1:]


def _remedy_bar(remedy: Remedy, ceiling: float, today: float, facts: Facts) -> Bar:
    speed = remedy.factor * ceiling
    label = _remedy_label(remedy, facts)
    gain = speed / today
    return Bar(label, speed, _gain_text(speed, gain), "blue", _details(label, speed, gain))


def _gain_text(speed: float, gain: float) -> str:
    return f"{short(speed)} ({factor(gain)}×)"


def _details(label: str, speed: float, gain: float) -> tuple[tuple[str, str], ...]:
    return (
        (_("Change"), label),
        (_("Speed"), with_unit(speed, "tokens/s")),
        (_("Factor"), f"{factor(gain)}×"),
    )


def answerable(page: Page) -> tuple[Diagnosis | None, AdvisorError | None]:
    """Return the diagnosis, or why there is none."""
    try:
        return diagnosis_of(page), None
    except AdvisorError as error:
        return None, error


STEP_PARTS: tuple[tuple[str, str, Role], ...] = (
    ("weights_seconds", N_("Reading weights"), "blue"),
    ("cache_seconds", N_("Reading the cache"), "orange"),
    ("compute_seconds", N_("Computing"), "green"),
    ("communication_seconds", N_("Talking between GPUs"), "orange"),
    ("launch_seconds", N_("Starting kernels"), "grey"),
    ("offload_seconds", N_("Reading host memory"), "grey"),
)
"""The parts of a step, what they are called, and their colour."""


def step_view(page: Page, diagnosis: Diagnosis) -> BarsView | None:
    """Return what a step is made of, as shares of it; None where the parts are not known."""
    whole = diagnosis.ceiling.step_seconds
    if not whole:
        return None
    bars = []
    for name, msgid, role in STEP_PARTS:
        seconds = getattr(diagnosis.ceiling, name)
        if seconds and seconds > LEAST_PART * whole:
            share = min(1.0, seconds / whole)
            details = ((_("Part"), _(msgid)), (_("Share of the total"), percent(share)))
            bars.append(Bar(_(msgid), share, percent(share), role, details))
    if not bars:
        return None
    return BarsView(alt=alt_text(slow_headline(page, diagnosis)), numbers=numbers(), bars=tuple(bars))
