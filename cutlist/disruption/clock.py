"""Times that do not fit together: a clock that runs ahead, or an instant before what a cluster tells of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.instants import instant_text
from cutlist.state.statenode import StateNode, newest_time

_DAY: Final = 24 * 3600.0
AHEAD: Final = _DAY
"""Seconds by which the newest time of a machine is ahead of those of all others before it is called odd."""


def odd_times(machines: Sequence[StateNode], now: float) -> tuple[str, ...]:
    """What is odd about the times of some machines and their pods, seen from an instant (seconds since 1970)."""
    newest = sorted((newest_time([machine]), machine.name) for machine in machines)
    told = []
    if len(newest) > 1 and newest[-1][0] - newest[-2][0] > AHEAD:
        at, name = newest[-1]
        days = (at - newest[-2][0]) / _DAY
        told.append(f"{name} tells of {instant_text(at)}, {days:,.0f} days after all others; a clock may run ahead (--at)")
    later = [name for at, name in newest if at > now]
    if later:
        text = f"{len(later)} machine{'s' if len(later) > 1 else ''} tell{'' if len(later) > 1 else 's'}"
        told.append(f"{text} of times after {instant_text(now)}, such as {later[-1]}; what they did then counts as done")
    return tuple(told)
