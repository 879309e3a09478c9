"""The cost of moving the pods of a node, and of disrupting the node (spec: disruption 2; D-19 to D-21)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from cutlist.state.pods import RunningPod

NODE_COST: Final = 1.0  # for any node, whatever runs on it
_POD_COST: Final = 1.0
_LIMIT: Final = 10.0
_DELETION_COST_UNIT: Final = 2.0**27
_PRIORITY_UNIT: Final = 2.0**25
_DIGITS: Final = "[0-9](?:_?[0-9])*"  # an underscore stands between two digits, or a digit and the prefix
_HEX_DIGITS: Final = "[0-9a-f](?:_?[0-9a-f])*"
_DECIMAL: Final = rf"(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:e[+-]?{_DIGITS})?"
_HEX: Final = rf"0x(?:_?{_HEX_DIGITS}(?:\.(?:{_HEX_DIGITS})?)?|\.{_HEX_DIGITS})p[+-]?{_DIGITS}"
_GO_FLOAT: Final = re.compile(rf"[+-]?(?:(?P<decimal>{_DECIMAL})|(?P<hex>{_HEX})|inf|infinity)|nan", re.ASCII | re.IGNORECASE)


def eviction_cost(pod: RunningPod) -> float:
    """Return the cost of moving one pod: 1 for an ordinary one, from -10 to 10 by its deletion cost and its priority."""
    cost = _POD_COST + deletion_cost(pod.deletion_cost) / _DELETION_COST_UNIT + pod.pod.priority / _PRIORITY_UNIT
    if cost < -_LIMIT:
        return -_LIMIT
    return _LIMIT if cost > _LIMIT else cost  # NaN stays NaN


@lru_cache(maxsize=1024)
def deletion_cost(text: str) -> float:
    """Return the annotation `controller.kubernetes.io/pod-deletion-cost` as Go's ParseFloat reads it (D-19).

    It is 0 for a text that is not a number, and for a number that no float can hold.
    """
    match = _GO_FLOAT.fullmatch(text)
    if match is None:
        return 0.0
    number = text.replace("_", "")
    try:
        cost = float.fromhex(number) if match["hex"] else float(number)
    except OverflowError:
        return 0.0
    overflown = match["decimal"] is not None and abs(cost) == float("inf")
    return 0.0 if overflown else cost


def reschedule_cost(pods: Iterable[RunningPod]) -> float:
    """Return the cost of moving the reschedulable pods of a node; pods with a cost below 0 never lower it."""
    return NODE_COST + sum(_at_least_zero(eviction_cost(pod)) for pod in pods if pod.reschedulable)


def _at_least_zero(cost: float) -> float:
    return 0.0 if cost < 0 else cost
