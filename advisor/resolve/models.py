"""The model a workload names: from the tables, or from an uploaded configuration."""

import json

from advisor.errors import AdvisorError
from advisor.facts import Facts
from advisor.facts.media import AudioModel, DiffusionModel
from advisor.facts.models import ModelShape
from advisor.workload import ModelConfig, Workload

HUB_PREFIX = "hf:"


def resolve_model(workload: Workload, facts: Facts) -> ModelShape | DiffusionModel | AudioModel:
    """Return the model, of a kind that can do the task; raises AdvisorError."""
    if workload.model is None:
        raise AdvisorError("missing-field", "workload.model")
    if isinstance(workload.model, ModelConfig):
        # Few questions bring a configuration; its reader is loaded for those.
        from advisor.facts.hf_config import shape_from_config

        return shape_from_config(json.loads(workload.model.canonical_json))
    name = workload.model
    tables = _tables_for(workload.task)
    if name.startswith(HUB_PREFIX):
        return _find_hub_model(name.removeprefix(HUB_PREFIX), workload.task, facts)
    return _find(name, tables, workload.task, facts)


def _tables_for(task: str) -> tuple[str, ...]:
    if task in ("image", "video"):
        return ("diffusion",)
    if task == "audio":
        return ("audio",)
    return ("language", "diffusion") if task == "finetune" else ("language",)


def _find_hub_model(name: str, task: str, facts: Facts) -> ModelShape | DiffusionModel | AudioModel:
    try:
        return _find(name, _tables_for(task), task, facts)
    except AdvisorError as error:
        raise AdvisorError("needs-network", "workload.model", error.accepted, {"given": name}) from None


def _find(
    name: str, tables: tuple[str, ...], task: str, facts: Facts
) -> ModelShape | DiffusionModel | AudioModel:
    failures: list[AdvisorError] = []
    for table in tables:
        try:
            return _checked_for_task(_find_in(table, name, facts), task)
        except AdvisorError as error:
            failures.append(error)
    for table in ("language", "diffusion", "audio"):
        if table not in tables and _is_known(table, name, facts):
            raise AdvisorError("model-not-for-task", "workload.model", (), {"given": name, "task": task})
    raise next((failure for failure in failures if failure.code != "unknown-name"), failures[0])


def _find_in(table: str, name: str, facts: Facts) -> ModelShape | DiffusionModel | AudioModel:
    field = "workload.model"
    if table == "language":
        return facts.language_models.by_id[facts.language_models.names.find(name, field)[0]]
    if table == "diffusion":
        return facts.media_models.diffusion[facts.media_models.diffusion_names.find(name, field)[0]]
    return facts.media_models.audio[facts.media_models.audio_names.find(name, field)[0]]


def _is_known(table: str, name: str, facts: Facts) -> bool:
    try:
        _find_in(table, name, facts)
    except AdvisorError:
        return False
    return True


def _checked_for_task(
    model: ModelShape | DiffusionModel | AudioModel, task: str
) -> ModelShape | DiffusionModel | AudioModel:
    if isinstance(model, ModelShape) and not model.has_architecture:
        raise AdvisorError("model-without-shape", "workload.model", (), {"given": model.name})
    if isinstance(model, DiffusionModel) and task in ("image", "video") and task not in model.kind:
        raise AdvisorError("model-not-for-task", "workload.model", (), {"given": model.name, "task": task})
    return model
