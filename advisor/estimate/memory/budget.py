"""What an engine takes of a card, and what its cache pool holds: need, reservation and leftover are three numbers."""

from dataclasses import dataclass

import numpy as np

from advisor.facts.engine_memory import EngineMemory
from advisor.resolve.works import EngineSettings
from advisor.units import FloatArray


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget of one GPU of D deployments [bytes].

    total: what the engine may use; pool: what is left in it for the cache; taken: what the process holds; overhang:
    what lies outside the budget and does not fit beside it; cache_factor: budget that a byte of cache needs.
    """

    total: FloatArray
    pool: FloatArray
    taken: FloatArray
    overhang: FloatArray
    cache_factor: float


def has_budget(engine: EngineMemory) -> bool:
    """Return whether the engine takes a share of the card, needed or not."""
    return engine.utilization > 0


def budget_bytes(engine: EngineMemory, settings: EngineSettings, allocatable: FloatArray) -> FloatArray:
    """Return what the engine may use: allocatable memory x utilization where it has such a limit [D, bytes]."""
    if not has_budget(engine) or engine.pool_share < 1:
        return allocatable
    stated = settings.memory_utilization
    return allocatable * (engine.utilization if stated is None else stated)


def pool_share(engine: EngineMemory, settings: EngineSettings) -> float:
    """Return the share of what is left that the cache pool takes, 0 to 1."""
    if engine.pool_share < 1 and settings.memory_utilization is not None:
        return settings.memory_utilization
    return engine.pool_share


def budget_of(
    engine: EngineMemory,
    settings: EngineSettings,
    allocatable: FloatArray,
    inside: FloatArray,
    outside: FloatArray,
) -> Budget:
    """Return the budget and its pool: KV = total x utilization - weights - activations - non-torch (- graphs).

    inside, outside: what is not cache within the budget and beside it [D, bytes]. The identity is vLLM's, notes on
    memory, section 5; `total` is what a process can get, not what the driver shows.
    """
    total = budget_bytes(engine, settings, allocatable)
    share = pool_share(engine, settings)
    factor = (1.0 + engine.growth_slack) / share
    pool = np.maximum(0.0, total - inside) / factor
    # Without a card nothing is known to hang over.
    overhang = np.fmax(0.0, outside - (allocatable - total))
    taken = inside + pool if share < 1 else total
    return Budget(total, pool, taken + outside, overhang, factor)


def requests_held(pool: FloatArray, each: FloatArray, once: FloatArray, alone: FloatArray) -> FloatArray:
    """Return the requests that a pool holds, not rounded: room / each, sharing or not [D].

    each, once, alone: of a request on one GPU, as in `CacheDemand`, with its state [D, bytes]. A model without a cache
    that grows holds any number.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        together = np.maximum(0.0, pool - once) / each
        apart = pool / alone
    held: FloatArray = np.maximum(together, apart)
    return held
