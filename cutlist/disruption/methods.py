"""The five methods by which Karpenter disrupts nodes, in its order (spec: disruption 4.1; D-36).

Ties, which Karpenter breaks at random, are broken by the names of nodes and NodePools.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.disruption.candidates import Filter
from cutlist.disruption.consolidation import is_consolidatable
from cutlist.disruption.drift import drift, is_drifted
from cutlist.disruption.emptiness import emptiness, is_empty
from cutlist.disruption.evaluation import MethodInputs, Outcome
from cutlist.disruption.multinodeconsolidation import multi_node_consolidation
from cutlist.disruption.singlenodeconsolidation import single_node_consolidation
from cutlist.disruption.staticdrift import is_static_and_drifted, static_drift


class Method(StrEnum):
    """The methods in the order in which Karpenter runs them."""

    EMPTINESS = "emptiness"
    STATIC_DRIFT = "staticDrift"
    DRIFT = "drift"
    MULTI = "multi"
    SINGLE = "single"


@dataclass(frozen=True, slots=True)
class _Rule:
    """How a method works: its class of disruption, the candidates that it accepts, and how it computes commands from them."""

    eventual: bool
    takes: Filter
    compute: Callable[[MethodInputs, Outcome], None]


_RULES: Final[Mapping[Method, _Rule]] = {
    Method.EMPTINESS: _Rule(False, is_empty, emptiness),
    Method.STATIC_DRIFT: _Rule(True, is_static_and_drifted, static_drift),
    Method.DRIFT: _Rule(True, is_drifted, drift),
    Method.MULTI: _Rule(False, is_consolidatable, multi_node_consolidation),
    Method.SINGLE: _Rule(False, is_consolidatable, single_node_consolidation),
}


def evaluate(method: Method, inputs: MethodInputs) -> Outcome:
    """Return what a method would do now, whether or not an earlier one would do something."""
    outcome = with_candidates(method, inputs)
    if outcome.candidates:
        _RULES[method].compute(inputs, outcome)
    return outcome


def with_candidates(method: Method, inputs: MethodInputs) -> Outcome:
    """Return an outcome with the candidates of a method, and nothing else yet."""
    rule, outcome, taken = _RULES[method], Outcome(), []
    generic = inputs.eventual if rule.eventual else inputs.graceful
    for candidate in generic.by_name.values():
        skipped = rule.takes(candidate, inputs.cluster)
        if skipped is None:
            taken.append(candidate)
        elif skipped.event:
            outcome.skipped.append(skipped)
    outcome.candidates = tuple(taken)
    return outcome
