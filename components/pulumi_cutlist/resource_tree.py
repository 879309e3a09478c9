"""The resources of a recorded program as a tree of text, each under its parent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cutlist.core.wording import counted
from cutlist.report.page import GOOD, HEADING, QUIET, WARN, Page
from pulumi_cutlist.recording import STACK, Recording


def render_resources(recording: Recording, width: int = 100, colour: bool = False) -> str:
    """Return name and type of every resource under its parent, how many there are of which package, and what the program
    said."""
    page = Page(width)
    stack = next(r for r in recording.resources.values() if r.type == STACK)
    packages = Counter(r.type.partition(":")[0] for r in recording.resources.values() if r is not stack)
    shares = ", ".join(f"{count} of {package}" for package, count in sorted(packages.items()))
    page.line((f"Stack {stack.name}", HEADING), f": {counted(packages.total(), 'resource')}: {shares}")
    page.blank()
    rows = list(_rows(recording, stack.urn, ""))
    column = max((len(lead) + len(name) for lead, name, _ in rows), default=0)
    for lead, name, type_ in rows:
        page.line((lead, QUIET), name, " " * (column - len(lead) - len(name) + 2), (type_, QUIET))
    for log in recording.logs:
        page.paragraph(log.message.strip(), first=f"{log.severity}: ", indent=2, style=GOOD if log.severity == "info" else WARN)
    return page.text(colour=colour)


def _rows(recording: Recording, urn: str, indent: str) -> Iterator[tuple[str, str, str]]:
    """Yield the lines below a resource: what leads to the name, the name, the type."""
    children = recording.children(urn)
    for number, child in enumerate(children, start=1):
        branch, below = ("└─ ", "   ") if number == len(children) else ("├─ ", "│  ")
        yield indent + branch, child.name, child.type
        yield from _rows(recording, child.urn, indent + below)
