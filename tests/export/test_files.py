"""The files that a reader takes away."""

import csv
import datetime
import io
import json

from advisor import Facts, Needs, Workload, rank
from advisor.export.csv import COLUMNS, ranking_csv, safe_cell
from advisor.export.json import ranking_json
from advisor.export.markdown import Report, Section, report_markdown, table

WORK = Workload(task="serve", model="llama-3.1-8b", concurrency=8)


def test_csv_holds_the_ranking(facts: Facts, today: datetime.date) -> None:
    ranking = rank(WORK, Needs(), facts, today)
    rows = list(csv.reader(io.StringIO(ranking_csv(ranking, 5).decode("utf-8-sig"))))
    assert rows[0] == list(COLUMNS)
    assert len(rows) == 6
    first = dict(zip(*rows[:2], strict=True))
    assert float(first["total_usd"]) == ranking.offer(0).total_usd
    assert first["gpu"] == ranking.offer(0).gpu.id


def test_no_cell_is_run_as_a_formula() -> None:
    for text in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1"):
        assert safe_cell(text) == "'" + text
    assert safe_cell("RTX 5090") == "RTX 5090"
    assert safe_cell(-1.5) == -1.5
    assert safe_cell(None) == ""


def test_json_has_the_shape_of_the_contract(facts: Facts, today: datetime.date) -> None:
    needs = Needs(countries=("BR",))
    ranking = rank(WORK, needs, facts, today)
    content = json.loads(ranking_json(ranking, 3))
    assert content["question"] == {"workload": WORK.to_dict(), "needs": needs.to_dict()}
    assert len(content["offers"]) == 3
    assert content["offers"][0]["provider"] == ranking.offer(0).provider
    assert content["ranked"] + sum(rejection["count"] for rejection in content["rejected"]) == len(
        facts.offers
    )
    assert "NaN" not in ranking_json(ranking, 50).decode()


def test_a_report_is_plain_markdown() -> None:
    report = Report(
        title="Which GPU",
        subtitle="today",
        sections=(Section("Answer", ("Rent one.", "")), Section("Empty", ("",))),
        table_title="Offers",
        table_columns=("GPU", "Price"),
        table_rows=(("a|b", "1"),),
        notes_title="Assumed",
        notes=("one",),
        closing="The end.",
        link="https://page.example/?conc=8",
    )
    text = report_markdown(report)
    assert text.startswith("# Which GPU\n\ntoday\n\n## Answer\n\nRent one.\n\n## Offers\n\n")
    assert "Empty" not in text
    assert text.endswith("The end.\n\n<https://page.example/?conc=8>\n")


def test_a_bar_stays_inside_its_cell() -> None:
    assert table(("a",), (("x|y",),)) == "| a |\n| --- |\n| x\\|y |"
