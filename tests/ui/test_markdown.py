"""Untrusted names and our own dollar signs inside Markdown."""

import pytest

from advisor.ui.markdown import https_link, money_safe, numbered, untrusted


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("GPU [click](https://bad.example)", r"GPU \[click\]\(https\://bad\.example\)"),
        ("<img src=x>", r"\<img src=x\>"),
        ("*bold* _and_ `code`", r"\*bold\* \_and\_ \`code\`"),
        (":red[x] $1 ~2~", r"\:red\[x\] \$1 \~2\~"),
        ("two\nlines", "two lines"),
    ],
)
def test_names_are_shown_as_they_are(name: str, escaped: str) -> None:
    assert untrusted(name) == escaped


def test_dollars_do_not_begin_a_formula() -> None:
    assert money_safe("from $1 to $2") == r"from \$1 to \$2"
    assert money_safe(money_safe("$1")) == r"\$1"


def test_numbers_do_not_begin_a_list() -> None:
    assert numbered(1, "How much?") == r"1\. How much?"


def test_only_https_becomes_a_link() -> None:
    assert https_link("docs", "https://provider.example/docs") == "[docs](https://provider.example/docs)"
    for url in (
        "javascript:alert(1)",
        "http://provider.example",
        "",
        "https://a b",
        "https://x)](javascript:1",
    ):
        assert https_link("docs", url) == "docs"
