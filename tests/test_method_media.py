"""The descriptions of media and of training speed speak of names that the code really has."""

import importlib
import re
from pathlib import Path

import pytest

from advisor.estimate.results import Memory, Throughput
from advisor.facts.audio_constants import AudioConstants
from advisor.facts.media import AudioModel, DiffusionModel
from advisor.facts.media_constants import MediaCoefficients, MediaMemoryConstants, UnetFlops
from advisor.facts.training_speed import TrainingCoefficients
from advisor.workload import Workload

PAGES = ("media", "speed-training")
MODULES = [
    importlib.import_module(f"advisor.estimate.{name}")
    for name in (
        "audio",
        "diffusion",
        "memory.audio",
        "memory.media",
        "memory.media_training",
        "speed.audio",
        "speed.media_load",
        "speed.media_time",
        "speed.media_training",
        "speed.rates",
        "speed.training",
        "speed.training_load",
        "speed.training_time",
    )
]
RECORDS = (
    AudioConstants,
    AudioModel,
    DiffusionModel,
    MediaCoefficients,
    MediaMemoryConstants,
    Memory,
    Throughput,
    TrainingCoefficients,
    UnetFlops,
    Workload,
    importlib.import_module("advisor.estimate.speed.training_time").TrainingMachine,
)


def names_of(page: str) -> list[str]:
    text = (Path(__file__).parents[1] / f"docs/method/{page}.md").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`", text)))


def test_the_pages_name_functions_and_constants() -> None:
    assert all(len(names_of(page)) > 20 for page in PAGES)


@pytest.mark.parametrize(("page", "name"), [(page, name) for page in PAGES for name in names_of(page)])
def test_every_name_of_a_page_is_one_of_the_code(page: str, name: str) -> None:
    in_records = any(name in record.__dataclass_fields__ or hasattr(record, name) for record in RECORDS)
    assert in_records or any(hasattr(module, name) for module in MODULES)
