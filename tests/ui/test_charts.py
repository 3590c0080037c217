"""Every chart as a specification: valid, in the reader's language, coloured by role, cheap."""

import dataclasses
import itertools
import json
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from babel import Locale

import advisor.ui.charts as charts
from advisor.ui.chart_views import ClassLine, number_format
from advisor.ui.charts.base import ROLES, apart, log_ticks, lookup, spread
from advisor.ui.charts.lines import HEADING
from advisor.ui.charts.placing import Spot, place_labels
from tests.support.chart_samples import LANGUAGES, VIEWS, sample

BUILD_MILLISECONDS = 2
WHOLE_MILLISECONDS = 10
ALL = list(itertools.product(VIEWS, LANGUAGES))
FIELD_NAMES = {"start", "end", "row", "x", "x2", "y", "value", "role", "kind", "curve", "label", "sentence"}


def build(chart: str, view: Any) -> Any:
    return getattr(charts, chart)(view)


def spec_of(chart: str, language: str = "en") -> dict[str, Any]:
    spec: dict[str, Any] = build(chart, sample(chart, language)).to_dict()
    return spec


def channels(spec: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every channel of every layer, tooltips one by one."""
    for layer in spec["layer"]:
        for name, channel in layer["encoding"].items():
            for one in channel if isinstance(channel, list) else [channel]:
                yield name, one


def rows_of(spec: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    """The rows of the first layer with a mark."""
    return next(layer["data"]["values"] for layer in spec["layer"] if layer["mark"]["type"] == mark)


def texts(spec: dict[str, Any]) -> set[str]:
    """Everything a reader can see: labels, titles, details."""
    shown = {spec["description"]}
    for name, channel in channels(spec):
        shown |= {channel.get("title") or "", (channel.get("axis") or {}).get("title") or ""}
        assert name
    for layer in spec["layer"]:
        for row in layer["data"]["values"]:
            shown |= {value for value in row.values() if isinstance(value, str)}
    return {text for text in shown if text}


@pytest.mark.parametrize(("chart", "language"), ALL)
def test_specification_is_valid(chart: str, language: str) -> None:
    spec = build(chart, sample(chart, language)).to_dict(validate=True)
    assert spec["layer"]
    for layer in spec["layer"]:
        assert layer["mark"]["type"]
        assert layer["data"]["values"]


@pytest.mark.parametrize(("chart", "language"), ALL)
def test_alternative_text_is_the_one_of_the_view(chart: str, language: str) -> None:
    assert spec_of(chart, language)["description"] == sample(chart, language).alt


@pytest.mark.parametrize("chart", VIEWS)
def test_numbers_are_written_in_the_readers_language(chart: str) -> None:
    assert spec_of(chart, "en")["config"]["locale"]["number"] == {
        "decimal": ".",
        "thousands": ",",
        "grouping": [3],
        "currency": ["$", ""],
    }
    assert spec_of(chart, "pt_BR")["config"]["locale"]["number"] == {
        "decimal": ",",
        "thousands": ".",
        "grouping": [3],
        "currency": ["US$\u00a0", ""],
    }


def test_italian_writes_the_currency_behind() -> None:
    assert number_format(Locale.parse("it")).currency == ("", "\u00a0USD")


@pytest.mark.parametrize(("chart", "language"), ALL)
def test_no_field_name_reaches_a_reader(chart: str, language: str) -> None:
    """A channel that is shown has a title of its own or none at all, never Vega-Lite's field name."""
    for name, channel in channels(spec_of(chart, language)):
        if name in ("x", "y", "tooltip", "description"):
            assert "title" in channel
            assert channel["title"] not in FIELD_NAMES
            assert not str(channel["title"]).startswith("detail_")


@pytest.mark.parametrize("chart", VIEWS)
def test_there_is_a_tooltip_and_it_is_translated(chart: str) -> None:
    def tooltips(language: str) -> list[list[str]]:
        layers = spec_of(chart, language)["layer"]
        found = [layer["encoding"].get("tooltip", []) for layer in layers]
        return [[line["title"] for line in tooltip] for tooltip in found if tooltip]

    assert tooltips("pt_BR")
    for titles in tooltips("pt_BR"):
        assert len(titles) == len(set(titles)) >= 2
    assert tooltips("pt_BR") != tooltips("en")


def strings(value: object) -> Iterator[str]:
    """Every string within a view."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from strings(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings(item)


@pytest.mark.parametrize("chart", VIEWS)
def test_charts_have_no_words_of_their_own(chart: str) -> None:
    """All that is shown comes from the view, and so in the reader's language."""
    view = sample(chart, "pt_BR")
    given = set(strings(dataclasses.asdict(view)))
    for layer in build(chart, view).to_dict()["layer"]:
        for row in layer["data"]["values"]:
            shown = {row.get("label"), row.get("row"), row.get("short"), row.get("kind"), row.get("curve")}
            shown |= {text for name, text in row.items() if name.startswith("detail_")}
            assert {text for text in shown if text} <= given
            for part in filter(None, row.get("sentence", "").split("; ")):
                assert set(part.split(": ", 1)) <= given
    for _, channel in channels(build(chart, view).to_dict()):
        titles = {channel.get("title"), (channel.get("axis") or {}).get("title")}
        assert {title for title in titles if title} <= given | {HEADING}


@pytest.mark.parametrize("chart", VIEWS)
def test_colours_are_roles_and_never_shades(chart: str) -> None:
    spec = spec_of(chart)
    colours = [channel for name, channel in channels(spec) if name == "color"]
    assert len(colours) == len(spec["layer"])
    for colour in colours:
        assert colour["field"] == "role"
        assert colour["scale"]["domain"] == list(ROLES)
    for layer in spec["layer"]:
        assert {row["role"] for row in layer["data"]["values"]} <= set(ROLES)
    assert not re.search(r"#[0-9a-fA-F]{3,6}\b|rgb", json.dumps(spec))


@pytest.mark.parametrize("chart", VIEWS)
def test_layers_share_one_axis(chart: str) -> None:
    """A layer with an axis of its own beside one without shows nothing at all, and says nothing."""
    spec = spec_of(chart)
    for name in ("x", "y"):
        found = [channel for channel_name, channel in channels(spec) if channel_name == name]
        assert all(channel == found[0] for channel in found)


@pytest.mark.parametrize("chart", VIEWS)
def test_building_costs_little(chart: str) -> None:
    """The least CPU time of several rounds, since other work shares the machine."""
    view = sample(chart, "en")
    build(chart, view).to_dict()
    assert best_milliseconds(lambda: build(chart, view)) < BUILD_MILLISECONDS
    assert best_milliseconds(lambda: build(chart, view).to_dict()) < WHOLE_MILLISECONDS


def best_milliseconds(work: Any, rounds: int = 8) -> float:
    spent = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent) * 1000


