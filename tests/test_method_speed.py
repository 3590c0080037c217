"""The description of serving speed speaks of names that the code really has."""

import importlib
import re
from pathlib import Path

import pytest

from advisor.estimate.results import Throughput
from advisor.estimate.speed.load import ServingLoad
from advisor.facts.speed import SERVING_QUANTITIES
from advisor.workload import Deployment, Workload

PAGE = Path(__file__).parents[1] / "docs/method/speed.md"
PARTS = ("traffic", "communication", "load", "demand", "roofline", "saturation", "speculation", "serving")
MODULES = ["advisor.estimate.split", *(f"advisor.estimate.speed.{part}" for part in PARTS)]
NAMES = sorted(
    set(re.findall(r"`([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)`", PAGE.read_text(encoding="utf-8")))
)
FIELDS = {
    *SERVING_QUANTITIES,
    *Throughput.__dataclass_fields__,
    *ServingLoad.__dataclass_fields__,
    *Workload.__dataclass_fields__,
    *Deployment.__dataclass_fields__,
}


def test_the_page_names_functions_and_coefficients() -> None:
    assert len(NAMES) > 40


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_the_page_is_one_of_the_code(name: str) -> None:
    assert name in FIELDS or any(hasattr(importlib.import_module(module), name) for module in MODULES)


@pytest.mark.parametrize("quantity", SERVING_QUANTITIES)
def test_every_coefficient_has_a_general_row(quantity: str) -> None:
    table = (Path(__file__).parents[1] / "data/speed_serving.csv").read_text("utf-8").splitlines()
    assert any(line.startswith(f"{quantity},*,*,,*,") for line in table)
