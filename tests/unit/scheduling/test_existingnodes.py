"""Pods on nodes that exist: the order of nodes, what each admits, and what stays for claims (spec 5.2 to 5.5, 7.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.labels import HOSTNAME, NODEPOOL, ZONE
from cutlist.core.quantity import amounts
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.core.taints import NO_SCHEDULE, PREFER_NO_SCHEDULE, HostPort, Taint, Toleration
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import Results
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.volumes import PodVolumes
from cutlist.workloads.pods import Pod, PodTerm, Preference
from tests.examples import examples
from tests.one_pass import schedule
from tests.unit.scheduling.builders import (
    MACHINES,
    REGISTRY,
    counts,
    label,
    machine,
    pending,
    pod,
    pool,
    selecting,
    spread,
    term,
)

WEB = {"app": "web"}


def node(
    name: str = "n", cpu: str = "4", *, zone: str = "zone-a", more: Mapping[str, str] | None = None, **fields: Any
) -> SchedulingNode:
    labels = {ZONE: zone, HOSTNAME: name, NODEPOOL: "default", **fields.pop("labels", {})}
    room = amounts({"cpu": cpu, "memory": "64Gi", "pods": "10", **(more or {})})
    return SchedulingNode(name, name, labels, own_labels=labels, capacity=room, available=room, **fields)


def place(
    nodes: Sequence[SchedulingNode],
    *pods: Pod | tuple[Pod, int],
    volumes: Mapping[int, PodVolumes] | None = None,
    types: Any = MACHINES,
    **inputs: Any,
) -> Results:
    """A pass over pods, each alone or with a count, on a cluster of some nodes."""
    counted = [p if isinstance(p, tuple) else (p, 1) for p in pods]
    pools = inputs.pop("pools", [pool()])
    return schedule(
        SchedulerInputs(
            pools=pools,
            types={p.name: types for p in pools},
            batches=[PodBatch(f"b{n}", each, count, uid=f"{n:04d}") for n, (each, count) in enumerate(counted)],
            registry=REGISTRY,
            nodes=nodes,
            volumes=volumes or {},
            **inputs,
        )
    )


def on(result: Results) -> dict[str, int]:
    """How many pods each existing node got."""
    return {name: sum(pods.values()) for name, pods in result.existing.items()}


def test_existing_nodes_come_before_claims():
    """Alike pods fill the nodes one after the other; the rest opens claims."""
    # S-49
    result = place([node("n1", "2"), node("n2", "3")], (pod("1"), 7))
    assert (on(result), counts(result)) == ({"n1": 2, "n2": 3}, [2])


def test_a_small_pod_still_finds_the_gap_on_a_node():
    """What is too large for the node opens a claim; what comes after it tries the node first anyway."""
    # S-49
    result = place([node("n", "1")], pod("2"), pod("1"))
    assert (result.existing, counts(result)) == ({"n": {1: 1}}, [1])


def test_initialized_nodes_come_first_then_names():
    """An uninitialized node is taken only when the others are full."""
    # S-50
    nodes = [node("a", "1", initialized=False), node("c", "1"), node("b", "1")]
    assert on(place(nodes, pod("1"))) == {"b": 1}
    assert on(place(nodes, (pod("1"), 2))) == {"b": 1, "c": 1}
    assert on(place(nodes, (pod("1"), 3))) == {"a": 1, "b": 1, "c": 1}


def test_nodes_are_not_used_without_a_pool_that_takes_part():
    """With only a static NodePool nothing is tried."""
    # S-31
    static = pool(replicas=0)
    result = place([node()], pod("1"), pools=[static])
    assert (on(result), pending(result)) == ({}, 1)
    assert on(place([node()], pod("1"), pools=[static, pool("other")])) == {"n": 1}


def test_nodes_are_used_when_no_pool_can_launch_anything():
    """The pods that fit them schedule, the others do not."""
    # S-55
    result = place([node("n", "1")], (pod("1"), 2), types=[machine("none", 4, available=False)])
    assert (on(result), pending(result)) == ({"n": 1}, 1)


@pytest.mark.parametrize("taint", [Taint("x", NO_SCHEDULE), Taint("soft", PREFER_NO_SCHEDULE)])
def test_every_taint_has_to_be_tolerated(taint: Taint):
    """Also the one that only prefers."""
    # S-58, S-114
    tolerant = pod("1", tolerations=(Toleration(taint.key, "Exists"),))
    assert on(place([node(taints=(taint,))], pod("1"))) == {}
    assert on(place([node(taints=(taint,))], tolerant)) == {"n": 1}


def test_a_soft_taint_yields_where_a_pool_has_one_too():
    """Even a pool that can launch nothing: it takes part anyway."""
    # S-114
    soft = Taint("soft", PREFER_NO_SCHEDULE)
    none = [machine("none", 4, available=False)]
    assert on(place([node(taints=(soft,))], pod("1"), types=none)) == {}
    tainted = pool(taints=[soft])
    assert on(place([node(taints=(soft,))], pod("1"), types=none, pools=[tainted])) == {"n": 1}


def test_an_undefined_label_keeps_a_pod_off_a_node():
    """Even a well-known one, which a claim may leave open."""
    # S-18
    bare = replace(node(), labels={HOSTNAME: "n"})
    result = place([bare], pod("1", node_selector={ZONE: "zone-a"}))
    assert (on(result), counts(result)) == ({}, [1])


def test_keys_become_defined():
    """A pod that asks for the absence of a value lets a pod on that asks for another one."""
    # S-24
    absent, other = term("foo", "NotIn", "x"), term("foo", "In", "y")
    assert on(place([node()], pod("1", required=(other,)))) == {}
    assert on(place([node()], pod("2", required=(absent,)), pod("1", required=(other,)))) == {"n": 2}
    assert on(place([node()], pod("2", required=(absent,)), pod("1", required=(term("foo", "In", "x"),)))) == {"n": 1}


def test_a_node_that_refused_takes_a_pod_once_its_keys_are_defined():
    """A refusal for labels is not forever: the pod is tried again after another has defined the key."""
    # S-24
    late = pod("1", required=(term("foo", "In", "y"), term("nowhere", "Exists")))
    result = place([node()], late, pod("500m", required=(term("foo", "NotIn", "x"),)))
    assert on(result) == {"n": 2}


def test_a_negative_amount_blocks_a_node():
    """Whatever it is of, and whatever the pod asks for."""
    # S-5
    over = replace(node(), available={**node().available, "example.com/licence": -1})
    assert on(place([over], pod("1"))) == {}
    assert on(place([node("n", "0")], pod("0"))) == {"n": 1}


def test_a_request_of_zero_fits_a_node_without_the_resource():
    """Asking for none of what is not there is fine."""
    # S-6
    assert on(place([node()], pod("1", more={"nvidia.com/gpu": "0"}))) == {"n": 1}
    assert on(place([node()], pod("1", more={"nvidia.com/gpu": "1"}))) == {}


def test_room_is_kept_for_daemons():
    """For those that would run and do not yet; never a negative amount for those that nobody expected."""
    # S-61
    daemon, running = pod("1"), amounts({"cpu": "2", "pods": "1"})
    assert on(place([node("n", "2")], (pod("1"), 5), daemons=[daemon])) == {"n": 1}
    assert on(place([node("n", "2", daemon_requests=daemon.requests)], (pod("1"), 5), daemons=[daemon])) == {"n": 2}
    assert on(place([node("n", "2", daemon_requests=running)], (pod("1"), 5), daemons=[daemon])) == {"n": 2}


@pytest.mark.parametrize("key", ["team", ZONE])
def test_no_room_is_kept_for_a_daemon_that_needs_a_missing_label(key: str):
    """Well-known or not: it does not run there."""
    # S-62
    bare = replace(node("n", "2"), labels={HOSTNAME: "n"})
    assert on(place([bare], (pod("1"), 5), daemons=[pod("1", node_selector={key: "zone-a"})])) == {"n": 2}


def test_no_room_is_kept_for_a_daemon_that_does_not_tolerate_the_node():
    """A taint keeps it off, except one that only prefers."""
    # S-61
    tolerant = pod("1", tolerations=(Toleration(operator="Exists"),))
    for taint, left in ((Taint("x", NO_SCHEDULE), 2), (Taint("x", PREFER_NO_SCHEDULE), 1)):
        assert on(place([node("n", "2", taints=(taint,))], (tolerant, 5), daemons=[pod("1")])) == {"n": left}


def port(ip: str = "0.0.0.0", number: int = 80) -> frozenset[HostPort]:  # noqa: S104 - a fact, no socket
    return frozenset((HostPort(ip, number, "TCP"),))


def test_one_host_port_a_node():
    """Pods with one port spread over nodes; a port in use keeps them off."""
    # S-63
    nodes = [node("a"), node("b"), node("c", ports=port())]
    assert on(place(nodes, (pod("1", host_ports=port()), 5))) == {"a": 1, "b": 1}


def test_host_addresses_are_told_apart():
    """Two addresses share a port; the one for all conflicts with both."""
    # S-63
    mine, yours = pod("1", host_ports=port("10.0.0.1")), pod("1", host_ports=port("10.0.0.2"))
    assert on(place([node()], mine, yours)) == {"n": 2}
    assert on(place([node()], mine, yours, pod("1", host_ports=port()))) == {"n": 2}


def attached(*claims: str, **fields: Any) -> PodVolumes:
    return PodVolumes(attached=frozenset(("disks", c) for c in claims), **fields)


def test_attach_limits():
    """A node takes as many volumes as its driver allows; a shared one counts once."""
    # S-64, S-65
    limited = node(attach_limits={"disks": 2}, attached=attached("old").attached)
    pods = [pod("1"), pod("1"), pod("1")]
    own = {0: attached("a"), 1: attached("b"), 2: attached("c")}
    assert on(place([limited], *pods, volumes=own)) == {"n": 1}
    assert on(place([limited], *pods, volumes=dict.fromkeys(range(3), attached("a")))) == {"n": 3}
    assert on(place([limited], (pod("1"), 3), volumes={0: attached("a", "old")})) == {"n": 3}


@examples(2)
@given(st.integers(0, 6), st.integers(0, 3), st.integers(1, 5), st.booleans())
def test_pods_with_volumes_of_their_own_are_counted_one_by_one(limit: int, each: int, pods: int, shares: bool):
    """A batch whose pods each have claims goes where single pods with these claims by name go."""
    # S-64, S-65
    limited = node(attach_limits={"disks": limit})
    shared = ("shared",) * shares
    named = {n: attached(*shared, *(f"{n}-{volume}" for volume in range(each))) for n in range(pods)}
    together = {0: attached(*shared, own=(("disks", each),) if each else ())}
    one_by_one = sum(place([limited], *[pod("1")] * pods, volumes=named).existing.get("n", {}).values())
    assert sum(place([limited], (pod("1"), pods), volumes=together).existing.get("n", {}).values()) == one_by_one


def test_a_node_over_its_attach_limit_takes_no_pod_at_all():
    """Even one without volumes; exactly at the limit is fine."""
    # S-64
    held = attached("a", "b").attached
    assert on(place([node(attach_limits={"disks": 1}, attached=held)], pod("1"))) == {}
    assert on(place([node(attach_limits={"disks": 2}, attached=held)], pod("1"))) == {"n": 1}


def test_a_pod_whose_driver_is_unknown_goes_to_no_node():
    """Nobody knows whether its volume may be attached."""
    assert on(place([node()], pod("1"), volumes={0: attached(attachable=False)})) == {}


def zone(*values: str) -> Requirements:
    return Requirements([label(ZONE, *values)])


def test_a_volume_in_another_zone_keeps_a_pod_off():
    """The alternatives are tried in order, on each node."""
    # S-115, S-116
    nodes = [node("a"), node("b", zone="zone-b")]
    assert on(place(nodes, pod("1"), volumes={0: PodVolumes((zone("zone-b"),))})) == {"b": 1}
    assert on(place(nodes, pod("1"), volumes={0: PodVolumes((zone("zone-b"), zone("zone-a")))})) == {"a": 1}


def test_a_volume_on_a_host_keeps_its_pods_there():
    """A volume's hostname is compared with the node's."""
    # S-116
    on_host = PodVolumes((Requirements([Requirement(HOSTNAME, False, frozenset(("b",)))]),))
    assert on(place([node("a"), node("b")], (pod("1"), 2), volumes={0: on_host})) == {"b": 2}


def test_a_volume_problem_leaves_a_pod_out_unless_its_node_goes():
    """A pending pod is ignored; one that is placed again is tried."""
    # S-66, S-118
    volumes = {0: PodVolumes(problem="lost")}
    assert place([node()], pod("1"), volumes=volumes).ignored == {0: "lost"}
    assert on(place([node()], pod("1"), volumes=volumes, moving=frozenset((0,)))) == {"n": 1}


def test_a_node_being_removed_takes_no_pod():
    """Nor does it use any of the NodePool's limits."""
    # S-66, S-69
    assert on(place([node(removed=True)], pod("1"))) == {}
    limited = pool(limits={"nodes": 1})
    assert counts(place([node("n", "0", removed=True)], pod("1"), pools=[limited])) == [1]
    assert counts(place([node("n", "0")], pod("1"), pools=[limited])) == []


