"""How a new template replaces the old pods of a workload, step by step, and how a StatefulSet with the policy OrderedReady
starts and removes its pods, one after another (spec: controllers 4, 5)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.document import Document
from cutlist.workloads.validation.kinds import check_object
from cutlist.workloads.written import value_at, workload_of

_QUARTER: Final = "25%"
_PERCENTAGE: Final = re.compile(r"[0-9]+%", re.ASCII)
_STRATEGIES: Final[Mapping[str, str]] = {"Deployment": "strategy", "StatefulSet": "updateStrategy"}


@dataclass(frozen=True, slots=True)
class RollingUpdate:
    """How many pods a Deployment may have above its replicas, and how many may be unavailable: numbers or percentages."""

    surge: int | str = _QUARTER
    unavailable: int | str = _QUARTER

    def bounds(self, replicas: int) -> tuple[int, int]:
        """Return both as numbers for some replicas (C-26)."""
        surge = _part(self.surge, replicas, rounds_up=True)
        unavailable = _part(self.unavailable, replicas, rounds_up=False)
        # Both rounded to 0 would never move; the API server refuses only a written 0 and 0.
        return surge, min(unavailable if surge or unavailable else 1, replicas)


@dataclass(frozen=True, slots=True)
class Rollout:
    """How a workload takes over a new template.

    A Deployment without `rolling` removes all old pods first. Of a StatefulSet `partition` is the lowest number that is
    restarted, as many at a time as `unavailable` says. If `is_manual`, pods change only when something else ends them. If
    `is_ordered`, its pods start and end one after another (C-32). If `drops_claims`, the claims of pods that scale-down removes
    are deleted (C-38).
    """

    rolling: RollingUpdate | None = RollingUpdate()
    partition: int = 0
    unavailable: int | str = 1
    is_manual: bool = False
    is_ordered: bool = False
    drops_claims: bool = False


@dataclass(frozen=True, slots=True)
class RolloutCounts:
    """Pods of the old and the new template: how many are wanted, and how many of these are available."""

    old: int
    old_available: int
    new: int
    new_available: int


def rolled(strategy: RollingUpdate, replicas: int, counts: RolloutCounts) -> RolloutCounts:
    """Return the counts after everything that a Deployment's controller may do until other pods become available (C-25 to
    C-28)."""
    while True:
        stepped = _step(strategy, replicas, counts)
        if stepped == counts:
            return counts
        counts = stepped


def _step(strategy: RollingUpdate, replicas: int, counts: RolloutCounts) -> RolloutCounts:
    """Return the counts after one look of the controller, which either scales the new pods or removes old ones."""
    surge, unavailable = strategy.bounds(replicas)
    if counts.new > replicas:
        return replace(counts, new=replicas, new_available=min(counts.new_available, replicas))
    room = min(replicas + surge - counts.old - counts.new, replicas - counts.new)
    if room > 0:
        return replace(counts, new=counts.new + room)
    least = replicas - unavailable
    # New pods that are not available yet must not be counted on, so as many old ones stay.
    removable = counts.old + counts.new - least - (counts.new - counts.new_available)
    if not counts.old or removable <= 0:
        return counts
    # Unavailable old pods go first: removing them costs nothing.
    unhealthy = min(removable, counts.old - counts.old_available)
    spare = max(0, counts.old_available + counts.new_available - least)
    healthy = min(counts.old - unhealthy, spare)
    old = counts.old - unhealthy - healthy
    return replace(counts, old=old, old_available=min(counts.old_available, old))


def recreated(replicas: int, counts: RolloutCounts, ending: int) -> RolloutCounts:
    """Return the counts of a Deployment that removes all old pods first; `ending` of these still exist (C-29)."""
    new = replicas if counts.old == 0 and not ending else counts.new
    return RolloutCounts(0, 0, new, min(counts.new_available, new))


def rescaled(strategy: RollingUpdate, before: int, replicas: int, counts: RolloutCounts) -> RolloutCounts:
    """Return the counts after the replicas of a Deployment were changed, in proportion while it rolls out (C-30)."""
    if not counts.old:
        return replace(counts, new=replicas, new_available=min(counts.new_available, replicas))
    if not counts.new:
        return replace(counts, old=replicas, old_available=min(counts.old_available, replicas))
    allowed = replicas + strategy.bounds(replicas)[0] if replicas else 0
    most = before + strategy.bounds(before)[0]
    change = allowed - counts.old - counts.new
    sizes = {"new": counts.new, "old": counts.old}
    # The largest first; of equal ones the new one when growing, the old one when shrinking.
    newest_first = sorted(sizes, key=lambda name: (-sizes[name], (name == "old") == (change > 0)))
    left = change
    for name in newest_first:
        part = _rounded(sizes[name] * allowed / most) - sizes[name] if replicas else -sizes[name]
        part = min(part, left) if change > 0 else max(part, left)
        if change:
            sizes[name] += part
            left -= part
    # What rounding leaves over goes to the first, so that the sum is exact.
    sizes[newest_first[0]] = max(0, sizes[newest_first[0]] + left)
    old, new = sizes["old"], sizes["new"]
    return RolloutCounts(old, min(counts.old_available, old), new, min(counts.new_available, new))


def ordinals_to_restart(rollout: Rollout, replicas: int, outdated: Iterable[int], not_available: int) -> tuple[int, ...]:
    """Return which pods of a StatefulSet are deleted for a new template: those with the highest numbers first (C-31)."""
    room = max(1, _part(rollout.unavailable, replicas, rounds_up=True)) - not_available
    restarted = (ordinal for ordinal in outdated if ordinal >= rollout.partition and not rollout.is_manual)
    return tuple(sorted(restarted, reverse=True)[: max(0, room)])


def rollouts_of(documents: Iterable[Document], problems: Problems) -> dict[str, Rollout]:
    """Return how workloads take over a new template, by their names. Strategies that the API server refuses are added to
    `problems`."""
    rollouts = {}
    for document in documents:
        if document.kind in _STRATEGIES:
            _check(document, problems)
            rollouts[workload_of(document)] = _rollout(document)
    return rollouts


def _check(document: Document, problems: Problems) -> None:
    """Add what the API server refuses of a strategy (W-61, W-63); other fields do not matter here."""
    name = _STRATEGIES[document.kind]
    if value_at(document.data, ("spec", name)) is not None:
        refused = Problems()
        check_object(document, None, refused)
        problems.extend([problem for problem in refused.found if problem.place.path.startswith(f"spec.{name}")])


def _rollout(document: Document) -> Rollout:
    path = ("spec", _STRATEGIES[document.kind])
    rolling, kind = value_at(document.data, (*path, "rollingUpdate")), value_at(document.data, (*path, "type"))
    rolling = rolling if isinstance(rolling, dict) else {}
    if document.kind == "StatefulSet":
        written = rolling.get("partition")
        partition = written if isinstance(written, int) else 0
        is_ordered = value_at(document.data, ("spec", "podManagementPolicy")) != "Parallel"
        retention = ("spec", "persistentVolumeClaimRetentionPolicy", "whenScaled")
        return Rollout(
            None,
            partition,
            _or(rolling.get("maxUnavailable"), 1),
            is_manual=kind == "OnDelete",
            is_ordered=is_ordered,
            drops_claims=value_at(document.data, retention) == "Delete",
        )
    if kind == "Recreate":
        return Rollout(None)
    return Rollout(RollingUpdate(_or(rolling.get("maxSurge"), _QUARTER), _or(rolling.get("maxUnavailable"), _QUARTER)))


def _or(amount: Any, default: int | str) -> int | str:
    """Return a number or a percentage, or the default for anything else."""
    if isinstance(amount, int) or (isinstance(amount, str) and _PERCENTAGE.fullmatch(amount)):
        return amount
    return default


def _part(amount: int | str, replicas: int, *, rounds_up: bool) -> int:
    if isinstance(amount, int):
        return amount
    share = int(amount.removesuffix("%")) * replicas
    return -(-share // 100) if rounds_up else share // 100


def _rounded(number: float) -> int:
    """Return the nearest whole number, the one further from 0 at a half."""
    # Python's round would take the even number at a half.
    return int(number + 0.5)


def ordered_change(replicas: int, is_ready: Mapping[int, bool], ending: Collection[int]) -> int:
    """Return 1 if the next pod is created now, -1 if the highest one is deleted, and 0 if all that is left is to wait (C-32,
    C-33).

    `is_ready` has the pods that do not end, by their numbers from 0 on; `ending` are those that do.
    """
    for number in range(replicas):
        if number in ending:
            return 0
        if number not in is_ready:
            return 1
        # OrderedReady: nothing comes after a pod that is not ready, not even its removal.
        if not is_ready[number]:
            return 0
    return -1 if len(is_ready) > replicas and not ending else 0
