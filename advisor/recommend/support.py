"""What can run at all: engine against vendor and compute capability, weight format against both."""

import fnmatch

from advisor.facts import Facts
from advisor.facts.engines import Engine
from advisor.facts.gpus import Gpu


def unsupported(engine: Engine, format_id: str, gpu: Gpu, facts: Facts) -> str:
    """Return the rejection code of an engine and format on a GPU; empty when it runs."""
    if gpu.vendor not in engine.vendors or _too_old(gpu, engine.minimum_compute_capability):
        return "engine-not-supported"
    if not engine.takes_format(format_id) or _excluded(engine, format_id, gpu):
        return "format-not-supported"
    for row in facts.engines.support:
        if row.vendor == gpu.vendor and fnmatch.fnmatchcase(format_id, row.formats):
            return "format-not-supported" if _too_old(gpu, row.minimum_compute_capability) else ""
    return ""


def _too_old(gpu: Gpu, minimum: float) -> bool:
    # NaN (another vendor) is never below a minimum.
    return gpu.compute_capability_number < minimum


def _excluded(engine: Engine, format_id: str, gpu: Gpu) -> bool:
    pairs = (pair.split(":", 1) for pair in engine.unsupported_on)
    return any(vendor == gpu.vendor and fnmatch.fnmatchcase(format_id, formats) for vendor, formats in pairs)
