"""A report in Markdown. Its text comes translated and formatted; this module knows only headings and tables."""

from dataclasses import dataclass

_CELL = str.maketrans({"|": "\\|", "\n": " ", "\r": " "})


@dataclass(frozen=True, slots=True)
class Section:
    """One heading and its paragraphs; empty ones are left out."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a report says, in the reader's language."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    table_title: str
    table_columns: tuple[str, ...]
    table_rows: tuple[tuple[str, ...], ...]
    notes_title: str
    notes: tuple[str, ...]
    closing: str
    link: str


def report_markdown(report: Report) -> str:
    """Return the report as one Markdown document."""
    blocks = [f"# {report.title}", report.subtitle]
    for section in report.sections:
        paragraphs = [paragraph for paragraph in section.paragraphs if paragraph]
        if paragraphs:
            blocks += [f"## {section.title}", *paragraphs]
    blocks += [f"## {report.table_title}", table(report.table_columns, report.table_rows)]
    if report.notes:
        blocks += [f"## {report.notes_title}", "\n".join(f"- {note}" for note in report.notes)]
    blocks += [report.closing, f"<{report.link}>"]
    return "\n\n".join(blocks) + "\n"


def table(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    """Return a Markdown table; a bar inside a cell is escaped."""
    lines = [columns, ("---",) * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.translate(_CELL) for cell in line) + " |" for line in lines)