@pytest.mark.parametrize(("limit", "claims"), [(12, 1), (4, 0), (3, 0)])
def test_nodes_use_up_the_limits_of_their_pool(limit: int, claims: int):  # K-102
    """A node of 4 cpus is taken off; at and above the limit nothing is launched."""
    # S-67, S-68
    full = replace(node(), available=amounts({"cpu": "0", "pods": "10"}))
    assert len(place([full], pod("1"), pools=[pool(limits={"cpu": limit})]).claims) == claims


@pytest.mark.parametrize(("nodes", "claims"), [(1, 2), (2, 0), (3, 0)])
def test_the_limit_on_nodes(nodes: int, claims: int):
    """One node left allows two claims of one pass; none left, or fewer than none, blocks."""
    # S-69
    full = [replace(node(f"n{i}"), available=amounts({"cpu": "0", "pods": "10"})) for i in range(nodes)]
    result = place(full, (pod("8"), 2), pools=[pool(limits={"nodes": 2})])
    assert len(result.claims) == claims


def web(*constraints: Any, **fields: Any) -> Pod:
    return pod(labels=WEB, spread=constraints, **fields)


def test_running_pods_count_for_spread():
    """Three running in one zone: new ones go to the other zones, and to nodes there first."""
    # S-86
    nodes = [node("a", "8"), node("b", "8", zone="zone-b")]
    bound = [TopologyPods(web(), "a")] * 3
    result = place(nodes, (web(spread()), 3), bound=bound)
    assert on(result) == {"b": 2}
    assert counts(result) == [1]


