"""Objects from the text of a log, in the forms in which logs are kept (spec: disruption 11). Karpenter writes JSON; its console
encoder writes a time, a level, a logger, a message and an object of fields. Programs that ship or show the lines put times and
names of pods before them, or put each into an object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

TIMES: Final = ("time", "timestamp", "@timestamp", "ts")
"""The members with the time of a line, in Karpenter's lines and in those of log shippers."""

_DECODER: Final = json.JSONDecoder()
_WORD: Final = re.compile(r"\S")
_BROKEN: Final = 1_000  # objects on several lines that may be cut off: finding that out reads to the text's end
_BRACES: Final = 20  # places in a line where its object may begin: messages may have braces too
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?", re.ASCII)
_CONSOLE: Final = re.compile(
    rf"(?P<time>{_TIME.pattern})\s+(?P<level>DEBUG|INFO|WARN|ERROR|DPANIC|PANIC|FATAL)\s+"
    r"(?P<logger>(?:controller|webhook)[\w.-]*)\s+(?P<rest>.*)",
    re.ASCII,
)
_FRAME: Final = " \t│|"
"""Characters that terminals draw around lines."""
_SHIPPED: Final = ("log_processed", "jsonPayload", "attributes", "log", "line", "@message", "message", "textPayload")
"""The members in which a shipper puts a line: as a text, or as an object already."""


def read_objects(text: str) -> Iterator[dict[str, Any] | None]:
    """Yield the objects of a text, on one or several lines each, and None for a line without one."""
    at, tries = 0, _BROKEN
    while begins := _WORD.search(text, at):
        at = begins.start()
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        value, length = _object(text[at:end])
        if length == 0 and text[at] == "{" and tries:  # an object on several lines, or a line that is cut off
            value, length = _object(text, at)
            tries -= length == 0
        if length == 0:
            value, length = _within_line(text[at:end]), end - at
        at += length
        yield None if value is None else _unwrapped(value)


def _object(text: str, at: int = 0) -> tuple[dict[str, Any] | None, int]:
    """Return the JSON object that begins at a position, and its length; None and 0 without one."""
    if text[at : at + 1] != "{":
        return None, 0
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):  # not JSON, or a number with more digits than Python accepts
        return None, 0
    return value, end - at


def _within_line(line: str) -> dict[str, Any] | None:
    """Return the object of a console line, or the one after a prefix, with the prefix's time if it has none."""
    if console := _CONSOLE.search(line):
        message, fields = _message_and_fields(console["rest"].rstrip(_FRAME))
        return {**fields, "time": console["time"], "level": console["level"], "logger": console["logger"], "message": message}
    for at in _braces(line):
        value, length = _object(line, at)
        if value is not None and length > len("{}"):
            times = _TIME.findall(line[:at])
            return {"time": times[-1], **value} if times else value
    return None


def _message_and_fields(text: str) -> tuple[str, Mapping[str, Any]]:
    """Return the message of a console line, and the object of fields at its end."""
    for at in _braces(text):
        fields, length = _object(text, at)
        if fields is not None and at + length == len(text):
            return text[:at].strip(), fields
    return text.strip(), {}


def _braces(text: str) -> Iterator[int]:
    at = -1
    for _ in range(_BRACES):
        at = text.find("{", at + 1)
        if at < 0:
            return
        yield at


def _unwrapped(item: dict[str, Any]) -> dict[str, Any]:
    """Return the line inside an object of a log shipper, with the object's time if it has none; otherwise the object itself."""
    for name in _SHIPPED:
        shipped = item.get(name)
        if isinstance(shipped, str) and "{" in shipped:
            shipped = _object(shipped.strip())[0] or _within_line(shipped)
        if isinstance(shipped, dict) and any(isinstance(shipped.get(text), str) for text in ("message", "msg")):
            has_time = any(time in shipped for time in TIMES)
            return shipped if has_time else {**{time: item[time] for time in TIMES if time in item}, **shipped}
    return item
