"""R5, Node Auto Provisioning on AKS: the pool and the size that each pod gets, what is taken away, the objects converted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import yaml

from cutlist import AKSNodeClass
from cutlist.api.convert import convert
from cutlist.catalog.embedded import load_location
from cutlist.core.errors import InputError
from cutlist.core.instants import instant
from cutlist.core.labels import AZURE
from cutlist.core.quantity import NANO, amounts, nanos
from cutlist.core.requirements import Requirements
from cutlist.disruption.methods import Method
from cutlist.documents.collecting import read_documents
from cutlist.planning.figures import Figures
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan, PlannedNode
from cutlist.planning.pool_types import node_classes_by_pool
from cutlist.planning.read_inputs import read_inputs
from cutlist.providers.azure.built_in import built_in_class
from cutlist.providers.azure.launch import choices
from cutlist.verbs.disrupt.answer import disrupt
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.types.answer import types
from tests.seeds.aks import R5, facts, inputs_of, node_labels, running


def written_by_people(manifest):
    """An object without what a cluster writes into its metadata."""
    return {**manifest, "metadata": {"name": manifest["metadata"]["name"]}}


# K-70 K-73 K-97 K-129 Z-15 Z-22
def test_pools_and_classes_of_azure_become_the_expected_objects():
    """References by name alone mean the AKSNodeClass of the input."""
    step = R5.step("6-conversion")
    found = convert(read_documents([R5.folder / file for file in step["inputs"]]))
    made = [written_by_people(one) for converted in found.converted for one in converted.objects]
    expected = [yaml.safe_load((R5.folder / file).read_text()) for file in step["expect"]["files"]]

    def by_name(one):
        return one["kind"], one["metadata"]["name"]

    assert sorted(made, key=by_name) == sorted(expected, key=by_name)


OWN = "karpenter.azure.com/"
GONE = {f"{OWN}zone", f"{OWN}sku-encryptionathost-capable"}
"""Labels of 2024 that 1.14 does not write any longer."""


def the_node(made: Plan) -> PlannedNode:
    assert made.pending == ()
    (node,) = made.nodes
    return node


def reported(node: PlannedNode) -> dict[str, Any]:
    """The node in the words of expected.json."""
    return {
        "nodePool": node.node_pool,
        "instanceType": node.instance_type,
        "capacityType": node.capacity_type,
        "count": node.count,
        "zones": list(node.zones),
        "pods": node.pods_each,
    }


def labels_of(inputs: PlanInputs, node: PlannedNode) -> dict[str, str]:
    """The labels that the node will have."""
    pool = next(p for p in inputs.node_pools if p.name == node.node_pool)
    node_class = node_classes_by_pool([pool], inputs.node_classes)[pool.name]
    assert isinstance(node_class, AKSNodeClass)
    wanted = Requirements.of_expressions(node.requirements, AZURE)
    names = {candidate.instance_type for candidate in node.candidates}
    choice = choices((t for t in inputs.cloud.types(node_class) if t.name in names), wanted)[0]
    return node_labels(choice, wanted, node_class, inputs.figures.aks.settings, pool.labels)


# K-188 K-191
def test_without_provisioning_the_pod_waits():
    """The three system nodes carry a taint, and no NodePool is there."""  # Z-67 K-144
    step = R5.step("1-pending-without-nap")
    with pytest.raises(InputError, match="no NodePool is in the input"):
        read_inputs([R5.folder / file for file in step["inputs"]], region=R5.region)


@pytest.mark.parametrize(
    ("step", "spot_is_open"),
    [
        ("2-default-pool", False),  # Z-64 K-135 K-136
        ("4-weighted-pool", False),  # Z-65 K-92 K-190
        ("5-select-by-label", True),  # Z-66 K-141 K-159 K-195
    ],
)
def test_the_pool_the_size_and_the_capacity_type_of_the_document(step, spot_is_open):
    """By taint, weight, name and selector of the pools; by price and name of the sizes."""
    (expected,) = R5.step(step)["expect"]["nodes"]
    node = the_node(plan(inputs_of(step, spot_is_open=spot_is_open)))
    known = {key: expected[key] for key in ("nodePool", "instanceType", "capacityType", "count", "pods")}
    assert reported(node) == {**known, "zones": [expected["zone"]]}
    assert node.certainty == "determined"


@pytest.mark.parametrize(
    ("step", "spot_is_open"), [("2-default-pool", False), ("4-weighted-pool", False), ("5-select-by-label", True)]
)
def test_labels_of_the_document(step, spot_is_open):
    """All that Karpenter 1.14 still writes, but for names and ids that nobody can know before."""  # Z-64 Z-66 K-156
    inputs = inputs_of(step, spot_is_open=spot_is_open)
    found = labels_of(inputs, the_node(plan(inputs)))
    expected = R5.step(step)["expect"]["labels"]
    same = {
        key: value
        for key, value in expected.items()
        if (
            key not in GONE
            and (
                key.startswith((OWN, "kubernetes.io/arch", "kubernetes.io/os", "karpenter.sh/capacity-type", "node.kubernetes"))
            )
        )
        or key.rpartition("/")[2] in ("cluster", "ebpf-dataplane", "mode", "podnetwork-type")
    }
    assert {key: found.get(key) for key in same} == same
    assert found["topology.kubernetes.io/zone"] == expected["failure-domain.beta.kubernetes.io/zone"]
    assert (found["kubernetes.azure.com/role"], found[f"{OWN}sku-storage-ultra-ssd"]) == ("agent", "false")
    assert f"{OWN}sku-hyperv-generation" not in found


def test_amounts_stay_below_what_the_nodes_had():
    """Memory is estimated with care; the disk is not, for a part of it is the system's."""  # K-152
    for step, spot_is_open in (("4-weighted-pool", False), ("5-select-by-label", True)):
        said = R5.step(step)
        inputs = inputs_of(step, spot_is_open=spot_is_open)
        node = the_node(plan(inputs))
        size = next(t for t in inputs.cloud.types(built_in_class("default")) if t.name == node.instance_type)
        assert size.capacity["memory"] == said["derived"]["predictedCapacityMemoryBytes"] * NANO
        assert size.capacity["memory"] < amounts(said["expect"]["capacity"])["memory"]
        assert size.capacity["cpu"] == amounts(said["expect"]["capacity"])["cpu"]