def test_every_pod_of_a_batch_counts_for_the_rules_of_others():
    """Three pods put on a node at once are three in its zone."""
    # S-86
    nodes = [node("a", "8"), node("b", zone="zone-b")]
    result = place(nodes, (web(cpu="2"), 3), web(spread(max_skew=2)))
    assert result.existing == {"a": {0: 3}, "b": {1: 1}}


def test_a_pod_about_to_go_counts_in_no_domain_and_still_repels():
    """Spread does not see it; its anti-affinity holds until it is removed."""
    # S-99, S-104
    apart = (PodTerm(ZONE, selecting(app="web")),)
    going = TopologyPods(web(anti_affinity=apart), "a", counted=False)
    assert on(place([node("a")], (web(spread(HOSTNAME)), 1), bound=[replace(going, pod=web())])) == {"a": 1}
    assert on(place([node("a")], web(), bound=[going])) == {}


def test_one_pod_a_host():
    """Hostname spread and anti-affinity look at what stands on each node."""
    # S-91, S-103
    nodes, bound = [node("a"), node("b"), node("c")], [TopologyPods(web(), "b")]
    apart = pod(labels=WEB, anti_affinity=(PodTerm(HOSTNAME, selecting(app="web")),))
    for each in (web(spread(HOSTNAME)), apart):
        result = place(nodes, (each, 4), bound=bound)
        assert on(result) == {"a": 1, "c": 1}
        assert counts(result) == [1, 1]


