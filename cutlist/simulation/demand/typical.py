"""Typical weeks, for users without their own curves.

They are generated, not measured. `web` follows people through their days, with a low at night and less on weekends. `batch`
runs at night and rests by day. In `mixed`, workloads alternate between the two, beginning with the one that has
the most replicas: services have more of them than what runs at night.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from random import Random
from typing import Final

from cutlist.simulation.demand.curves import THOUSANDTHS, Curve, DemandCurves
from cutlist.simulation.events import DAY, HOUR, MINUTE

_STEP: Final = 15 * MINUTE
_WEEKEND: Final = (5, 6)  # days of a week that begins on a Monday
_PEAK: Final = 15  # the hour of a day with most people
_NIGHT: Final = 0.35  # of the peak
_ON_WEEKENDS: Final = 0.7
_NOISE: Final = 0.05
_BATCH: Final = range(1, 5)  # hours
_THURSDAY: Final = 3  # 1970 began on one


class TypicalWeek(StrEnum):
    """What a week looks like."""

    WEB = "web"
    BATCH = "batch"
    MIXED = "mixed"


def typical_curves(week: TypicalWeek, replicas: Mapping[str, int], start: float, until: int, draw: Random) -> DemandCurves:
    """Return curves of replicas from a start, in seconds since 1970, until an instant of the simulation.

    The replicas of each workload are those at the peak. Hours are those of UTC. Each workload has its own random numbers, so
    another one beside it changes nothing.
    """
    curves = {}
    seed = draw.getrandbits(64)
    for number, (workload, most) in enumerate(sorted(replicas.items(), key=lambda each: (-each[1], each[0]))):
        is_web = week == TypicalWeek.WEB or (week == TypicalWeek.MIXED and number % 2 == 0)
        own = Random(f"{seed}/{workload}")  # noqa: S311 - repeatable by intention
        times = tuple(range(0, until, _STEP))
        shares = [_web(start, at) if is_web else _batch(start, at, own) for at in times]
        values = tuple(_replicas(most, share, own) * THOUSANDTHS for share in shares)
        curves[workload] = Curve(times, values)
    return DemandCurves(start, curves)


def _replicas(most: int, share: float, draw: Random) -> int:
    """Return a share of the replicas, a little more or less: at least 1 if the share is not 0."""
    wanted = most * share * (1 + draw.uniform(-_NOISE, _NOISE))
    return max(1, round(wanted)) if share and most else 0


def _web(start: float, at: int) -> float:
    """Return the share of the peak at an instant."""
    day, hour = _clock(start, at)
    wave = (1 + math.cos((hour - _PEAK) / 24 * 2 * math.pi)) / 2
    share = _NIGHT + (1 - _NIGHT) * wave
    return share * _ON_WEEKENDS if day in _WEEKEND else share


def _batch(start: float, at: int, draw: Random) -> float:
    """Return the share of the greatest number of pods: none by day."""
    _, hour = _clock(start, at)
    return draw.choice((0.6, 0.8, 1.0)) if int(hour) in _BATCH else 0.0


def _clock(start: float, at: int) -> tuple[int, float]:
    """Return the day of the week, from Monday on, and the hour of the day, with its part."""
    days, since = divmod(round(start * 1000) + at, DAY)
    return (days + _THURSDAY) % 7, since / HOUR
