"""`python -m advisor models` and `gpus`: the names of the tables, searched and filtered."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from advisor.cli.sentences import number
from advisor.cli.streams import add_output_arguments, wants_table, write_json
from advisor.cli.tables import DASH, write, write_table
from advisor.facts import Facts, load_facts
from advisor.facts.gpus import Gpu
from advisor.facts.media import AudioModel, DiffusionModel
from advisor.facts.models import ModelShape
from advisor.facts.names import folded
from advisor.units import GB, GIB, TERA
from advisor.workload import GPU_CLASSES, TASKS

BILLION = 10**9

MODELS_DESCRIPTION = """\
List the models of the tables. Words search names, aliases and Hugging Face ids: a model is listed when it has all of
them. A model can be named in a question by its id, its name, an alias or its Hugging Face id, whatever the case.
"""
MODELS_EXAMPLES = """\
examples:
  python -m advisor models llama 8b
  python -m advisor models --task video
  python -m advisor models --task serve --parameters-at-most 10 --context-at-least 100000
"""
GPUS_DESCRIPTION = """\
List the GPUs of the table. Words search names and aliases. Memory is the GB printed on the card; `usable GiB` is what a
process can get of it.
"""
GPUS_EXAMPLES = """\
examples:
  python -m advisor gpus 5090
  python -m advisor gpus --memory-at-least 80 --memory-type hbm
  python -m advisor gpus --class consumer --computes fp8 --offered
"""

PRECISIONS = ("bf16", "fp8", "int8", "fp4")
MODEL_HEADS = ("id", "tasks", "parameters", "active", "attention", "native", "context", "licence")
GPU_HEADS = ("id", "name", "GB", "usable GiB", "memory", "GB/s", "BF16", "FP8", "link", "offers")

Model = ModelShape | DiffusionModel | AudioModel


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add both commands."""
    models = _parser(commands, "models", "the models that can be named", MODELS_DESCRIPTION, MODELS_EXAMPLES)
    models.add_argument("--task", choices=TASKS, help="only models that can do this")
    models.add_argument("--parameters-at-most", type=float, metavar="BILLION", help="largest total size")
    models.add_argument("--context-at-least", type=int, metavar="TOKENS", help="smallest maximum context")
    models.set_defaults(run=list_models)
    gpus = _parser(commands, "gpus", "the GPUs that can be named", GPUS_DESCRIPTION, GPUS_EXAMPLES)
    gpus.add_argument("--class", dest="segment", choices=GPU_CLASSES, help="only this class of card")
    gpus.add_argument("--vendor", metavar="NAME", help="only this maker, such as NVIDIA or AMD")
    gpus.add_argument("--memory-at-least", type=float, metavar="GB", help="smallest memory")
    gpus.add_argument("--memory-type", choices=("hbm", "gddr"), help="only this kind of memory")
    gpus.add_argument("--computes", choices=PRECISIONS, help="only GPUs that multiply in this precision")
    gpus.add_argument("--offered", action="store_true", help="only GPUs that the catalogue has offers of")
    gpus.set_defaults(run=list_gpus)


def _parser(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    summary: str,
    description: str,
    examples: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="parts of a name; all must occur")
    add_output_arguments(parser)
    return parser


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


def list_models(options: argparse.Namespace) -> bool:
    """List the models that match; returns False, for nothing can be wrong with a question."""
    found = [model for model in listed_models(load_facts()) if _model_matches(model, options)]
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
    _write_found(MODEL_HEADS, rows, ("parameters", "active", "context"), "model")
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


def _model_matches(model: ListedModel, options: argparse.Namespace) -> bool:
    return (
        _has_words((model.id, model.name, model.hf_id, *model.aliases), options.words)
        and (options.task is None or options.task in model.tasks)
        and (options.parameters_at_most is None or model.parameters <= options.parameters_at_most * BILLION)
        and (options.context_at_least is None or model.max_context >= options.context_at_least)
    )


def _has_words(names: Iterable[str], words: Sequence[str]) -> bool:
    text = " ".join(map(folded, names))
    return all(folded(word) in text for word in words)


def list_gpus(options: argparse.Namespace) -> bool:
    """List the GPUs that match; returns False, for nothing can be wrong with a question."""
    facts = load_facts()
    offers = _offers_by_gpu(facts)
    found = [gpu for gpu in facts.gpus.rows if _gpu_matches(gpu, offers.get(gpu.id, 0), options)]
    if not wants_table(options):
        for gpu in found:
            write_json(gpu_to_dict(gpu, offers.get(gpu.id, 0)))
        return False
    rows = [_gpu_row(gpu, offers.get(gpu.id, 0)) for gpu in found]
    _write_found(GPU_HEADS, rows, ("GB", "usable GiB", "GB/s", "BF16", "FP8", "offers"), "GPU")
    return False


def _offers_by_gpu(facts: Facts) -> dict[str, int]:
    counts: dict[str, int] = {}
    for offer in facts.offers.rows:
        counts[offer.gpu_id] = counts.get(offer.gpu_id, 0) + 1
    return counts


def _gpu_matches(gpu: Gpu, offers: int, options: argparse.Namespace) -> bool:
    return (
        _has_words((gpu.id, gpu.name, *gpu.aliases), options.words)
        and (options.segment is None or gpu.segment == options.segment)
        and (options.vendor is None or gpu.vendor.lower() == options.vendor.lower())
        and (options.memory_at_least is None or gpu.memory_gb >= options.memory_at_least)
        and (options.memory_type is None or options.memory_type in gpu.memory_type.lower())
        and (options.computes is None or getattr(gpu, f"supports_{options.computes}"))
        and (offers > 0 or not options.offered)
    )


def gpu_to_dict(gpu: Gpu, offers: int) -> dict[str, object]:
    """Return the output line of a GPU; sizes, rates and bandwidths in the units of their names."""
    return {
        "id": gpu.id,
        "name": gpu.name,
        "aliases": gpu.aliases,
        "vendor": gpu.vendor,
        "architecture": gpu.architecture,
        "class": gpu.segment,
        "form_factor": gpu.form_factor,
        "memory_gb": gpu.memory_gb,
        "memory_gib_allocatable": gpu.memory_bytes_allocatable / GIB,
        "memory_type": gpu.memory_type,
        "memory_bandwidth_gb_per_second": gpu.memory_bandwidth / GB,
        "bf16_tflops": gpu.bf16_flops / TERA,
        "fp8_tflops": gpu.fp8_flops / TERA,
        "int8_tops": gpu.int8_flops / TERA,
        "fp4_tflops": gpu.fp4_flops / TERA,
        "link": gpu.interconnect,
        "power_w": gpu.power_w,
        "offers": offers,
    }


def _gpu_row(gpu: Gpu, offers: int) -> tuple[str, ...]:
    return (
        gpu.id,
        gpu.name,
        f"{gpu.memory_gb:g}",
        _figure(gpu.memory_bytes_allocatable / GIB),
        gpu.memory_type,
        _figure(gpu.memory_bandwidth / GB),
        _figure(gpu.bf16_flops / TERA),
        _figure(gpu.fp8_flops / TERA),
        gpu.interconnect or DASH,
        str(offers),
    )


def _figure(value: float) -> str:
    return number(value) if value > 0 else DASH


def _billions(count: int) -> str:
    return f"{count / BILLION:.3g}B" if count else DASH


def _write_found(
    heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str], noun: str
) -> None:
    if rows:
        write_table(heads, rows, right)
        write()
    write(f"{len(rows):,} {noun}{'' if len(rows) == 1 else 's'}.")