def test_affinity_to_a_running_pod():
    """Only the host with a counted pod is joined; without it the first pod may start only if it selects itself."""
    # S-100, S-101
    near = pod(labels={"app": "client"}, affinity=(PodTerm(HOSTNAME, selecting(app="web")),))
    result = place([node("a"), node("b", "2")], (near, 3), bound=[TopologyPods(web(), "b")])
    assert (on(result), pending(result)) == ({"b": 2}, 1)
    alone = place([node("a", "2"), node("b", "2")], (replace(near, labels=web().labels), 3))
    assert (on(alone), pending(alone)) == ({"a": 2}, 1)


def test_affinity_follows_pods_of_the_same_pass():
    """Pods placed on a node before are joined there."""
    # S-100
    near = pod("500m", labels={"app": "client"}, affinity=(PodTerm(HOSTNAME, selecting(app="web")),))
    result = place([node("a", "1"), node("b", "4")], web(cpu="2"), (near, 2))
    assert result.existing == {"b": {0: 1, 1: 2}}


def test_a_rule_on_a_label_that_a_node_lacks_keeps_pods_off_it():
    """A chosen domain is a label that the node has to have."""
    # S-93
    racks = [node("a"), node("b", labels={"rack": "r1"})]
    result = place(racks, (web(spread("rack", max_skew=5)), 2))
    assert (on(result), pending(result)) == ({"b": 2}, 0)


