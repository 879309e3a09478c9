"""Launched nodes that no pod that waits has room on are counted, and listed again for pods that may fit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.planning.full_nodes import SoughtRoom, listed
from cutlist.planning.launched_nodes import Launcher
from cutlist.planning.pass_inputs import pass_inputs
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.workloads.pods import Pod
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool

SMALL = f"[{ON_DEMAND}, {TYPES.format('r5.large, c5.xlarge')}]"
# Each claim counts with the cores of one type and the memory of the other, so limits bind before they are used up.
LIMITED = pool(requirements=SMALL, spec="limits: {cpu: 300, memory: 600Gi}")


def left(*documents: str) -> SchedulerInputs:
    """Return the inputs of a pass over the cluster that passes leave."""
    return pass_inputs(inputs_of(*documents)).run().controller.inputs


def test_a_plan_with_counted_nodes_is_that_of_nodes_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a pass leaves, the next ones decide the same."""
    documents = LIMITED, deployment(replicas=900), deployment("other", replicas=300, cpu="300m")
    counted = plan_of(*documents)
    monkeypatch.setattr("cutlist.planning.passes.counts_full_nodes", lambda *_: False)
    assert counted.passes > 2
    assert plan_of(*documents) == counted


def test_nodes_that_are_full_are_not_launched_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred times as many nodes give further passes hardly more to look at."""
    launched, launch = [], Launcher.launch
    monkeypatch.setattr(Launcher, "launch", lambda *given: launched.append(given) or launch(*given))
    many = pool(requirements=SMALL, spec="limits: {cpu: 30k, memory: 60Ti}")
    planned = plan_of(many, deployment(replicas=200_000))
    assert planned.totals.nodes > 5_000
    assert len(launched) < 100


def test_full_nodes_are_listed_again_for_pods_that_may_fit() -> None:
    """They have the names, the places and the pods that they have where all are listed."""
    after = left(LIMITED, deployment(replicas=900))
    assert after.full
    assert not listed(after).nodes[len(after.nodes) :]
    tiny = replace(
        after, batches=[replace(after.batches[0], pod=Pod(requests=after.batches[0].pod.requests | {"cpu": 1}), count=1)]
    )
    opened = listed(tiny)
    assert not opened.full
    assert len(opened.nodes) == after.node_count == opened.node_count
    names = [node.name for node in opened.nodes]
    assert names == sorted(names)
    assert {bound.node for bound in opened.bound} == set(names)


def test_full_nodes_are_listed_again_for_pods_with_rules() -> None:
    """Rules about other pods count what is on full nodes too."""
    after = left(LIMITED, deployment(replicas=900))
    repelling = left(LIMITED, deployment(replicas=900, extra=_APART))
    changed = replace(after, batches=[replace(after.batches[0], pod=repelling.batches[0].pod)])
    assert len(listed(changed).nodes) == after.node_count


_APART = (
    "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
    "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}"
)


def test_pods_with_rules_have_every_node_listed() -> None:
    """Each node is a domain of their rule."""
    assert not left(LIMITED, deployment(replicas=900), deployment("apart", extra=_APART)).full


@pytest.mark.parametrize(
    ("free", "fits"),
    [({"cpu": 3, "memory": 1}, True), ({"cpu": 1, "memory": 9}, True), ({"cpu": 2, "memory": 0}, False), ({"cpu": 9}, False)],
)
def test_room_has_to_be_that_of_one_of_the_pods(free: dict[str, int], fits: bool) -> None:
    """Free amounts are compared with each different set of requests."""
    waiting = [Pod(requests={"cpu": 3, "memory": 1}), Pod(requests={"cpu": 1, "memory": 5, "example.com/gpu": 0})]
    assert SoughtRoom(waiting).fits(free) is fits
    assert not SoughtRoom([]).fits(free)
