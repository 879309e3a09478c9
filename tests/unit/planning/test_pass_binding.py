"""Pods that two controllers place in the same pass get one node each."""

from __future__ import annotations

from collections.abc import Mapping

from cutlist.planning.pass_cluster import PassCluster
from cutlist.planning.passes import bound_once
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import Results
from cutlist.workloads.pods import Pod

WEB, DB, ROOM, SPARE = range(4)
POD = Pod()


def cluster() -> PassCluster:
    """Three pods of each of two workloads, and of two CapacityBuffers one and four."""
    batches = [PodBatch("web", POD, 3), PodBatch("db", POD, 3), PodBatch("room", POD, 1, virtual=True)]
    batches.append(PodBatch("spare", POD, 4, virtual=True))
    return PassCluster(SchedulerInputs((), {}, batches))


def kept(*placed: Mapping[str, Mapping[int, int]]) -> list[Mapping[str, Mapping[int, int]]]:
    """Return what stays of the pods that each controller puts on existing nodes."""
    once, _ = bound_once([Results((), (), existing=existing) for existing in placed], cluster())
    return [results.existing for results in once]


def test_a_pod_that_both_place_is_bound_to_the_first_ones_node() -> None:
    """The other node keeps its room for the next pass."""
    assert kept({"a": {WEB: 3}}, {"b": {WEB: 3, DB: 1}}) == [{"a": {WEB: 3}}, {"b": {DB: 1}}]


def test_the_second_controllers_pods_wait_where_the_first_fills_the_node() -> None:
    """It does not know how much room is left."""
    assert kept({"a": {WEB: 1}}, {"a": {DB: 1}}) == [{"a": {WEB: 1}}, {}]


def test_virtual_pods_keep_no_real_ones_waiting() -> None:
    """They are on the node in every pass, so pods that waited for them would wait forever."""
    assert kept({"a": {ROOM: 1}}, {"a": {ROOM: 1, WEB: 1}}) == [{"a": {ROOM: 1}}, {"a": {WEB: 1}}]


def test_virtual_pods_are_kept_on_one_of_the_nodes_that_both_use() -> None:
    """Room is kept once."""
    assert kept({"a": {ROOM: 1}}, {"a": {ROOM: 1}}) == [{"a": {ROOM: 1}}, {}]


def test_what_the_first_controller_has_no_room_for_the_second_keeps() -> None:
    """The virtual pods of both together are no more than there are."""
    assert kept({"a": {SPARE: 2}}, {"a": {SPARE: 1}, "b": {SPARE: 3}}) == [{"a": {SPARE: 2}}, {"b": {SPARE: 2}}]
