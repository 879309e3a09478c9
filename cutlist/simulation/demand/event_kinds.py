"""The kinds of events from outside of a cluster, and the members of each: how they are checked, and their JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api import durations
from cutlist.core.labels import ON_DEMAND, RESERVED, SPOT
from cutlist.core.shapes import Fields, Report, Rule, closed, fields, integer, list_of, one_of, shown, text
from cutlist.simulation.demand.curves import LATEST, MOST_PODS

_CAPACITY_TYPES: Final = (ON_DEMAND, SPOT, RESERVED)
_STATUSES: Final = ("False", "Unknown", "True")
_DURATION: Final = r"\+?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+"
_INSTANT: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*"
_SECONDS: Final = r"[0-9]+(?:\.[0-9]+)?"
_MOST: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an event: the rule by which it is checked, its JSON Schema, and what it says."""

    rule: Rule
    schema: Mapping[str, Any]
    about: str


@dataclass(frozen=True, slots=True)
class EventKind:
    """What happens in events of a kind, and the members that they need and may have."""

    about: str
    required: Mapping[str, Member]
    optional: Mapping[str, Member]

    @property
    def rule(self) -> Fields:
        """Return the rule for an event of this kind."""
        return closed(_rules(self.required), _rules(self.optional))


def _rules(members: Mapping[str, Member]) -> dict[str, Rule]:
    return {name: member.rule for name, member in members.items()}


def _filled(value: Any, path: str, report: Report) -> None:
    text(value, path, report)
    if value == "":
        report.add(path, "is empty", "a name")


def _duration(value: Any, path: str, report: Report) -> None:
    if not isinstance(value, str) or not durations.is_readable(value) or durations.nanoseconds(value) <= 0:
        report.add(path, f"{shown(value)} is not a duration", "such as 90s, 12m or 1h30m")


def _anything(_value: Any, _path: str, _report: Report) -> None:
    """Accept a time, which is read with its place."""


def _name(about: str) -> Member:
    return Member(_filled, {"type": "string", "minLength": 1}, about)


def _names(about: str) -> Member:
    schema = {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}}
    return Member(list_of(_filled, at_least=1), schema, about)


def _number(low: int, about: str, high: int = _MOST) -> Member:
    return Member(integer(low, high), {"type": "integer", "minimum": low, "maximum": high}, about)


def _word(words: tuple[str, ...], about: str) -> Member:
    return Member(one_of(*words), {"enum": list(words)}, about)


def _length(about: str) -> Member:
    return Member(_duration, {"type": "string", "pattern": f"^(?=.*[1-9]){_DURATION}$"}, about)


_TIME: Final = Member(
    _anything,
    {
        "anyOf": [
            {"type": "string", "pattern": f"^(?:{_SECONDS}|{_DURATION}|\\+?0|{_INSTANT})$"},
            {"type": "number", "minimum": 0, "exclusiveMaximum": LATEST},
        ]
    },
    "When it happens: an instant, or the time since the start, such as 90m, or in seconds.",
)
_KIND: Final = _name("What happens.")
_COMMON: Final = {"at": _TIME, "kind": _KIND}
_WORKLOAD: Final = _name("A workload of the input, such as deployment/web.")
_FOR: Final = _length("How long it lasts; without it, forever.")
_OFFERING: Final = {
    "instanceType": _name("An instance type."),
    "zone": _name("A zone of the region."),
    "capacityType": _word(_CAPACITY_TYPES, "How instances are bought."),
}
_NODES: Final = {
    "node": _name("A node of the snapshot."),
    "nodePool": _name("Nodes of this NodePool."),
    **_OFFERING,
    "count": _number(1, "How many nodes, the first by name. The default is 1."),
}
KINDS: Final[Mapping[str, EventKind]] = {
    "Applied": EventKind(
        "Objects of files replace those with the same name.",
        {**_COMMON, "files": _names("Files with NodePools, node classes, Deployments and StatefulSets.")},
        {},
    ),
    "CapacityLost": EventKind(
        "The cloud has no instance of a type, in a zone, of a capacity type; what is not given is any.",
        {**_COMMON, "for": _length("How long it lasts.")},
        _OFFERING,
    ),
    "ImageReleased": EventKind(
        "Node classes find another image.", _COMMON, {"nodePools": _names("NodePools whose nodes drift. The default is all.")}
    ),
    "JobStarted": EventKind("A Job or CronJob runs now.", {**_COMMON, "workload": _WORKLOAD}, {}),
    "NodePoolsDeleted": EventKind(
        "NodePools are deleted, with their nodes.", {**_COMMON, "nodePools": _names("The NodePools.")}, {}
    ),
    "NodesFailed": EventKind(
        "A condition of nodes gets a status.",
        {**_COMMON, "condition": _name("The type of the condition."), "status": _word(_STATUSES, "Its status.")},
        {**_NODES, "for": _FOR, "reason": Member(text, {"type": "string"}, "The reason of the condition.")},
    ),
    "NodesInterrupted": EventKind("The cloud takes instances back.", _COMMON, _NODES),
    "Restarted": EventKind("A workload is rolled out again.", {**_COMMON, "workload": _WORKLOAD}, {}),
    "Scaled": EventKind(
        "A workload has other replicas.", {**_COMMON, "workload": _WORKLOAD, "replicas": _number(0, "How many.", MOST_PODS)}, {}
    ),
}
"""Each kind of event by its name."""
FILE: Final = closed({"events": list_of(fields(_rules(_COMMON)), at_least=1)})
"""The rule for a whole file, which looks at what all events have."""


def event_file_schema() -> dict[str, Any]:
    """Return the JSON Schema of a file with events."""
    events = {"type": "array", "minItems": 1, "items": {"oneOf": [_schema(name, kind) for name, kind in KINDS.items()]}}
    return {
        "description": "What happens to a simulated cluster from outside (`cutlist simulate --events`).",
        "type": "object",
        "additionalProperties": False,
        "required": ["events"],
        "properties": {"events": events},
    }


def _schema(name: str, kind: EventKind) -> dict[str, Any]:
    optional = {member: _or_null(of.schema) for member, of in kind.optional.items()}
    schemas = {**{member: of.schema for member, of in kind.required.items()}, **optional, "kind": {"const": name}}
    abouts = {member: of.about for member, of in (*kind.required.items(), *kind.optional.items())}
    return {
        "title": name,
        "description": kind.about,
        "type": "object",
        "additionalProperties": False,
        "required": list(kind.required),
        "properties": {member: {**schema, "description": abouts[member]} for member, schema in schemas.items()},
    }


def _or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema that null satisfies too: it counts as absent."""
    if "enum" in schema:
        return {"enum": [*schema["enum"], None]}
    return {**schema, "type": [schema["type"], "null"]}
