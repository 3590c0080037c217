"""What a ranking holds: entries best first, the three cards, and every refused offer under its code."""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from advisor.codes import Assumption, Message
from advisor.economics.bills import PARTS, PATTERNS, Bill
from advisor.estimate.results import Memory, Number, Throughput, memory_to_dict, throughput_to_dict
from advisor.facts import Facts
from advisor.facts.gpus import Gpu
from advisor.facts.offers import Offer
from advisor.facts.providers import provider_of
from advisor.recommend.costs import Costs
from advisor.recommend.matching import Machines, format_id
from advisor.recommend.prices import Prices
from advisor.recommend.targets import Targets
from advisor.resolve.works import Work
from advisor.units import FloatArray, IntArray
from advisor.workload import Needs, Workload

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class Rejection:
    """Offers refused for one reason: how many, and the one that came nearest.

    value, limit: the figure of the nearest offer and what it had to be, None for plain filters.
    """

    code: str
    count: int
    nearest: Offer | None
    value: float | None
    limit: float | None

    def to_dict(self) -> dict[str, object]:
        """Return the contract's shape."""
        nearest = None
        if self.nearest is not None:
            offer = {
                "provider": self.nearest.provider,
                "instance_type": self.nearest.instance_type,
                "gpu": self.nearest.gpu_id,
                "gpu_count": self.nearest.gpu_count,
                "region": self.nearest.region,
            }
            nearest = {"offer": offer, "value": self.value, "limit": self.limit}
        return {"code": self.code, "count": self.count, "nearest": nearest}


NOT_PLAIN = ("gpu", "memory", "throughput", "reasons", "warnings", "price_as_of", "cost_parts")


