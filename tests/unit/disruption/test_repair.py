"""Repair as the first disruption method, under Karpenter 1.15."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cutlist import Budget
from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.labels import INITIALIZED, INSTANCE_TYPE, REGISTERED
from cutlist.core.requirement import Expression
from cutlist.disruption.budgets import remaining
from cutlist.disruption.candidates import candidates
from cutlist.disruption.cluster_state import ClusterState, ControllerMemory
from cutlist.disruption.command import Command
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.methods import Method, methods_of
from cutlist.disruption.reasons import Reason, budget_reasons
from cutlist.disruption.repair import DO_NOT_REPAIR
from cutlist.disruption.trajectory import until_stable
from cutlist.providers.node_repair import RepairAction, RepairPolicy
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.state.statenode import REBOOTING, Condition, StateNode
from tests.unit.disruption.builders import LARGE, cluster, command, guard, guarded, node, outcome_of, pool, runs
from tests.unit.disruption.claims import HOUR, MINUTE, NOON

OLD, NEW = BASELINES[0], BASELINES[-1]
REPLACE = RepairPolicy("Disk", "False", 10 * MINUTE, "Full")
FALLBACK = RepairPolicy("Ready", "False", 20 * MINUTE)
REBOOT = replace(REPLACE, action=RepairAction.REBOOT)
ON = FeatureGates(node_repair=True)


def sick(name: str = "a", *pods: Any, since: float = NOON - HOUR, reason: str = "Full", **fields: Any) -> StateNode:
    """A registered node whose disk is broken."""
    whole = node(name, *pods, labels={REGISTERED: "true"}, **fields)
    return replace(whole, conditions={**whole.conditions, "Disk": Condition("False", since, reason)})


def healthy(count: int = 5) -> list[StateNode]:
    return [node(f"ok-{i}", runs(f"busy-{i}", "4"), conditions=(), labels={REGISTERED: "true"}) for i in range(count)]


def state(*nodes: StateNode, policies: tuple[RepairPolicy, ...] = (REPLACE, FALLBACK), **fields: Any) -> ClusterState:
    values = {"feature_gates": ON, "options": SchedulerOptions(karpenter=NEW), "repair_policies": policies, **fields}
    return cluster(*nodes, *healthy(), **values)


def repaired(*nodes: StateNode, **fields: Any) -> Command:
    return command(Method.REPAIR, state(*nodes, **fields))


def blocked(of: ClusterState) -> dict[str, str]:
    return {s.node: s.text for s in outcome_of(Method.REPAIR, of).skipped if s.text}


def test_repair_is_the_first_method_where_its_gate_is_on() -> None:
    """Not with the flag for the legacy controller, and not before 1.15."""
    # V15-42 V15-57
    assert methods_of(state())[0] is Method.REPAIR
    assert Method.REPAIR not in methods_of(state(feature_gates=FeatureGates()))
    assert Method.REPAIR not in methods_of(state(feature_gates=replace(ON, legacy_node_repair=True)))
    assert Method.REPAIR not in methods_of(state(options=SchedulerOptions(karpenter=OLD)))


def test_one_node_is_repaired_at_a_time_the_most_urgent_first() -> None:
    """By score, then by what its pods cost, then by name."""
    # V15-42 V15-47
    policies = (replace(REPLACE, priority=5), FALLBACK)
    outcome = outcome_of(Method.REPAIR, state(sick("a", reason="Else"), sick("b"), policies=policies))
    assert [[c.name for c in command.candidates] for command in outcome.commands] == [["b"]]
    assert repaired(sick("a", runs("x")), sick("b")).candidates[0].name == "b"
    assert repaired(sick("b"), sick("a")).candidates[0].name == "a"


def test_repair_records_the_pools_that_its_simulation_leaves_out() -> None:
    """As drift does: a NodePool whose minValues no type meets launches nothing, which is an event on it."""
    # V15-52
    strict = pool("strict", requirements=[Expression(INSTANCE_TYPE, "Exists", (), 40)])
    outcome = outcome_of(Method.REPAIR, state(sick("a", runs("x")), pools=[pool(), strict]))
    assert [(about, reason) for about, reason, _ in outcome.notes] == [("NodePool/strict", "NoCompatibleInstanceTypes")]


def test_repair_passes_over_the_annotation_of_the_node_and_over_one_that_never_got_ready() -> None:
    # V15-48
    kept = sick(annotations={DO_NOT_DISRUPT: "true"})
    assert repaired(kept).decision == "delete"
    young = sick(without=(INITIALIZED,), initialized=False)
    assert repaired(young).decision == "delete"
    assert outcome_of(Method.REPAIR, state(node("a", initialized=False, without=(REGISTERED,)))).candidates == ()


def test_pods_that_block_need_a_bound_of_the_drain() -> None:
    """Of the policy or of the NodeClaim."""
    # V15-48
    evictions = guarded(guard(0))
    text = "repair requires a termination grace period to bypass blocking pods"
    assert blocked(state(sick("a", runs()), evictions=evictions)) == {"a": text}
    assert repaired(sick("a", runs(), termination_grace_period="1h"), evictions=evictions).decision == "replace"
    bounded = (replace(REPLACE, termination_grace_period=60.0), FALLBACK)
    assert repaired(sick("a", runs()), evictions=evictions, policies=bounded).bounds == {"a": 60.0}


def test_an_operator_may_veto_once_a_policy_is_eligible() -> None:
    # V15-49 V15-62
    veto = {DO_NOT_REPAIR: "true"}
    assert blocked(state(sick(annotations=veto))) == {"a": f'repair is blocked through the "{DO_NOT_REPAIR}" annotation'}
    assert blocked(state(sick(annotations=veto, since=NOON))) == {}


def test_more_than_a_fifth_of_sick_nodes_stops_the_pool() -> None:
    """However short they are sick."""
    # V15-50
    many = state(sick("a"), sick("b", since=NOON), sick("c", since=NOON))
    outcome = outcome_of(Method.REPAIR, many)
    text = 'more than 20% of nodes in nodepool "default" are unhealthy'
    assert (outcome.commands, blocked(many)) == ([], {"a": text})
    assert ("NodePool/default", "NodeRepairBlocked", text) in outcome.notes


def test_initialized_nodes_need_a_budget_for_unhealthy() -> None:
    # V15-51
    closed = pool(budgets=(Budget(nodes="0"),))
    assert outcome_of(Method.REPAIR, state(sick(), pools=[closed])).commands == []
    young = sick(without=(INITIALIZED,), initialized=False)
    assert repaired(young, pools=[closed]).decision == "delete"


def test_pods_that_block_are_placed_as_well() -> None:
    """Drift would leave them out."""
    # V15-52
    fully = guarded(guard(0, maxUnavailable=0))
    bounded = (replace(REPLACE, termination_grace_period=0.0), FALLBACK)
    (claim,) = repaired(sick("a", runs()), evictions=fully, policies=bounded).replacements
    assert sum((claim.pods or {}).values()) == 1


def test_a_node_whose_pods_have_no_place_stays() -> None:
    # V15-52
    huge = sick("a", runs("huge", "64"), of=LARGE)
    assert "Not all pods would schedule, default/huge" in blocked(state(huge))["a"]


@pytest.mark.parametrize(("own", "bound"), [(None, 600.0), ("5m", 300.0), ("1h", 600.0)])
def test_the_lesser_bound_counts(own: str | None, bound: float) -> None:
    # V15-53
    bounded = (replace(REPLACE, termination_grace_period=600.0), FALLBACK)
    assert repaired(sick(termination_grace_period=own), policies=bounded).bounds == {"a": bound}
    assert repaired(sick(termination_grace_period=own)).bounds == {}


def test_a_static_pool_replaces_one_node_within_its_limit() -> None:
    # V15-54
    fixed = pool(replicas=6, limits={"nodes": "7"})
    (only,) = repaired(sick(), pools=[fixed]).replacements
    assert only.types == ()
    full = pool(replicas=6, limits={"nodes": "6"})
    text = "static NodePool is at its node limit and cannot stage a replacement"
    assert blocked(state(sick(), pools=[full])) == {"a": text}
    first = replace(ON, terminate_first_repair=True)
    assert repaired(sick(), pools=[full], feature_gates=first).terminate_first == "static-at-limit"
    surplus = pool(replicas=5, limits={"nodes": "7"})
    assert outcome_of(Method.REPAIR, state(sick(), pools=[surplus])).commands == []


def test_a_reboot_keeps_the_node() -> None:
    # V15-55
    reboot = repaired(sick(), policies=(REBOOT, FALLBACK))
    assert reboot.text == "Unhealthy: reboot: nodepools=[default]: [a] (savings: $0.00)"


def test_after_two_reboots_in_a_day_the_node_is_replaced() -> None:
    # V15-56
    def after(*ago: float) -> str:
        memory = ControllerMemory(reboots={"a": [NOON - seconds for seconds in ago]})
        return repaired(sick(), policies=(REBOOT, FALLBACK), controller_memory=memory).decision

    assert after(HOUR) == "reboot"
    assert after(HOUR, 2 * HOUR) == "delete"
    assert after(HOUR, 24 * HOUR) == "reboot"
    assert after(HOUR, 10 * HOUR, 24 * HOUR) == "reboot"  # while two are remembered a third is not


def rebooting(name: str = "a", **fields: Any) -> StateNode:
    """A sick node of which a reboot was requested."""
    whole = sick(name, **fields)
    assert whole.claim is not None
    return replace(whole, claim=replace(whole.claim, conditions={**whole.claim.conditions, REBOOTING: Condition("True")}))


def test_a_node_that_reboots_is_left_alone_and_uses_up_budgets() -> None:
    """Also while it is not initialized again."""
    # V15-32 V15-33 V15-34
    of = state(rebooting(without=(INITIALIZED,), initialized=False), pools=[pool(budgets=(Budget(nodes="1"),))])
    assert candidates(of).blocked["a"] == "Node is rebooting"
    assert {remaining(of, reason).by_pool["default"] for reason in of.reasons} == {0}


def test_a_rebooting_node_that_is_ready_is_not_initialized_again_until_that_ends() -> None:
    """A forecast that runs to its end leaves it as it is; once the reboot has ended it is an ordinary node."""
    # V15-59
    bare = {"without": (INITIALIZED,), "initialized": False}
    at_the_end = until_stable(state(rebooting(**bare))).cluster
    (node_at_the_end,) = [n for n in at_the_end.nodes if n.name == "a"]
    assert (node_at_the_end.rebooting, node_at_the_end.initialized) == (True, False)
    assert candidates(at_the_end).blocked["a"] == "Node is rebooting"
    whole = rebooting(conditions=())
    assert whole.claim is not None
    ended = replace(whole.claim, conditions={**whole.claim.conditions, REBOOTING: Condition("False", NOON)})
    assert "a" in candidates(state(replace(whole, claim=ended))).by_name


def test_the_first_block_is_named_in_the_order_of_1_15() -> None:
    """Deleting comes before not initialized, which has words of its own for a node that is not registered."""
    # V15-32 V15-33
    going = sick(removed=True, without=(INITIALIZED,), initialized=False)
    assert candidates(state(going)).blocked["a"] == "Node is deleting or marked for deletion"
    before = state(going, options=SchedulerOptions(karpenter=OLD))
    assert candidates(before).blocked["a"] == "Node isn't initialized"
    unregistered = node(without=(INITIALIZED,), initialized=False)
    assert candidates(state(unregistered)).blocked["a"] == "Node isn't initialized nor registered"


def test_nodes_that_are_not_ready_do_not_use_up_what_repairs_them() -> None:
    # V15-35
    of = state(sick(ready="False"), pools=[pool(budgets=(Budget(nodes="1"),))])
    assert (remaining(of, Reason.UNHEALTHY).by_pool, remaining(of, Reason.EMPTY).by_pool) == ({"default": 1}, {"default": 0})


def test_budgets_may_name_unhealthy_since_1_15() -> None:
    # V15-36
    assert Reason.UNHEALTHY in budget_reasons(NEW)
    assert Reason.UNHEALTHY not in budget_reasons(OLD)
