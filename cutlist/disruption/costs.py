"""The cost of moving the pods of a node, and of disrupting the node (spec: disruption 2; D-19 to D-21)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cutlist.core.go_sums import sum_in_turn
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import NodeClaimState

NODE_COST: Final = 1.0  # for any node, regardless of its pods
_POD_COST: Final = 1.0
_LIMIT: Final = 10.0
_COST_UNIT: Final = 2.0**27
_PRIORITY_UNIT: Final = 2.0**25
_WHOLE: Final = re.compile(r"[+-]?[0-9]+", re.ASCII)
_LEAST, _MOST = -(2**31), 2**31 - 1
_LONGEST_NUMBER: Final = 4000  # Python reads no longer ones; Go, with zeros in front, would
_DIGITS: Final = "[0-9](?:_?[0-9])*"  # an underscore stands between two digits, or a digit and the prefix
_HEX_DIGITS: Final = "[0-9a-f](?:_?[0-9a-f])*"
_DECIMAL: Final = rf"(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:e[+-]?{_DIGITS})?"
_HEX: Final = rf"0x(?:_?{_HEX_DIGITS}(?:\.(?:{_HEX_DIGITS})?)?|\.{_HEX_DIGITS})p[+-]?{_DIGITS}"
_GO_FLOAT: Final = re.compile(rf"[+-]?(?:(?P<decimal>{_DECIMAL})|(?P<hex>{_HEX})|inf|infinity)|nan", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CostAnnotations:
    """The annotations of pods that set the cost of moving them. If Karpenter writes pod-deletion-cost itself (`managed`, the
    gate PodDeletionCostManagement), it does not read it.
    """

    karpenter: Baseline = DEFAULT
    managed: bool = False

    def cost_of(self, pod: RunningPod) -> float:
        """Return the cost that a pod's annotations say, in their own unit, or 0 without a readable one (V15-39 to V15-41)."""
        if pod.disruption_cost is not None and self.karpenter.does(Behaviour.DISRUPTION_COST_ANNOTATION):
            return _whole(pod.disruption_cost)
        if self.managed and self.karpenter.does(Behaviour.DELETION_COSTS_MAY_BE_MANAGED):
            return 0.0
        if self.karpenter.does(Behaviour.DELETION_COST_MUST_BE_AN_INTEGER):
            return _whole(pod.deletion_cost)
        return deletion_cost(pod.deletion_cost)


PLAIN_ANNOTATIONS: Final = CostAnnotations()


def eviction_cost(pod: RunningPod, annotations: CostAnnotations = PLAIN_ANNOTATIONS) -> float:
    """Return the cost of moving one pod: 1 for an ordinary one, from -10 to 10 by its annotations and its priority."""
    # Both units are powers of two, so that the divisions are exact, as in Go.
    cost = _POD_COST + annotations.cost_of(pod) / _COST_UNIT + pod.pod.priority / _PRIORITY_UNIT
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
    # Where underscores may stand was checked by the pattern above; Python's own rule for them is another one.
    number = text.replace("_", "")
    try:
        cost = float.fromhex(number) if match["hex"] else float(number)
    except OverflowError:
        return 0.0
    # Go reports a number out of range as an error, while `inf` itself is a number that it reads.
    overflown = match["decimal"] is not None and abs(cost) == float("inf")
    return 0.0 if overflown else cost


def _whole(text: str) -> float:
    """Return a whole number of 32 bits, or 0 for any other text."""
    # Out of range stands for unreadable: both count as 0.
    number = int(text) if _WHOLE.fullmatch(text) and len(text) < _LONGEST_NUMBER else _MOST + 1
    return float(number) if _LEAST <= number <= _MOST else 0.0


def reschedule_cost(pods: Iterable[RunningPod], annotations: CostAnnotations = PLAIN_ANNOTATIONS) -> float:
    """Return the cost of moving the reschedulable pods of a node; pods with a cost below 0 never lower it."""
    return NODE_COST + sum_in_turn(_at_least_zero(eviction_cost(pod, annotations)) for pod in pods if pod.reschedulable)


def lifetime_weighted_cost(
    claim: NodeClaimState | None, pods: Iterable[RunningPod], now: float, annotations: CostAnnotations = PLAIN_ANNOTATIONS
) -> float:
    """Return the cost of all pods of a node, which falls as its expiry approaches. It decides which nodes a static pool removes
    first, and which of two equally urgent nodes is repaired first.
    """
    return sum_in_turn(eviction_cost(pod, annotations) for pod in pods) * _lifetime_remaining(claim, now)


def _lifetime_remaining(claim: NodeClaimState | None, now: float) -> float:
    length = claim.lifetime if claim is not None else None
    if claim is None or not length:
        return 1.0
    # Bounded on both sides: clocks differ, and a claim may be older than its `expireAfter`.
    return min(max((length - (now - claim.created)) / length, 0.0), 1.0)


def _at_least_zero(cost: float) -> float:
    return 0.0 if cost < 0 else cost