def test_allocatable_of_the_first_node():
    """As the provider works it out."""
    expected = R5.step("2-default-pool")["derived"]["allocatable1.14"]
    node = the_node(plan(inputs_of("2-default-pool", spot_is_open=False)))
    assert node.allocatable["cpu"] == nanos(expected["cpu"])
    assert node.allocatable["memory"] == expected["memoryBytes"] * NANO


def test_pods_per_node_as_the_class_has_them():
    """The network's default was 110 then."""  # K-194
    inputs = inputs_of("4-weighted-pool", spot_is_open=False)
    old = [AKSNodeClass(name=c.name, max_pods=facts()["maxPods"]) for c in inputs.node_classes]
    node = the_node(plan(replace(inputs, node_classes=tuple(old))))
    assert node.allocatable["pods"] == amounts(R5.step("4-weighted-pool")["expect"]["capacity"])["pods"]


def test_system_surge_and_system_nodes_take_none_of_these_pods():
    """A taint keeps them off, and is reported as the reason where nothing else is there."""  # Z-67 K-160 K-144
    inputs = inputs_of("2-default-pool", spot_is_open=False)
    surge = replace(inputs, node_pools=tuple(p for p in inputs.node_pools if p.name == "system-surge"))
    (waiting,) = plan(surge).pending
    assert waiting.reason == "NodePool system-surge: the pod does not tolerate CriticalAddonsOnly=true:NoSchedule"
    assert plan(inputs).existing == ()


def test_arm_sizes_that_are_closed_are_in_no_plan():
    """They would have been the cheapest."""  # Z-48
    for pool in types(inputs_of("5-select-by-label", spot_is_open=True)):
        assert not [row.name for row in pool.types if load_location("japaneast").machines[row.name].architecture == "Arm64"]


@pytest.mark.parametrize(
    ("step", "size", "capacity_type"),
    [
        ("2-default-pool", "Standard_D2ls_v5", "on-demand"),
        ("4-weighted-pool", "Standard_D8pls_v5", "spot"),
        ("5-select-by-label", "Standard_E16ps_v5", "spot"),
    ],
)
def test_without_quotas_and_restrictions_other_sizes_are_chosen(step, size, capacity_type):
    """And the plan names what it takes for granted."""  # Z-69
    inputs = inputs_of(step, spot_is_open=True)
    open_ = plan(replace(inputs, figures=Figures()))
    assert reported(the_node(open_)) | {"nodePool": "", "zones": []} == {
        "nodePool": "",
        "instanceType": size,
        "capacityType": capacity_type,
        "count": 1,
        "zones": [],
        "pods": 1,
    }
    assert {"quotas-unknown", "restrictions-unknown"} <= {note.code for note in open_.assumptions}
    assert size in R5.step(step)["derived"].get("allowedWithoutQuotaFixture", [size])[0]


NOON = "2026-01-05T12:00:00Z"


def test_an_empty_node_goes_and_one_with_a_pod_stays():
    """Nothing is cheaper than the D2_v4."""  # Z-68 K-161 K-164 K-193
    inputs = inputs_of("2-default-pool", spot_is_open=False)
    labels = labels_of(inputs, the_node(plan(inputs))) | {
        "karpenter.sh/nodepool": "default",
        "karpenter.sh/registered": "true",
        "karpenter.sh/initialized": "true",
    }
    capacity = {"cpu": "2", "memory": "7000Mi", "pods": "110"}
    node = running("aks-default-65f84", "default", labels, capacity)
    later = (instant(NOON) or 0) + 3600
    empty = disrupt(inputs_of("3-pod-deleted", spot_is_open=False, more=node), later).forecast
    (expected,) = R5.step("3-pod-deleted")["expect"]["disruption"]["nodes"]
    (command,) = empty.commands
    assert (empty.method, command.decision, command.candidates[0].name) == (Method.EMPTINESS, "delete", expected)
    pod = yaml.safe_load((R5.folder / "manifests/04-pod-test.yaml").read_text())
    pod["metadata"] |= {"ownerReferences": [{"kind": "ReplicaSet", "name": "r", "uid": "r", "controller": True}]}
    bound = {**pod, "spec": {**pod["spec"], "nodeName": expected}, "status": {"phase": "Running"}}
    pod_on_node = {**bound, "metadata": {**pod["metadata"], "name": "test-1", "creationTimestamp": NOON, "uid": "p"}}
    full = disrupt(inputs_of("3-pod-deleted", spot_is_open=False, more=(*node, pod_on_node)), later).forecast
    assert full.commands == ()
    (said,) = [n.why for n in full.nodes if n.name == expected]
    (event,) = {e["message"] for e in R5.step("2-default-pool")["expect"]["events"] if e["reason"] == "Unconsolidatable"}
    assert said == event
