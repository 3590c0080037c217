"""The dated offers, as columns; a record is made only for a row that is shown."""

import datetime
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.fabric import Fabric, fabric_of
from advisor.facts.gpus import Gpus
from advisor.facts.table import Row, float_column, int_column, parse_rows, read_rows
from advisor.units import FloatArray, IntArray

UNDATED = 0
"""Stands in a date column for «no date known»; real dates are proleptic ordinals, far above it."""


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """One rentable shape in one region: USD per hour of the whole instance, list price.

    on_demand_usd_per_hour, spot_usd_per_hour: NaN where there is no such price; link: empty where unknown;
    price_as_of: None where the source gives no date; form_factor_stated: False where `gpu_id` is the cautious variant.
    """

    provider: str
    instance_type: str
    gpu_id: str
    gpu_as_listed: str
    form_factor_stated: bool
    gpu_count: int
    vcpus: float
    memory_gb: float
    region: str
    country: str
    on_demand_usd_per_hour: float
    spot_usd_per_hour: float
    link: str
    commitment: str
    source: str
    price_as_of: datetime.date | None


@dataclass(frozen=True, slots=True)
class Shape:
    """A distinct machine: offers that differ only in price, place and provider share one.

    fabric_bandwidth: network of one machine, one direction [bytes/s].
    """

    gpu_id: str
    gpu_count: int
    link: str
    fabric: str
    fabric_bandwidth: float


@dataclass(frozen=True, slots=True, eq=False)
class Offers:
    """All offers: records, and the columns that the ranking reads.

    gpu_index: row of the GPU table; entry_index: number of the (provider, instance type, GPU) entry whose regions
    are shown together; shape_index: number of the distinct machine in `shapes`; as_of_ordinal: day number.
    """

    rows: tuple[Offer, ...]
    gpu_index: IntArray
    gpu_count: IntArray
    entry_index: IntArray
    shape_index: IntArray
    shapes: tuple[Shape, ...]
    on_demand_usd_per_hour: FloatArray
    spot_usd_per_hour: FloatArray
    as_of_ordinal: IntArray

    def __len__(self) -> int:
        """Return the number of offers."""
        return len(self.rows)


def load_offers(folder: Path, gpus: Gpus, fabrics: tuple[Fabric, ...]) -> tuple[Offers, list[AdvisorError]]:
    """Read `offers.csv`; an offer whose GPU is not in the table is refused by name."""

    def parse(row: Row) -> Offer:
        offer = _parse_offer(row)
        if offer.gpu_id not in gpus.index_of:
            raise row.refuse("gpu_id", "an id of the GPU table")
        return offer

    rows, refused = parse_rows(
        read_rows(folder, "offers", ("provider", "instance_type", "region", "gpu_id")), parse
    )
    return offers_from(tuple(rows), gpus, fabrics), refused


def offers_from(rows: tuple[Offer, ...], gpus: Gpus, fabrics: tuple[Fabric, ...]) -> Offers:
    """Lay offers out as columns and number their entries and shapes."""
    entries: dict[tuple[str, str, str], int] = {}
    shapes: dict[Shape, int] = {}
    fabric_by_type: dict[tuple[str, str, str], Fabric] = {}
    entry_index, shape_index = [], []
    for row in rows:
        entry = (row.provider, row.instance_type, row.gpu_id)
        if entry not in fabric_by_type:
            fabric_by_type[entry] = fabric_of(fabrics, *entry)
        fabric = fabric_by_type[entry]
        shape = Shape(row.gpu_id, row.gpu_count, row.link, fabric.kind, fabric.bandwidth)
        entry_index.append(entries.setdefault(entry, len(entries)))
        shape_index.append(shapes.setdefault(shape, len(shapes)))
    return Offers(
        rows=rows,
        gpu_index=int_column([gpus.index_of[row.gpu_id] for row in rows]),
        gpu_count=int_column([row.gpu_count for row in rows]),
        entry_index=int_column(entry_index),
        shape_index=int_column(shape_index),
        shapes=tuple(shapes),
        on_demand_usd_per_hour=float_column([row.on_demand_usd_per_hour for row in rows]),
        spot_usd_per_hour=float_column([row.spot_usd_per_hour for row in rows]),
        as_of_ordinal=int_column(
            [row.price_as_of.toordinal() if row.price_as_of else UNDATED for row in rows]
        ),
    )


def _parse_offer(row: Row) -> Offer:
    return Offer(
        provider=row.text("provider"),
        instance_type=row.text("instance_type"),
        gpu_id=row.text("gpu_id"),
        gpu_as_listed=row.text("gpu_as_listed"),
        form_factor_stated=row.flag("form_factor_stated"),
        gpu_count=row.whole("gpu_count", 1),
        vcpus=row.number("vcpus"),
        memory_gb=row.number("memory_gb"),
        region=row.text("region"),
        country=row.text("country"),
        on_demand_usd_per_hour=row.number("on_demand_usd_per_hour"),
        spot_usd_per_hour=row.number("spot_usd_per_hour"),
        link=row.text("link"),
        commitment=row.text("commitment"),
        source=row.text("source"),
        price_as_of=_parse_date(row, "as_of"),
    )


def _parse_date(row: Row, column: str) -> datetime.date | None:
    cell = row.text(column)
    if not cell:
        return None
    try:
        return datetime.date.fromisoformat(cell)
    except ValueError:
        raise row.refuse(column, "a date, year-month-day") from None
