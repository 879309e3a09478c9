"""Log lines and events as records of one form (spec: disruption 11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from cutlist.core.records import InstantText, form_of
from cutlist.logs.lines import TIMES, read_objects

_TIMES_OF_EVENTS: Final = (
    "eventTime",
    "lastTimestamp",
    "firstTimestamp",
    "deprecatedLastTimestamp",
    "deprecatedFirstTimestamp",
)
_OBJECTS_OF_EVENTS: Final = ("involvedObject", "regarding")
_TEXTS_OF_EVENTS: Final = ("message", "note", "eventMessage")
_CLAIM: Final = "NodeClaim"
_NODE: Final = "Node"
_KINDS: Final = {_CLAIM: (_CLAIM, "nodeclaim", "nodeClaim", "machine"), _NODE: (_NODE, "node")}
"""The fields that name a NodeClaim or a node; releases spell them differently, and before v1 they hold a bare name."""
_POOLS: Final = ("NodePool", "nodepool", "provisioner")


def _to_the_millisecond(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


LoggedInstant = Annotated[float, form_of(InstantText).through(_to_the_millisecond)]
"""Seconds since 1970; in JSON an instant to the millisecond, as in the log."""


@dataclass(frozen=True, slots=True)
class Record:
    """A message of Karpenter at an instant (seconds since 1970), about nodes, claims or pods.

    `fields` are those of the log line; for an event they are empty. `about` is the object's kind and name.
    """

    at: float
    message: str
    reason: str
    about: tuple[str, str]
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ParsedRecords:
    """The records of a text in order of time, the nodes of the NodeClaims in it, and how many lines or objects are neither."""

    records: tuple[Record, ...]
    nodes: Mapping[str, str]
    others: int


def parse_records(text: str) -> ParsedRecords:
    """Read the records of a text one by one, and the node of each NodeClaim whose object is in the text.

    Everything else is counted and skipped: other programs write to the same stream.
    """
    records: list[Record] = []
    nodes: dict[str, str] = {}
    others = 0
    for value in read_objects(text):
        items = value.get("items") if value is not None else None
        for item in items if isinstance(items, list) else [value]:
            record = _record(item) if isinstance(item, dict) else None
            if record is not None:
                records.append(record)
            elif isinstance(item, dict) and item.get("kind") == _CLAIM:
                nodes.update(_node_of_object(item))
            else:
                others += 1
    return ParsedRecords(tuple(sorted(records, key=lambda r: r.at)), nodes, others)


def _node_of_object(item: Mapping[str, Any]) -> dict[str, str]:
    """Return the name of a NodeClaim with that of its node; an empty map if it has no node."""
    status, claim = item.get("status"), name_of(item.get("metadata"))
    node = status.get("nodeName") if isinstance(status, dict) else None
    return {claim: node} if claim and node and isinstance(node, str) else {}


def _record(item: dict[str, Any]) -> Record | None:
    if item.get("kind") == "Event" or any(isinstance(item.get(name), dict) for name in _OBJECTS_OF_EVENTS):
        return _event(item)
    at = _first_instant(item, TIMES)
    message = next((item[name] for name in ("message", "msg") if isinstance(item.get(name), str)), None)
    if at is None or message is None:
        return None
    names = ((kind, _first_name(item, members)) for kind, members in _KINDS.items())
    about = next(((kind, name) for kind, name in names if name), ("", ""))
    return Record(at, message, str(item.get("reason") or ""), about, item)


def _event(item: dict[str, Any]) -> Record | None:
    """Return an event of either API group, or as exporters of events write it."""
    at = _first_instant(item, _TIMES_OF_EVENTS)
    about = next((item[name] for name in _OBJECTS_OF_EVENTS if isinstance(item.get(name), dict)), None)
    message = next((item[name] for name in _TEXTS_OF_EVENTS if isinstance(item.get(name), str)), None)
    if at is None or about is None or message is None:
        return None
    return Record(at, message, str(item.get("reason") or ""), (str(about.get("kind", "")), str(about.get("name", ""))), {})


def claim_of(record: Record) -> str:
    """Return the NodeClaim that a line or an event names, or an empty string; releases before v0.32 call it a machine."""
    return record.about[1] if record.about[0] == _CLAIM else _first_name(record.fields, _KINDS[_CLAIM])


def node_of(record: Record) -> str:
    """Return the node that a line or an event names, or an empty string."""
    return record.about[1] if record.about[0] == _NODE else _first_name(record.fields, _KINDS[_NODE])


def named_pool(record: Record) -> str:
    """Return the NodePool that a line names, or an empty string; releases before v0.32 call it a provisioner."""
    return _first_name(record.fields, _POOLS)


def _first_name(fields: Mapping[str, Any], members: Iterable[str]) -> str:
    return next((name for member in members if (name := text_or_name(fields.get(member)))), "")


def text_or_name(written: Any) -> str:
    """Return a text unchanged, or the name of an object."""
    return written if isinstance(written, str) else name_of(written)


def name_of(written: Any) -> str:
    """Return the name of an object from a field of the log, or an empty string if it has none."""
    name = written.get("name") if isinstance(written, dict) else None
    return name if isinstance(name, str) else ""


def _first_instant(item: Mapping[str, Any], members: Iterable[str]) -> float | None:
    return next((at for member in members if (at := _instant(item.get(member))) is not None), None)


def _instant(written: Any) -> float | None:
    """Return seconds since 1970, or None for a text that is not a time or whose year in UTC is out of range."""
    if not isinstance(written, str):
        return None
    try:
        time = datetime.fromisoformat(written)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC).timestamp()
    except (ValueError, OverflowError):
        return None
