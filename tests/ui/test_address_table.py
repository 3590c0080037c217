"""The documented table of the address is that of the program."""

from pathlib import Path

from tools.address_table import address_table

DOCUMENT = Path(__file__).parents[2] / "docs" / "address.md"


def test_the_document_is_in_step_with_the_questions() -> None:
    assert DOCUMENT.read_text("utf-8") == address_table(), (
        "run: python -m tools.address_table docs/address.md"
    )
