"""Refit the constants of serving memory, and predict every case from a fit that saw no run of its model."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from advisor.estimate.memory.serving import interval_groups
from advisor.facts import Facts, load_facts
from advisor.facts.engine_memory import SHARED
from benchmarks.classes import memory_class
from benchmarks.outcomes import NARROWEST, Outcome
from benchmarks.serving_memory_fit import (
    ConstantRow,
    ServingCase,
    prepare_cases,
    read_constants,
    refit,
    with_constants,
    write_constants,
)

TABLE = "engine_memory.csv"
FOLDS = 5
ALLOCATED_REPEATS = 1.001
"""What a framework allocates repeats to a few per mille (notes on memory, section 12)."""

PROCESS = "reserved_gib"
POOLS = ("kv_cache_gib", "kv_cache_tokens")
WHOLE = ("peak_gib", "needed_gib")
TELLING = ("weights_gib", "activations_gib", "peak_gib", "needed_gib", "reserved_gib")
UNKNOWN_ENGINE = "serving: an engine of which nothing is known"


def calibrate(records: Sequence[dict[str, Any]], folder: Path) -> list[Outcome]:
    """Rewrite `engine_memory.csv` in a folder; returns the held-out predictions that intervals are made of."""
    facts = load_facts(folder)
    cases = prepare_cases(records, facts)
    kinds = {str(record["id"]): memory_class(record) for record in records}
    rows = read_constants(folder / TABLE)
    write_constants(folder / TABLE, refit(rows, cases, facts))
    found = []
    for case, fitted in held_out(cases, rows, facts):
        outcome = outcome_of(case, fitted, kinds[case.id])
        found += [outcome] if outcome is not None else []
    return found + without_constants(cases, rows, facts)


def without_constants(
    cases: Sequence[ServingCase], rows: Sequence[ConstantRow], facts: Facts
) -> list[Outcome]:
    """Return what the engines hold, predicted as if nothing were known of the engine: how far others can be off."""
    blind = with_constants(facts, [row for row in rows if row.profile == SHARED])
    found = [outcome_of(case, blind, UNKNOWN_ENGINE) for case in cases if case.metric in TELLING]
    return [replace(one, group=one.group.split("/")[0], narrowest=NARROWEST) for one in found if one]


def held_out(
    cases: Sequence[ServingCase], rows: Sequence[ConstantRow], facts: Facts
) -> list[tuple[ServingCase, Facts]]:
    """Return every case with facts that were fitted without any run of its model, in the order of ids."""
    models = sorted({case.work.model.id for case in cases})
    fold_of = {model: index % FOLDS for index, model in enumerate(models)}
    pairs = []
    for fold in range(FOLDS):
        seen = [case for case in cases if fold_of[case.work.model.id] != fold]
        fitted = with_constants(facts, refit(rows, seen, facts))
        pairs += [(case, fitted) for case in cases if fold_of[case.work.model.id] == fold]
    return sorted(pairs, key=lambda pair: pair[0].id)


def outcome_of(case: ServingCase, facts: Facts, kind: str) -> Outcome | None:
    """Return what a case says about the need of a card, or about what the process holds; None where nothing.

    A measured part stands for the need with that part in it; a pool for the need that it leaves room for.
    """
    memory = case.memory(facts)
    predicted, needed = getattr(memory, case.metric), memory.needed_gib
    if not predicted or not needed:
        return None
    need, process = interval_groups(case.work)
    if case.metric == PROCESS:
        return _outcome(case, process, kind, predicted, case.measured)
    if case.metric in WHOLE:
        return _outcome(case, need, kind, predicted, case.measured)
    error = case.measured - predicted
    if case.metric in POOLS and case.kind == "budget":
        pool = memory.kv_cache_gib or 0.0
        error = pool * (1.0 - case.measured / predicted)
    outcome = _outcome(case, need, kind, needed, max(0.01 * needed, needed + error))
    return replace(outcome, miss=predicted / case.measured - 1.0)


def _outcome(case: ServingCase, group: str, kind: str, predicted: float, measured: float) -> Outcome:
    return Outcome(
        id=case.id,
        group=group,
        kind=kind,
        quality=case.quality,
        cell=(case.engine, case.metric),
        predicted=predicted,
        measured=measured,
        narrowest=ALLOCATED_REPEATS,
    )
