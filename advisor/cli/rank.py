"""`python -m advisor rank`: the offers of the catalogue for one piece of work."""

import argparse
import dataclasses
import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import advisor
from advisor.cli.parsers import Commands, add_command, add_files, add_today
from advisor.cli.sentences import (
    SPEED_UNITS,
    assumption_text,
    error_sentence,
    message_sentence,
    money,
    number,
    sentence,
)
from advisor.cli.streams import (
    Answer,
    Question,
    answers,
    deployment_of,
    part,
    read_lines,
    required,
    wants_table,
    whole_documents,
    write_json,
)
from advisor.cli.tables import DASH, write, write_assumed, write_table
from advisor.codes import REJECTIONS
from advisor.errors import AdvisorError
from advisor.facts import Facts, load_facts
from advisor.recommend import Cards, RankedOffer, Ranking, Rejection
from advisor.workload import Needs, Workload

DESCRIPTION = """\
Rank the catalogue for a piece of work.

A question is {"id": ..., "workload": {...}, "needs": {...}, "limit": 20}, one a line or one document over several
lines. `needs` says what the work must reach and what may be rented; all of it is optional. The cost ranked is that of
the work: of the run where it ends, of the month where it goes on. Every offer that is not ranked is counted under the
code of its reason, with the one that came nearest.
"""

EXAMPLES = """\
examples:
  The five cheapest offers for a small chat service:
    echo '{"workload": {"task": "serve", "model": "llama-3.1-8b", "concurrency": 8}}' \\
      | python -m advisor rank --limit 5

  In the European Union, under $600 a month, with spot prices allowed:
    echo '{"workload": {"task": "serve", "model": "llama-3.1-8b"}, "needs": {"countries": ["EU"],
           "max_usd_per_month": 600, "pricing": "cheapest"}}' | python -m advisor rank

  A QLoRA run that must end within a day, as JSON:
    echo '{"workload": {"task": "finetune", "model": "llama-3.1-8b", "method": "qlora", "dataset_tokens": 5e7},
           "needs": {"deadline_hours": 24}}' | python -m advisor rank --json
"""

DEFAULT_LIMIT = 20
MOST_LISTED = 10_000
UNIT_NAMES = {
    "million-output-tokens": "M output tokens",
    "million-tokens": "M tokens",
    "second-of-video": "s of video",
    "minute-of-audio": "min of sound",
}
HEADS = ("", "GPU", "provider", "where", "$/h", "total", "per unit", "speed", "needs GiB", "price of")


@dataclass(frozen=True, slots=True)
class Listing:
    """A ranking and how many of its offers are asked for."""

    ranking: Ranking
    limit: int

    def to_dict(self) -> Mapping[str, object]:
        """Return the contract's ranking."""
        return self.ranking.to_dict(self.limit)


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands, "rank", "the offers of the catalogue for one piece of work", DESCRIPTION, EXAMPLES
    )
    add_files(parser)
    parser.add_argument(
        "--limit",
        type=int,
        default=DEFAULT_LIMIT,
        metavar="N",
        help=f"offers listed where a question does not say how many ({DEFAULT_LIMIT})",
    )
    add_today(parser, "the day from which prices age")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> bool:
    """Answer every question; returns whether one had an error."""
    today = options.today or datetime.date.today()
    answer_one = ranker(load_facts(), today, options.limit)
    fields = ("workload", "needs", "deployment", "limit")
    failed = False
    for answer in answers(whole_documents(read_lines(options)), fields, answer_one):
        if wants_table(options):
            write_ranking(answer)
        else:
            write_json(answer.to_dict(Listing.to_dict))
        failed = failed or answer.error is not None
    return failed


def ranker(facts: Facts, today: datetime.date, limit: int) -> Callable[[Question], Listing]:
    """Return the function that answers one question on these facts, on this day."""

    def answer(question: Question) -> Listing:
        workload = Workload.from_dict(required(question, "workload"), "workload")
        needs = Needs.from_dict(part(question, "needs"), "needs")
        ranking = advisor.rank(workload, needs, facts, today, deployment_of(question))
        return Listing(ranking, _limit(question.get("limit", limit)))

    return answer


def _limit(given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool):
        raise AdvisorError("wrong-type", "limit", ["a whole number"])
    if not 0 <= given <= MOST_LISTED:
        bounds = {"given": given, "low": 0, "high": MOST_LISTED}
        raise AdvisorError("out-of-range", "limit", [f"0 to {MOST_LISTED}"], bounds)
    return given


def write_ranking(answer: Answer[Listing]) -> None:
    """Write a ranking for a person: the offers, why others are not among them, what was assumed."""
    if answer.id is not None:
        write(f"{answer.id}:")
    if answer.error:
        write(error_sentence(answer.error))
    if answer.result is None:
        return
    ranking = answer.result.ranking
    offers = [ranking.offer(entry) for entry in range(min(answer.result.limit, len(ranking)))]
    refused = sum(rejection.count for rejection in ranking.rejected)
    write(
        f"{ranking.total:,} of {ranking.total + refused:,} offers do this work; {len(ranking):,} without their regions."
    )
    if offers:
        write()
        rows = [_row(place, offer, ranking.cards) for place, offer in enumerate(offers)]
        write_table(HEADS, rows, right=("$/h", "total", "per unit", "needs GiB"))
    if ranking.rejected:
        write()
        write_table(
            ("refused", "why"),
            [(f"{rejection.count:,}", _why(rejection)) for rejection in ranking.rejected],
            right=("refused",),
        )
    write()
    write_assumed("Assumes: ", [assumption_text(assumed) for assumed in ranking.assumed])
    for warning in ranking.warnings:
        write(message_sentence(warning))


def _row(place: int, offer: RankedOffer, cards: Cards) -> tuple[str, ...]:
    wishes = [wish for wish, entry in dataclasses.asdict(cards).items() if entry == place]
    count = offer.gpu_count * offer.instances
    unit = UNIT_NAMES.get(offer.unit, offer.unit)
    return (
        ", ".join(wishes) or str(place + 1),
        f"{count} × {offer.gpu.name}" if count > 1 else offer.gpu.name,
        offer.provider_name,
        offer.country or DASH,
        f"{offer.usd_per_hour:,.2f}",
        f"{money(offer.total_usd)} {'a run' if offer.hours else 'a month'}",
        f"{money(offer.usd_per_unit)} / {unit}",
        _speed(offer),
        number(offer.memory.needed_gib or 0.0),
        f"{offer.price_as_of or 'unknown day'}{' stale' if offer.stale else ''}",
    )


def _speed(offer: RankedOffer) -> str:
    headline = offer.throughput.headline
    speed = getattr(offer.throughput, headline)
    return DASH if speed is None else f"{number(speed)} {SPEED_UNITS.get(headline, headline)}"


def _why(rejection: Rejection) -> str:
    """Return the reason with the figures of the offer that came nearest, where the reason has figures."""
    names = REJECTIONS[rejection.code]
    if not names:
        return sentence(rejection.code, {})
    figures = {"value": rejection.value, "limit": rejection.limit}
    values = {name: figures[name.split("_", 1)[0]] for name in names}
    if rejection.nearest is None or None in values.values():
        return sentence(rejection.code, dict.fromkeys(names, DASH))
    nearest = f"Nearest: {rejection.nearest.gpu_id} at {rejection.nearest.provider}."
    return f"{sentence(rejection.code, values)} {nearest}"
