"""`data/NOTICE.md`: for each source its licence, its link, what was taken, and the rows of each table."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.import_facts.sources import Source

HEAD = Path(__file__).with_name("notice_head.md")
MIT = Path(__file__).with_name("notice_mit.md")
"""The terms of the MIT licence, which must go with what was given under it."""


def notice_text(registry: Sequence[Source], taken: Mapping[tuple[str, str], int]) -> str:
    """Return the text of the notice for the sources from which rows were taken."""
    used = [source for source in registry if any(source_id == source.id for source_id, _ in taken)]
    shown = [f"- **{source.id}**: {source.attribution}" for source in used if source.must_be_shown]
    parts = [HEAD.read_text(encoding="utf-8")]
    if shown:
        parts.append("\n".join(["## To be shown with the data", "", *shown, ""]))
    parts += ["## Sources\n", *(_section(source, taken) for source in used)]
    if any(source.licence.startswith("MIT") for source in used):
        parts.append(MIT.read_text(encoding="utf-8"))
    return "\n".join(parts)


def _section(source: Source, taken: Mapping[tuple[str, str], int]) -> str:
    rows = ", ".join(
        f"`{path}` {count}" for (source_id, path), count in sorted(taken.items()) if source_id == source.id
    )
    lines = [f"### {source.title}", "", f"- Id: `{source.id}`", f"- Licence: {source.licence}"]
    if source.url:
        lines.append(f"- Link: <{source.url}>")
    lines += [f"- Taken: {source.taken}", f"- Rows: {rows}", f"- Attribution: {source.attribution}", ""]
    return "\n".join(lines)
