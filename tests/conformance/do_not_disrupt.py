"""What Karpenter says of a pod's annotation `karpenter.sh/do-not-disrupt` (spec: disruption 1.5, 11.3; D-7)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from cutlist.api.durations import is_go_duration
from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.core.instants import instant_text
from cutlist.state.pods import RunningPod, go_seconds

_FOR_EVER: Final = "true"
_UNITS: Final = frozenset(("ns", "us", "µs", "μs", "ms", "s", "m", "h"))
_AMOUNT: Final = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+", re.ASCII)
_UNIT: Final = re.compile(r"[^.0-9]*", re.ASCII)


class Said(NamedTuple):
    """An event on a pod: its reason and its message."""

    reason: str
    message: str


def said_of_annotation(pod: RunningPod, now: float) -> Said | None:
    """Return the event that the annotation of a pod gives rise to at this instant; None for none, and for one without an
    end."""
    text = pod.do_not_disrupt
    if not text or text == _FOR_EVER:
        return None
    wrong = _mistake(text)
    if wrong:
        return Said("InvalidDoNotDisruptAnnotation", f"Invalid {DO_NOT_DISRUPT} annotation: {wrong}, ignoring annotation")
    if pod.started is None:
        return None
    if not pod.held(now):
        message = f"The {DO_NOT_DISRUPT} grace period has elapsed, pod is now disruptable"
        return Said("DoNotDisruptGracePeriodElapsed", message)
    until = instant_text(pod.started + go_seconds(text))
    return Said("DoNotDisruptUntil", f"The {DO_NOT_DISRUPT} grace period will elapse at {until}")


def _mistake(text: str) -> str:
    """Return what is wrong with a duration, in Go's words; empty when it can be read and is positive."""
    if not is_go_duration(text):
        return f'failed to parse "{text}" as a duration: time: {_unreadable(text)}'
    return "" if go_seconds(text) > 0 else f'duration "{text}" must be positive'


def _unreadable(text: str) -> str:
    """Return where Go stops in a text that is not a duration: at something else than a number, or at a unit."""
    rest = text[1:] if text[:1] in ("+", "-") else text
    while rest:
        amount = _AMOUNT.match(rest)
        if amount is None:
            break
        unit = _UNIT.match(rest, amount.end())
        unit_text = unit[0] if unit is not None else ""
        if not unit_text:
            return f'missing unit in duration "{text}"'
        if unit_text not in _UNITS:
            return f'unknown unit "{unit_text}" in duration "{text}"'
        rest = rest[amount.end() + len(unit_text) :]
    return f'invalid duration "{text}"'
