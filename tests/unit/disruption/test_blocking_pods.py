"""Which pods keep their node from being disrupted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.taints import Toleration
from cutlist.disruption.disruptable import blocking_pod
from cutlist.state.pods import RunningPod
from cutlist.workloads.objects import EvictionBudgets, PodDisruptionBudget
from cutlist.workloads.pods import Pod
from tests.unit.disruption.builders import guard, guarded, runs
from tests.unit.disruption.claims import HOUR, MINUTE, NOON

NOBODY = EvictionBudgets()
UNBOTHERED = runs(of=Pod(tolerations=(Toleration(operator="Exists"),)))
ANNOTATED = 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/web)'
GUARDED = "Pdb prevents pod evictions (PodDisruptionBudget=[default/guard])"


def held_by(*pods: RunningPod, now: float = NOON) -> str:
    return blocking_pod(pods, NOBODY, now)


def kept_by(*budgets: PodDisruptionBudget, pods: list[RunningPod] | None = None) -> str:
    return blocking_pod(pods or [runs()], guarded(*budgets), NOON)


@pytest.mark.parametrize("owner", ["ReplicaSet", "DaemonSet", "Node", "StatefulSet"])
def test_a_protected_pod_holds_its_node_whoever_made_it(owner):
    """Agents and mirror pods included."""
    # D-5
    assert held_by(runs("web", "1", owner, do_not_disrupt="true")) == ANNOTATED


@pytest.mark.parametrize("state", [{"phase": "Succeeded"}, {"phase": "Failed"}, {"terminating": True}])
def test_a_pod_that_is_over_holds_nothing(state):
    """Whatever its annotation says."""
    # D-6
    assert held_by(runs(do_not_disrupt="true", **state)) == ""


def test_protection_may_last_for_a_time():
    """Half an hour from the start of the pod, and not a second more; forever where nobody knows when it started."""
    # D-7
    started = runs(do_not_disrupt="30m", started=NOON - 30 * MINUTE)
    assert held_by(started, now=NOON - 1) == ANNOTATED
    assert held_by(started) == ""
    assert held_by(runs(do_not_disrupt="30m", started=None), now=NOON + 1000 * HOUR) == ANNOTATED


@pytest.mark.parametrize("text", ["0s", "-5m", "abc", "false", "30", "True", ""])
def test_what_is_no_time_protects_nothing(text):
    """Only `true` and positive durations count."""
    # D-7
    assert held_by(runs(do_not_disrupt=text)) == ""


def test_a_budget_without_evictions_left_holds_the_node():
    """One is enough for any number of pods: each is asked for itself."""
    # D-8
    assert kept_by(guard(0)) == GUARDED
    assert kept_by(guard(1), pods=[runs(f"web-{i}") for i in range(5)]) == ""


def test_two_budgets_on_one_pod_hold_it_whatever_they_allow():
    """The eviction API refuses such a pod."""
    # D-9
    text = "Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[default/one default/two])"
    assert kept_by(guard(5, "one"), guard(5, "two")) == text


def test_a_sick_pod_may_go_where_its_budget_says_so():
    """AlwaysAllow spares only pods that are ready."""
    # D-10
    sick = runs(unready=True)
    assert kept_by(guard(0, always=True), pods=[sick]) == ""
    assert kept_by(guard(0, always=True)) == GUARDED
    assert kept_by(guard(0), pods=[sick]) == GUARDED


@pytest.mark.parametrize(
    ("pod", "blocks"),
    [
        (runs("web", "1", "Node"), False),
        (UNBOTHERED, False),
        (runs("web", "1", "DaemonSet"), True),
        (runs(phase="Succeeded"), False),
        (runs(terminating=True), False),
    ],
    ids=["mirror", "tolerates the taint", "daemon", "over", "going"],
)
def test_budgets_concern_pods_that_would_be_evicted(pod, blocks):
    """Those of a DaemonSet are; mirror pods and those that tolerate disruption are not."""
    # D-11
    assert bool(kept_by(guard(0), pods=[pod])) is blocks


def test_budgets_count_in_their_namespace():
    """And only where their selector matches; a missing one matches nothing."""
    elsewhere = PodDisruptionBudget.read({"metadata": {"name": "guard", "namespace": "other"}, "spec": {"selector": {}}})
    assert kept_by(elsewhere) == ""
    assert kept_by(guard(0, selector={"matchLabels": {"app": "other"}})) == ""
    assert kept_by(PodDisruptionBudget.read({"metadata": {"name": "guard"}})) == ""


def test_annotations_are_reported_before_budgets():
    """Whichever pod comes first."""
    assert kept_by(guard(0), pods=[runs("first"), runs(do_not_disrupt="true")]) == ANNOTATED


@given(st.permutations([runs("a"), runs("web", do_not_disrupt="true"), runs("c", phase="Failed")]))
def test_the_order_of_pods_does_not_decide(pods):
    """One protected pod holds the node."""
    assert held_by(*pods) == ANNOTATED