@dataclass(frozen=True, slots=True, eq=False)
class RankedOffer:
    """One entry of the answer. Names and units: the contract.

    usd_per_month, total_usd: of the month, or of the run where there is a job; cost_parts: the same by part [USD];
    unknown_parts: parts that cost something unknown; cost_low, cost_high: 80 % interval of the unit cost.
    """

    provider: str
    provider_name: str
    provider_url: str
    instance_type: str
    region: str
    country: str
    other_regions: int
    gpu: Gpu
    gpu_count: int
    instances: int
    replicas: int
    tensor_parallel: int
    pipeline_parallel: int
    weights: str
    engine: str
    link: str
    form_factor_stated: bool
    pricing: str
    usage_pattern: str
    usd_per_hour: float
    usd_per_month: float
    total_usd: float
    cost_parts: Mapping[str, float]
    unknown_parts: tuple[str, ...]
    hours: float | None
    unit: str
    usd_per_unit: float
    usd_per_unit_full_load: float | None
    cost_low: float
    cost_high: float
    on_demand_usd_per_hour: float | None
    spot_usd_per_hour: float | None
    speed: float
    memory: Memory[Number]
    throughput: Throughput[Number]
    price_as_of: datetime.date | None
    age_days: int | None
    price_source: str
    stale: bool
    expired: bool
    price_is_floor: bool
    stock: str
    reasons: tuple[Message, ...]
    warnings: tuple[Message, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the contract's shape of an offer."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in NOT_PLAIN}
        return plain | {
            "gpu": self.gpu.id,
            "memory": memory_to_dict(self.memory),
            "throughput": throughput_to_dict(self.throughput),
            "price_as_of": self.price_as_of.isoformat() if self.price_as_of else None,
            "cost": dict(self.cost_parts),
            "reasons": [reason.to_dict() for reason in self.reasons],
            "warnings": [warning.to_dict() for warning in self.warnings],
        }


@dataclass(frozen=True, slots=True, eq=False)
class Cards:
    """The three offers of the answer, as entry numbers; -1 where no further different offer exists."""

    value: int
    cheapest: int
    fastest: int


@dataclass(frozen=True, eq=False)
class Ranking:
    """The catalogue against one question.

    rows: offer row of each entry's best region, best first; regions: passing offers of each entry [entries];
    refusal: per offer, 0 = ranked, else 1 + row of `codes`; value, limit: figures of the refusal [offers].
    """

    workload: Workload
    needs: Needs
    work: Work
    targets: Targets
    unit: str
    facts: Facts = field(repr=False)
    machines: Machines = field(repr=False)
    rows: IntArray
    regions: IntArray
    cards: Cards
    costs: Costs = field(repr=False)
    prices: Prices = field(repr=False)
    codes: tuple[str, ...]
    refusal: IntArray = field(repr=False)
    value: FloatArray = field(repr=False)
    limit: FloatArray = field(repr=False)
    assumed: tuple[Assumption, ...]
    warnings: tuple[Message, ...]

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self.rows)

    @property
    def total(self) -> int:
        """Return the number of offers that do the work, all regions counted."""
        return int((self.refusal == 0).sum())

    @cached_property
    def rejected(self) -> tuple[Rejection, ...]:
        """Return the refused offers by code, the most frequent first."""
        counts = np.bincount(self.refusal, minlength=len(self.codes) + 1)
        found = [self._rejection(int(number)) for number in np.flatnonzero(counts[1:]) + 1]
        return tuple(sorted(found, key=lambda rejection: -rejection.count))

    def _rejection(self, number: int) -> Rejection:
        refused = np.flatnonzero(self.refusal == number)
        shortfall = np.abs(
            np.log(np.maximum(self.value[refused], 1e-9) / np.maximum(self.limit[refused], 1e-9))
        )
        if np.isnan(shortfall).all():
            return Rejection(self.codes[number - 1], len(refused), None, None, None)
        row = int(refused[np.nanargmin(shortfall)])
        nearest = self.facts.offers.rows[row]
        value, limit = float(self.value[row]), float(self.limit[row])
        return Rejection(self.codes[number - 1], len(refused), nearest, value, limit)

    def refusal_code(self, offer_row: int) -> str:
        """Return why an offer was refused; empty when it is ranked."""
        number = int(self.refusal[offer_row])
        return self.codes[number - 1] if number else ""

    @property
    def offers(self) -> tuple[RankedOffer, ...]:
        """Return every entry as a record, best first; pages take only the ones they show, by `offer`."""
        return tuple(self.offer(entry) for entry in range(len(self)))

    def __iter__(self) -> Iterator[RankedOffer]:
        """Iterate over the entries, best first."""
        return (self.offer(entry) for entry in range(len(self)))

    def offer(self, entry: int) -> RankedOffer:
        """Return one entry as a record."""
        return self.record_of(int(self.rows[entry]), int(self.regions[entry]) - 1)

    def record_of(self, row: int, other_regions: int = 0) -> RankedOffer:
        """Return the record of an offer row whose machine was evaluated."""
        offer = self.facts.offers.rows[row]
        provider = provider_of(self.facts.providers, offer.provider, offer.commitment)
        shape = int(self.facts.offers.shape_index[row])
        group = self.machines.groups[int(self.machines.group[shape])]
        candidate = int(self.machines.candidate[shape])
        throughput = group.throughput.at(candidate)
        unit_cost = float(self.costs.usd_per_unit[row])
        low, high = _cost_interval(unit_cost, throughput)
        age = int(self.prices.age_days[row])
        layout = group.candidates.layout
        bill = self.costs.bill
        return RankedOffer(
            provider=offer.provider,
            provider_name=provider.name,
            provider_url=_https_only(provider.homepage or provider.docs_url),
            instance_type=offer.instance_type,
            region=offer.region,
            country=offer.country,
            other_regions=other_regions,
            gpu=self.facts.gpus[offer.gpu_id],
            gpu_count=offer.gpu_count,
            instances=int(self.costs.instances[row]),
            replicas=int(layout.replicas[candidate]),
            tensor_parallel=int(layout.tensor_parallel[candidate]),
            pipeline_parallel=int(layout.pipeline_parallel[candidate]),
            weights=format_id(group.work),
            engine=group.work.settings.engine.id,
            link=offer.link,
            form_factor_stated=offer.form_factor_stated,
            pricing=self.needs.pricing or "on-demand",
            usage_pattern=PATTERNS[int(bill.pattern[row])],
            usd_per_hour=float(self.costs.usd_per_hour[row]),
            usd_per_month=float(self.costs.total_usd[row]),
            total_usd=float(self.costs.total_usd[row]),
            cost_parts={part: bill.part_usd(part, row) for part in PARTS},
            unknown_parts=_unknown_parts(bill, row),
            hours=_known(self.costs.hours[row]),
            unit=self.unit,
            usd_per_unit=unit_cost,
            usd_per_unit_full_load=_known(self.costs.usd_per_unit_full_load[row]),
            cost_low=low,
            cost_high=high,
            on_demand_usd_per_hour=_known(offer.on_demand_usd_per_hour),
            spot_usd_per_hour=_known(offer.spot_usd_per_hour),
            speed=float(group.speed[candidate]),
            memory=group.memory.at(candidate),
            throughput=throughput,
            price_as_of=offer.price_as_of,
            age_days=None if age < 0 else age,
            price_source=offer.source,
            stale=bool(self.prices.stale[row]),
            expired=bool(self.prices.tier[row] > 0),
            price_is_floor=bool(self.prices.is_floor[row]),
            stock="unknown",
            reasons=(),
            warnings=(),
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return the entries as a pandas frame, one row an entry, best first."""
        import pandas as pd

        return pd.DataFrame([_flat(offer) for offer in self.offers])

    def to_dict(self, limit: int | None = None) -> dict[str, object]:
        """Return the contract's ranking: the first `limit` offers, all rejections, what was assumed."""
        shown = range(len(self) if limit is None else min(limit, len(self)))
        return {
            "unit": self.unit,
            "entries": len(self),
            "ranked": self.total,
            "offers": [self.offer(entry).to_dict() for entry in shown],
            "rejected": [rejection.to_dict() for rejection in self.rejected],
            "assumed": [assumption.to_dict() for assumption in self.assumed],
            "warnings": [warning.to_dict() for warning in self.warnings],
        }


def _unknown_parts(bill: Bill, row: int) -> tuple[str, ...]:
    """Return the parts of the bill whose rate the provider's page does not give; they are not free."""
    known = {"storage": bill.storage_known[row], "egress": bill.egress_known[row]}
    return tuple(part for part, is_known in known.items() if not is_known)


def _https_only(url: str) -> str:
    """Return the link when it is one a page may show; provider text is untrusted."""
    return url if url.startswith("https://") else ""


def _known(figure: float) -> float | None:
    return None if np.isnan(figure) else float(figure)


def _cost_interval(unit_cost: float, throughput: Throughput[Number]) -> tuple[float, float]:
    """Return the 80 % interval of the unit cost: a slower machine makes each unit dearer."""
    headline = getattr(throughput, throughput.headline)
    if not headline or not throughput.low or not throughput.high:
        return unit_cost, unit_cost
    if throughput.headline in ("seconds_per_image", "seconds_per_video"):
        return unit_cost * throughput.low / headline, unit_cost * throughput.high / headline
    return unit_cost * headline / throughput.high, unit_cost * headline / throughput.low


def _flat(offer: RankedOffer) -> dict[str, object]:
    flat = {name: value for name, value in offer.to_dict().items() if not isinstance(value, dict | list)}
    return flat | {
        "memory_type": offer.gpu.memory_type,
        "needed_gib": offer.memory.needed_gib,
        "budget_gib": offer.memory.budget_gib,
        "decode_tokens_per_second_per_request": offer.throughput.decode_tokens_per_second_per_request,
    }