def test_a_preference_is_given_up_for_a_node():
    """No node meets it, and no machine: the pod ends on the first node without it."""
    # S-112
    choosy = pod("1", preferred=(Preference(1, term("nowhere", "Exists")),))
    assert on(place([node()], (choosy, 2))) == {"n": 2}


def test_a_pod_that_moves_with_lost_volumes_is_tried_without_its_own_rules():
    """They are made known only when it has failed once."""
    moved = web(spread(HOSTNAME))
    inputs = {"bound": [TopologyPods(web(), "a")], "moving": frozenset((0,))}
    assert on(place([node("a"), node("b")], moved, **inputs)) == {"b": 1}
    assert on(place([node("a"), node("b")], moved, volumes={0: PodVolumes(resolved=False)}, **inputs)) == {"a": 1}


@st.composite
def clusters(draw: st.DrawFn) -> tuple[list[SchedulingNode], list[tuple[Pod, int]]]:
    names = draw(st.permutations("abcd"))
    nodes = [
        node(
            name,
            str(draw(st.integers(0, 5))),
            zone=draw(st.sampled_from(["zone-a", "zone-b"])),
            initialized=draw(st.booleans()),
            ports=draw(st.sampled_from([frozenset(), port()])),
            taints=draw(st.sampled_from([(), (Taint("x", NO_SCHEDULE),)])),
        )
        for name in names
    ]
    kinds = st.builds(
        pod,
        st.sampled_from(["500m", "1", "2"]),
        host_ports=st.sampled_from([frozenset(), port()]),
        node_selector=st.sampled_from([{}, {ZONE: "zone-a"}, {ZONE: "zone-b"}]),
        required=st.sampled_from(
            [None, (term("foo", "NotIn", "x"),), (term("foo", "In", "y"),), (term("foo", "DoesNotExist"),)]
        ),
        tolerations=st.sampled_from([(), (Toleration("x", "Exists"),)]),
    )
    return nodes, draw(st.lists(st.tuples(kinds, st.integers(1, 6)), min_size=1, max_size=4))


@examples(0.6)
@given(clusters())
def test_many_alike_pods_are_placed_as_one_by_one(cluster: tuple[list[SchedulingNode], list[tuple[Pod, int]]]):
    """A batch with a count ends as that many batches of one pod do."""
    nodes, batches = cluster
    singles = [each for each, count in batches for _ in range(count)]
    of = [n for n, (_, count) in enumerate(batches) for _ in range(count)]
    together, apart = place(nodes, *batches), place(nodes, *singles)
    counted: dict[str, dict[int, int]] = {}
    for name, pods in apart.existing.items():
        counted[name] = {n: sum(c for b, c in pods.items() if of[b] == n) for n in {of[b] for b in pods}}
    assert together.existing == counted
    assert counts(together) == counts(apart)
    assert pending(together) == pending(apart)
