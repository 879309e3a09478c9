"""Which nodes may be disrupted, and which rule spares the others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import NodePool
from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, NODEPOOL, SPOT, ZONE
from cutlist.disruption.candidates import candidates
from cutlist.disruption.cluster_state import ControllerMemory
from cutlist.disruption.consolidation import is_consolidatable
from cutlist.disruption.drift import is_drifted
from cutlist.disruption.emptiness import is_empty
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.methods import Method
from cutlist.disruption.staticdrift import is_static_and_drifted
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.scheduling.nodeoverlays import NodeOverlay
from cutlist.state.statenode import CONSOLIDATABLE, DRIFTED, StateNode
from tests.unit.disruption.builders import (
    MEDIUM,
    SMALL,
    blocked,
    candidate_names,
    cluster,
    drifted,
    guard,
    guarded,
    node,
    outcome_of,
    pool,
    runs,
    skip_texts,
    unmanaged,
)
from tests.unit.disruption.claims import NOON

HELD = runs("held", do_not_disrupt="true")


def test_a_healthy_node_of_a_pool_is_a_candidate():
    """Nothing blocks it, for graceful disruption and for drift."""
    assert candidate_names(cluster(node())) == ["a"]
    assert candidate_names(cluster(node()), eventual=True) == ["a"]


def test_a_node_that_is_not_karpenters_is_passed_over_in_silence():
    """Without a NodeClaim there is nobody to tell."""
    # D-1
    assert blocked(cluster(unmanaged("a"))) == {"a": ""}


def test_a_node_in_a_running_command_is_passed_over_in_silence():
    """It is being dealt with."""
    assert blocked(cluster(node(), controller_memory=ControllerMemory(queued=frozenset({"a"})))) == {"a": ""}


def test_a_node_that_is_coming_up_is_no_candidate():
    """Neither while its Node is missing nor before it is initialized."""
    # D-2
    coming = node()
    without_node = replace(coming, state=replace(coming.state, node=""))
    assert blocked(cluster(without_node)) == {"a": "Nodeclaim does not have an associated node"}
    coming_up = cluster(node(initialized=False), options=SchedulerOptions(karpenter=BASELINES[0]))
    assert blocked(coming_up) == {"a": "Node isn't initialized"}


@pytest.mark.parametrize("ready", ["False", "Unknown"])
def test_a_node_that_is_not_ready_can_be_a_candidate(ready):
    """Only budgets look at that."""
    # D-3
    assert candidate_names(cluster(node(ready=ready))) == ["a"]


def test_a_node_that_is_going_is_no_candidate():
    """Whether its claim is deleted or it is only marked."""
    assert blocked(cluster(node(removed=True))) == {"a": "Node is deleting or marked for deletion"}


def test_a_nodes_own_annotation_holds_it_whatever_the_grace_period():
    """For drift with a grace period just as for consolidation."""
    # D-4
    held = node(annotations={DO_NOT_DISRUPT: "true"}, termination_grace_period="1h")
    text = 'Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation'
    assert blocked(cluster(held)) == blocked(cluster(held), eventual=True) == {"a": text}


@pytest.mark.parametrize("value", ["false", "1h", "True", ""])
def test_a_nodes_annotation_says_true_or_nothing(value):
    """A time is understood for pods only."""
    # D-4
    assert candidate_names(cluster(node(annotations={DO_NOT_DISRUPT: value}))) == ["a"]


def test_a_grace_period_lets_drift_pass_pods_that_block():
    """That of the claim itself; consolidation and emptiness wait anyway."""
    # D-12
    waits, ends = node("waits", HELD), node("ends", replace(HELD, name="held-2"), termination_grace_period="1h")
    state = cluster(waits, ends, pools=[pool(termination_grace_period="1h")])
    assert candidate_names(state, eventual=True) == ["ends"]
    assert candidate_names(state) == []


def test_a_grace_period_lets_drift_pass_budgets_of_evictions():
    """And nothing else does."""
    # D-12
    covered = cluster(node("a", runs(), termination_grace_period="1h"), evictions=guarded(guard(0)))
    assert candidate_names(covered, eventual=True) == ["a"]
    assert blocked(covered) == {"a": "Pdb prevents pod evictions (PodDisruptionBudget=[default/guard])"}


@pytest.mark.parametrize("eventual", [False, True])
def test_a_nominated_node_is_left_alone_for_twenty_seconds(eventual):
    """A pending pod is expected there, and no method touches it; a moment later all may."""

    # D-13
    def nominated(ago: float):
        return cluster(node(), controller_memory=ControllerMemory(nominated={"a": NOON - ago}))

    assert blocked(nominated(19.9), eventual=eventual) == {"a": "Node is nominated for a pending pod"}
    assert candidate_names(nominated(20), eventual=eventual) == ["a"]


def test_a_node_belongs_to_a_pool_that_sells_something():
    """The label is asked for first, then the pool, then its types."""
    text = "NodePool not found (NodePool=default)"
    assert blocked(cluster(node(without=[NODEPOOL]))) == {"a": "Node doesn't have required label (label=karpenter.sh/nodepool)"}
    assert blocked(cluster(node(), pools=[pool("other")])) == {"a": text}
    assert blocked(cluster(node(), pools=[NodePool(name="default", node_class="of-aws")], types=())) == {"a": text}


def test_a_node_of_an_unknown_kind_of_node_class_says_so():
    why = "NodePool default is of a kind of node class that is not known here (ExampleNodeClass)"
    assert blocked(cluster(node(), types=())) == {"a": why}


def test_the_first_check_that_fails_is_reported():
    """The order is Karpenter's."""
    busy = node("a", HELD, annotations={DO_NOT_DISRUPT: "true"}, removed=True)
    state = cluster(busy, controller_memory=ControllerMemory(nominated={"a": NOON}))
    assert blocked(state) == {"a": "Node is deleting or marked for deletion"}
    staying = replace(state, nodes=[replace(busy, state=replace(busy.state, removed=False))])
    assert blocked(staying) == {"a": "Node is nominated for a pending pod"}


