"""Files with what happens from outside of a cluster: each event at its time.

    events:
      - {at: 48h, kind: ImageReleased, nodePools: [general]}
      - {at: 2026-01-08T09:00:00Z, kind: Applied, files: [pools-new.yaml]}
      - {at: 90m, kind: NodesFailed, nodePool: general, count: 2, condition: Ready, status: Unknown, for: 20m}

A time is an instant, or the time since the start, such as `90m` or a number of seconds.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api import durations
from cutlist.core.errors import InputError, Place, Problems, nearest
from cutlist.core.shapes import Report, shown
from cutlist.documents.collecting import read_mapping
from cutlist.documents.document import Document
from cutlist.simulation.demand.curve_files import read_time
from cutlist.simulation.demand.event_kinds import FILE, KINDS
from cutlist.simulation.outside_events import NodeSelection

_FORM: Final = "one mapping with a list of events"
_NANOSECONDS: Final = 10**6  # of a millisecond


@dataclass(frozen=True, slots=True)
class WrittenEvent:
    """An event as a file has it: when it happens, in seconds since 1970 or, where `is_relative`, since the start; its kind and
    its members."""

    at: float
    is_relative: bool
    kind: str
    members: Mapping[str, Any]
    document: Document
    path: str

    def place(self, member: str = "") -> Place:
        """Return where a member is written, or the event itself."""
        return self.document.at(f"{self.path}.{member}" if member else self.path)

    def names(self, member: str) -> tuple[str, ...]:
        """Return the names in a list; none where it is not written."""
        return tuple(self.members.get(member) or ())

    @property
    def lasts(self) -> int | None:
        """Return how long it lasts, in milliseconds, or None where that is not written."""
        written = self.members.get("for")
        return None if written is None else durations.nanoseconds(written) // _NANOSECONDS

    @property
    def choice(self) -> NodeSelection:
        """Return which nodes it is about."""
        get = self.members.get
        offering = get("instanceType", ""), get("zone", ""), get("capacityType", "")
        return NodeSelection(get("node", ""), get("nodePool", ""), *offering, get("count", 1))

    @property
    def files(self) -> tuple[str, ...]:
        """Return the files that it names, which are relative to its own."""
        folder = os.path.dirname(self.document.place.source)
        return tuple(os.path.join(folder, file) for file in self.names("files"))


def read_event_file(path: str, problems: Problems) -> list[WrittenEvent]:
    """Return the events of a file, in its order. Mistakes are added to `problems`."""
    try:
        document = read_mapping(path, "events", _FORM)
    except InputError as error:
        problems.extend(error.problems)
        return []
    before = len(problems.found)
    # Twice, with two shapes: what all events have in common tells which shape the rest has to have.
    FILE(document.data, "", Report(document, problems))
    if len(problems.found) > before:
        return []
    written = [_event(document, number, members, problems) for number, members in enumerate(document.data["events"])]
    return [event for event in written if event is not None]


def _event(document: Document, number: int, members: Mapping[str, Any], problems: Problems) -> WrittenEvent | None:
    path, kind = f"events[{number}]", members["kind"]
    of_kind = KINDS.get(kind)
    if of_kind is None:
        near = nearest(str(kind), KINDS)
        problems.add(document.at(f"{path}.kind"), f"{shown(kind)} is not a kind of event", ", ".join(KINDS), near)
        return None
    before = len(problems.found)
    of_kind(members, path, Report(document, problems))
    at = read_time(str(members["at"]), document.at(f"{path}.at"), problems)
    if at is None or len(problems.found) > before:
        return None
    return WrittenEvent(*at, kind, members, document, path)
