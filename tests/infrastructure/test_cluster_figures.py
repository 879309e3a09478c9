"""A stack's own cluster tells the plan of its nodes what it decides: network and version on AKS, the controller on EKS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pulumi_cutlist.stack.cluster_figures import of_aks, of_auto_mode, of_karpenter, of_network, of_node_groups, of_system_nodes
from pulumi_cutlist.stack.preview import planned

from cutlist.planning.inputs import PlanInputs
from tests.infrastructure.projects import copy_of_project

CLUSTER = {"name": "shop", "resourceGroup": "rg-shop", "location": "japaneast"}


@pytest.mark.parametrize(
    ("settings", "reported"),
    [
        ({}, {"networkPlugin": "azure", "networkPluginMode": "overlay", "networkDataplane": "cilium"}),
        (
            {"network": {"mode": "none"}},
            {"networkPlugin": "azure", "networkPluginMode": "", "networkDataplane": "azure"},
        ),
        ({"network": {"plugin": "none"}}, {"networkPlugin": "none", "networkPluginMode": ""}),
        (
            {"network": {"dataplane": "azure"}, "kubernetes_version": "1.33"},
            {
                "networkPlugin": "azure",
                "networkPluginMode": "overlay",
                "networkDataplane": "azure",
                "kubernetesVersion": "1.33",
            },
        ),
        ({"network": {"plugin": "kubenet"}}, {}),
        (
            {"network": 7, "kubernetesVersion": 1.33},
            {"networkPlugin": "azure", "networkPluginMode": "overlay", "networkDataplane": "cilium"},
        ),
    ],
)
def test_what_aks_decides_follows_its_settings(settings: dict[str, Any], reported: dict[str, str]):
    """A choice decides the defaults of what depends on it; what no plan can use is left to the check of the cluster."""
    assert of_aks({"settings": settings}) == {"aks": reported}


def test_the_group_of_nodes_is_the_one_that_aks_makes_or_the_one_that_is_given():
    assert of_aks({"cluster": CLUSTER})["aks"]["nodeResourceGroup"] == "MC_rg-shop_shop_japaneast"
    assert of_aks({"cluster": {**CLUSTER, "nodeResourceGroup": "nodes"}})["aks"]["nodeResourceGroup"] == "nodes"
    assert "nodeResourceGroup" not in of_aks({"cluster": "shop"})["aks"]


@pytest.mark.parametrize(
    ("charts", "reported"),
    [
        ({}, {}),
        ({"customNetworking": True}, {"reservedENIs": 1}),
        ({"custom_networking": True, "values": {"settings": {"reservedENIs": "2"}}}, {"reservedENIs": 2}),
        ({"values": {"settings": {"vmMemoryOverheadPercent": "0.05"}}}, {"vmMemoryOverheadPercent": 0.05}),
        ({"values": {"settings": {"vmMemoryOverheadPercent": "a lot", "reservedENIs": [1]}}}, {}),
        ("none", {}),
        (
            {"awsFeatureGates": {"nodeClassCel": True}, "feature_gates": {"node_repair": True}},
            {"featureGates": {"NodeRepair": True}, "awsFeatureGates": {"NodeClassCEL": True}},
        ),
        (
            {"awsFeatureGates": {"draEfa": False}, "values": {"settings": {"awsFeatureGates": {"draEFA": True}}}},
            {"awsFeatureGates": {"DRAEFA": False}},
        ),
        ({"values": {"settings": {"awsFeatureGates": {"more": True, "draEFA": "yes"}}}}, {}),
        (
            {"values": {"settings": {"minValuesPolicy": "BestEffort", "legacyNodeRepair": True}}},
            {"legacyNodeRepair": True, "minValuesPolicy": "BestEffort"},
        ),
    ],
)
def test_what_the_controller_on_eks_counts_with_is_in_its_charts(charts: Any, reported: dict[str, Any]):
    assert of_karpenter({"charts": charts}) == {"controller": reported}


def inputs_of(folder: Path, stack: str) -> PlanInputs:
    [(_, inputs)] = planned(folder, stack)
    return inputs


@pytest.mark.parametrize("args", [{"kubernetesVersion": "1.37"}, {"controlPlane": {"version": "1.37"}}])
def test_auto_mode_says_its_version(args: dict[str, Any]):
    """By which its NodePools get a consolidation policy."""
    assert of_auto_mode(args) == {"eks": {"kubernetesVersion": "1.37"}}
    assert of_auto_mode({"kubernetesVersion": 1.37}) == {}


@pytest.mark.parametrize(
    ("nodes", "changed"),
    [
        ({}, {}),
        ({"minimum": 2, "desired": 3}, {"desired": 3}),
        ({"maximum": 6, "autoscaled": True}, {"max": 6, "autoscaled": True}),
        ({"shared": True}, {"taints": []}),
        ({"labels": {"team": "a"}}, {"labels": {"team": "a", "karpenter.sh/controller": "true"}}),
        ({"zones": ["eu-west-1a", "eu-west-1b"]}, {"zones": ["eu-west-1a", "eu-west-1b"]}),
        ({"instanceTypes": ["m7i.large", "m6i.large"]}, {"instanceTypes": ["m7i.large", "m6i.large"]}),
        ({"minimum": "two", "instanceTypes": 7}, {}),
    ],
)
def test_the_system_nodes_of_a_stack_are_a_node_group(nodes: dict[str, Any], changed: dict[str, Any]):
    """What is wrong is left to the check of the cluster."""
    taints = [{"key": "CriticalAddonsOnly", "value": "true", "effect": "NoSchedule"}]
    sizes = {"min": 2, "desired": 2, "max": 3, "autoscaled": False}
    machines = {"instanceTypes": ["m7g.large", "m6g.large"], "labels": {"karpenter.sh/controller": "true"}, "taints": taints}
    assert of_system_nodes({"systemNodes": nodes}) == {"nodeGroups": {"system": {**machines, **sizes, **changed}}}


def test_a_stack_on_fargate_has_no_node_group():
    assert of_system_nodes({"fargate": {}}) == {}


@pytest.mark.parametrize(
    ("style", "name"), [(None, "shop-batch"), ("regional", "shop-batch-eu-west-1"), ("auto", "batch"), ("odd", "batch")]
)
def test_further_node_groups_of_a_stack_are_beside_that_of_the_system(style, name):
    """By the names that their running nodes show; what is wrong is left to the check of the cluster."""
    taints = [{"key": "batch", "effect": "NoSchedule"}, {"key": "batch", "effect": "NO_SCHEDULE"}, "batch"]
    batch = {
        "instanceTypes": ["m7i.large", 7],
        "capacityType": "SPOT",
        "minimum": 0,
        "maximum": 4,
        "labels": {"shop.example.com/teamName": "batch", "n": 1},
        "taints": taints,
        "zones": ["eu-west-1b"],
    }
    where = {"clusterName": "shop", "region": "eu-west-1", "nameStyle": style}
    found = of_node_groups({**where, "nodeGroups": {"batch": batch, "odd": 7}})["nodeGroups"]
    assert len(found) == 2
    assert found[name] == {
        "instanceTypes": ["m7i.large"],
        "capacityType": "spot",
        "min": 0,
        "desired": 0,
        "max": 4,
        "autoscaled": False,
        "labels": {"shop.example.com/teamName": "batch"},
        "taints": taints[:1],
        "zones": ["eu-west-1b"],
    }
    assert list(of_node_groups({**where, "fargate": {}, "nodeGroups": {"batch": batch}})["nodeGroups"]) == [name]


def test_the_controller_of_a_stack_runs_on_its_system_nodes(tmp_path: Path):
    """A workload that selects them is placed there, not pending."""
    copy_of_project(tmp_path)
    (group,) = inputs_of(tmp_path, "prod").node_groups
    assert (group.name, group.desired, dict(group.labels)) == ("cutlist-prod-system", 2, {"karpenter.sh/controller": "true"})


def test_a_stack_on_aks_is_planned_with_the_network_that_it_makes(tmp_path: Path):
    """Without an overlay a node takes 30 pods in place of 250, and without Cilium other DaemonSets run on it."""
    file = copy_of_project(tmp_path) / "stacks/Pulumi.aks.yaml"
    file.write_text(file.read_text().replace("    settings:\n", "    settings:\n      network: {mode: none}\n"))
    settings = inputs_of(tmp_path, "aks").figures.aks.settings
    assert (settings.network_plugin_mode, settings.default_max_pods) == ("", 30)
    assert (settings.network_dataplane, settings.kubernetes_version) == ("azure", "1.35")
    assert settings.node_resource_group == "MC_rg-cutlist-aks_cutlist-aks_japaneast"


def test_figures_of_the_files_go_before(tmp_path: Path):
    """Such as a version that the cluster is about to get; what they do not say is still the cluster's."""
    figures = "---\napiVersion: cutlist/v1\nkind: Figures\naks: {kubernetesVersion: '1.34'}\n"
    file = copy_of_project(tmp_path) / "stacks/aks/workloads.yaml"
    file.write_text(file.read_text() + figures)
    settings = inputs_of(tmp_path, "aks").figures.aks.settings
    assert (settings.kubernetes_version, settings.network_dataplane) == ("1.34", "cilium")
    assert settings.node_resource_group == "MC_rg-cutlist-aks_cutlist-aks_japaneast"