# --- what a candidate is worth


def the(node: StateNode, **fields):
    (listed,) = candidates(cluster(node, **fields)).by_name.values()
    return listed


def test_the_price_is_that_of_the_nodes_own_zone_and_capacity_type():
    """Also of an offering that cannot be had at the moment."""
    assert the(node(kind=SPOT)).price == 0.8
    gone = replace(MEDIUM, offerings=tuple(o._replace(available=False) for o in MEDIUM.offerings))
    assert the(node(), types=[SMALL, gone]).price == 2.0


@pytest.mark.parametrize(
    "state_node", [node(labels={INSTANCE_TYPE: "gone"}), node(zone="zone-x"), node(without=[ZONE]), node(kind="reserved")]
)
def test_what_is_not_sold_has_no_price(state_node):
    """It counts as nothing."""
    # D-24
    assert the(state_node).price == 0
    assert the(state_node).savings_ratio == 0


def test_a_price_that_is_no_number_is_none():
    """A provider may say NaN."""
    strange = replace(MEDIUM, offerings=tuple(o._replace(price=float("nan")) for o in MEDIUM.offerings))
    assert the(node(), types=[strange]).price == 0


def test_overlays_change_what_a_node_costs():
    """With the gate, candidates have the prices that users have set."""
    costly = NodeOverlay("costly", price="+50%")
    nodes = [node("a", runs()), node("b")]
    cheap = outcome_of(Method.SINGLE, cluster(*nodes, overlays=[costly]))
    dear = outcome_of(Method.SINGLE, cluster(*nodes, overlays=[costly], options=SchedulerOptions(node_overlay=True)))
    assert [c.price for c in cheap.candidates] == [2.0]
    assert [c.price for c in dear.candidates] == [3.0]


# --- what a method asks for besides


