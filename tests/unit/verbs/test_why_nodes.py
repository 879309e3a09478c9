"""What state a node is in, and what its removal waits for."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.why.answer import why
from cutlist.verbs.why.reason import Why
from tests.sample import POOLS, SNAPSHOT

SAMPLE = list(yaml.safe_load_all(SNAPSHOT.read_text()))
NODE, CLAIM = "ip-10-0-1-12", "general-1x12"
DELETED = {"deletionTimestamp": "2026-01-05T11:30:00Z"}
Change = Callable[[dict[str, dict[str, Any]]], None]


def asked(folder: Path, change: Change, **settings: Any) -> Why:
    """Return the answer for a node with one pod, shop/checkout-4, after a change of the cluster's objects, by their names."""
    objects = copy.deepcopy(SAMPLE)
    change({o["metadata"]["name"]: o for o in objects})
    (folder / "cluster.yaml").write_text(yaml.safe_dump_all(objects))
    return why(read_inputs([str(POOLS), str(folder / "cluster.yaml")], region="us-west-2", **settings), NODE)


def removed(objects: dict[str, dict[str, Any]], **claim: Any) -> None:
    """Remove the node."""
    objects[NODE]["metadata"] |= DELETED
    objects[CLAIM]["metadata"] |= {**DELETED, **claim}


def protected(objects: dict[str, dict[str, Any]]) -> None:
    removed(objects)
    objects["checkout-4"]["metadata"]["annotations"] = {"karpenter.sh/do-not-disrupt": "true"}


def in_time(objects: dict[str, dict[str, Any]]) -> None:
    protected(objects)
    terminated = {"karpenter.sh/nodeclaim-termination-timestamp": "2026-01-05T12:30:00Z"}
    objects[CLAIM]["metadata"]["annotations"] = terminated


def tolerant(objects: dict[str, dict[str, Any]]) -> None:
    protected(objects)
    objects["checkout-4"]["spec"]["tolerations"] = [{"operator": "Exists"}]


def ending(objects: dict[str, dict[str, Any]]) -> None:
    removed(objects)
    objects["checkout-4"]["metadata"]["deletionTimestamp"] = "2026-01-05T11:40:20Z"


@pytest.mark.parametrize(
    ("change", "fate"),
    [
        (removed, "is being removed already"),
        (
            protected,
            'is being removed already, and its drain waits without a time limit: Pod has "karpenter.sh/do-not-disrupt" '
            "annotation (Pod=shop/checkout-4); terminationGracePeriod would be one",
        ),
        (
            in_time,
            "is being removed already, and its drain waits until 2026-01-05T12:30:00Z at the latest: Pod has "
            '"karpenter.sh/do-not-disrupt" annotation (Pod=shop/checkout-4)',
        ),
        (tolerant, "is being removed already"),
        (ending, "is being removed already, and waits for shop/checkout-4 to end"),
    ],
)
def test_a_node_that_is_being_removed_says_what_its_drain_waits_for(tmp_path: Path, change: Change, fate: str) -> None:
    """Pods that tolerate the taint of disrupted nodes are not drained (spec: disruption 9.2)."""
    assert asked(tmp_path, change).sentence == f"{NODE} {fate}"


def cordoned(objects: dict[str, dict[str, Any]]) -> None:
    objects[NODE]["spec"]["unschedulable"] = True


def unready(objects: dict[str, dict[str, Any]]) -> None:
    objects[NODE]["status"]["conditions"][0] |= {"status": "Unknown", "reason": "NodeStatusUnknown"}


def starting(objects: dict[str, dict[str, Any]]) -> None:
    taint = {"key": "node.cilium.io/agent-not-ready", "effect": "NoExecute"}
    objects[CLAIM]["spec"]["startupTaints"] = objects[NODE]["spec"]["taints"] = [taint]
    objects[CLAIM]["status"]["allocatable"]["nvidia.com/gpu"] = "1"
    del objects[NODE]["metadata"]["labels"]["karpenter.sh/initialized"]


def waiting_for_devices(objects: dict[str, dict[str, Any]]) -> None:
    objects[CLAIM]["metadata"].setdefault("annotations", {})["karpenter.sh/requested-dra-drivers"] = "gpu.nvidia.com"
    del objects[NODE]["metadata"]["labels"]["karpenter.sh/initialized"]


@pytest.mark.parametrize(
    ("dra", "states"),
    [(True, ["not initialized: gpu.nvidia.com has not published its devices"]), (False, ["not initialized"])],
)
def test_a_node_waits_for_the_devices_that_it_was_made_for(tmp_path: Path, dra: bool, states: list[str]) -> None:
    """With the option at its default, slices do not matter."""
    answer = asked(tmp_path, waiting_for_devices, dra=dra)
    assert [fact.text for fact in answer.facts if fact.title == "state"] == states


@pytest.mark.parametrize(
    ("change", "states"),
    [
        (lambda _: None, []),
        (cordoned, ["cordoned: it takes no further pods"]),
        (unready, ["not Ready since 2026-01-05 08:01:00Z (NodeStatusUnknown)"]),
        (
            starting,
            ["not initialized: node.cilium.io/agent-not-ready:NoExecute is still there and it does not report nvidia.com/gpu"],
        ),
    ],
)
def test_a_node_that_is_not_ready_for_pods_says_what_it_lacks(tmp_path: Path, change: Change, states: list[str]) -> None:
    """One that is says nothing of it."""
    assert [fact.text for fact in asked(tmp_path, change).facts if fact.title == "state"] == states


@pytest.mark.parametrize(
    ("node", "said"), [(NODE, "1 pod, at a disruption cost of 2.0"), ("ip-10-0-1-11", "4 pods"), ("ip-10-0-2-21", "1 pod")]
)
def test_only_a_node_that_may_go_has_a_cost(node: str, said: str) -> None:
    """A blocked node has none, which is not 0: an empty one has 1."""
    answer = why(read_inputs([str(POOLS), str(SNAPSHOT)], region="us-west-2"), node)
    assert {fact.title: fact.text for fact in answer.facts}["would move"] == said
