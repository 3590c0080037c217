"""Question 1, how much VRAM: the need, its parts, the class of card it lands in, what would shrink it."""

import dataclasses
from dataclasses import dataclass
from functools import lru_cache

from advisor.codes import Message
from advisor.estimate import estimate
from advisor.estimate.results import Memory, Number
from advisor.facts import Facts
from advisor.recommend import RankedOffer
from advisor.resolve.works import ServeWork, TrainingWork
from advisor.sweeps import CardClass, Shrink, card_classes, shrink_options
from advisor.ui.chart_texts import alt_text, numbers
from advisor.ui.chart_views import ClassLine, Details, MemoryPart, MemoryView, Role
from advisor.ui.context import Page
from advisor.ui.formatting import decimal, gb, gib, gib_number, percent, plain_number, tokens
from advisor.ui.language import _, ngettext
from advisor.ui.questions import MEDIA, SERVE
from advisor.ui.requests import Request
from advisor.ui.sentences import formatted, sentence
from advisor.wording import SENTENCES

REFERENCE_GPU, REFERENCE_COUNTS = "h100-sxm-80gb", (1, 2, 4, 8)
"""On which the need is counted while no offer fits."""

FEWEST_RENTERS = 3
NEARLY_EQUAL = 1.08
FARTHEST_CLASS = 1.8


@dataclass(frozen=True, slots=True)
class Need:
    """What one copy of the work needs. memory: of its fullest GPU; gpus: that one copy is spread over.

    card_gb: size of these cards as printed on them [GB]; offer: where it was counted, None where nothing fits.
    """

    memory: Memory[Number]
    gpus: int
    card_gb: float
    offer: RankedOffer | None

    @property
    def per_gpu_gib(self) -> float:
        """Return the least one card must offer [GiB]."""
        return self.memory.needed_gib or 0.0

    @property
    def total_gib(self) -> float:
        """Return the need over all GPUs of one copy [GiB]."""
        return self.per_gpu_gib * self.gpus

    @property
    def engine_share(self) -> float:
        """Return the part of a card that the engine may use, 0 to 1."""
        budget, allocatable = self.memory.budget_gib, self.memory.allocatable_gib
        return budget / allocatable if budget and allocatable else 1.0


@dataclass(frozen=True, slots=True)
class ClassVerdict:
    """One class of card: its name [GB], what may be used of it [GiB], and whether the work fits."""

    memory_gb: float
    usable_gib: float
    fits: bool
    is_tight: bool


def need_of(page: Page) -> Need:
    """Return the need on the recommended offer; where nothing fits, on as many reference cards as it takes.

    Raises AdvisorError.
    """
    best = page.best
    if best is not None:
        return Need(best.memory, gpus_per_copy(page, best), best.gpu.memory_gb, best)
    card_gb = page.facts.gpus[REFERENCE_GPU].memory_gb
    needs = [
        Need(_reference_memory(page.request, count, page.facts), count, card_gb, None)
        for count in REFERENCE_COUNTS
    ]
    return next((need for need in needs if need.per_gpu_gib <= (need.memory.budget_gib or 0.0)), needs[-1])


@lru_cache(maxsize=128)
def _reference_memory(request: Request, gpu_count: int, facts: Facts) -> Memory[Number]:
    deployment = dataclasses.replace(request.deployment, gpu=REFERENCE_GPU, gpu_count=gpu_count)
    return estimate(request.workload, deployment, facts).memory


def gpus_per_copy(page: Page, offer: RankedOffer) -> int:
    """Return over how many GPUs one copy of the work is spread."""
    ranking = page.ranking
    assert ranking is not None
    if isinstance(ranking.work, ServeWork):
        return offer.tensor_parallel * offer.pipeline_parallel
    return offer.gpu_count * offer.instances if isinstance(ranking.work, TrainingWork) else 1


@lru_cache(maxsize=4)
def usual_classes(facts: Facts) -> tuple[CardClass, ...]:
    """Return the sizes of card that several providers rent; of two nearly equal ones, the more usual one."""
    renters: dict[float, set[str]] = {}
    for offer in facts.offers.rows:
        renters.setdefault(facts.gpus[offer.gpu_id].memory_gb, set()).add(offer.provider)
    kept: list[CardClass] = []
    for size in card_classes(facts):
        if len(renters[size.memory_gb]) < FEWEST_RENTERS:
            continue
        if kept and size.memory_gb < NEARLY_EQUAL * kept[-1].memory_gb:
            if len(renters[size.memory_gb]) > len(renters[kept[-1].memory_gb]):
                kept[-1] = size
            continue
        kept.append(size)
    return tuple(kept)


