"""NodePools as templates of claims: their order, their labels and taints, and what DaemonSets take."""

from __future__ import annotations

import pytest

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import ARCH, HOSTNAME, INITIALIZED, ZONE
from cutlist.core.quantity import amounts
from cutlist.core.requirement import Expression
from cutlist.core.taints import HostPort, Taint, Toleration
from cutlist.scheduling.inputs import takes_part
from cutlist.workloads.pods import Preference
from tests.unit.scheduling.builders import EIGHT, SIZE, TWO, machine, names, only, pod, pool, run, said, selecting, spread, term

DEDICATED = Taint("dedicated", "NoSchedule", "batch")


def test_of_equal_weight_the_later_name_is_tried_first():
    """Pool b gets the pod, whichever was written first."""
    # S-30
    assert only(run(pod(), pools=[pool("a"), pool("b")])).node_pool == "b"
    assert only(run(pod(), pools=[pool("b"), pool("a")])).node_pool == "b"


def test_the_heavier_pool_is_tried_first():
    """Weight beats the alphabet; a missing weight counts 0."""
    # S-30 K-92
    assert only(run(pod(), pools=[pool("a", weight=1), pool("b")])).node_pool == "a"


def test_a_pool_that_refuses_gives_way_to_the_next():
    """The second pool takes what the first has no type for."""
    # S-42
    small = pool("z", requirements={SIZE: ["none"]})
    assert only(run(pod(), pools=[small, pool("a")])).node_pool == "a"


def test_template_labels_are_requirements():
    """A pod that selects another value of a template label is refused, one that selects its value is not."""
    # S-32
    blue = [pool(labels={"team": "blue"})]
    assert only(run(pod(node_selector={"team": "blue"}), pools=blue)).requirements["team"].values == {"blue"}
    assert "incompatible requirements" in said(run(pod(node_selector={"team": "red"}), pools=blue))


def test_startup_taints_need_no_toleration():
    """A startup taint is removed by the time pods arrive."""
    # S-34 K-90
    assert only(run(pod(), pools=[pool(startup_taints=[DEDICATED])]))


@pytest.mark.parametrize("effect", ["NoSchedule", "NoExecute", "PreferNoSchedule"])
def test_template_taints_refuse_pods_that_do_not_tolerate_them(effect: str):
    """Every effect needs a toleration at first; PreferNoSchedule alone is given up later."""
    # S-34
    tainted = pool("b", taints=[Taint("dedicated", effect, "batch")])
    assert only(run(pod(), pools=[tainted, pool("a")])).node_pool == "a"
    tolerating = pod(tolerations=(Toleration("dedicated", "Equal", "batch"),))
    assert only(run(tolerating, pools=[tainted, pool("a")])).node_pool == "b"


def test_a_daemon_takes_room():
    """A daemon of one cpu leaves no room for two pods on a machine of two."""
    claim = only(run((pod("500m"), 3), daemons=[pod()], types=[TWO, EIGHT]))
    assert names(claim) == ["eight"]
    assert claim.requests["cpu"] == amounts({"cpu": "2500m"})["cpu"]


def test_a_daemon_that_does_not_tolerate_the_template_takes_nothing():
    """It will not run there."""
    # S-35
    tolerating = pod(tolerations=(Toleration(operator="Exists"),))
    claim = only(run(tolerating, pools=[pool(taints=[DEDICATED])], daemons=[pod()]))
    assert claim.requests == tolerating.requests


def test_a_daemon_for_large_machines_does_not_burden_small_ones():
    """What a daemon takes is counted only for the types it would run on."""
    # S-36
    large_only = pod("7", node_selector={SIZE: "large"})
    assert names(only(run(pod("2"), daemons=[large_only]))) == ["two", "four"]


def test_the_least_daemons_of_the_types_left_are_asked_for():
    """A claim that may become small or large asks for what small machines carry."""
    # S-36
    everywhere, large_only = pod("100m"), pod("1", node_selector={SIZE: "large"})
    claim = only(run(pod("1"), daemons=[everywhere, large_only]))
    assert names(claim) == ["two", "four", "eight"]
    assert claim.requests["cpu"] == amounts({"cpu": "1100m"})["cpu"]