def test_a_stack_on_eks_is_planned_with_the_interfaces_that_its_pods_do_not_get(tmp_path: Path):
    file = copy_of_project(tmp_path) / "stacks/Pulumi.prod.yaml"
    written = file.read_text()
    assert "    charts:\n" in written
    file.write_text(written.replace("    charts:\n", "    charts:\n      customNetworking: true\n"))
    assert inputs_of(tmp_path, "prod").figures.settings.reserved_enis == 1


def test_the_subnets_of_a_new_vpc_are_cut_as_the_component_cuts_them() -> None:
    """Each zone's subnet for nodes, none without zones or with a mistake in them."""
    own = {"cidr": "10.0.0.0/16", "zones": ["us-west-2a", "us-west-2b"], "private_prefix": 20}
    assert of_network({"network": {"own": own}}) == {
        "addresses": {
            "subnets": [
                {"name": "private-us-west-2a", "zone": "us-west-2a", "cidr": "10.0.0.0/20"},
                {"name": "private-us-west-2b", "zone": "us-west-2b", "cidr": "10.0.16.0/20"},
            ]
        }
    }
    assert of_network({"network": {"own": {**own, "zones": None}}}) == {}
    assert of_network({"network": {"own": {**own, "cidr": "10.0.0.1/16"}}}) == {}
    assert of_network({}) == {}


def test_adopted_subnets_count_with_what_they_have_left() -> None:
    """A block without its zone is left out; custom networking is the way of the CNI."""
    subnets = [
        {"id": "subnet-1", "zone": "us-west-2a", "cidr": "10.0.0.0/24", "free_addresses": 51},
        {"id": "subnet-2", "zone": "us-west-2b"},
    ]
    args = {"network": {"adopted": {"private_subnets": subnets}}, "charts": {"custom_networking": True}}
    assert of_network(args) == {
        "addresses": {
            "cni": "custom",
            "subnets": [{"name": "subnet-1", "zone": "us-west-2a", "cidr": "10.0.0.0/24", "used": 200}],
        }
    }
