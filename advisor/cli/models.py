"""`python -m advisor models`: the models that can be named."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from advisor.cli.listing import add_list, has_words, write_found
from advisor.cli.parsers import Commands
from advisor.cli.streams import wants_table, write_json
from advisor.cli.tables import DASH
from advisor.facts import Facts, load_facts
from advisor.facts.media import AudioModel, DiffusionModel
from advisor.facts.models import ModelShape
from advisor.workload import TASKS

BILLION = 10**9

DESCRIPTION = """\
List the models of the tables. Words search names, aliases and Hugging Face ids: a model is listed when it has all of
them. A model can be named in a question by its id, its name, an alias or its Hugging Face id, whatever the case.
"""
EXAMPLES = """\
examples:
  python -m advisor models llama 8b
  python -m advisor models --task video
  python -m advisor models --task serve --parameters-at-most 10 --context-at-least 100000
"""

HEADS = ("id", "tasks", "parameters", "active", "attention", "native", "context", "licence")


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_list(commands, "models", "the models that can be named", DESCRIPTION, EXAMPLES)
    parser.add_argument("--task", choices=TASKS, help="only models that can do this")
    parser.add_argument("--parameters-at-most", type=float, metavar="BILLION", help="largest total size")
    parser.add_argument("--context-at-least", type=int, metavar="TOKENS", help="smallest maximum context")
    parser.set_defaults(run=run)


@dataclass(frozen=True, slots=True)
class ListedModel:
    """What the list says of a model; 0 and empty where unknown or not applicable."""

    id: str
    name: str
    aliases: tuple[str, ...]
    hf_id: str
    tasks: tuple[str, ...]
    parameters: int
    active_parameters: int
    attention: str
    native_format: str
    max_context: int
    license: str

    def to_dict(self) -> dict[str, object]:
        """Return the output line."""
        return {name: getattr(self, name) for name in self.__slots__}


def run(options: argparse.Namespace) -> bool:
    """List the models that match; returns False, for nothing can be wrong with a question."""
    found = [model for model in listed_models(load_facts()) if _matches(model, options)]
    if not wants_table(options):
        for model in found:
            write_json(model.to_dict())
        return False
    rows = [
        (
            model.id,
            " ".join(model.tasks),
            _billions(model.parameters),
            _billions(model.active_parameters),
            model.attention or DASH,
            model.native_format or DASH,
            f"{model.max_context:,}" if model.max_context else DASH,
            model.license or DASH,
        )
        for model in found
    ]
    write_found(HEADS, rows, ("parameters", "active", "context"), "model")
    return False


def listed_models(facts: Facts) -> Iterator[ListedModel]:
    """Yield all models: language, then image and video, then audio."""
    yield from map(_language_model, facts.language_models.rows)
    yield from map(_diffusion_model, facts.media_models.diffusion.values())
    yield from map(_audio_model, facts.media_models.audio.values())


def _language_model(model: ModelShape) -> ListedModel:
    return ListedModel(
        id=model.id,
        name=model.name,
        aliases=model.aliases,
        hf_id=model.hf_id,
        tasks=("serve", "finetune", "pretrain") if model.has_architecture else (),
        parameters=model.parameters_total,
        active_parameters=model.parameters_active,
        attention=model.attention_kind if model.has_architecture else "",
        native_format=model.native_format,
        max_context=model.max_context,
        license=model.license,
    )


def _diffusion_model(model: DiffusionModel) -> ListedModel:
    size = model.backbone_parameters + model.text_encoder_parameters + model.vae_parameters
    return ListedModel(
        id=model.id,
        name=model.name,
        aliases=model.aliases,
        hf_id=model.hf_id,
        tasks=(model.kind, "finetune"),
        parameters=size,
        active_parameters=model.backbone_parameters_per_token or model.backbone_parameters,
        attention="",
        native_format="bf16",
        max_context=0,
        license=model.license,
    )


def _audio_model(model: AudioModel) -> ListedModel:
    return ListedModel(
        id=model.id,
        name=model.name,
        aliases=model.aliases,
        hf_id=model.hf_id,
        tasks=("audio",),
        parameters=model.parameters,
        active_parameters=model.parameters,
        attention="",
        native_format=model.native_format,
        max_context=0,
        license=model.license,
    )


def _matches(model: ListedModel, options: argparse.Namespace) -> bool:
    return (
        has_words((model.id, model.name, model.hf_id, *model.aliases), options.words)
        and (options.task is None or options.task in model.tasks)
        and (options.parameters_at_most is None or model.parameters <= options.parameters_at_most * BILLION)
        and (options.context_at_least is None or model.max_context >= options.context_at_least)
    )


def _billions(count: int) -> str:
    return f"{count / BILLION:.3g}B" if count else DASH
