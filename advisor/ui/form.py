"""The questions of one kind of work with one model: options, limits and defaults as they stand there."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from advisor.facts import Facts
from advisor.facts.media import DiffusionModel
from advisor.facts.models import ModelShape
from advisor.resolve.models import resolve_model
from advisor.resolve.training import DEFAULT_WEIGHTS
from advisor.ui.questions import (
    ANYWHERE,
    AUDIO,
    BY_MODEL,
    DEFAULT_MODELS,
    FINETUNE,
    PRETRAIN,
    QUESTIONS,
    SERVE,
    Question,
    Value,
)
from advisor.workload import Workload

PLAIN_FORMATS = ("bf16", "fp8", "int8", "int4-awq")
"""The formats that stand in the open; every other one is among the expert settings."""

COUNTRY_GROUPS = ("EU", "EEA", "LATAM")
TOKENS_PER_PARAMETER = 20
"""Training tokens a parameter of a compute-optimal model: Hoffmann et al. 2022, arXiv 2203.15556."""

USUAL_FINETUNING_TOKENS = 10e6
READING_SPEED, FIRST_TOKEN_MS = 10.0, 5_000
PICTURE_SIZES = ("512x512", "768x768", "1024x1024", "1280x720", "1536x1024", "1920x1080")
VIDEO_SIZES = ("640x480", "832x480", "960x544", "1280x704", "1280x720", "1920x1080")

Model = ModelShape | DiffusionModel | object


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it stands for one work: options where it has them, limits in contract units, the default."""

    question: Question
    options: tuple[Value, ...]
    low: float
    high: float
    default: Value

    @property
    def key(self) -> str:
        """Return the contract's field."""
        return self.question.key


@dataclass(frozen=True, slots=True)
class Form:
    """All questions of one work. `waiting` is part of it, since the lowest speeds hold only when somebody waits."""

    task: str
    model_id: str
    waiting: bool
    asked: Mapping[str, Asked]

    def default(self, key: str) -> Value:
        """Return the default of a question; None for one that is not asked here."""
        return self.asked[key].default if key in self.asked else None


def default_waiting(task: str) -> bool:
    """Return whether somebody is taken to wait for this kind of work."""
    return task == SERVE


@functools.lru_cache(maxsize=512)
def form_of(task: str, model_id: str, waiting: bool, facts: Facts) -> Form:
    """Return the form of a task and a model that can do it; raises AdvisorError for a model that cannot."""
    model = resolve_model(Workload(task=task, model=model_id), facts)
    questions = [question for question in QUESTIONS if task in question.tasks]
    asked = {question.key: _asked(question, task, model, waiting, facts) for question in questions}
    return Form(task, model_id, waiting, MappingProxyType(asked))


def _asked(question: Question, task: str, model: Model, waiting: bool, facts: Facts) -> Asked:
    low, high = question.low * question.scale, question.high * question.scale
    if question.kind == "tokens" and isinstance(model, ModelShape) and model.max_context:
        high = model.max_context
    default = question.default_for(task)
    if default == BY_MODEL:
        default = _default_by_model(question.key, task, model, waiting)
    elif question.kind == "tokens" and isinstance(default, int):
        default = min(default, int(high))
    return Asked(question, _options(question, task, model, facts), low, high, default)


def _default_by_model(key: str, task: str, model: Model, waiting: bool) -> Value:
    if key == "weights":
        return _usual_weights(task, model)
    if key == "tokens_per_second_per_request":
        return READING_SPEED if waiting else 0.0
    if key == "time_to_first_token_ms":
        return FIRST_TOKEN_MS if waiting else None
    if key == "dataset_tokens":
        parameters = model.parameters_total if isinstance(model, ModelShape) else 0
        return _rounded(TOKENS_PER_PARAMETER * parameters) if task == PRETRAIN else USUAL_FINETUNING_TOKENS
    assert isinstance(model, DiffusionModel)
    own: dict[str, Value] = {
        "size": f"{model.default_width}x{model.default_height}",
        "frames": model.default_frames,
        "steps": model.default_steps,
        "guidance": model.default_guidance,
    }
    return own[key]


def _rounded(count: float) -> float:
    """Return a count with two significant digits: a suggestion is not a measurement."""
    return float(f"{count:.1e}")


def _usual_weights(task: str, model: Model) -> str | None:
    if task == FINETUNE:
        return None  # the method decides
    if task == SERVE and isinstance(model, ModelShape):
        return model.native_format
    return getattr(model, "native_format", "") if task == AUDIO else DEFAULT_WEIGHTS["full"]


def _options(question: Question, task: str, model: Model, facts: Facts) -> tuple[Value, ...]:
    if question.kind == "format":
        return _formats(task, model, facts)
    if question.kind == "engine":
        return tuple(engine.id for engine in facts.engines.rows.values() if task in engine.tasks)
    if question.kind == "gpu":
        return tuple(gpu.id for gpu in facts.gpus.rows)
    if question.kind == "where":
        return (ANYWHERE, *COUNTRY_GROUPS, *_countries(facts))
    if question.kind == "size":
        return VIDEO_SIZES if task == "video" else PICTURE_SIZES
    if question.kind == "tokens":
        return _powers_of_two(model)
    return (True, False) if question.kind == "flag" else question.accepted


def _formats(task: str, model: Model, facts: Facts) -> tuple[str, ...]:
    """Return the formats that some engine of this task takes, the usual ones of the model first."""
    engines = [engine for engine in facts.engines.rows.values() if task in engine.tasks]
    taken = [row for row in facts.formats.rows if any(engine.takes_format(row) for engine in engines)]
    usual = _usual_weights(task, model)
    return tuple(dict.fromkeys((*([usual] if usual else []), *PLAIN_FORMATS, *taken)))


@functools.lru_cache(maxsize=8)
def _countries(facts: Facts) -> tuple[str, ...]:
    return tuple(sorted({offer.country for offer in facts.offers.rows if offer.country}))


def _powers_of_two(model: Model) -> tuple[int, ...]:
    most = model.max_context if isinstance(model, ModelShape) and model.max_context else 2**17
    powers = [2**exponent for exponent in range(9, 25) if 2**exponent <= most]
    return tuple(dict.fromkeys((*powers, most)))


@functools.lru_cache(maxsize=64)
def models_for(task: str, facts: Facts) -> tuple[str, ...]:
    """Return the ids of the models that can do a task, the usual one first, the rest by name."""
    if task in ("image", "video"):
        found = {row.id: row.name for row in facts.media_models.diffusion.values() if task in row.kind}
    elif task == "audio":
        found = {row.id: row.name for row in facts.media_models.audio.values() if row.parameters}
    else:
        found = {row.id: row.name for row in facts.language_models.rows if row.has_architecture}
    usual = DEFAULT_MODELS[task]
    return (usual, *sorted((row for row in found if row != usual), key=lambda row: found[row].lower()))


@functools.lru_cache(maxsize=2_048)
def model_name(model_id: str, facts: Facts) -> str:
    """Return the name of a model of any table."""
    model = (
        facts.language_models.by_id.get(model_id)
        or facts.media_models.diffusion.get(model_id)
        or facts.media_models.audio.get(model_id)
    )
    return model.name if model is not None else model_id
