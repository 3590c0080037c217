"""What a person states: checked, normalised, and refused with the field's name."""

import pytest

from advisor import AdvisorError, Deployment, Needs, Workload
from advisor.workload import ModelConfig, Speculative


def test_an_unknown_field_names_the_nearest_ones() -> None:
    with pytest.raises(AdvisorError) as caught:
        Workload.from_dict({"contxt_tokens": 8192}, "workload")
    assert caught.value.code == "unknown-field"
    assert caught.value.field == "workload.contxt_tokens"
    assert caught.value.accepted[0] == "context_tokens"


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("context_tokens", 0, "out-of-range"),
        ("context_tokens", -5, "out-of-range"),
        ("context_tokens", 1e12, "out-of-range"),
        ("context_tokens", 8192.5, "wrong-type"),
        ("context_tokens", "8192", "wrong-type"),
        ("context_tokens", True, "wrong-type"),
        ("context_tokens", float("nan"), "wrong-type"),
        ("kv_cache", "fp7", "unknown-value"),
        ("task", "cook", "unknown-value"),
        ("packing", "yes", "wrong-type"),
        ("model", {"cfg": {}}, "wrong-type"),
        ("model", "", "wrong-type"),
        ("speculative", {"tokens": 0}, "out-of-range"),
        ("optimizer", ["adamw"], "unknown-value"),
    ],
)
def test_a_wrong_value_is_refused_by_field_and_code(field: str, value: object, code: str) -> None:
    with pytest.raises(AdvisorError) as caught:
        Workload.from_dict({field: value}, "workload")
    assert caught.value.code == code
    assert caught.value.field.endswith(field) or field == "speculative"


def test_checkpointing_takes_yes_and_no() -> None:
    assert Workload.from_dict({"gradient_checkpointing": True}, "workload").gradient_checkpointing == "full"
    assert Workload.from_dict({"gradient_checkpointing": False}, "workload").gradient_checkpointing == "none"


def test_a_config_makes_a_hashable_workload_whatever_the_order_of_its_keys() -> None:
    one = Workload.from_dict({"model": {"config": {"a": 1, "b": 2}}}, "workload")
    other = Workload.from_dict({"model": {"config": {"b": 2, "a": 1}}}, "workload")
    assert isinstance(one.model, ModelConfig)
    assert hash(one) == hash(other)
    assert one == other


def test_stated_fields_survive_a_round_trip() -> None:
    stated = {
        "task": "serve",
        "model": "llama-3.1-8b",
        "speculative": {"draft": "ngram", "tokens": 4, "acceptance": 0.5},
        "concurrency": 8,
    }
    workload = Workload.from_dict(stated, "workload")
    assert isinstance(workload.speculative, Speculative)
    assert workload.to_dict() == stated
    needs = Needs.from_dict({"countries": ["BR", "EU"], "max_usd_per_hour": 3}, "needs")
    assert needs.to_dict() == {"countries": ["BR", "EU"], "max_usd_per_hour": 3}


def test_an_empty_deployment_states_nothing() -> None:
    assert Deployment().to_dict() == {}
