"""The kinds of events from outside of a cluster, and the shapes of their members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api import durations
from cutlist.core.labels import ON_DEMAND, RESERVED, SPOT
from cutlist.core.shapes import (
    Fields,
    Report,
    Ruled,
    Schema,
    Shape,
    anything,
    closed,
    fields,
    filled,
    integer,
    list_of,
    object_schema,
    one_of,
    shown,
    text,
)
from cutlist.settings.simulate import EVENTS
from cutlist.simulation.demand.curves import LATEST, MOST_PODS

_CAPACITY_TYPES: Final = (ON_DEMAND, SPOT, RESERVED)
_STATUSES: Final = ("False", "Unknown", "True")
_DURATION: Final = r"\+?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+"
_INSTANT: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*"
_SECONDS: Final = r"[0-9]+(?:\.[0-9]+)?"


def _name(about: str) -> Shape:
    return filled("a name").about(about)


def _names(about: str) -> Shape:
    return list_of(filled("a name"), at_least=1).about(about)


def _read_duration(value: Any, path: str, report: Report) -> Any:
    if not isinstance(value, str) or not durations.is_readable(value) or durations.nanoseconds(value) <= 0:
        report.add(path, f"{shown(value)} is not a duration", "such as 90s, 12m or 1h30m")
    return value


def _length(about: str) -> Shape:
    return Ruled(_read_duration, {"type": "string", "pattern": f"^(?=.*[1-9]){_DURATION}$"}, "a duration").about(about)


_TIME: Final = Ruled(
    anything,  # it is read with its place
    {
        "anyOf": [
            {"type": "string", "pattern": f"^(?:{_SECONDS}|{_DURATION}|\\+?0|{_INSTANT})$"},
            {"type": "number", "minimum": 0, "exclusiveMaximum": LATEST},
        ]
    },
    "a time",
).about("When it happens: an instant, or the time since the start, such as 90m, or in seconds.")
_WORKLOAD: Final = _name("A workload of the input, such as deployment/web.")
_FOR: Final = _length("How long it lasts; without it, forever.")
_OFFERING: Final = {
    "instanceType": _name("An instance type."),
    "zone": _name("A zone of the region."),
    "capacityType": one_of(*_CAPACITY_TYPES).about("How instances are bought."),
}
_NODES: Final = {
    "node": _name("A node of the snapshot."),
    "nodePool": _name("Nodes of this NodePool."),
    **_OFFERING,
    "count": integer(1).about("How many nodes, the first by name. The default is 1."),
}
_MEMBERS: Final[Mapping[str, tuple[str, Mapping[str, Shape], Mapping[str, Shape]]]] = {
    "Applied": (
        "Objects of files replace those with the same name.",
        {"files": _names("Files with NodePools, node classes, Deployments and StatefulSets.")},
        {},
    ),
    "CapacityLost": (
        "The cloud has no instance of a type, in a zone, of a capacity type; what is not given is any.",
        {"for": _length("How long it lasts.")},
        _OFFERING,
    ),
    "ImageReleased": (
        "Node classes find another image.",
        {},
        {"nodePools": _names("NodePools whose nodes drift. The default is all.")},
    ),
    "JobStarted": ("A Job or CronJob runs now.", {"workload": _WORKLOAD}, {}),
    "NodePoolsDeleted": ("NodePools are deleted, with their nodes.", {"nodePools": _names("The NodePools.")}, {}),
    "NodesFailed": (
        "A condition of nodes gets a status.",
        {"condition": _name("The type of the condition."), "status": one_of(*_STATUSES).about("Its status.")},
        {**_NODES, "for": _FOR, "reason": text.about("The reason of the condition.")},
    ),
    "NodesInterrupted": ("The cloud takes instances back.", {}, _NODES),
    "Restarted": ("A workload is rolled out again.", {"workload": _WORKLOAD}, {}),
    "Scaled": (
        "A workload has other replicas.",
        {"workload": _WORKLOAD, "replicas": integer(0, MOST_PODS).about("How many.")},
        {},
    ),
}
"""What happens in events of each kind, and the members that they need and may have besides their time and kind."""


def _event(kind: Shape, required: Mapping[str, Shape]) -> dict[str, Shape]:
    return {"at": _TIME, "kind": kind.about("What happens."), **required}


KINDS: Final[Mapping[str, Fields]] = {
    name: closed(_event(one_of(name), required), optional) for name, (_, required, optional) in _MEMBERS.items()
}
"""The shape of each kind of event by its name."""
FILE: Final = closed({"events": list_of(fields(_event(filled("a name"), {})), at_least=1)})
"""The shape of a whole file, which looks at what all events have."""


def event_file_schema() -> Schema:
    """Return the JSON Schema of a file with events."""
    kinds = [{"title": name, "description": _MEMBERS[name][0], **kind.schema} for name, kind in KINDS.items()]
    events = {"type": "array", "minItems": 1, "items": {"oneOf": kinds}}
    about = f"What happens to a simulated cluster from outside (`cutlist simulate {EVENTS.flag}`)."
    return object_schema({"events": events}, ["events"], about=about)
