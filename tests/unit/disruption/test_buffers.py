"""CapacityBuffers in disruption: their virtual pods take room, keep nodes from being empty, and never run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.methods import Method
from cutlist.disruption.simulation import Simulator
from cutlist.disruption.trajectory import TrajectoryEnd, until_stable
from cutlist.scheduling.queue import PodBatch
from tests.unit.disruption.builders import LARGE, MEDIUM, cluster, command, launched, names, node, outcome_of, runs
from tests.unit.scheduling.builders import pod


def buffer(cpu: str, count: int = 1) -> PodBatch:
    return PodBatch("capacity-buffer-spare", pod(cpu, "128Mi"), count=count, created=float("inf"), uid="spare-1", virtual=True)


def with_buffer(cpu: str, count: int = 1) -> ClusterState:
    """Return a node with a small pod, and a larger one with room for it, of which a buffer takes some."""
    nodes = node("from", runs("small", "500m"), of=MEDIUM), node("to", runs("large", "5"), of=LARGE)
    return cluster(*nodes, buffers=[buffer(cpu, count)])


@pytest.mark.parametrize(("cpu", "types"), [("2", []), ("2700m", [["small"]])])
def test_virtual_pods_take_room_from_pods_that_move(cpu, types):
    """With the buffer beside it the pod no longer fits on the other node: its node is replaced, not deleted."""
    # S-124
    assert launched(command(Method.SINGLE, with_buffer(cpu))) == types


def test_nodes_that_hold_virtual_pods_are_known_and_not_nominated():
    """A simulation counts virtual pods apart from those that move."""
    of = with_buffer("1")
    simulation = Simulator(of).without([of.nodes[0]], resting=False)
    assert (simulation.moved, simulation.buffered) == ({"to": 1}, {"to": 1})


def test_a_buffer_gets_a_node_of_its_own_which_then_is_not_empty():
    """Its pods never run: the trajectory ends, and the node stays, without a pod."""
    end = until_stable(with_buffer("2", count=2))
    (new,) = (each for each in end.cluster.nodes if each.name.startswith("new"))
    assert (end.end, new.pods, end.cluster.controller_memory.buffered.get(new.name)) == (TrajectoryEnd.STABLE, (), 1)
    assert not any(each.name.startswith("capacity-buffer") for n in end.cluster.nodes for each in n.pods)
    forgotten = replace(end.cluster, controller_memory=replace(end.cluster.controller_memory, buffered={}))
    assert new.name in names(outcome_of(Method.EMPTINESS, forgotten).candidates)
    assert not outcome_of(Method.EMPTINESS, end.cluster).candidates
