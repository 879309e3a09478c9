"""Tests of keys that only resemble a label that nodes have."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.core.labels import AUTO, AWS, AZURE
from cutlist.planning.traps.labels import WRONG_DOMAIN, meant_label
from tests.unit.planning.traps.inputs import AMD64, M5, deployment, planned, pool, requirement, validated


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("node.kubernetes.io/instance-category", "karpenter.k8s.aws/instance-category"),
        ("kubernetes.io/instance-family", "karpenter.k8s.aws/instance-family"),
        ("instance-generation", "karpenter.k8s.aws/instance-generation"),
        ("node.kubernetes.io/capacity-type", "karpenter.sh/capacity-type"),
        ("eks.amazonaws.com/capacityType", "karpenter.sh/capacity-type"),
        ("topology.kubernetes.io/zone-id", "topology.k8s.aws/zone-id"),
        ("kubernetes.io/zone", "topology.kubernetes.io/zone"),
        ("topology.kubernetes.io/zones", "topology.kubernetes.io/zone"),
        ("karpenter.azure.com/sku-cpu", "karpenter.k8s.aws/instance-cpu"),
    ],
)
def test_a_known_name_in_another_domain_means_the_known_label(key: str, meant: str) -> None:
    assert meant_label(key, AWS) == meant


def test_the_meant_label_is_that_of_the_provider() -> None:
    assert meant_label("node.kubernetes.io/instance-category", AUTO) == "eks.amazonaws.com/instance-category"
    assert meant_label("karpenter.k8s.aws/instance-cpu", AZURE) == "karpenter.azure.com/sku-cpu"


@pytest.mark.parametrize(
    "key",
    [
        "example.com/instance-category",
        "example.com/zone",
        "team",
        "zone",
        "karpenter.k8s.aws/instance-category",
        "beta.kubernetes.io/instance-type",
        "node-role.kubernetes.io/worker",
        "eks.amazonaws.com/compute-type",
        "eks.amazonaws.com/nodegroup",
        "node.kubernetes.io/lifecycle",
    ],
)
def test_labels_of_users_and_well_known_labels_mean_themselves(key: str) -> None:
    assert meant_label(key, AWS) == ""


def test_a_nodepool_with_a_label_in_the_wrong_domain_is_named_with_the_right_key(tmp_path: Path) -> None:  # V-110
    wrong = pool(requirements=f"[{AMD64}, {requirement('node.kubernetes.io/instance-category', 't')}]")
    (said,) = validated(tmp_path, wrong)[WRONG_DOMAIN]
    assert said.startswith("NodePool general requires node.kubernetes.io/instance-category, which no instance type has")
    assert said.endswith("write karpenter.k8s.aws/instance-category")


def test_a_plan_says_the_same_of_it(tmp_path: Path) -> None:
    wrong = (pool(requirements=f"[{AMD64}, {requirement('node.kubernetes.io/instance-category', 't')}]"), deployment())
    assert planned(tmp_path, *wrong)[WRONG_DOMAIN] == validated(tmp_path, *wrong)[WRONG_DOMAIN]


def test_a_preference_of_pods_for_a_label_in_the_wrong_domain_is_named_once_for_all_workloads(tmp_path: Path) -> None:
    affinity = """
      affinity:
        nodeAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - weight: 1
            preference: {matchExpressions: [{key: kubernetes.io/capacity-type, operator: In, values: [spot]}]}
    """
    workloads = (deployment("api", spec=affinity), deployment("web", spec=affinity))
    (said,) = validated(tmp_path, pool(requirements=f"[{M5}]"), *workloads)[WRONG_DOMAIN]
    assert said == (
        "deployment/api, deployment/web: kubernetes.io/capacity-type selects no node, because none has that label; "
        "write karpenter.sh/capacity-type"
    )


def test_a_label_that_nodepools_set_themselves_is_no_trap_for_pods(tmp_path: Path) -> None:
    own = pool(requirements=f"[{M5}, {requirement('kubernetes.azure.com/mode', 'user')}]")
    selector = "nodeSelector: {kubernetes.azure.com/mode: user}"
    assert WRONG_DOMAIN not in validated(tmp_path, own, deployment(spec=selector))


def test_a_label_of_managed_node_groups_is_no_trap_for_pods(tmp_path: Path) -> None:
    selector = "nodeSelector: {eks.amazonaws.com/capacityType: ON_DEMAND}"
    assert WRONG_DOMAIN not in validated(tmp_path, pool(requirements=f"[{M5}]"), deployment(spec=selector))


def test_a_label_that_a_node_of_the_input_has_is_no_trap_for_pods(tmp_path: Path) -> None:
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {kubernetes.io/instance-family: m5}}"
    selector = "nodeSelector: {kubernetes.io/instance-family: m5}"
    assert WRONG_DOMAIN in validated(tmp_path, pool(requirements=f"[{M5}]"), deployment(spec=selector))
    assert WRONG_DOMAIN not in validated(tmp_path, pool(requirements=f"[{M5}]"), node, deployment(spec=selector))
