"""Compute what a HorizontalPodAutoscaler does every 15 seconds (spec: controllers 1).

Everything that its controller remembers is a `ScalingHistory` that goes in and comes out: equal inputs give equal replicas.
Instants and periods are in milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from cutlist.simulation.demand.replica_calculator import DEFAULT_TOLERANCE, Metric, PodCounts, Tolerance, replicas_for_metrics
from cutlist.simulation.events import MINUTE, SECOND

SYNC_PERIOD: Final = 15 * SECOND
DOWNSCALE_WINDOW: Final = 5 * MINUTE
_LIMIT_FACTOR: Final = 2
_LIMIT_LEAST: Final = 4

Change = tuple[int, int]
"""An instant, and a number of replicas: recommended, added or removed then."""


class SelectPolicy(StrEnum):
    """Which of several policies counts."""

    MAX = "Max"
    MIN = "Min"
    DISABLED = "Disabled"


@dataclass(frozen=True, slots=True)
class ScalingPolicy:
    """By how many pods, or by how many percent of them, replicas may change in a period."""

    value: int
    period: int
    is_percent: bool = False


@dataclass(frozen=True, slots=True)
class ScalingRules:
    """How fast replicas may change in a direction, and the length of the window whose most cautious recommendation counts."""

    policies: tuple[ScalingPolicy, ...]
    window: int
    select: SelectPolicy = SelectPolicy.MAX

    @property
    def longest_period(self) -> int:
        """Return the longest period of the policies."""
        return max(policy.period for policy in self.policies)


@dataclass(frozen=True, slots=True)
class ScalingBehavior:
    """The rules of both directions, with the API server's defaults where a manifest has none (C-12)."""

    up: ScalingRules = ScalingRules((ScalingPolicy(4, SYNC_PERIOD), ScalingPolicy(100, SYNC_PERIOD, is_percent=True)), window=0)
    down: ScalingRules = ScalingRules((ScalingPolicy(100, SYNC_PERIOD, is_percent=True),), window=DOWNSCALE_WINDOW)


@dataclass(frozen=True, slots=True)
class HorizontalAutoscaler:
    """A HorizontalPodAutoscaler: the workload that it scales, its range and metrics, and its behavior where it has one."""

    workload: str
    least: int
    most: int
    metrics: tuple[Metric, ...]
    behavior: ScalingBehavior | None = None
    tolerance: Tolerance = DEFAULT_TOLERANCE


@dataclass(frozen=True, slots=True)
class ScalingHistory:
    """What the controller remembers of an autoscaler: its recommendations, and the replicas that it added and removed.

    Of equal consecutive recommendations only the last is kept: a window contains at least that one or none.
    """

    recommendations: tuple[Change, ...] = ()
    additions: tuple[Change, ...] = ()
    removals: tuple[Change, ...] = ()


def desired_replicas(
    autoscaler: HorizontalAutoscaler,
    now: int,
    current: int,
    pods: PodCounts,
    usage: Mapping[str, int],
    history: ScalingHistory,
) -> tuple[int, ScalingHistory]:
    """Return the replicas that an autoscaler sets now, and what it remembers from then on.

    `current` are the replicas that its workload has; `usage` is as in `replicas_for_metrics`.
    """
    if not history.recommendations:
        # The controller begins with the present replicas, which keeps a new autoscaler from scaling down at once.
        history = replace(history, recommendations=((now, current),))
    if current == 0 and autoscaler.least != 0:  # C-1
        return 0, history
    if not autoscaler.least <= current <= autoscaler.most:  # C-2
        desired = min(max(current, autoscaler.least), autoscaler.most)
    else:
        proposal = replicas_for_metrics(autoscaler.metrics, usage, current, pods, autoscaler.tolerance)
        if proposal is None:
            return current, history
        desired, history = _limited(autoscaler, now, current, max(proposal, 0), history)
    return desired, _with_change(autoscaler.behavior, now, current, desired, history)


