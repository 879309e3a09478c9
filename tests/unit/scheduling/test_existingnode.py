"""The nodes of a cluster, filed by what scheduling needs of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.bits import bits
from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.core.quantity import NANO, amounts
from cutlist.core.requirements import Requirements
from cutlist.core.taints import NO_SCHEDULE, Taint, Toleration
from cutlist.scheduling.existingnode import ExistingNodeIndex
from cutlist.scheduling.node_terms import NodeTerms
from cutlist.scheduling.requirement_space import EMPTY, RequirementSpace
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pods import Pod
from tests.unit.scheduling.builders import REGISTRY, label, pod

TAINT = Taint("dedicated", NO_SCHEDULE)
CPU = ("cpu",)


def node(name: str, cpu: str = "4", *, zone: str = "zone-a", **fields) -> SchedulingNode:
    labels = {ZONE: zone, HOSTNAME: name}
    room = amounts({"cpu": cpu})
    return SchedulingNode(name, name, labels, own_labels=labels, **{"capacity": room, "available": room, **fields})


def indexed(*nodes: SchedulingNode, keys: frozenset[str] = frozenset(), daemons: Sequence[Pod] = ()) -> ExistingNodeIndex:
    space = RequirementSpace(REGISTRY.well_known)
    return ExistingNodeIndex(nodes, NodeTerms(CPU, {(NANO,)}, keys, daemons, REGISTRY), space)


def names(of: ExistingNodeIndex, mask: int) -> list[str]:
    return [of.nodes[i].name for i in bits(mask)]


def everything(of: ExistingNodeIndex) -> int:
    return (1 << len(of.nodes)) - 1


def test_nodes_are_tried_by_readiness_and_name():
    """Those that are initialized first."""
    # S-50
    index = indexed(node("c"), node("a", initialized=False), node("b"))
    assert [n.name for n in index.nodes] == ["b", "c", "a"]


def test_nodes_that_go_or_are_not_taken_up_are_not_indexed():
    """No pods are put on them."""
    assert [n.name for n in indexed(node("a"), node("b", removed=True), node("c", tracked=False)).nodes] == ["a"]


@pytest.mark.parametrize(
    "over",
    [
        {"available": {"cpu": -NANO}},
        {"available": {"cpu": NANO, "example.com/gpu": -1}},
        {"attach_limits": {"ebs": 1}, "attached": frozenset({("ebs", "one"), ("ebs", "two")})},
    ],
    ids=["cpu", "something nobody asks for", "volumes"],
)
def test_nodes_that_are_over_committed_take_nothing(over):
    """In whatever it is."""
    # S-5, S-64
    index = indexed(node("a"), node("b", **over))
    assert names(index, index.usable_without(())) == ["a"]


def test_nodes_may_be_left_out_by_name():
    """One that is not there is no matter."""
    index = indexed(node("a"), node("b"), node("c"))
    assert names(index, index.usable_without({"b", "without_rule-of"})) == ["a", "c"]
    assert names(index, index.usable_without(())) == ["a", "b", "c"]


def test_nodes_that_rest_are_known():
    """As a mask of their own."""
    index = indexed(node("a"), node("b", resting=True))
    assert names(index, index.resting) == ["b"]


def test_taints_are_asked_once_for_each_kind():
    """Nodes without taints take everything."""
    index = indexed(node("a"), node("b", taints=(TAINT,)), node("c", taints=(TAINT, Taint("other", NO_SCHEDULE))))
    assert names(index, index.tolerating(())) == ["a"]
    assert names(index, index.tolerating((Toleration("dedicated", "Exists"),))) == ["a", "b"]
    assert names(index, index.tolerating((Toleration(operator="Exists"),))) == ["a", "b", "c"]


def test_nodes_with_the_same_labels_share_a_set():
    """As far as anybody asks for these."""
    index = indexed(node("a"), node("b"), node("c", zone="zone-b"), keys=frozenset({ZONE}))
    assert sorted(sorted(names(index, mask)) for mask in index.by_set.values()) == [["a", "b"], ["c"]]
    assert [names(index, mask) for mask in indexed(node("a"), node("b", zone="zone-b")).by_set.values()] == [["a", "b"]]


def test_labels_that_a_node_has_not_stay_unknown():
    """An incoming set that asks for one is refused, one that forbids it is not."""
    # S-18
    index = indexed(node("a"), keys=frozenset({ZONE}))
    (held,) = index.by_set
    own_zone, other_zone = (index.space.number(Requirements([label(ZONE, zone)])) for zone in ("zone-a", "zone-b"))
    assert index.meet(held, EMPTY) == held
    assert index.meet(held, own_zone) is not None
    assert index.meet(held, other_zone) is None
    assert index.meet(held, index.space.number(Requirements([label("disk", "ssd")]))) is None


def test_room_is_kept_for_daemons_that_are_to_come():
    """What those that run there already ask for is not kept twice."""
    # S-61
    daemon = pod("1", "0", more={"memory": "0"})
    with_daemon = node("b", available=amounts({"cpu": "3"}), daemon_requests=amounts({"cpu": "1"}))
    index = indexed(node("a"), with_daemon, node("c", taints=(TAINT,)), daemons=[daemon])
    assert {n.name: n.free[0] // NANO for n in index.nodes} == {"a": 3, "b": 3, "c": 4}


def attaching(limits: Mapping[str, int], *attached: str) -> SchedulingNode:
    return node("a", attach_limits=limits, attached=frozenset(("ebs", v) for v in attached))


def test_volumes_are_counted_by_driver():
    """One that already exists is not a further one; a driver without a limit attaches any number."""
    # S-64, S-65
    (held,) = indexed(attaching({"ebs": 2}, "one")).nodes
    assert held.may_attach(frozenset({("ebs", "one"), ("ebs", "two")}))
    assert not held.may_attach(frozenset({("ebs", "two"), ("ebs", "three")}))
    assert held.may_attach(frozenset(("nfs", str(i)) for i in range(9)))
    assert indexed(attaching({})).nodes[0].may_attach(frozenset(("ebs", str(i)) for i in range(9)))


NODES = st.lists(
    st.builds(
        lambda name, zone, taints, removed, ready: node(name, zone=zone, taints=taints, removed=removed, initialized=ready),
        st.sampled_from("abcdefgh"),
        st.sampled_from(["zone-a", "zone-b"]),
        st.sampled_from([(), (TAINT,)]),
        st.booleans(),
        st.booleans(),
    ),
    unique_by=lambda n: n.name,
    max_size=8,
)


@given(NODES, st.sets(st.sampled_from("abcdefgh")), st.randoms())
def test_every_node_is_filed_once_in_every_way(nodes, excluded, random):
    """By its labels and its name; the order in which nodes are given does not matter."""
    index = indexed(*nodes, keys=frozenset({ZONE}))
    for filed in (index.by_set, index.by_host):
        masks = list(filed.values())
        assert sum(masks) == everything(index) == sum({*masks}) if masks else not index.nodes
    shuffled = list(nodes)
    random.shuffle(shuffled)
    assert [n.name for n in indexed(*shuffled).nodes] == [n.name for n in index.nodes]
    assert set(names(index, index.usable_without(excluded))) == {n.name for n in nodes if not n.removed} - excluded


@given(NODES, st.integers(0, 8))
def test_nodes_that_are_added_later_are_filed_as_if_they_had_been_there(nodes, first):
    """In their place among the others, with pods that were put on them in between."""
    grown, rebuilt = indexed(*nodes[:first], keys=frozenset({ZONE})), indexed(*nodes, keys=frozenset({ZONE}))
    for index in (grown, rebuilt):
        index.tolerating(())
        assert index.by_host or not index.nodes
    grown.add(nodes[first:])
    assert filed(grown) == filed(rebuilt)
    in_pass = [n for n in nodes if n.in_pass]
    for n in in_pass:
        grown.replace(replace(n, available=amounts({"cpu": "-1"})))
    assert grown.usable_without(()) == 0
    assert not grown.room.candidates((NANO,))
    for n in in_pass:
        grown.replace(n)
    assert filed(grown) == filed(rebuilt)


def filed(index: ExistingNodeIndex) -> list[object]:
    """Everything that is known about the nodes of an index, by name."""
    return [
        [(n.name, n.free, n.taints) for n in index.nodes],
        {index.space.sets[labels]: mask for labels, mask in index.by_set.items()},
        dict(index.by_host),
        index.usable_without(()),
        index.resting,
        [index.tolerating(tolerations) for tolerations in ((), (Toleration("dedicated", "Exists"),))],
        index.room.candidates((NANO,)),
    ]
