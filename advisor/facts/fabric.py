"""The network between machines, by provider and instance type; an assumption where it was not read."""

import fnmatch
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.table import Row, parse_rows, read_rows
from advisor.units import BITS_PER_BYTE, GB


@dataclass(frozen=True, slots=True, eq=False)
class Fabric:
    """One rule: which shapes of a provider have which network. bandwidth: of one machine, one direction [bytes/s]."""

    instance_patterns: tuple[str, ...]
    provider: str
    gpu_ids: tuple[str, ...]
    kind: str
    bandwidth: float
    source: str

    def matches(self, provider: str, instance_type: str, gpu_id: str) -> bool:
        """Whether the rule speaks of this shape."""
        return (
            self.provider in ("*", provider)
            and (not self.gpu_ids or gpu_id in self.gpu_ids)
            and any(fnmatch.fnmatchcase(instance_type, pattern) for pattern in self.instance_patterns)
        )


def load_fabrics(folder: Path) -> tuple[tuple[Fabric, ...], list[AdvisorError]]:
    """Read `fabric.csv`; the first rule that matches holds, the last matches everything."""
    rows, refused = parse_rows(read_rows(folder, "fabric", ("match", "provider")), _parse_fabric)
    return tuple(rows), refused


def fabric_of(fabrics: tuple[Fabric, ...], provider: str, instance_type: str, gpu_id: str) -> Fabric:
    """Return the network of one shape; raises AdvisorError missing-table when no rule is left for the rest."""
    for fabric in fabrics:
        if fabric.matches(provider, instance_type, gpu_id):
            return fabric
    raise AdvisorError("missing-table", "fabric")


def _parse_fabric(row: Row) -> Fabric:
    return Fabric(
        instance_patterns=tuple(row.text("match").split("|")),
        provider=row.text("provider"),
        gpu_ids=row.words("gpu_ids"),
        kind=row.text("fabric"),
        bandwidth=row.number("gbit_per_s_per_node") * GB / BITS_PER_BYTE,
        source=row.text("source"),
    )