def verdicts(page: Page, need: Need) -> tuple[ClassVerdict, ...]:
    """Return every class of card the catalogue offers, small to large, with its verdict."""
    high = need.memory.high_gib or need.per_gpu_gib
    found = []
    for size in usual_classes(page.facts):
        usable = size.allocatable_gib * need.engine_share
        fits = need.per_gpu_gib <= usable
        found.append(ClassVerdict(size.memory_gb, usable, fits, fits and high > usable))
    return tuple(found)


def shown_classes(page: Page, need: Need) -> tuple[ClassVerdict, ...]:
    """Return the last class that is too small, the next two that fit, and the recommended card's own if it is near."""
    every = verdicts(page, need)
    small = [verdict for verdict in every if not verdict.fits][-1:]
    large = [verdict for verdict in every if verdict.fits]
    chosen = [*small, *large[:2]]
    if need.offer is not None and large:
        own = [verdict for verdict in large if verdict.memory_gb == need.offer.gpu.memory_gb]
        chosen += [verdict for verdict in own if verdict.usable_gib < FARTHEST_CLASS * large[0].usable_gib]
    return tuple(verdict for verdict in every if verdict in chosen)


# --- sentences ---


def memory_headline(page: Page, need: Need) -> str:
    """Return the answer of section 1."""
    if need.gpus > 1:
        return _("{need}: it takes {count} GPUs of {size}").format(
            need=gib(need.total_gib), count=decimal(need.gpus), size=gb(need.card_gb)
        )
    every = verdicts(page, need)
    first = next((verdict for verdict in every if verdict.fits), None)
    if first is None:
        return _("{need}: more than any single card holds").format(need=gib(need.per_gpu_gib))
    if first == every[0]:
        return _("{need}: fits even in {size}").format(need=gib(need.per_gpu_gib), size=gb(first.memory_gb))
    below = every[every.index(first) - 1]
    pattern = (
        _("{need}: too much for {below}, just fits {size}")
        if first.is_tight
        else _("{need}: too much for {below}, fits {size}")
    )
    return pattern.format(
        need=gib(need.per_gpu_gib), below=plain_number(below.memory_gb), size=gb(first.memory_gb)
    )


def memory_reason(page: Page, need: Need) -> str:
    """Return what takes the memory, largest first, and how sure it is."""
    memory = need.memory
    parts = [_weights_sentence(page, need), _second_sentence(page, need)]
    if need.gpus > 1:
        parts.append(_("Each GPU holds {size} of it.").format(size=gib(need.per_gpu_gib)))
    if memory.low_gib and memory.high_gib:
        parts.append(
            _("In eight of ten cases it is between {low} and {high}.").format(
                low=gib_number(memory.low_gib * need.gpus), high=gib(memory.high_gib * need.gpus)
            )
        )
    if not memory.measured:
        parts.append(_("This kind of set-up was not measured, so the interval is wide."))
    return " ".join(part for part in parts if part)


def _weights_sentence(page: Page, need: Need) -> str:
    size = gib((need.memory.weights_gib or 0.0) * need.gpus)
    if page.answers.task in ("image", "video"):
        return _("Denoiser, text encoders and VAE take {size} of weights.").format(size=size)
    return _("The weights take {size}.").format(size=size)


def _second_sentence(page: Page, need: Need) -> str:
    memory, gpus = need.memory, need.gpus
    task = page.answers.task
    if task == SERVE:
        cache = (memory.kv_cache_gib or 0.0) * gpus + (memory.state_gib or 0.0) * gpus
        conversations = int(page.number("concurrency") or 1)
        return ngettext(
            "The KV cache takes {size} more, because {count} conversation keeps {tokens} tokens.",
            "The KV cache takes {size} more, because {count} conversations keep {tokens} tokens each.",
            conversations,
        ).format(
            size=gib(cache), count=decimal(conversations), tokens=tokens(page.number("context_tokens") or 0)
        )
    if task in MEDIA:
        return _("Computing takes {size} more.").format(size=gib((memory.activations_gib or 0.0) * gpus))
    state = sum((part or 0.0) for part in (memory.gradients_gib, memory.optimizer_gib, memory.adapters_gib))
    return _("Gradients and optimizer state take {state} more, activations {activations}.").format(
        state=gib(state * gpus), activations=gib((memory.activations_gib or 0.0) * gpus)
    )


@lru_cache(maxsize=256)
def _warnings(request: Request, gpu: str, gpu_count: int, facts: Facts) -> tuple[Message, ...]:
    deployment = dataclasses.replace(request.deployment, gpu=gpu, gpu_count=gpu_count)
    return estimate(request.workload, deployment, facts).warnings


