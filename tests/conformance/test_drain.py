"""What happens to the pods of a node that is being drained."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.taints import Toleration
from cutlist.state.pods import RunningPod
from cutlist.workloads.pods import Pod
from tests.conformance.drain import DrainPass, Tier, drain, forced_at, is_stuck, tier
from tests.unit.disruption.claims import HOUR, MINUTE, NOON, running

CRITICAL = {"priority_class": "system-node-critical"}
PLAIN, AGENT = running("plain"), running("agent", "DaemonSet")
DNS, PROXY = running("dns", **CRITICAL), running("proxy", "DaemonSet", **CRITICAL)
ALL = (PROXY, DNS, AGENT, PLAIN)


def names(pods: Any) -> list[str]:
    return [p.name for p in pods]


def forced(found: DrainPass) -> dict[str, int]:
    return {d.pod.name: d.grace for d in found.delete}


def going(name: str, until: float, **fields: Any) -> RunningPod:
    """A pod that terminates and should have ended by an instant."""
    return running(name, terminating=True, deletion_timestamp=until, **fields)


def test_tiers_go_one_after_the_other():
    """Workloads, then DaemonSets, then the same again for what is critical."""
    # D-75
    left, evicted = list(ALL), []
    while left:
        (pod,) = drain(left, None, NOON).evict
        evicted.append(pod.name)
        left.remove(pod)
    assert evicted == ["plain", "agent", "dns", "proxy"]


def test_what_is_critical_is_known_by_the_class_alone():
    """A high priority does not make a pod critical."""
    # D-75
    assert tier(running(pod=Pod(priority=2_000_000_000))) == Tier.WORKLOADS
    assert tier(running(priority_class="system-cluster-critical")) == Tier.CRITICAL_WORKLOADS


def test_a_drain_waits_for_all_tiers():
    """The message counts every pod that has to go, and is absent when the drain is done."""
    assert drain(ALL, None, NOON).message == "4 pods are waiting to be evicted"
    assert drain([], None, NOON).message == ""
    assert drain([], None, NOON).done


def test_a_protected_pod_keeps_its_tier_waiting():
    """It is not evicted, and nothing of a later tier either."""
    # D-75
    result = drain([running("kept", do_not_disrupt="true"), AGENT], None, NOON)
    assert result.evict == ()
    assert names(result.waiting) == ["kept", "agent"]


def test_protection_that_is_over_keeps_nothing():
    """The annotation may hold for some time after the start only."""
    assert names(drain([running("kept", do_not_disrupt="6h")], None, NOON).evict) == ["kept"]
    assert drain([running("kept", do_not_disrupt="6h")], None, NOON - 1).evict == ()


def test_a_terminating_pod_keeps_its_tier_until_it_is_stuck():
    """For one minute past its own end."""
    # D-75
    pod = going("going", NOON - MINUTE)
    assert drain([pod, AGENT], None, NOON).evict == ()
    assert is_stuck(pod, NOON + 1)
    assert names(drain([pod, AGENT], None, NOON + 1).evict) == ["agent"]


@pytest.mark.parametrize(
    "pod",
    [
        running(phase="Succeeded"),
        running(phase="Failed"),
        running("p", "Node"),
        running(pod=Pod(tolerations=(Toleration(operator="Exists"),))),
        running(pod=Pod(tolerations=(Toleration("karpenter.sh/disrupted", "Exists", effect="NoSchedule"),))),
    ],
    ids=["succeeded", "failed", "of the node", "tolerates everything", "tolerates disruption"],
)
def test_pods_that_a_drain_leaves_alone(pod):
    """Nobody waits for them, not even past the deadline."""
    assert drain([pod], NOON - 1, NOON) == DrainPass()


def test_a_pod_is_forced_in_time_to_end_by_the_deadline():
    """Later than the deadline less its grace period, and whatever protects it; an hour's grace is cut to what is left."""
    # D-76
    pod = running("slow", do_not_disrupt="true", grace=300)
    deadline = NOON + HOUR
    assert forced_at(pod, deadline) == NOON + 55 * MINUTE
    assert forced(drain([pod], deadline, NOON + 55 * MINUTE)) == {}
    assert forced(drain([pod], deadline, NOON + 55 * MINUTE + 1)) == {"slow": 299}
    assert forced(drain([running("slower", grace=7200)], deadline, NOON)) == {"slower": HOUR}


