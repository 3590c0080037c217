"""The guide: what people are told about renting GPUs, confirmed or corrected, with the number of the present work.

A passage is a question, an answer that always holds, and a sentence with live numbers that is left out where the work
has no such number. The statements are those of docs/guidance.md, G1 to G20.
"""

import contextlib
from dataclasses import dataclass

from advisor.economics.spot import NORMAL_HOURS
from advisor.recommend.ranking import RankedOffer, Ranking
from advisor.resolve.works import ServeWork, TrainingWork
from advisor.ui.formatting import (
    compact,
    date,
    decimal,
    factor,
    gb,
    gib,
    money,
    percent,
    short,
    with_unit,
)
from advisor.ui.language import _
from advisor.ui.offer_views import gpu_name
from advisor.units import GB, GIB
from advisor.wording import N_


@dataclass(frozen=True, slots=True)
class Statement:
    """One passage as msgids. live: its sentence with numbers of the present work, empty where it has none."""

    id: str
    question: str
    answer: str
    live: str = ""


TOPICS = {
    N_("Memory: does it fit?"): ("G1", "G2", "G3", "G4", "G11"),
    N_("Training: what comes on top?"): ("G5", "G6", "G7", "G14"),
    N_("Speed: what binds it?"): ("G8", "G9", "G10", "G12", "G13"),
    N_("Money: what to rent, and how?"): ("G15", "G16", "G17", "G18", "G19", "G20"),
}
"""The statements by what a reader wants to know."""

