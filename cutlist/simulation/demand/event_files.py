"""Files with what happens from outside of a cluster: each event at its time.

    events:
      - {at: 48h, kind: ImageReleased, nodePools: [general]}
      - {at: 2026-01-08T09:00:00Z, kind: Applied, files: [pools-new.yaml]}
      - {at: 90m, kind: NodesFailed, nodePool: general, count: 2, condition: Ready, status: Unknown, for: 20m}

A time is an instant, or the time since the start: `90m`, or seconds.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from cutlist.api import durations
from cutlist.core.errors import InputError, Place, Problems, nearest
from cutlist.core.labels import ON_DEMAND, RESERVED, SPOT
from cutlist.core.values import dataclass
from cutlist.documents import Document, read_mapping
from cutlist.simulation.demand.curve_files import read_time
from cutlist.simulation.outside_events import NodeChoice
from cutlist.workloads.schema import Report, Rule, closed, fields, integer, list_of, one_of, shown, text

_FORM: Final = "one mapping with a list of events"
_CAPACITY_TYPES: Final = (ON_DEMAND, SPOT, RESERVED)
_NANOSECONDS: Final = 10**6  # of a millisecond


def _filled(value: Any, path: str, report: Report) -> None:
    text(value, path, report)
    if value == "":
        report.add(path, "is empty", "a name")


def _duration(value: Any, path: str, report: Report) -> None:
    if not isinstance(value, str) or not durations.is_readable(value) or durations.nanoseconds(value) <= 0:
        report.add(path, f"{shown(value)} is not a duration", "such as 90s, 12m or 1h30m")


def _anything(_value: Any, _path: str, _report: Report) -> None:
    """Accept a time, which is read with its place."""


_NAMES: Final = list_of(_filled, at_least=1)
_OFFERING: Final[Mapping[str, Rule]] = {"instanceType": _filled, "zone": _filled, "capacityType": one_of(*_CAPACITY_TYPES)}
_NODES: Final[Mapping[str, Rule]] = {"node": _filled, "nodePool": _filled, **_OFFERING, "count": integer(1)}
_COMMON: Final[Mapping[str, Rule]] = {"at": _anything, "kind": _filled}
_STATUS: Final = one_of("False", "Unknown", "True")
_KINDS: Final[Mapping[str, Rule]] = {
    "Applied": closed({**_COMMON, "files": _NAMES}),
    "CapacityLost": closed({**_COMMON, "for": _duration}, _OFFERING),
    "ImageReleased": closed(_COMMON, {"nodePools": _NAMES}),
    "JobStarted": closed({**_COMMON, "workload": _filled}),
    "NodePoolsDeleted": closed({**_COMMON, "nodePools": _NAMES}),
    "NodesFailed": closed(
        {**_COMMON, "condition": _filled, "status": _STATUS},
        {**_NODES, "for": _duration, "reason": text},
    ),
    "NodesInterrupted": closed(_COMMON, _NODES),
    "Restarted": closed({**_COMMON, "workload": _filled}),
    "Scaled": closed({**_COMMON, "workload": _filled, "replicas": integer(0)}),
}
"""What each kind of event has."""
_FILE: Final = closed({"events": list_of(fields(_COMMON), at_least=1)})


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
    def choice(self) -> NodeChoice:
        """Return which nodes it is about."""
        get = self.members.get
        offering = get("instanceType", ""), get("zone", ""), get("capacityType", "")
        return NodeChoice(get("node", ""), get("nodePool", ""), *offering, get("count", 1))

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
    _FILE(document.data, "", Report(document, problems))
    if len(problems.found) > before:
        return []
    written = [_event(document, number, members, problems) for number, members in enumerate(document.data["events"])]
    return [event for event in written if event is not None]


def _event(document: Document, number: int, members: Mapping[str, Any], problems: Problems) -> WrittenEvent | None:
    path, kind = f"events[{number}]", members["kind"]
    rule = _KINDS.get(kind)
    if rule is None:
        near = nearest(str(kind), _KINDS)
        problems.add(document.at(f"{path}.kind"), f"{shown(kind)} is not a kind of event", ", ".join(_KINDS), near)
        return None
    before = len(problems.found)
    rule(members, path, Report(document, problems))
    at = read_time(str(members["at"]), document.at(f"{path}.at"), problems)
    if at is None or len(problems.found) > before:
        return None
    return WrittenEvent(*at, kind, members, document, path)
