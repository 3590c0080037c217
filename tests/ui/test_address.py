"""The rule that keeps address and widgets in step without losing input, on a plain dictionary of state."""

from collections.abc import Mapping
from typing import Any

import pytest

from advisor import Facts
from advisor.ui.address import Reading, apply, begin, finish, full_address, widget_key
from advisor.ui.answers import Answers, decode


class Visitor:
    """A browser tab: its address, its history and the state of its widgets."""

    def __init__(
        self, facts: Facts, address: Mapping[str, str], wishes: list[str | None] | None = None
    ) -> None:
        self.facts = facts
        self.history = [dict(address)]
        self.state: dict[Any, Any] = {}
        self.wishes = wishes or ["en-US"]

    def run(self, address: Mapping[str, str] | None = None) -> Reading:
        """One run of the script with the address that the browser sends."""
        sent = dict(self.history[-1] if address is None else address)
        reading = begin(self.state, sent, self.wishes, self.facts)
        wanted = finish(self.state, reading, sent, self.facts)
        if wanted is not None:
            self.history.append(wanted)
        return reading

    def type(self, key: str, value: object) -> Reading:
        """Change one widget."""
        self.state[widget_key(key)] = value
        return self.run()

    def back(self) -> Reading:
        """Press Back."""
        self.history.pop()
        return self.run()


def test_opening_the_page_writes_nothing(facts: Facts) -> None:
    visitor = Visitor(facts, {})
    assert visitor.run().answers == Answers()
    assert visitor.history == [{}]


def test_an_answer_is_written_with_the_language(facts: Facts) -> None:
    visitor = Visitor(facts, {})
    visitor.run()
    visitor.type("concurrency", 16)
    assert visitor.history == [{}, {"conc": "16", "lang": "en"}]


def test_back_restores_the_answer_before(facts: Facts) -> None:
    visitor = Visitor(facts, {})
    visitor.run()
    visitor.type("concurrency", 16)
    visitor.type("concurrency", 32)
    assert visitor.back().answers.get("concurrency") == 16
    assert visitor.state[widget_key("concurrency")] == 16
    assert visitor.back().answers == Answers()
    assert visitor.state[widget_key("concurrency")] == 8


def test_back_is_not_trapped_by_a_spelled_default_and_a_bad_value(facts: Facts) -> None:
    visitor = Visitor(facts, {"conc": "8", "ctx": "77777777"})
    assert [notice.key for notice in visitor.run().notices] == ["context_tokens"]
    visitor.type("concurrency", 9)
    assert len(visitor.history) == 2
    visitor.back()
    assert visitor.history == [{"conc": "8", "ctx": "77777777"}]


def test_typing_faster_than_the_round_trip_loses_nothing(facts: Facts) -> None:
    visitor = Visitor(facts, {})
    visitor.run()
    for number in range(9, 29):
        # The browser still sends the address of the first run.
        visitor.state[widget_key("concurrency")] = number
        visitor.run({})
    assert visitor.run({"conc": "28", "lang": "en"}).answers.get("concurrency") == 28


def test_a_language_switch_keeps_the_answers(facts: Facts) -> None:
    visitor = Visitor(facts, {"conc": "16"})
    visitor.run()
    visitor.state["chosen_language"] = "pt-BR"
    reading = visitor.run()
    assert reading.language.tag == "pt-BR"
    assert reading.answers.get("concurrency") == 16
    assert visitor.history[-1] == {"conc": "16", "lang": "pt-BR"}


def test_back_over_a_language_switch_restores_the_language(facts: Facts) -> None:
    visitor = Visitor(facts, {})
    visitor.run()
    visitor.state["chosen_language"] = "it"
    visitor.run()
    assert visitor.back().language.tag == "en"


def test_a_link_keeps_its_language_against_the_browser(facts: Facts) -> None:
    assert Visitor(facts, {"lang": "it"}, ["pt-BR"]).run().language.tag == "it"
    assert Visitor(facts, {"lang": "xx"}, ["pt-BR"]).run().language.tag == "pt-BR"
    assert Visitor(facts, {}, ["pt-PT", "en"]).run().language.tag == "pt-BR"


def test_a_currency_travels_in_the_link(facts: Facts) -> None:
    visitor = Visitor(facts, {"cur": "BRL"})
    reading = visitor.run()
    assert reading.currency == "BRL"
    assert full_address(reading) == {"cur": "BRL", "lang": "en"}
    assert Visitor(facts, {"cur": "XXX"}).run().currency == "USD"


def test_another_task_keeps_a_model_that_can_do_it(facts: Facts) -> None:
    visitor = Visitor(facts, {"model": "qwen3-14b"})
    visitor.run()
    visitor.state["q_task"] = "finetune"
    assert visitor.run().answers == Answers("finetune", "qwen3-14b")
    visitor.state["q_task"] = "image"
    assert visitor.run().answers == Answers("image", "flux.1-dev")


def test_defaults_follow_the_model_and_set_values_stay(facts: Facts) -> None:
    visitor = Visitor(facts, {"task": "image", "size": "512x512"})
    visitor.run()
    assert visitor.state[widget_key("steps")] == 28
    visitor.state["q_model"] = "sdxl-base-1.0"
    visitor.run()
    assert visitor.state[widget_key("steps")] == facts.media_models.diffusion["sdxl-base-1.0"].default_steps
    assert visitor.state[widget_key("size")] == "512x512"


def test_an_unknown_model_keeps_the_last_good_one(facts: Facts) -> None:
    visitor = Visitor(facts, {})
    visitor.run()
    visitor.state["q_model"] = "llama-3.1-8x"
    reading = visitor.run()
    assert reading.answers == Answers()
    assert reading.unknown_model == "llama-3.1-8x"
    assert "llama-3.1-8b" in reading.nearest_models
    assert visitor.state["q_model"] == "llama-3.1-8b"


def test_a_button_sets_all_answers_at_once(facts: Facts) -> None:
    visitor = Visitor(facts, {"conc": "16"})
    visitor.run()
    wanted, _ = decode({"task": "image", "job": "10000"}, facts)
    apply(visitor.state, wanted)
    assert visitor.run().answers == wanted
    assert visitor.state[widget_key("job_units")] == 10_000
    assert visitor.back().answers.get("concurrency") == 16


def test_no_provider_chosen_excludes_none(facts: Facts) -> None:
    visitor = Visitor(facts, {})
    visitor.run()
    assert visitor.type("provider_kinds", []).answers == Answers()
    assert visitor.type("provider_kinds", ["marketplace", "neocloud"]).answers.get("provider_kinds") == (
        "neocloud",
        "marketplace",
    )


@pytest.mark.parametrize("embed", [{"embed": "true"}, {"embed": "true", "embed_options": "dark_theme"}])
def test_embedding_does_not_look_like_a_change(facts: Facts, embed: dict[str, str]) -> None:
    visitor = Visitor(facts, embed)
    visitor.run()
    assert visitor.type("concurrency", 16).answers.get("concurrency") == 16
