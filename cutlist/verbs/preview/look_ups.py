"""What a program looks up, and what a preview without an account has in place of it, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.core.records import about
from cutlist.core.wording import counted
from cutlist.report.page import HEADING, QUIET, WARN, Page
from cutlist.settings.preview import RECORD_LOOKUPS

_UNKNOWN: Final = "unknown"
_SHOWN: Final = 20
_NAMED: Final = 8  # resources that lack an answer and are named
HINT: Final = f"Answer them under `lookups` in the stack file, or record them once with an account: {RECORD_LOOKUPS.flag} FILE."


@dataclass(frozen=True, slots=True, order=True)
class Lacking:
    """A resource that lacks the answer to a look-up, and the inputs that are unknown because of it. The name of the stack's
    outputs is `outputs`."""

    urn: str
    name: str
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownLookUp:
    """A look-up of the program: what is asked, where, and what it got."""

    kind: Annotated[str, about("function, method, resource or stack.")]
    asked: Annotated[str, about("The function with its arguments, the resource, or the stack.")]
    file: str
    line: int
    state: Annotated[str, about("answered, partly answered, stand-in or unknown.")]
    source: Annotated[str, about("What the answer is from; empty without one.")]
    stand_ins: Annotated[tuple[str, ...], about("The texts that stand in for what is not known.")]
    lacking: Annotated[tuple[Lacking, ...], about("What is unknown because of it, in the order of URNs.")]

    @property
    def is_open(self) -> bool:
        """Tell whether something is missing: an answer, or a part of one that a resource needs."""
        return not self.source or bool(self.lacking)

    @property
    def place(self) -> str:
        """Return file and line, or an empty text."""
        return f"{self.file}:{self.line}" if self.file else ""

    @property
    def lack(self) -> str:
        """Return in a sentence what the program got in place of an answer, and what is unknown because of that."""
        named = [f"{of.name} ({', '.join(of.inputs)})" for of in self.lacking[:_NAMED]]
        more = f" and {len(self.lacking) - _NAMED:,} more" if len(self.lacking) > _NAMED else ""
        lacking = f"{', '.join(named)}{more}"
        if self.state == _UNKNOWN:
            return f"unknown here, and with it {lacking}" if named else "unknown here; no input of a resource waits for it"
        standing = ", ".join(self.stand_ins[:_NAMED]) + (", ..." if len(self.stand_ins) > _NAMED else "")
        got = f"{standing} stand{'' if len(self.stand_ins) > 1 else 's'} in" if standing else "a value stands in"
        return f"{got}; unknown because of that: {lacking}" if named else f"{got}, which no input of a resource has"


def render_look_ups(look_ups: Sequence[ShownLookUp], width: int = 100, colour: bool = False) -> str:
    """Return the look-ups of a program as text: those without an answer with what that means, the others in a sentence; empty
    without any."""
    if not look_ups:
        return ""
    page, without = Page(width), [look_up for look_up in look_ups if look_up.is_open]
    page.opening("Look-ups", f": {heading_of(look_ups)}", HEADING)
    page.blank()
    for look_up in without[:_SHOWN]:
        page.paragraph(look_up.asked, first=f"{look_up.place}  " if look_up.place else "", indent=2)
        page.paragraph(look_up.lack, first="   ", indent=3, style=WARN)
    if more := without[_SHOWN:]:
        page.paragraph(f"and {counted(len(more), 'more look-up')}; `-o json` has all", style=QUIET)
    answered = list(answered_sentences(look_ups))
    if answered:
        page.paragraph("; ".join(answered), first="Answered: ", indent=2, style=QUIET)
    if without:
        page.paragraph(HINT, style=QUIET)
    return page.text(colour=colour)


def heading_of(look_ups: Sequence[ShownLookUp]) -> str:
    """Return how many look-ups there are, and how many of them lack an answer."""
    without = sum(look_up.is_open for look_up in look_ups)
    return f"{len(look_ups):,}" + (f", {without:,} of them without an answer here" if without else ", all answered")


def answered_sentences(look_ups: Sequence[ShownLookUp]) -> Iterator[str]:
    """Yield of each source which functions it answers."""
    by_source: dict[str, dict[str, int]] = {}
    for look_up in look_ups:
        if not look_up.is_open:
            name = look_up.asked.partition(" (")[0].rpartition(":")[2]
            of_source = by_source.setdefault(look_up.source, {})
            of_source[name] = of_source.get(name, 0) + 1
    for source, names in by_source.items():
        listed = ", ".join(f"{name} ({counted(count, 'time')})" if count > 1 else name for name, count in names.items())
        yield f"{listed} from {source}"