# fmt: off
STATEMENTS = (
    Statement(
        "G1", N_("Is one 24 GB card enough for a model of 7 to 13 billion parameters?"),
        N_("Yes, once it is quantized. 8 to 14 billion parameters in 4 bits or INT8 with 8k tokens of context fit a 24 GB card, of which 22.0 to 23.5 GiB can be used."),
        N_("Your work needs {need} and the recommended card has {budget} to give.")),
    Statement(
        "G2", N_("When is a 48 GB card the right size?"),
        N_("For 8 to 14 billion parameters in BF16 with several conversations, and for 30 to 34 billion in 4 bits or INT8. Cards of 32 GB often do as well."),
        N_("Yours first fits a card of {card}.")),
    Statement(
        "G3", N_("What does a model of 70 billion parameters need?"),
        N_("In BF16 the weights alone are 131 GiB: one card of 180 GB or more, or four of 80 GB, for eight conversations of 8k tokens. In FP8 they are 68 GiB: one card of 141 GB or two of 80 GB. In 4 bits they are 37 GiB: one 48 GB card for a single conversation of 3k to 10k tokens."),
        N_("The weights of your model take {weights}.")),
    Statement(
        "G4", N_("Why keep memory free for the KV cache?"),
        N_("Every conversation keeps keys and values of all its tokens. With a long context the cache grows as large as the weights: for an 8 billion model in BF16 at about 122,500 tokens."),
        N_("Yours takes {cache}, {cache_share} of the weights.")),
    Statement(
        "G5", N_("What must fit when training?"),
        N_("Weights, gradients, optimizer state and activations together. Full fine-tuning in mixed precision keeps 16 to 18 bytes for each parameter before the first activation."),
        N_("Yours keeps {bytes_per_parameter} bytes for each parameter.")),
    Statement(
        "G6", N_("What does QLoRA make possible?"),
        N_("It keeps the model in 4 bits and trains small adapters: 7 to 14 billion parameters on 24 GB, 30 to 34 billion on 48 GB, 70 billion on 80 GB."),
        ""),
    Statement(
        "G7", N_("When does fine-tuning need several data-center GPUs?"),
        N_("Full fine-tuning of 8 billion parameters in mixed precision already exceeds one 80 GB card. 70 billion need 1,051 GiB before activations: two nodes of eight 80 GB cards, or one node of eight B200 or MI300X; in pure BF16 one node of eight 80 GB cards."),
        ""),
    Statement(
        "G8", N_("Why does memory bandwidth decide tokens per second?"),
        N_("Every generated token reads all active weights again. With the same VRAM, HBM reads two to three times as fast as GDDR and generates that much faster. One exception was measured: an old llama.cpp reaches only 0.4 of the bandwidth of an A100, so an RTX 4090 equals it there."),
        N_("{gpu} reads {bandwidth}, which gives each reader {speed}.")),
    Statement(
        "G9", N_("The GPU looks idle and the answer is slow. Is something broken?"),
        N_("Usually not: the ceiling is memory bandwidth, not compute. Faster memory, weights in FP8, INT8 or 4 bits, and more conversations at once lift it."),
        ""),
    Statement(
        "G10", N_("Why does batching help so much?"),
        N_("One pass over the weights serves every conversation in the batch. The total grows almost in step with the conversations, until compute or the cache binds; then it flattens."),
        N_("Yours makes {total_speed} in all.")),
    Statement(
        "G11", N_("What is FP8 worth?"),
        N_("Half the memory of BF16, and half the bytes for each token, on any card that can store it. It also computes faster on Ada, Hopper, Blackwell and MI300. INT8 does so on Turing and Ampere too, but not on B300. Elsewhere the format is unpacked first: long prompts and training gain nothing."),
        ""),
    Statement(
        "G12", N_("One fast GPU or several slower ones?"),
        N_("When the model fits one GPU, give each copy its own: it is simpler, usually cheaper, and answers sooner. Split it only when a single reader must get more speed than one card gives."),
        N_("Yours runs {replicas} on {gpus}.")),
    Statement(
        "G13", N_("It does not fit one GPU. Does the link matter?"),
        N_("Yes. The parts exchange results twice in each layer. NVLink keeps that small; over PCIe it can take half of each step, and training suffers more."),
        N_("Here talking takes {communication_share} of each step.")),
    Statement(
        "G14", N_("What does pre-training need?"),
        N_("Many GPUs over many nodes, a fast network between them, shared storage that takes checkpoints quickly, and capacity reserved for weeks. Over ordinary Ethernet the nodes wait for each other."),
        N_("Yours takes {hours} on {gpus}; a checkpoint is {checkpoint}.")),
    Statement(
        "G15", N_("Which offer gives the most for the money?"),
        N_("For serving, compare bandwidth for each dollar among the cards that fit, then tokens for each dollar at full load. Sort the table both ways: where the two disagree, compute or a small cache binds."),
        N_("The recommended offer gives {bandwidth_per_usd} for each dollar an hour.")),
    Statement(
        "G16", N_("My work comes in bursts. What should I look for?"),
        N_("Billing by the second or the minute, and machines that stop quickly. Ten jobs of 8 minutes at 2.50 dollars an hour cost 25.00 when every started hour is billed, and 3.33 by the second."),
        ""),
    Statement(
        "G17", N_("When does spot pay?"),
        N_("When an interruption costs only a restart: batches of images or texts, fine-tuning with checkpoints. An endpoint with waiting readers, or a long run that cannot resume, belongs on demand or on reserved capacity."),
        N_("Without a figure of your own we count with one interruption every {interruption_hours} hours, and show the range.")),
    Statement(
        "G18", N_("What else is on the bill?"),
        N_("Weights are large to move and checkpoints pile up. One terabyte out of the cloud costs nothing with some providers and 120 dollars with others; stopped machines may still cost money."),
        ""),
    Statement(
        "G19", N_("How current are these prices?"),
        N_("They are list prices with source and date, taken from public collections. Stock is not known. The provider's own page has the last word."),
        N_("The price of the recommended offer is of {price_date}.")),
    Statement(
        "G20", N_("When is a consumer card enough, and when not?"),
        N_("For experiments, LoRA and QLoRA, and small to medium quantized models a 24 GB consumer card is enough and costs a fraction. Move up for bandwidth, FP8, NVLink, long contexts or large batches."),
        N_("For your work: {class_reason}.")),
)
# fmt: on

CLASS_REASONS = {
    "enough": N_("a consumer card does it"),
    "memory": N_("it needs more memory than a consumer card has"),
    "other": N_("a larger card does it for less, or faster"),
}


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage in the reader's language."""

    id: str
    question: str
    answer: str


def passages(ranking: Ranking) -> tuple[Passage, ...]:
    """Return the guide in the reader's language, with the numbers of the recommended offer where there is one."""
    values = live_values(ranking)
    return tuple(_passage(statement, values) for statement in STATEMENTS)


