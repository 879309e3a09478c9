"""Log lines and events as records of one form, whatever reported them (spec: disruption 11)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

_TIMES_OF_EVENTS: Final = ("eventTime", "lastTimestamp", "firstTimestamp")


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


_DECODER: Final = json.JSONDecoder()
_WORD: Final = re.compile(r"\S")
_BROKEN: Final = 1_000  # objects on several lines that may be cut off: finding each out takes as long as the text is


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a text in order of time, and how many lines or objects were not records."""

    records: tuple[Record, ...]
    others: int


def read_records(text: str) -> Records:
    """Read Karpenter's log (JSON, each object on one or several lines) or events as `kubectl get events -o json` has them.

    Everything else is counted and skipped: other programs write to the same stream.
    """
    records: list[Record] = []
    others = 0
    for value in _values(text):
        for item in value["items"] if isinstance(value, dict) and isinstance(value.get("items"), list) else [value]:
            record = _record(item) if isinstance(item, dict) else None
            if record is None:
                others += 1
            else:
                records.append(record)
    return Records(tuple(sorted(records, key=lambda r: r.at)), others)


def _values(text: str) -> Iterator[Any]:
    """Yield each JSON value of the text, and None for a line that does not begin one."""
    at, tries = 0, _BROKEN
    while begins := _WORD.search(text, at):
        at = begins.start()
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        value, length = _object(text[at:end])
        if length == 0 and text[at] == "{" and tries:  # an object on several lines, or a line that is cut off
            value, length = _object(text, at)
            tries -= length == 0
        at = at + length if length else end
        yield value


def _object(text: str, at: int = 0) -> tuple[Any, int]:
    """Return the object of JSON that begins there and its length; None and 0 where none does."""
    if text[at] != "{":
        return None, 0
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):  # not JSON, or a number with more digits than Python accepts
        return None, 0
    return value, end - at


def _record(item: dict[str, Any]) -> Record | None:
    if "involvedObject" in item or item.get("kind") == "Event":
        return _event(item)
    at, message = _instant(item.get("time")), item.get("message")
    if at is None or not isinstance(message, str):
        return None
    about = next(((kind, name_of(item[kind])) for kind in ("NodeClaim", "Node") if kind in item), ("", ""))
    return Record(at, message, str(item.get("reason") or ""), about, item)


def _event(item: dict[str, Any]) -> Record | None:
    at = next((t for key in _TIMES_OF_EVENTS if (t := _instant(item.get(key))) is not None), None)
    about, message = item.get("involvedObject"), item.get("message")
    if at is None or not isinstance(about, dict) or not isinstance(message, str):
        return None
    return Record(at, message, str(item.get("reason") or ""), (str(about.get("kind", "")), str(about.get("name", ""))), {})


def name_of(written: Any) -> str:
    """Return the name of an object from a field of the log, or an empty string if it has none."""
    name = written.get("name") if isinstance(written, dict) else None
    return name if isinstance(name, str) else ""


def _instant(written: Any) -> float | None:
    """Return seconds since 1970, or None for a text that is not a time, or has no year in UTC."""
    if not isinstance(written, str):
        return None
    try:
        time = datetime.fromisoformat(written)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC).timestamp()
    except (ValueError, OverflowError):
        return None
