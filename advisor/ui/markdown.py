"""The one place where text becomes safe inside Markdown: untrusted names, and the dollar sign of every price."""

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")
_LIST_START = re.compile(r"^(\d+)\.")


def untrusted(text: str) -> str:
    """Return text of a table (a provider, a model, a link's value) so that Markdown shows it as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def money_safe(sentence: str) -> str:
    """Return a sentence of ours with its dollar signs escaped: two of them would begin a formula."""
    return sentence.replace("\\$", "$").replace("$", "\\$")


def numbered(number: int, text: str) -> str:
    """Return «1. text» that does not turn into a list."""
    return f"{number}\\. {text}"


def without_list(text: str) -> str:
    """Return text whose leading number stays a number."""
    return _LIST_START.sub(r"\1\\.", text)


def https_link(label: str, url: str) -> str:
    """Return a Markdown link, or the bare label where the address is not plain https."""
    safe = url.startswith("https://") and not re.search(r"[\s()<>\"'\\]", url)
    return f"[{label}]({url})" if safe else label
