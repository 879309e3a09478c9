"""The methods by which Karpenter disrupts nodes, in its order (spec: disruption 4.1, karpenter-1.15 2.3; D-36, V15-42).

Ties, which Karpenter breaks at random, are broken by the names of nodes and NodePools.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.disruption.candidates import Candidate, DisruptionClass, Filter, by_savings_ratio
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.consolidation import is_consolidatable
from cutlist.disruption.drift import drift, empty_then_longest_drifted, is_drifted
from cutlist.disruption.emptiness import emptiness, is_empty
from cutlist.disruption.evaluation import MethodInputs, MethodOutcome
from cutlist.disruption.multinodeconsolidation import multi_node_consolidation
from cutlist.disruption.repair import is_unhealthy, most_urgent_first, repair
from cutlist.disruption.singlenodeconsolidation import interleaved, single_node_consolidation
from cutlist.disruption.staticdrift import by_pool_and_name, is_static_and_drifted, static_drift


class Method(StrEnum):
    """The methods in the order in which Karpenter runs them."""

    REPAIR = "repair"
    EMPTINESS = "emptiness"
    STATIC_DRIFT = "staticDrift"
    DRIFT = "drift"
    MULTI = "multi"
    SINGLE = "single"


METHODS: Final[Mapping[Method, str]] = {
    Method.REPAIR: "repair",
    Method.EMPTINESS: "emptiness",
    Method.STATIC_DRIFT: "drift of a static pool",
    Method.DRIFT: "drift",
    Method.MULTI: "multi-node consolidation",
    Method.SINGLE: "single-node consolidation",
}
"""The methods in words."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """How a method works: its class of disruption, the candidates that it accepts, the order in which it looks at them, and how
    it computes commands from them."""

    disruption_class: DisruptionClass
    takes: Filter
    order: Callable[[Sequence[Candidate], ClusterState], Sequence[Candidate]]
    compute: Callable[[MethodInputs, MethodOutcome], None]


def _by_savings(candidates: Sequence[Candidate], _: ClusterState) -> list[Candidate]:
    return by_savings_ratio(candidates)


def _pool_by_pool(candidates: Sequence[Candidate], _: ClusterState) -> Sequence[Candidate]:
    return interleaved(by_savings_ratio(candidates))


def _by_drift(candidates: Sequence[Candidate], _: ClusterState) -> list[Candidate]:
    return empty_then_longest_drifted(candidates)


def _by_pool(candidates: Sequence[Candidate], _: ClusterState) -> list[Candidate]:
    return by_pool_and_name(candidates)


def _by_urgency(candidates: Sequence[Candidate], cluster: ClusterState) -> list[Candidate]:
    return [candidate for candidate, _ in most_urgent_first(candidates, cluster)]


_RULES: Final[Mapping[Method, _Rule]] = {
    Method.REPAIR: _Rule(DisruptionClass.REPAIR, is_unhealthy, _by_urgency, repair),
    Method.EMPTINESS: _Rule(DisruptionClass.GRACEFUL, is_empty, _by_savings, emptiness),
    Method.STATIC_DRIFT: _Rule(DisruptionClass.EVENTUAL, is_static_and_drifted, _by_pool, static_drift),
    Method.DRIFT: _Rule(DisruptionClass.EVENTUAL, is_drifted, _by_drift, drift),
    Method.MULTI: _Rule(DisruptionClass.GRACEFUL, is_consolidatable, _by_savings, multi_node_consolidation),
    Method.SINGLE: _Rule(DisruptionClass.GRACEFUL, is_consolidatable, _pool_by_pool, single_node_consolidation),
}


def methods_of(cluster: ClusterState) -> tuple[Method, ...]:
    """Return the methods that Karpenter runs in a cluster, in their order."""
    return tuple(method for method in Method if method is not Method.REPAIR or cluster.repairs)


def evaluate(method: Method, inputs: MethodInputs) -> MethodOutcome:
    """Return what a method would do now, whether or not an earlier one would do something."""
    outcome = with_candidates(method, inputs)
    if outcome.candidates:
        _RULES[method].compute(inputs, outcome)
    return outcome


def ordered_candidates(method: Method, inputs: MethodInputs) -> Sequence[Candidate]:
    """Return the candidates of a method in the order in which it looks at them, whatever budgets allow."""
    return _RULES[method].order(with_candidates(method, inputs).candidates, inputs.cluster)


def with_candidates(method: Method, inputs: MethodInputs) -> MethodOutcome:
    """Return an outcome with the candidates of a method, and nothing else yet."""
    rule = _RULES[method]
    accepted, skipped = inputs.accepted(rule.takes, rule.disruption_class)
    return MethodOutcome(accepted, skipped=list(skipped))
