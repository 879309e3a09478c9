"""What it costs to move pods, and which nodes that leaves empty."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.karpenter.baselines import BASELINES
from cutlist.disruption.costs import CostAnnotations, deletion_cost, eviction_cost, reschedule_cost
from cutlist.state.pods import RunningPod
from cutlist.workloads.pods import Pod
from tests.unit.disruption.builders import runs

INTEGERS = st.integers(-(2**31), 2**31 - 1)


def priced(deletion: int | str = "", priority: int = 0, *owners: str, **fields) -> RunningPod:
    return runs("web", "1", *owners, of=Pod(priority=priority), deletion_cost=str(deletion), **fields)


@pytest.mark.parametrize(
    ("deletion", "priority", "cost"),
    [
        ("", 0, 1.0),
        (100, 0, 1.000000745),
        (2147483647, 0, 10),
        (-134217728, 0, 0),
        (-2147483647, 0, -10),
        ("", 1_000_000, 1.0298),
        ("", 100_000_000, 3.9802),
        ("", 301_989_888, 10),
        ("", 2_000_000_000, 10),
        ("", -33_554_432, 0),
    ],
)
def test_a_pod_costs_by_its_deletion_cost_and_priority(deletion, priority, cost):
    """One for an ordinary pod, never more than ten, never less than minus ten."""
    # D-19
    assert eviction_cost(priced(deletion, priority)) == pytest.approx(cost, abs=1e-4 if priority else 1e-9)


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("", 0), (" 1", 0), ("1,000", 0), ("1__0", 0), ("_1", 0), ("1_", 0), ("1_.5", 0), ("0x10", 0), ("abc", 0),
        ("1e400", 0), ("0x1p1024", 0), ("0x1p99999999999", 0), ("+NaN", 0), ("0b1", 0), ("0x1_p1", 0), ("\u0663", 0),
        ("1_000", 1000), ("1_0.0_1", 10.01), ("1e1_0", 1e10), ("0x_1_0p0", 16), ("00012", 12), ("1.", 1), ("0e9999", 0),
        ("+7", 7), ("1e9", 1e9), (".5", 0.5), ("0x1p4", 16), ("Inf", math.inf), ("-infinity", -math.inf),
    ],
)  # fmt: skip
def test_deletion_costs_are_read_as_go_reads_numbers(text, cost):
    """What is none counts as nothing; so does what no float can hold."""
    # D-19
    assert deletion_cost(text) == cost


def test_what_is_no_number_stays_none():
    """NaN is a number to Go, and no bound holds it."""
    assert math.isnan(eviction_cost(priced("NaN"), OLD))


def test_a_node_costs_one_and_what_its_pods_cost():
    """Of each pod that has to move."""
    assert reschedule_cost([]) == 1
    assert reschedule_cost([priced(), priced("", 100_000_000)]) == pytest.approx(1 + 1 + 3.9802, abs=1e-4)


def test_pods_that_cost_less_than_nothing_make_a_node_no_cheaper():
    """The cost of a node is never below one."""
    # D-21
    assert reschedule_cost([priced(-2147483647)]) == 1
    assert reschedule_cost([priced(-2147483647), priced()]) == 2


@pytest.mark.parametrize(
    "pod",
    [
        priced("", 0, "DaemonSet"),
        priced("", 0, "Node"),
        priced(phase="Succeeded"),
        priced(phase="Failed"),
        priced(terminating=True),
    ],
    ids=["daemon", "mirror", "succeeded", "failed", "terminating"],
)
def test_pods_that_do_not_move_cost_nothing(pod):
    """Agents, mirror pods and what is over."""
    assert reschedule_cost([pod]) == 1


def test_a_pod_of_a_stateful_set_moves_even_while_it_terminates():
    """Its successor needs a place."""
    assert reschedule_cost([priced("", 0, "StatefulSet", terminating=True)]) == 2


@given(INTEGERS, INTEGERS)
def test_no_pod_costs_more_than_ten_or_less_than_minus_ten(deletion, priority):
    """Whatever its owner writes."""
    # D-19
    assert -10 <= eviction_cost(priced(deletion, priority)) <= 10


@given(st.tuples(INTEGERS, INTEGERS).map(sorted), st.tuples(INTEGERS, INTEGERS).map(sorted))
def test_more_deletion_cost_or_priority_never_costs_less(deletions, priorities):
    """The cost grows with both, as far as numbers go."""
    less, more = (priced(deletion, priority) for deletion, priority in zip(deletions, priorities, strict=True))
    assert eviction_cost(less) <= eviction_cost(more)


@given(st.lists(st.builds(priced, INTEGERS, INTEGERS), max_size=6), st.builds(priced, INTEGERS, INTEGERS))
def test_another_pod_never_makes_a_node_cheaper(pods, another):
    """And no node costs less than one."""
    # D-21
    assert 1 <= reschedule_cost(pods) <= reschedule_cost([*pods, another])


NEW = CostAnnotations(BASELINES[-1])
OLD = CostAnnotations(BASELINES[0])
MANAGED = CostAnnotations(BASELINES[-1], managed=True)


@pytest.mark.parametrize("text", ["1.5", "1e3", "2147483648", "-2147483649", "1_000", "x", ""])
def test_a_deletion_cost_of_1_15_is_a_whole_number_of_32_bits(text: str):
    """Before, any number counted."""
    # V15-41
    assert eviction_cost(priced(text), NEW) == 1
    assert eviction_cost(priced("-134217728"), NEW) == 0
    assert eviction_cost(priced("+134217728"), NEW) == 2


def test_the_disruption_cost_counts_instead_of_the_deletion_cost():
    """A bad value counts as none, without falling back; 1.14 does not read it."""
    # V15-39
    both = priced("134217728", disruption_cost="-134217728")
    assert (eviction_cost(both, NEW), eviction_cost(both, OLD)) == (0, 2)
    assert eviction_cost(priced("134217728", disruption_cost="much"), NEW) == 1


def test_a_deletion_cost_that_karpenter_writes_itself_is_not_read():
    # V15-40
    assert eviction_cost(priced("134217728"), MANAGED) == 1
    assert eviction_cost(priced("", disruption_cost="134217728"), MANAGED) == 2