def wanted(rule, node: StateNode, of=None, **fields) -> bool:
    state = cluster(node, pools=[of or pool()], **fields)
    return all(rule(c, state) is None for c in candidates(state).by_name.values())


def test_a_static_pool_is_neither_consolidated_nor_emptied():
    """Its number of nodes is fixed; only its own kind of drift touches it."""
    # D-14
    fixed = pool(replicas=1)
    assert not wanted(is_empty, node(), fixed)
    assert not wanted(is_consolidatable, node("a", runs()), fixed)
    assert not wanted(is_drifted, drifted(), fixed)
    assert wanted(is_static_and_drifted, drifted(), fixed)
    assert not wanted(is_static_and_drifted, drifted())
    state = cluster(node("a"), node("b", runs()), pools=[fixed], feature_gates=FeatureGates(static_capacity=True))
    assert all(not outcome_of(m, state).candidates for m in Method)


def test_never_means_that_a_node_may_drift_only():
    """Neither empty nor underused nodes go."""
    # D-18 K-99
    never = pool(after="Never")
    assert not wanted(is_empty, node(), never)
    assert not wanted(is_consolidatable, node("a", runs()), never)
    assert wanted(is_drifted, drifted(), never)
    text = {"a": 'NodePool "default" has consolidation disabled'}
    assert skip_texts(Method.EMPTINESS, cluster(node(), pools=[never])) == text
    assert skip_texts(Method.MULTI, cluster(node("a", runs()), pools=[never])) == text


def test_consolidation_waits_for_the_condition():
    """A node that is not Consolidatable stays, silently."""
    assert not wanted(is_empty, node(conditions=()))
    assert not wanted(is_consolidatable, node("a", runs(), conditions=()))
    assert skip_texts(Method.SINGLE, cluster(node("a", runs(), conditions=()))) == {}
    assert wanted(is_consolidatable, node("a", runs(), conditions=(CONSOLIDATABLE, DRIFTED)))


def test_a_pool_that_is_only_emptied_is_never_consolidated():
    """WhenEmpty: a node with pods stays, and says so; an empty one goes."""
    # D-63
    lazy = pool(policy="WhenEmpty")
    state = cluster(node("a", runs()), node("b", runs("web-2")), pools=[lazy])
    text = 'NodePool "default" has consolidation policy WhenEmpty, but node is not empty'
    for method in (Method.MULTI, Method.SINGLE):
        assert not outcome_of(method, state).candidates
        assert skip_texts(method, state) == {"a": text, "b": text}
    assert wanted(is_empty, node(), lazy)


def test_room_that_is_kept_free_is_not_empty():
    """Virtual pods of a capacity buffer are expected there."""
    state = cluster(node(), controller_memory=ControllerMemory(buffered={"a": 2}))
    assert skip_texts(Method.EMPTINESS, state) == {"a": 'Node "a" has buffer pods'}


@pytest.mark.parametrize(
    ("state_node", "text"),
    [
        (node("a", runs(), labels={INSTANCE_TYPE: "gone"}), 'Instance Type "gone" not found'),
        (node("a", runs(), without=[CAPACITY_TYPE]), f'Node does not have label "{CAPACITY_TYPE}"'),
        (node("a", runs(), without=[ZONE]), f'Node does not have label "{ZONE}"'),
    ],
)
def test_what_has_no_price_is_not_consolidated(state_node, text):
    """Type, capacity type and zone are asked for in this order, before anything else."""
    # D-24
    assert skip_texts(Method.SINGLE, cluster(state_node)) == {"a": text}
    assert not outcome_of(Method.SINGLE, cluster(state_node)).candidates


def test_what_has_no_price_may_be_empty():
    """Emptiness looks at no price."""
    # D-24
    assert wanted(is_empty, node(labels={INSTANCE_TYPE: "gone"}))


def test_a_drifted_node_is_known_by_its_condition():
    """And by nothing else."""
    assert wanted(is_drifted, drifted())
    assert not wanted(is_drifted, node())
