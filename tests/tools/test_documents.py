"""The documentation shows what the program really writes, and leaves out no command and no option."""

from pathlib import Path

import pytest

from advisor.cli import build_parser
from tools.documents import CONSOLE, DOCUMENTS, ROOT, with_outputs

CLI = ROOT / "docs" / "cli.md"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_outputs_are_the_programs_own(path: Path) -> None:
    """When this fails, `python -m tools.documents update` writes them anew; then read the difference."""
    text = path.read_text("utf-8")
    assert CONSOLE.search(text)
    assert with_outputs(text) == text


def test_output_is_put_under_its_command() -> None:
    text = "before\n```console\n$ printf '%s\\n' \\\n  one two\nold\n```\nafter\n"
    assert with_outputs(text) == "before\n```console\n$ printf '%s\\n' \\\n  one two\none\ntwo\n```\nafter\n"


def test_a_command_that_complains_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="no-such-program"):
        with_outputs("```console\n$ no-such-program\n```\n")


def test_every_command_and_every_option_is_documented() -> None:
    text = CLI.read_text("utf-8")
    (commands,) = [action.choices for action in build_parser()._actions if action.choices]
    assert commands
    for name, parser in dict(commands).items():
        assert f"`{name}`" in text
        for option in parser._option_string_actions:
            assert option in ("-h", "--help") or f"`{option}`" in text, f"{name} {option}"
