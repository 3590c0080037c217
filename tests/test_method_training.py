"""The description of the training method speaks of names that the code really has."""

import importlib
import re
from pathlib import Path

import pytest

from advisor.estimate.results import Memory
from advisor.facts.training_memory import TRAINING_CONSTANTS
from advisor.workload import Workload

PAGE = Path(__file__).parents[1] / "docs/method/memory-training.md"
MODULES = [
    "advisor.facts.hf_config",
    "advisor.facts.parameter_counts",
    *(
        f"advisor.estimate.memory.training{part}"
        for part in (
            "",
            "_state",
            "_activations",
            "_sharding",
            "_objectives",
            "_allocator",
            "_host",
            "_notes",
        )
    ),
]
NAMES = sorted(set(re.findall(r"`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`", PAGE.read_text(encoding="utf-8"))))


def is_known(name: str) -> bool:
    fields = {
        *TRAINING_CONSTANTS,
        *Memory.__dataclass_fields__,
        *Workload.__dataclass_fields__,
        "bytes_per_parameter",
    }
    return name in fields or any(hasattr(importlib.import_module(module), name) for module in MODULES)


def test_the_page_names_functions_and_constants() -> None:
    assert len(NAMES) > 40


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_the_page_is_one_of_the_code(name: str) -> None:
    assert is_known(name)