def _passage(statement: Statement, values: dict[str, str]) -> Passage:
    answer = _(statement.answer)
    if statement.live:
        # Where the work has no such number, the answer stands without it.
        with contextlib.suppress(KeyError):
            answer += " " + _(statement.live).format(**values)
    return Passage(statement.id, _(statement.question), answer)


def live_values(ranking: Ranking) -> dict[str, str]:
    """Return the formatted numbers of the recommended offer by the names that the sentences use."""
    if ranking.cards.value < 0:
        return {}
    offer = ranking.offer(ranking.cards.value)
    values = {
        "gpu": gpu_name(offer.gpu),
        "card": gb(offer.gpu.memory_gb),
        "gpus": _gpus(offer),
        "bandwidth": with_unit(offer.gpu.memory_bandwidth / GB, "GB/s", 0),
        "bandwidth_per_usd": with_unit(
            offer.gpu.memory_bandwidth * offer.gpu_count * offer.instances / GB / offer.usd_per_hour,
            "GB/s",
            0,
        ),
        "price": money(offer.usd_per_month),
        "interruption_hours": short(NORMAL_HOURS),
        "class_reason": _(CLASS_REASONS[_class_reason(ranking, offer)]),
    }
    values |= _memory_values(offer) | _speed_values(ranking, offer)
    if offer.price_as_of is not None:
        values["price_date"] = date(offer.price_as_of)
    return values


def _gpus(offer: RankedOffer) -> str:
    return f"{decimal(offer.gpu_count * offer.instances)} × {gpu_name(offer.gpu)}"


def _memory_values(offer: RankedOffer) -> dict[str, str]:
    memory, values = offer.memory, {}
    for name, size in (
        ("need", memory.needed_gib),
        ("budget", memory.budget_gib),
        ("weights", memory.weights_gib),
    ):
        if size is not None:
            values[name] = gib(size)
    if memory.kv_cache_gib and memory.weights_gib:
        values["cache"] = gib(memory.kv_cache_gib)
        values["cache_share"] = percent(memory.kv_cache_gib / memory.weights_gib)
    return values


def _speed_values(ranking: Ranking, offer: RankedOffer) -> dict[str, str]:
    speed, values = offer.throughput, {}
    if isinstance(ranking.work, ServeWork):
        values["speed"] = with_unit(offer.speed, "tokens/s")
        values["total_speed"] = with_unit(speed.decode_tokens_per_second or 0.0, "tokens/s")
        values["replicas"] = _copies(offer)
        if offer.tensor_parallel > 1 and speed.communication_seconds and speed.step_seconds:
            values["communication_share"] = percent(speed.communication_seconds / speed.step_seconds)
    if isinstance(ranking.work, TrainingWork):
        values |= _training_values(ranking.work, offer)
    return values


def _training_values(work: TrainingWork, offer: RankedOffer) -> dict[str, str]:
    memory, values = offer.memory, {}
    state = sum(part or 0.0 for part in (memory.weights_gib, memory.gradients_gib, memory.optimizer_gib))
    if work.method == "full":
        shards = offer.gpu_count * offer.instances
        values["bytes_per_parameter"] = factor(state * GIB * shards / work.model.parameters_total)
    if work.task == "pretrain" and offer.hours and offer.throughput.checkpoint_gib:
        values["hours"] = _("{hours} hours").format(hours=compact(offer.hours))
        values["checkpoint"] = gib(offer.throughput.checkpoint_gib)
    return values


def _copies(offer: RankedOffer) -> str:
    copies = offer.replicas * offer.instances
    return _("one copy") if copies == 1 else _("{count} copies").format(count=decimal(copies))


def _class_reason(ranking: Ranking, offer: RankedOffer) -> str:
    """Return why the recommended class: a consumer card does it, memory rules it out, or another one is better."""
    if offer.gpu.segment == "consumer":
        return "enough"
    consumer = any(ranking.facts.gpus.rows[index].segment == "consumer" for index in _ranked_gpus(ranking))
    return "other" if consumer else "memory"


def _ranked_gpus(ranking: Ranking) -> set[int]:
    return set(ranking.facts.offers.gpu_index[ranking.rows].tolist())