def memory_warnings(page: Page, need: Need) -> tuple[str, ...]:
    """Return what to beware of here: a context past the model's own, a method that needs more than it seems."""
    offer = need.offer
    gpu, count = (
        (REFERENCE_GPU, need.gpus) if offer is None else (offer.gpu.id, offer.gpu_count * offer.instances)
    )
    return tuple(sentence(warning) for warning in _warnings(page.request, gpu, count, page.facts))


def short_memory_answer(need: Need) -> str:
    """Return the answer for the table of contents."""
    return gib(need.total_gib)


def sizes_note() -> str:
    """Say once why sizes are in GiB while cards keep the name on the box."""
    return _(
        "Sizes are in GiB, cards keep the GB on the box: of a 24 GB card programs get 22 to 23.5 GiB, "
        "and an engine takes its share of that."
    )


# --- chart ---


def memory_view(page: Page, need: Need) -> MemoryView:
    """Return the staircase of parts against the classes of cards."""
    memory = need.memory
    return MemoryView(
        alt=alt_text(memory_headline(page, need), memory_reason(page, need)),
        numbers=numbers(),
        parts=_parts(page, need),
        total_label=_("Total") if need.gpus == 1 else _("Total per GPU"),
        total_text=gib(need.per_gpu_gib),
        low_gib=memory.low_gib or need.per_gpu_gib,
        high_gib=memory.high_gib or need.per_gpu_gib,
        classes=tuple(class_line(verdict) for verdict in shown_classes(page, need)),
    )


def class_line(verdict: ClassVerdict) -> ClassLine:
    """Return a class of card as a line of a chart."""
    size = gb(verdict.memory_gb)
    if not verdict.fits:
        return ClassLine(verdict.usable_gib, size, _("too small"), f"{plain_number(verdict.memory_gb)} ✕")
    words = _("just fits") if verdict.is_tight else _("fits")
    return ClassLine(verdict.usable_gib, size, words, f"{plain_number(verdict.memory_gb)} ✓")


def _parts(page: Page, need: Need) -> tuple[MemoryPart, ...]:
    """Return the parts in the order of the pipeline; what is not named is engine and reserve."""
    memory = need.memory

    def size(*names: str) -> float:
        return sum(getattr(memory, name) or 0.0 for name in names)

    weights = size("weights_gib", "draft_gib", "reference_gib")
    activations = size("activations_gib")
    named: list[tuple[str, Role, float]] = [(_("Weights"), "blue", weights)]
    if page.answers.task == SERVE:
        named.append((_("KV cache"), "orange", size("kv_cache_gib", "state_gib")))
    elif page.answers.task not in MEDIA:
        trained = size("gradients_gib", "optimizer_gib", "adapters_gib")
        named.append((_("Training state"), "orange", trained))
    elif memory.kv_cache_gib:
        named.append((_("KV cache"), "orange", size("kv_cache_gib")))
    named.append((_("Activations"), "green", activations))
    rest = need.per_gpu_gib - sum(amount for _label, _role, amount in named)
    named.append((_("Engine and reserve"), "grey", max(0.0, rest)))
    return tuple(_part(label, role, amount, need.per_gpu_gib) for label, role, amount in named)


def _part(label: str, role: Role, amount: float, total: float) -> MemoryPart:
    details: Details = (
        (_("Part"), label),
        (_("Size"), gib(amount, 2)),
        (_("Share of the total"), percent(amount / total) if total else "–"),
    )
    return MemoryPart(label, role, amount, gib_number(amount), details)


# --- what would make it smaller ---


@dataclass(frozen=True, slots=True)
class ShrinkRow:
    """One change that would make it smaller, as text."""

    change: str
    saving: str
    need: str
    fits_in: str


def shrink_rows(page: Page, need: Need) -> tuple[ShrinkRow, ...]:
    """Return the changes that this work allows, the largest saving first."""
    if need.offer is None:
        return ()
    options = shrink_options(page.request.workload, need.offer, page.facts)
    return tuple(_shrink_row(page, need, option) for option in options)


def _shrink_row(page: Page, need: Need, option: Shrink) -> ShrinkRow:
    change = _(SENTENCES[option.code]).format(
        **{name: formatted(name, value) for name, value in option.change.items()}
    )
    usable = (
        size
        for size in usual_classes(page.facts)
        if option.needed_gib <= size.allocatable_gib * need.engine_share
    )
    first = next(usable, None)
    return ShrinkRow(
        change=change[:1].upper() + change[1:],
        saving=gib(option.saving_gib),
        need=gib(option.needed_gib),
        fits_in=gb(first.memory_gb) if first else "–",
    )
