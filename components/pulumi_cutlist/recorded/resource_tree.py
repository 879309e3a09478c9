"""The resources of a recorded program as a tree of text: folded by component, or each under its parent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len

from cutlist.core.wording import counted
from cutlist.report.page import GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import escape
from cutlist.settings.preview import RESOURCES
from pulumi_cutlist.recorded.recording import STACK, Recording, Registration

_NAMED: Final = 6  # resources outside components that are named
_Line = tuple[str, str, str]
"""What leads to a resource, its name, and its type."""


def render_components(recording: Recording, width: int = 100, colour: bool = False) -> str:
    """Return every component under its parent with the number of resources in it, and what the program said.

    Where there is no component it is every resource.
    """
    page, urn = Page(width), recording.stack.urn
    lines = list(_components(recording, urn, ""))
    if not lines:
        return render_resources(recording, width, colour)
    _heading(page, recording, hint=f"{RESOURCES.flag} names each")
    _tree(page, lines)
    alone = [child for child in recording.children(urn) if not recording.children(child.urn)]
    if alone:
        named = ", ".join(child.name for child in alone[:_NAMED])
        more = f" and {len(alone) - _NAMED:,} more" if len(alone) > _NAMED else ""
        page.paragraph(f"{named}{more}", first="In no component: ", indent=3)
    _logs(page, recording)
    return page.text(colour=colour)


def render_resources(recording: Recording, width: int = 100, colour: bool = False) -> str:
    """Return name and type of every resource under its parent, how many there are of which package, and what the program
    said."""
    page = Page(width)
    _heading(page, recording)
    _tree(page, list(_resources(recording, recording.stack.urn, "")))
    _logs(page, recording)
    return page.text(colour=colour)


def _heading(page: Page, recording: Recording, hint: str = "") -> None:
    packages = Counter(r.type.partition(":")[0] for r in recording.resources.values() if r.type != STACK)
    shares = ", ".join(f"{count} of {package}" for package, count in sorted(packages.items()))
    total = f": {packages.total():,} ({shares})" if shares else ": none"
    page.opening("Resources", f"{total}; {hint}" if hint and shares else total, HEADING)
    page.blank()


def _tree(page: Page, lines: list[_Line]) -> None:
    """Add the lines with their types in one column; where a type does not fit there it has a line of its own."""
    fitting = [cell_len(lead + escape(name)) for lead, name, type_ in lines if _width(lead, name, type_) <= page.width]
    last = max((cell_len(type_) for _, _, type_ in lines), default=0)
    column = min(max(fitting, default=0), max(page.width - last - 2, 0))
    for lead, name, type_ in lines:
        used = cell_len(lead + escape(name))
        if _width(lead, name, type_) <= page.width:
            gap = max(2, min(column - used + 2, page.width - used - cell_len(type_)))
            page.line((lead, QUIET), name, " " * gap, (type_, QUIET))
        else:
            page.line((lead, QUIET), name)
            page.line((_below(lead), QUIET), "  ", (type_, QUIET))


def _width(lead: str, name: str, type_: str) -> int:
    return cell_len(f"{lead}{escape(name)}  {type_}")


def _below(lead: str) -> str:
    """Return what precedes a second line of a resource: the branches that go on below it."""
    return lead.replace("├─", "│ ").replace("└─", "  ")


def _resources(recording: Recording, urn: str, indent: str) -> Iterator[_Line]:
    """Yield the lines below a resource."""
    for child, branch, below in _branches(recording.children(urn), indent):
        yield branch, child.name, child.type
        yield from _resources(recording, child.urn, below)


def _components(recording: Recording, urn: str, indent: str) -> Iterator[_Line]:
    """Yield the components below a resource, each with the number of resources in it."""
    components = [child for child in recording.children(urn) if recording.children(child.urn)]
    for child, branch, below in _branches(components, indent):
        yield branch, child.name, f"{child.type}, {counted(recording.count_below(child.urn), 'resource')}"
        yield from _components(recording, child.urn, below)


def components_of(recording: Recording) -> list[tuple[str, str, int]]:
    """Return every component: its path from the stack, its type, and the number of resources below it."""
    return list(_paths(recording, recording.stack.urn, ()))


def _paths(recording: Recording, urn: str, above: tuple[str, ...]) -> Iterator[tuple[str, str, int]]:
    for child in recording.children(urn):
        if recording.children(child.urn):
            path = (*above, child.name)
            yield " / ".join(path), child.type, recording.count_below(child.urn)
            yield from _paths(recording, child.urn, path)


def _branches(children: list[Registration], indent: str) -> Iterator[tuple[Registration, str, str]]:
    """Yield each resource with what leads to it, and what precedes the lines below it."""
    for number, child in enumerate(children, start=1):
        branch, below = ("└─ ", "   ") if number == len(children) else ("├─ ", "│  ")
        yield child, indent + branch, indent + below


def _logs(page: Page, recording: Recording) -> None:
    for log in recording.logs:
        style = GOOD if log.severity == "info" else WARN
        for number, line in enumerate(log.message.strip().splitlines()):
            page.paragraph(line.strip(), first="  " if number else f"{log.severity}: ", indent=4 if number else 2, style=style)
