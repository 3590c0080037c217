"""`python -m advisor gpus`: the GPUs that can be named."""

import argparse

from advisor.cli.listing import add_list, has_words, write_found
from advisor.cli.parsers import Commands
from advisor.cli.sentences import number
from advisor.cli.streams import wants_table, write_json
from advisor.cli.tables import DASH
from advisor.facts import Facts, load_facts
from advisor.facts.gpus import Gpu
from advisor.units import GB, GIB, TERA
from advisor.workload import GPU_CLASSES

DESCRIPTION = """\
List the GPUs of the table. Words search names and aliases. Memory is the GB printed on the card; `usable GiB` is what a
process can get of it.
"""
EXAMPLES = """\
examples:
  python -m advisor gpus 5090
  python -m advisor gpus --memory-at-least 80 --memory-type hbm
  python -m advisor gpus --class consumer --computes fp8 --offered
"""

PRECISIONS = ("bf16", "fp8", "int8", "fp4")
HEADS = ("id", "name", "GB", "usable GiB", "memory", "GB/s", "BF16", "FP8", "link", "offers")


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_list(commands, "gpus", "the GPUs that can be named", DESCRIPTION, EXAMPLES)
    parser.add_argument("--class", dest="segment", choices=GPU_CLASSES, help="only this class of card")
    parser.add_argument("--vendor", metavar="NAME", help="only this maker, such as NVIDIA or AMD")
    parser.add_argument("--memory-at-least", type=float, metavar="GB", help="smallest memory")
    parser.add_argument("--memory-type", choices=("hbm", "gddr"), help="only this kind of memory")
    parser.add_argument("--computes", choices=PRECISIONS, help="only GPUs that multiply in this precision")
    parser.add_argument("--offered", action="store_true", help="only GPUs that the catalogue has offers of")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> bool:
    """List the GPUs that match; returns False, for nothing can be wrong with a question."""
    facts = load_facts()
    offers = _offers_by_gpu(facts)
    found = [gpu for gpu in facts.gpus.rows if _matches(gpu, offers.get(gpu.id, 0), options)]
    if not wants_table(options):
        for gpu in found:
            write_json(gpu_to_dict(gpu, offers.get(gpu.id, 0)))
        return False
    rows = [_row(gpu, offers.get(gpu.id, 0)) for gpu in found]
    write_found(HEADS, rows, ("GB", "usable GiB", "GB/s", "BF16", "FP8", "offers"), "GPU")
    return False


def _offers_by_gpu(facts: Facts) -> dict[str, int]:
    counts: dict[str, int] = {}
    for offer in facts.offers.rows:
        counts[offer.gpu_id] = counts.get(offer.gpu_id, 0) + 1
    return counts


def _matches(gpu: Gpu, offers: int, options: argparse.Namespace) -> bool:
    return (
        has_words((gpu.id, gpu.name, *gpu.aliases), options.words)
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


def _row(gpu: Gpu, offers: int) -> tuple[str, ...]:
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