def _limited(
    autoscaler: HorizontalAutoscaler, now: int, current: int, proposal: int, history: ScalingHistory
) -> tuple[int, ScalingHistory]:
    """Return a proposal limited by windows, policies and the range."""
    behavior = autoscaler.behavior
    recommendations = history.recommendations
    if behavior is None:  # C-9, C-10
        recent = _since(recommendations, now - DOWNSCALE_WINDOW)
        stable = max((proposal, *recent))
        limit = min(autoscaler.most, max(_LIMIT_FACTOR * current, _LIMIT_LEAST))
        desired = min(max(stable, autoscaler.least), limit)
        window = DOWNSCALE_WINDOW
    else:
        stable = _stabilized(behavior, now, current, proposal, recommendations)
        desired = _rate_limited(autoscaler, behavior, now, current, stable, history)
        window = max(behavior.up.window, behavior.down.window)
    kept = tuple(change for change in recommendations if change[0] >= now - window)
    # Later and equal: it stays in every window for as long as the earlier one would have.
    if kept and kept[-1][1] == proposal:
        kept = kept[:-1]
    return desired, replace(history, recommendations=(*kept, (now, proposal)))


def _stabilized(behavior: ScalingBehavior, now: int, current: int, proposal: int, recommendations: Iterable[Change]) -> int:
    """Return the replicas nearest to the current ones between the least recommendation of the window upwards and the greatest
    of the window downwards (C-11)."""
    # The end of a window is exclusive here and inclusive without a behavior: the two code paths of the controller differ.
    least = min((proposal, *_since(recommendations, now - behavior.up.window + 1)))
    greatest = max((proposal, *_since(recommendations, now - behavior.down.window + 1)))
    return min(max(current, least), greatest)


def _rate_limited(
    autoscaler: HorizontalAutoscaler, behavior: ScalingBehavior, now: int, current: int, stable: int, history: ScalingHistory
) -> int:
    """Return the replicas that policies and the range allow (C-13)."""
    if stable > current:
        return min(stable, autoscaler.most, max(current, _limit(behavior.up, 1, now, current, history)))
    if stable < current:
        return max(stable, autoscaler.least, min(current, _limit(behavior.down, -1, now, current, history)))
    return stable


def _limit(rules: ScalingRules, sign: int, now: int, current: int, history: ScalingHistory) -> int:
    """Return the replicas that the selected policy allows in a direction, 1 for up and -1 for down."""
    if rules.select == SelectPolicy.DISABLED:
        return current
    limits = []
    for policy in rules.policies:
        since = now - policy.period + 1
        # Policies limit the change since the beginning of their period, so what was changed in it is undone first.
        start = current - sum(_since(history.additions, since)) + sum(_since(history.removals, since))
        if not policy.is_percent:
            limits.append(start + sign * policy.value)
        elif sign > 0:
            # Up is rounded up and down is rounded toward 0, as in the controller.
            limits.append(math.ceil(start * (1 + policy.value / 100)))
        else:
            limits.append(int(start * (1 - policy.value / 100)))
    # Max is the greatest change, which downward is the smallest number.
    takes_greatest = (rules.select == SelectPolicy.MAX) == (sign > 0)
    return max(limits) if takes_greatest else min(limits)


def _with_change(
    behavior: ScalingBehavior | None, now: int, current: int, desired: int, history: ScalingHistory
) -> ScalingHistory:
    """Return the history with a change of replicas, which only autoscalers with a behavior remember."""
    if behavior is None or desired == current:
        return history
    if desired > current:
        return replace(history, additions=_stored(history.additions, (now, desired - current), behavior.up))
    return replace(history, removals=_stored(history.removals, (now, current - desired), behavior.down))


def _stored(changes: tuple[Change, ...], change: Change, rules: ScalingRules) -> tuple[Change, ...]:
    """Return changes with a new one, in place of the last that no policy of its direction still needs (C-14)."""
    cutoff = change[0] - rules.longest_period
    outdated = [index for index, (at, _) in enumerate(changes) if at < cutoff]
    if not outdated:
        return (*changes, change)
    # A quirk: only one outdated entry is replaced, so the list never shrinks, and order in it means nothing (C-14).
    return (*changes[: outdated[-1]], change, *changes[outdated[-1] + 1 :])


def _since(changes: Iterable[Change], first: int) -> list[int]:
    """Return the numbers of the changes at an instant or later."""
    return [number for at, number in changes if at >= first]
