"""The description of serving memory speaks of names that the code really has."""

import importlib
import re
from pathlib import Path

import pytest

from advisor.estimate.results import Memory
from advisor.facts.engine_memory import ENGINE_CONSTANTS
from advisor.facts.models import ModelShape
from advisor.workload import Deployment, Workload

PAGE = Path(__file__).parents[1] / "docs/method/memory.md"
MODULES = [
    "advisor.estimate.split",
    "advisor.facts.formats",
    *(
        f"advisor.estimate.memory.{part}"
        for part in ("weights", "cache", "budget", "serving", "serving_activations", "serving_draft")
    ),
]
NAMES = sorted(
    set(re.findall(r"`([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)`", PAGE.read_text(encoding="utf-8")))
)
FIELDS = {
    *ENGINE_CONSTANTS,
    *Memory.__dataclass_fields__,
    *Workload.__dataclass_fields__,
    *Deployment.__dataclass_fields__,
    *ModelShape.__dataclass_fields__,
}


def test_the_page_names_functions_and_constants() -> None:
    assert len(NAMES) > 50


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_the_page_is_one_of_the_code(name: str) -> None:
    assert name in FIELDS or any(hasattr(importlib.import_module(module), name) for module in MODULES)
