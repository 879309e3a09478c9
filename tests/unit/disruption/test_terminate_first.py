"""Nodes that are terminated before their replacement exists, under Karpenter 1.15."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cutlist import NodePool
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.labels import AWS, RESERVED
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.methods import Method
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.inputs import SchedulerOptions
from tests.unit.disruption.builders import MEDIUM, cluster, command, drifted, outcome_of, pool, runs
from tests.unit.scheduling.builders import SIZE, machine

NEW = BASELINES[-1]
REGISTRY = AWS.extended(well_known=(SIZE,))
LABEL = AWS.reservation_id or ""
ON = FeatureGates(static_capacity=True, terminate_first_drift=True)
OFF = FeatureGates(static_capacity=True)
NOT_READY = {"type": "Ready", "status": "False"}
FULL = "static NodePool's capacity reservations are full and cannot stage a replacement"
AT_LIMIT = "static NodePool is at its node limit and cannot stage a replacement"


def reserved(units: int = 0, *, available: bool = True) -> InstanceType:
    """The medium type, sold through the reservation `cr` alone."""
    sold = machine("medium", 4, capacity_types={RESERVED: 0.001}, zones=("zone-a",))
    extra = Requirements((Requirement(LABEL, False, frozenset({"cr"})),))
    (only,) = sold.offerings
    only = only._replace(requirements=only.requirements & extra, available=available, reservation_capacity=units)
    return replace(sold, offerings=(only,))


def holder(name: str = "a", *pods: Any, **fields: Any) -> Any:
    """A drifted node that holds a unit of the reservation."""
    return drifted(name, *pods, kind=RESERVED, labels={LABEL: "cr"}, **fields)


def state(
    *nodes: Any, types: tuple[InstanceType, ...] = (reserved(),), gates: FeatureGates = ON, **fields: Any
) -> ClusterState:
    kinds = pool(kinds=(RESERVED,), **fields)
    options = SchedulerOptions(karpenter=NEW)
    return cluster(*nodes, pools=[kinds], types=types, registry=REGISTRY, options=options, feature_gates=gates)


def drift(*nodes: Any, **fields: Any) -> Command:
    return command(Method.DRIFT, state(*nodes, **fields))


def texts(method: Method, of: ClusterState) -> dict[str, str]:
    return {s.node: s.text for s in outcome_of(method, of).skipped if s.text}


def test_a_node_of_a_full_reservation_goes_first_where_its_unit_helps() -> None:
    # V15-25 V15-26 V15-31
    first = drift(holder("a", runs()))
    assert (first.decision, first.terminate_first) == ("terminate-first", "no-reserved-capacity")
    assert first.text.startswith("Drifted: terminate-first: nodepools=[default]: [a] (savings: $")
    assert first.savings == first.candidates[0].price
    assert outcome_of(Method.DRIFT, state(holder("a", runs()), gates=OFF)).commands == []


def test_pods_that_one_unit_does_not_hold_keep_the_node() -> None:
    """So does a reservation that is not offered any longer."""
    # V15-26
    assert outcome_of(Method.DRIFT, state(holder("a", runs("x", "3"), runs("y", "3")))).commands == []
    gone = (reserved(available=False),)
    assert outcome_of(Method.DRIFT, state(holder("a", runs()), types=gone)).commands == []


def test_a_static_pool_whose_reservations_are_full_terminates_holders_first() -> None:
    # V15-28
    fixed = {"replicas": 2}
    of = state(holder("b"), drifted("a", kind=RESERVED, labels={LABEL: "other"}), **fixed)
    outcome = outcome_of(Method.STATIC_DRIFT, of)
    assert [c.candidates[0].name for c in outcome.commands] == ["b"]
    assert {c.terminate_first for c in outcome.commands} == {"no-reserved-capacity"}
    assert texts(Method.STATIC_DRIFT, of) == {"a": FULL}
    sold = state(holder("b"), types=(reserved(), MEDIUM), replicas=1)
    assert command(Method.STATIC_DRIFT, sold).decision == "terminate-first"


def test_a_static_pool_at_its_limit_terminates_first_or_is_blocked() -> None:
    # V15-29
    at_limit = {"replicas": 1, "limits": {"nodes": "1"}, "types": (reserved(3),)}
    assert command(Method.STATIC_DRIFT, state(holder(), **at_limit)).terminate_first == "static-at-limit"
    assert texts(Method.STATIC_DRIFT, state(holder(), gates=OFF, **at_limit)) == {"a": AT_LIMIT}


def test_a_pool_that_makes_no_nodes_terminates_none_first() -> None:
    # V15-30
    at_limit = {"replicas": 1, "limits": {"nodes": "1"}, "types": (reserved(3),)}
    of = state(holder(), **at_limit)
    unready = NodePool.from_manifest({**of.pools["default"].manifest(), "status": {"conditions": [NOT_READY]}})
    assert texts(Method.STATIC_DRIFT, replace(of, pools={"default": unready})) == {"a": AT_LIMIT}


def test_a_full_reservation_is_no_price_of_a_replacement() -> None:
    """Its type goes to the provider anyway, and savings are counted by what can be launched."""
    # V15-38
    (full,) = reserved().offerings
    (bought,) = machine("medium", 4, capacity_types={"on-demand": 2.0}, zones=("zone-a",)).offerings
    both = replace(machine("medium", 4, capacity_types={"on-demand": 2.0, RESERVED: 0.001}), offerings=(full, bought))
    kinds = pool(kinds=(RESERVED, "on-demand"))
    of = cluster(
        drifted("a", runs(), kind="on-demand"),
        pools=[kinds],
        types=(both,),
        registry=REGISTRY,
        options=SchedulerOptions(karpenter=NEW),
    )
    replaced = command(Method.DRIFT, of)
    assert (replaced.replacements[0].price, replaced.savings) == (2.0, 0.0)
