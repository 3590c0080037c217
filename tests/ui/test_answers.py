"""The codec: what the address says, and what happens to a link that says something impossible."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import Facts, load_facts
from advisor.ui.answers import Answers, answers_from, decode, encode, form_for, moved_to, value_of
from advisor.ui.examples import EXAMPLES, example_answers
from advisor.ui.form import Asked, form_of, models_for
from advisor.ui.questions import QUESTIONS, Value
from advisor.ui.requests import request_of
from advisor.workload import TASKS, Deployment, Needs, Workload

FACTS = load_facts()
CODES = sorted({question.code for question in QUESTIONS} | {"task", "model", "lang", "cur"})


def values_for(asked: Asked) -> st.SearchStrategy[Value]:
    """Every value that a question takes."""
    question = asked.question
    if question.kind in ("choice", "format", "engine", "gpu", "where", "flag"):
        return st.sampled_from(asked.options)
    if question.kind == "choices":
        return st.sets(st.sampled_from(question.accepted), min_size=1).map(
            lambda chosen: tuple(option for option in question.accepted if option in chosen)
        )
    if question.kind == "size":
        side = st.integers(64, 8_192)
        return st.tuples(side, side).map(lambda sides: f"{sides[0]}x{sides[1]}")
    if question.kind in ("whole", "tokens"):
        low, high = round(asked.low / question.scale), round(asked.high / question.scale)
        return st.integers(low, min(high, 10**9)).map(
            lambda number: number if question.scale == 1 else round(number * question.scale, 9)
        )
    return st.floats(asked.low, min(asked.high, 1e15), allow_nan=False)


@st.composite
def random_answers(draw: st.DrawFn) -> Answers:
    """Answers that a person could give: any task, any model of it, any subset of its questions."""
    task = draw(st.sampled_from(TASKS))
    model_id = draw(st.sampled_from(models_for(task, FACTS)))
    form = form_of(task, model_id, task == "serve", FACTS)
    keys = draw(st.sets(st.sampled_from(sorted(form.asked)), max_size=8))
    return answers_from(
        task, model_id, {key: draw(values_for(form.asked[key])) for key in sorted(keys)}, FACTS
    )


@given(random_answers())
@settings(max_examples=300)
def test_an_address_restores_the_answers(answers: Answers) -> None:
    restored, notices = decode(encode(answers), FACTS)
    assert restored == answers
    assert notices == ()


@given(random_answers())
@settings(max_examples=100)
def test_answers_become_a_question_to_the_core(answers: Answers) -> None:
    request = request_of(answers, FACTS)
    assert isinstance(request.workload, Workload)
    assert isinstance(request.needs, Needs)
    assert isinstance(request.deployment, Deployment)
    assert hash(request) == hash(request_of(answers, FACTS))


hostile = st.dictionaries(
    st.sampled_from(CODES) | st.text(max_size=12),
    st.text(max_size=60)
    | st.sampled_from(
        ["", "-1", "1e400", "nan", "inf", "0x10", "1_000", "½", "٣", "..", "%00", "<b>", "9" * 400]
    ),
    max_size=10,
)


@given(hostile)
@settings(max_examples=400)
def test_a_hostile_address_never_raises(address: Mapping[str, str]) -> None:
    answers, _ = decode(address, FACTS)
    again, notices = decode(encode(answers), FACTS)
    assert again == answers
    assert notices == ()
    request_of(answers, FACTS)


def test_nothing_is_written_for_defaults(facts: Facts) -> None:
    assert encode(Answers()) == {}
    assert encode(decode({"conc": "8", "ctx": "8192", "weights": "bf16", "wait": "1"}, facts)[0]) == {}


def test_codes_are_those_of_the_contract(facts: Facts) -> None:
    address = {"weights": "fp8", "ctx": "32768", "conc": "16"}
    answers, notices = decode(address, facts)
    assert notices == ()
    assert encode(answers) == address
    assert request_of(answers, facts).workload == Workload(
        task="serve", model="llama-3.1-8b", weights="fp8", context_tokens=32_768, concurrency=16
    )


def test_codes_are_unique_within_a_task() -> None:
    for task in TASKS:
        codes = [question.code for question in QUESTIONS if task in question.tasks]
        assert len(codes) == len(set(codes))


@pytest.mark.parametrize(
    ("address", "key", "used"),
    [
        ({"ctx": "9999999"}, "context_tokens", 8_192),
        ({"conc": "0"}, "concurrency", 8),
        ({"conc": "many"}, "concurrency", 8),
        ({"weights": "fp7"}, "weights", "bf16"),
        ({"task": "paint"}, "task", "serve"),
        ({"model": "no-such-model-at-all"}, "model", "llama-3.1-8b"),
        ({"where": "XX"}, "where", "any"),
        ({"kinds": "neocloud,pirates"}, "provider_kinds", ("hyperscaler", "neocloud", "marketplace")),
        ({"task": "image", "size": "10x99999"}, "size", "1024x1024"),
        ({"gpu": "voodoo2"}, "running_gpu", None),
    ],
)
def test_an_impossible_value_is_dropped_and_named(
    facts: Facts, address: dict[str, str], key: str, used: Value
) -> None:
    answers, notices = decode(address | {"budget": "500"}, facts)
    assert [(notice.key, notice.used) for notice in notices] == [(key, used)]
    if answers.task == "serve":
        assert answers.get("max_usd_per_month") == 500


def test_a_notice_carries_the_limits(facts: Facts) -> None:
    _, notices = decode({"ctx": "9999999"}, facts)
    assert notices[0].limits == (1, 131_072)


def test_models_are_found_by_any_name(facts: Facts) -> None:
    for name in (
        "meta-llama/Llama-3.3-70B-Instruct",
        "hf:meta-llama/Llama-3.3-70B-Instruct",
        "LLAMA 3.3 70B",
    ):
        assert decode({"model": name}, facts)[0].model_id == "llama-3.3-70b"


def test_a_near_miss_names_the_nearest_models(facts: Facts) -> None:
    _, notices = decode({"model": "llama-3.1-8x"}, facts)
    assert "llama-3.1-8b" in notices[0].nearest


def test_a_smaller_model_drops_what_it_cannot_hold(facts: Facts) -> None:
    answers, _ = decode({"ctx": "131072", "conc": "4"}, facts)
    moved, notices = moved_to(answers, "serve", "llama-2-7b", facts)
    assert [notice.key for notice in notices] == ["context_tokens"]
    assert moved.get("context_tokens") is None
    assert moved.get("concurrency") == 4


def test_lowest_speed_holds_only_while_somebody_waits(facts: Facts) -> None:
    waiting, _ = decode({}, facts)
    batch, _ = decode({"wait": "0"}, facts)
    assert value_of(waiting, form_for(waiting, facts), "tokens_per_second_per_request") == 10
    assert value_of(batch, form_for(batch, facts), "tokens_per_second_per_request") == 0


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.label)
def test_examples_are_possible(facts: Facts, example: object) -> None:
    assert example in EXAMPLES
    answers, notices = decode(dict(example.address), facts)
    assert notices == ()
    assert answers == example_answers(example, facts)
    assert encode(answers) == dict(example.address)
