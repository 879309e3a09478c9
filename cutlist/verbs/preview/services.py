"""What services add to a stack's clusters by themselves, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.core.services import AddedByService, Addition
from cutlist.report.markup import folded, table, words
from cutlist.report.page import HEADING, Page

_NAMES: Final = {"version": "Karpenter", "gate": "feature gate", "nodepool": "NodePool", "class": "node class"}


def render_services(services: Sequence[AddedByService], width: int = 100, colour: bool = False) -> str:
    """Return the facts as text of at most `width` columns; empty without a service."""
    if not services:
        return ""
    page = Page(width)
    for number, added in enumerate(services):
        if number:
            page.blank()
        page.line((title(added), HEADING))
        for what, how, source, date in rows_of(added):
            page.paragraph(f"{what}: {how} ({source}, {date})", first="  - ", indent=4)
    return page.text(colour=colour)


def services_markdown(services: Sequence[AddedByService]) -> list[str]:
    """Return the facts as lines of Markdown, folded."""
    lines: list[str] = []
    for added in services:
        rows = [[words(cell) for cell in row] for row in rows_of(added)]
        lines += folded(title(added), table(["what", "how", "source", "date"], rows))
    return lines


def title(added: AddedByService) -> str:
    """Return what the facts are about."""
    return f"What {added.service} adds to {added.cluster} by itself"


def rows_of(added: AddedByService) -> Iterator[tuple[str, str, str, str]]:
    """Yield what is added, how it is, where that is said, and when."""
    for addition in added.additions:
        yield named(addition), addition.text, addition.source, addition.date


def named(addition: Addition) -> str:
    """Return the kind of an addition with its name."""
    return f"{_NAMES[addition.what]} {addition.name}".strip()