def test_a_host_port_of_a_daemon_blocks_only_the_types_it_runs_on():
    """A pod that wants the daemon's port goes where the daemon does not."""
    # S-37
    port = frozenset((HostPort("0.0.0.0", 9100, "TCP"),))  # noqa: S104
    exporter = pod("100m", node_selector={SIZE: "large"}, host_ports=port)
    assert names(only(run(pod(host_ports=port), daemons=[exporter]))) == ["two", "four"]


def test_a_preference_of_a_daemon_that_cannot_be_met_does_not_stop_it():
    """Daemons go without what they only prefer."""
    # S-38
    preferring = pod("1", preferred=(Preference(1, term(SIZE, "In", "none")),))
    assert names(only(run(pod("2"), daemons=[preferring]))) == ["four", "eight"]


def test_topology_rules_of_a_daemon_are_not_looked_at():
    """A daemon with a spread constraint counts like any other."""
    # S-38
    spreading = pod("1", labels={"app": "web"}, spread=(spread("unknown.example.com/key", selector=selecting(app="web")),))
    assert names(only(run(pod("2"), daemons=[spreading]))) == ["four", "eight"]


def test_a_daemon_is_counted_by_whichever_of_its_terms_holds():
    """The second of two OR-ed terms is as good as the first."""
    # S-39
    either = pod("1", required=(term(SIZE, "In", "none"), term(SIZE, "In", "small", "large")))
    assert names(only(run(pod("2"), daemons=[either]))) == ["four", "eight"]


def test_a_pool_without_a_type_is_passed_over_with_nothing_said():
    """A pool whose requirements exclude all types is not among those that refused the pod."""
    # S-42
    nothing = pool("none", requirements={SIZE: ["none"]})
    (unplaced,) = run(pod("100"), pools=[nothing, pool("some")]).unplaced
    assert [name for name, _ in unplaced.refusals] == ["some"]


def test_a_daemon_for_initialized_nodes_is_counted():
    """New nodes will be initialized; the label itself is not asked of the node."""
    # S-33
    claim = only(run(pod("2"), daemons=[pod("1", node_selector={INITIALIZED: "true"})]))
    assert names(claim) == ["four", "eight"]
    assert INITIALIZED not in claim.requirements


def test_a_claim_asks_for_no_hostname():
    """The hostname that distinguishes claims inside a pass is not part of the result."""
    # S-121
    assert HOSTNAME not in only(run(pod())).requirements


def test_requirements_of_pool_and_pod_meet_on_the_claim():
    """The claim asks for what both allow."""
    zones = [pool(requirements={ZONE: ["zone-a", "zone-b"]})]
    claim = only(run(pod(required=(term(ZONE, "In", "zone-b", "zone-c"),)), pools=zones))
    assert claim.requirements[ZONE].values == {"zone-b"}


def test_a_machine_without_the_architecture_is_no_candidate():
    """Labels of machines are compared with the pool's requirements before any pod comes."""
    # S-42
    arm = pool("arm", requirements={ARCH: ["arm64"]})
    (unplaced,) = run(pod(), pools=[arm]).unplaced
    assert unplaced.refusals == ()


def test_unavailable_machines_are_no_candidates():
    """A pool with one available machine launches that one."""
    # S-42
    assert names(only(run(pod(), types=[machine("gone", 2, available=False), EIGHT]))) == ["eight"]


def test_an_expression_of_the_pool_may_exclude():
    """NotIn leaves the rest."""
    without = [pool(requirements=[Expression(SIZE, "NotIn", ("large",))])]
    assert names(only(run(pod(), pools=without))) == ["two", "four"]


@pytest.mark.parametrize(
    ("conditions", "ready"),
    [
        ({}, True),
        ({"Ready": "True", "ValidationSucceeded": "True", "NodeClassReady": "True"}, True),
        ({"Ready": "Unknown", "ValidationSucceeded": "True", "NodeClassReady": "Unknown"}, False),
        ({"Ready": "True", "ValidationSucceeded": "True"}, False),
        ({"NodeRegistrationHealthy": "True"}, False),
    ],
)
def test_a_pool_has_to_be_ready_as_far_as_a_controller_has_met_it(conditions: dict[str, str], ready: bool) -> None:
    """A pool that is only written down counts as ready; one with a status has to say so with all that Ready rests on."""
    # S-31
    status = {"conditions": [{"type": kind, "status": value} for kind, value in conditions.items()]}
    written = NodePool.from_manifest({**pool().manifest(), "status": status})
    assert takes_part(written) == ready