def test_memory_is_a_staircase() -> None:
    layers = [layer for layer in spec_of("memory_chart")["layer"] if layer["mark"]["type"] == "bar"]
    stairs, together = (layer["data"]["values"] for layer in layers)
    assert [round(row["start"], 2) for row in stairs] == [0, 14.96, 22.96, 24.26]
    assert [round(row["end"], 2) for row in stairs] == [14.96, 22.96, 24.26, 25.76]
    assert {row["row"] for row in together} == {"Total"}
    assert [(row["start"], row["end"]) for row in together] == [(row["start"], row["end"]) for row in stairs]


def test_memory_axis_reaches_past_the_last_class() -> None:
    x = next(channel for name, channel in channels(spec_of("memory_chart")) if name == "x")
    assert x["scale"]["domain"] == [0, pytest.approx(1.08 * 47.4)]


def test_memory_without_a_class_that_holds_it_leaves_room_for_the_total() -> None:
    view = dataclasses.replace(sample("memory_chart", "en"), classes=(), low_gib=24.6, high_gib=27.4)
    x = next(channel for name, channel in channels(build("memory_chart", view).to_dict()) if name == "x")
    assert x["scale"]["domain"] == [0, 27.4]
    assert re.fullmatch(r"width - \d+", x["scale"]["range"][1]["expr"])


@pytest.mark.parametrize(("dearest", "kind"), [(11.9, "linear"), (12.1, "log")])
def test_prices_far_apart_stand_on_a_logarithmic_axis(dearest: float, kind: str) -> None:
    view = sample("price_speed_chart", "en")
    points = (*view.points[:-1], dataclasses.replace(view.points[-1], usd_per_hour=dearest))
    spec = build("price_speed_chart", dataclasses.replace(view, points=points)).to_dict()
    assert next(channel for name, channel in channels(spec) if name == "x")["scale"]["type"] == kind


def test_logarithmic_axes_are_labelled_at_one_two_and_five() -> None:
    assert log_ticks(0.3, 30)["values"] == [0.5, 1, 2, 5, 10, 20]
    y = next(channel for name, channel in channels(spec_of("concurrency_chart")) if name == "y")
    assert y["axis"]["values"] == [5, 10, 20, 50, 100, 200, 500, 1000, 2000]


def test_memory_kind_is_told_by_shape_as_well_as_by_colour() -> None:
    shape = next(channel for name, channel in channels(spec_of("price_speed_chart")) if name == "shape")
    assert shape["scale"] == {"domain": ["HBM", "GDDR"], "range": ["circle", "diamond"]}


def test_the_chosen_gpu_alone_has_a_ring() -> None:
    spec = spec_of("price_speed_chart")
    rings = [layer for layer in spec["layer"] if layer["mark"].get("filled") is False]
    assert [layer["data"]["values"] for layer in rings] == [[{"x": 0.69, "y": 60, "role": "ink"}]]


def test_spot_without_a_crossing_has_no_word_about_it() -> None:
    view = dataclasses.replace(sample("spot_chart", "en"), crossing=None)
    assert not any("break even" in text for text in texts(build("spot_chart", view).to_dict()))


def test_cost_parts_are_stacked_in_the_order_of_the_key() -> None:
    bars = [row for row in rows_of(spec_of("cost_chart"), "bar") if row["row"] == "A40"]
    assert [(row["role"], row["start"], row["end"]) for row in bars] == [
        ("blue", 0, 117),
        ("grey", 117, 289),
        ("orange", 289, 297),
        ("green", 297, 299),
    ]


def test_labels_spread_upwards_in_their_order() -> None:
    assert spread([10, 0, 11], 4) == [10, 0, 14]
    assert spread([1, 1, 1], 2) == [1, 3, 5]


def test_classes_too_close_to_name_are_left_out() -> None:
    lines = [ClassLine(size, "", "", "") for size in (16, 24, 26, 48, 80)]
    assert [line.gib for line in apart(lines, 8, 60)] == [16, 24, 48]


def test_quotes_in_a_name_do_not_end_the_expression() -> None:
    assert lookup("datum.value", {"a'b": "l'uso\\"}) == "{'a\\'b': 'l\\'uso\\\\'}[datum.value]"


def test_label_goes_where_it_covers_nothing() -> None:
    right, left = place_labels([Spot(0.5, 0.5, "first", 10), Spot(0.98, 0.5, "second", 10)], [])
    assert (right.align, left.align) == ("left", "right")
    crowded = place_labels([Spot(0.5, 0.5, "label", 10)], [(0.57, 0.5), (0.43, 0.5)])
    assert crowded[0].dy < 0