def test_a_forced_pod_has_at_least_a_second():
    """Also when the deadline is long past."""
    # D-76
    assert forced(drain([PLAIN], NOON - HOUR, NOON)) == {"plain": 1}


def test_pods_of_all_tiers_are_forced_at_once():
    """Critical ones do not wait for the others; the first tier is asked to go as well."""
    # D-76
    result = drain(ALL, NOON - 1, NOON)
    assert forced(result) == dict.fromkeys(("plain", "agent", "dns", "proxy"), 1)
    assert names(result.evict) == ["plain"]


def test_a_terminating_pod_that_would_outlive_the_deadline_is_cut_short():
    """From its own instant on; one that ends in time is left to itself."""
    deadline = NOON + 5 * MINUTE
    assert forced(drain([going("long", NOON + HOUR, grace=7200)], deadline, NOON)) == {"long": 300}
    assert forced(drain([going("long", NOON + HOUR, grace=60)], deadline, NOON)) == {}
    assert forced(drain([going("short", NOON + 10, grace=7200)], deadline, NOON)) == {}


def test_without_a_deadline_nothing_is_forced():
    """A drain may never end."""
    assert forced(drain([running(do_not_disrupt="true")], None, NOON + 1000 * HOUR)) == {}


PODS = st.builds(
    lambda name, owners, phase, priority, held, grace, gone: running(
        name,
        *owners,
        phase=phase,
        priority_class=priority,
        do_not_disrupt=held,
        grace=grace,
        terminating=gone is not None,
        deletion_timestamp=None if gone is None else NOON + gone,
    ),
    st.sampled_from("abcdef"),
    st.sampled_from([(), ("DaemonSet",), ("Node",), ("StatefulSet",)]),
    st.sampled_from(["Running", "Pending", "Succeeded"]),
    st.sampled_from(["", "system-node-critical"]),
    st.sampled_from(["", "true", "6h"]),
    st.sampled_from([0, 30, 7200]),
    st.none() | st.integers(-100, 8000),
)


@given(st.lists(PODS, max_size=6), st.integers(-10, 8000))
def test_the_order_of_pods_does_not_matter(pods: list[RunningPod], left: int):
    """Who goes first is a matter of tiers and deadlines only."""
    one, two = drain(pods, NOON + left, NOON), drain(pods[::-1], NOON + left, NOON)
    assert sorted(names(one.evict)) == sorted(names(two.evict))
    assert sorted((d.pod.name, d.grace) for d in one.delete) == sorted((d.pod.name, d.grace) for d in two.delete)
    assert one.message == two.message


@given(st.lists(PODS, max_size=6))
def test_past_the_deadline_all_that_still_runs_is_forced(pods: list[RunningPod]):
    """Nothing that a drain waits for is left out, but for what terminates in time."""
    # D-76
    result = drain(pods, NOON - 1, NOON)
    assert [d.pod for d in result.delete] == [
        p for p in result.waiting if not p.terminating or (p.deletion_timestamp or 0) > NOON - 1
    ]
    assert all(d.grace == 1 for d in result.delete)


NEW = BASELINES[-1]


def test_overdue_pods_of_all_groups_go_at_once_and_hold_no_other_group_back():
    """Before, the first group held the others back."""
    # V15-68 V15-70
    late = running("late", grace=HOUR, do_not_disrupt="true")
    first = drain([late, AGENT], NOON + 30 * MINUTE, NOON, NEW)
    assert (forced(first), names(first.evict)) == ({"late": 30 * MINUTE}, ["agent"])
    assert names(drain([late, AGENT], NOON + 30 * MINUTE, NOON).evict) == []


def test_a_pod_that_would_end_too_late_is_deleted_anew_at_once():
    """Before, only when its own grace period would not have ended in time."""
    # V15-69
    slow = going("slow", NOON + HOUR, grace=30)
    assert forced(drain([slow], NOON + 30 * MINUTE, NOON, NEW)) == {"slow": 30 * MINUTE}
    assert forced(drain([slow], NOON + 30 * MINUTE, NOON)) == {}
