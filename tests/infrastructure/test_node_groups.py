"""Managed node groups beside that of the system, and where the nodes of all groups are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pulumi_cutlist.aws.cluster.changes import changes_of_cluster
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.policy_resources import recorded_resources
from pulumi_cutlist.recorded.recording import Recording, Registration

from cutlist.core.errors import InputError, Place
from cutlist.infrastructure.costs import charges_of
from cutlist.infrastructure.costs.charges import ChargeState, RequestedResource
from cutlist.infrastructure.iam.deployer_calls import CALLS
from cutlist.policy.registry import ALL
from cutlist.policy.rules import Resources
from tests.infrastructure.aws_stand_in import ACCOUNT, run
from tests.infrastructure.joined_program import ADOPTED, ADOPTED_VPC, NEW, OBJECTS, joined

GROUP, TEMPLATE = "aws:eks/nodeGroup:NodeGroup", "aws:ec2/launchTemplate:LaunchTemplate"
ROLE, SUBNET = "aws:iam/role:Role", "aws:ec2/subnet:Subnet"
BATCH = {
    "instance_types": ["m7i.xlarge", "m6i.xlarge"],
    "capacity_type": "SPOT",
    "minimum": 0,
    "desired": 2,
    "maximum": 6,
    "labels": {"shop.example.com/teamName": "batch"},
    "taints": [{"key": "batch", "value": "true", "effect": "NoSchedule"}],
    "disk_gib": 80,
    "zones": ["eu-west-1b"],
    "update": {"max_unavailable_percentage": 33, "strategy": "MINIMAL"},
}
OWN_ROLE = f"arn:aws:iam::{ACCOUNT}:role/Nodes"
GPU = {"instance_types": ["g5.xlarge"], "tags": {"team": "vision"}}
TWO = {
    "node_groups": {"batch": BATCH, "gpu": {**GPU, "metadata_hop_limit": 2, "role_arn": OWN_ROLE}},
    "system_nodes": {"zones": ["eu-west-1a", "eu-west-1c"]},
}


def recorded(mode: Mode = Mode.PREVIEW, **given: Any) -> Recording:
    return joined("KarpenterCluster", {**NEW, **OBJECTS, **given}, mode)


def named(recording: Recording, token: str, name: str) -> Registration:
    return next(one for one in recording.of_type(token) if one.name.endswith(name))


def subnets_of(recording: Recording, group: Registration) -> list[str]:
    """The names of the subnets of a group."""
    ids = {one.name: one for one in recording.of_type(SUBNET)}
    return [name.rpartition("private-")[2] for name in ids if any(name in id_ for id_ in group.inputs["subnetIds"])]


def test_a_group_has_its_machines_labels_taints_and_place():
    recording = recorded(Mode.UPDATE, **TWO)
    batch, gpu = named(recording, GROUP, "-group-batch").inputs, named(recording, GROUP, "-group-gpu").inputs
    assert batch["instanceTypes"] == ["m7i.xlarge", "m6i.xlarge"]
    assert (batch["capacityType"], batch["amiType"]) == ("SPOT", "BOTTLEROCKET_x86_64")
    assert batch["scalingConfig"] == {"minSize": 0, "desiredSize": 2, "maxSize": 6}
    assert batch["labels"] == {"shop.example.com/teamName": "batch"}
    assert batch["taints"] == [{"key": "batch", "value": "true", "effect": "NO_SCHEDULE"}]
    assert batch["updateConfig"] == {"maxUnavailablePercentage": 33, "updateStrategy": "MINIMAL"}
    assert batch["nodeGroupNamePrefix"] == "shop-batch-"
    assert (gpu["amiType"], gpu["capacityType"]) == ("BOTTLEROCKET_x86_64_NVIDIA", "ON_DEMAND")
    assert gpu["scalingConfig"] == {"minSize": 1, "desiredSize": 1, "maxSize": 1}
    assert gpu["tags"]["team"] == "vision"


def test_nodes_are_hardened_like_those_of_the_system():  # I-92, H10
    recording = recorded(Mode.UPDATE, **TWO)
    batch, gpu = (named(recording, TEMPLATE, f"-group-{name}").inputs for name in ("batch", "gpu"))
    assert batch["metadataOptions"] == named(recording, TEMPLATE, "-system").inputs["metadataOptions"]
    assert (gpu["metadataOptions"]["httpTokens"], gpu["metadataOptions"]["httpPutResponseHopLimit"]) == ("required", 2)
    disks = {one["deviceName"]: one["ebs"] for one in batch["blockDeviceMappings"]}
    assert disks["/dev/xvdb"]["volumeSize"] == 80
    assert {disk["encrypted"] for disk in disks.values()} == {"true"}


@pytest.mark.parametrize(("capacity", "market"), [("ON_DEMAND", None), ("CAPACITY_BLOCK", {"marketType": "capacity-block"})])
def test_nodes_start_in_a_reservation_or_a_capacity_block(capacity, market):  # I-98
    group = {**GPU, "capacity_type": capacity, "capacity_reservation_id": "cr-0123456789abcdef0", "zones": ["eu-west-1a"]}
    recording = recorded(node_groups={"gpu": group})
    template = named(recording, TEMPLATE, "-group-gpu").inputs
    assert template.get("instanceMarketOptions") == market
    target = {"capacityReservationTarget": {"capacityReservationId": "cr-0123456789abcdef0"}}
    assert template["capacityReservationSpecification"] == target
    assert named(recording, GROUP, "-group-gpu").inputs["capacityType"] == capacity
    inputs = {
        "instanceTypes": ["g5.xlarge"],
        "scalingConfig": {"desiredSize": 1},
        "launchTemplate": {},
        "capacityType": capacity,
    }
    charge, _ = charges_of(RequestedResource(GROUP, inputs, "eu-west-1", referred={"launchTemplate": template}))
    assert charge.state is ChargeState.BY_USE


def test_each_group_has_its_own_role_or_an_existing_one():  # I-92
    recording = recorded(Mode.UPDATE, **TWO)
    assert named(recording, ROLE, "-group-batch").inputs["name"] == "EKSNodeGroupRole-batch-shop"
    assert named(recording, GROUP, "-group-gpu").inputs["nodeRoleArn"] == OWN_ROLE
    assert [one.name for one in recording.of_type(ROLE) if one.name.endswith("gpu")] == []
    made = {one.type for one in recording.resources.values() if one.type.startswith("aws:")}
    assert made <= CALLS.keys()


def test_nodes_are_in_the_chosen_zones():  # I-89
    recording = recorded(Mode.UPDATE, **TWO)
    zones = {"eu-west-1a", "eu-west-1b", "eu-west-1c"}
    assert subnets_of(recording, named(recording, GROUP, "-group-batch")) == ["eu-west-1b"]
    assert set(subnets_of(recording, named(recording, GROUP, "-group-gpu"))) == zones
    assert set(subnets_of(recording, named(recording, GROUP, "-system"))) == zones - {"eu-west-1b"}


def test_subnets_of_an_adopted_network_are_chosen_by_zone_too():
    recording = recorded(network=ADOPTED_VPC, reachable_from="vpn", node_groups={"batch": BATCH})
    assert named(recording, GROUP, "-group-batch").inputs["subnetIds"] == ["subnet-0b"]


def pods(name: str, count: int, **spec: Any) -> dict[str, Any]:
    template = {"containers": [{"name": "a", "image": "a", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}], **spec}
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {
            "replicas": count,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": template},
        },
    }


def test_a_plan_places_pods_on_the_groups_and_prices_these(tmp_path):
    """Those that select a group go there, in its zone; the bill has the groups, machines and disks."""
    selects = {"shop.example.com/teamName": "batch"}
    tolerates = [{"key": "batch", "operator": "Exists"}]
    work = [pods("reports", 2, nodeSelector=selects, tolerations=tolerates), pods("web", 2)]
    body = """
from pulumi_cutlist.aws.whole_cluster.karpenter_cluster_plan import plan_karpenter_cluster
from cutlist.verbs.plan.answer import plan
found = plan(plan_karpenter_cluster(given).node_plan.inputs)
pulumi.export("groups", {group.name: [share.workload for share in group.pods] for group in found.node_groups})
pulumi.export("prices", {group.name: group.price.usd_per_hour for group in found.node_groups})
pulumi.export("pending", [str(entry.workload) for entry in found.pending])
pulumi.export("planned", sum(node.count for node in found.nodes))
"""
    given = {**NEW, **OBJECTS, "node_groups": {"batch": {**BATCH, "capacity_type": "ON_DEMAND"}}, "workloads": work}
    exports = run(tmp_path, body, Mode.PREVIEW, given=given).exports
    assert exports["groups"]["shop-batch"] == ["shop/deployment/reports"]
    assert set(exports["prices"]) == {"shop-system", "shop-batch"}
    assert exports["prices"]["shop-batch"] > exports["prices"]["shop-system"] > 0
    assert exports["pending"] == []
    assert exports["planned"] >= 1
    json.dumps(exports)


def test_nodes_of_a_group_that_run_are_not_planned_again(tmp_path):
    """EKS ends the name of a group in digits: those of a snapshot are known by its beginning."""
    label = {
        "eks.amazonaws.com/nodegroup": "shop-batch-20261122210000000000000001",
        "node.kubernetes.io/instance-type": "m7i.xlarge",
    }
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "ip-1", "labels": label}}
    body = """
from pulumi_cutlist.aws.whole_cluster.karpenter_cluster_plan import plan_karpenter_cluster
groups = plan_karpenter_cluster(given).node_plan.inputs.node_groups
pulumi.export("groups", {group.name: [group.running, group.initial] for group in groups})
"""
    given = {**NEW, **OBJECTS, "node_groups": {"batch": BATCH}, "workloads": [node, pods("web", 1)]}
    assert run(tmp_path, body, Mode.PREVIEW, given=given).exports["groups"] == {"shop-batch": [1, 1], "shop-system": [0, 2]}


@pytest.mark.parametrize(
    ("group", "said"),
    [
        ({"instance_types": []}, "node_groups.batch.instance_types: a list of 0 types"),
        ({"instance_types": ["m7i.huge"]}, "m7i.huge is not an instance type"),
        ({"instance_types": ["m7g.large", "m7i.large"]}, "m7i.large cannot start images of BOTTLEROCKET_ARM_64"),
        ({"ami_type": "AL2023_ARM_64_STANDARD"}, "cannot start images of AL2023_ARM_64_STANDARD"),
        ({"ami_type": "AL2_x86_64"}, "node_groups.batch.ami_type: unknown value 'AL2_x86_64'"),
        ({"capacity_type": "spot"}, "did you mean SPOT?"),
        ({"minimum": 3}, "node_groups.batch.desired: minimum 3, desired 2, maximum 6"),
        ({"maximum": 0, "desired": 0}, "node_groups.batch.maximum: maximum of 0; allowed: 1 to 450"),
        ({"taints": [{"key": "a", "effect": "NoSchedul"}]}, "taints[0].effect: unknown value 'NoSchedul'"),
        (
            {"taints": [{"key": "a", "effect": "NoSchedule"}] * 2},
            "taints[1]: a with the effect NoSchedule is taints[0] too",
        ),
        ({"taints": [{"key": "a b", "effect": "NoSchedule"}]}, "taints[0].key: key a b is not a qualified name"),
        ({"labels": {"kubernetes.io/role": "a"}}, "labels of kubernetes.io/ are EKS's own"),
        ({"labels": {"karpenter.sh/nodepool": "a"}}, "only nodes of Karpenter have this label"),
        ({"labels": {"a": "b c"}}, "invalid value b c"),
        ({"zones": []}, "node_groups.batch.zones: subnets in no zone"),
        ({"zones": ["eu-west-1d"]}, "node_groups.batch.zones[0]: the network has no subnet for nodes in 'eu-west-1d'"),
        ({"capacity_type": "CAPACITY_BLOCK"}, "node_groups.batch.capacity_reservation_id: is missing"),
        ({"capacity_reservation_id": "cr-0123456789abcdef0"}, "nodes of spot start in no reservation"),
        (
            {"capacity_type": "ON_DEMAND", "capacity_reservation_id": "r-1"},
            "capacity_reservation_id: 'r-1' is not the id of a reservation",
        ),
        (
            {"capacity_type": "ON_DEMAND", "capacity_reservation_id": "cr-0123456789abcdef0", "zones": None},
            "node_groups.batch.zones: 3 zones, and a reservation is in one",
        ),
        ({"disk_gib": 10}, "a disk of 10 GiB"),
        ({"metadata_hop_limit": 65}, "a hop limit of 65"),
        ({"update": {"max_unavailable": 1, "max_unavailable_percentage": 5}}, "a number and a percentage of nodes"),
        ({"update": {"max_unavailable": 101}}, "101 at a time"),
        ({"update": {"strategy": "FAST"}}, "update.strategy: unknown value 'FAST'"),
        ({"version": "1.36"}, "nodes of 1.36 with a control plane of 1.35"),
        ({"release_version": "1"}, "'1' is not a release of images"),
        ({"policy_arns": ["x"]}, "node_groups.batch.policy_arns[0]"),
        ({"role_arn": "Nodes"}, "node_groups.batch.role_arn"),
        ({"subnet_ids": ["subnet-1"], "zones": None}, "node_groups.batch.zones: subnets without their zones"),
        ({"instance_type": ["m7i.large"]}, "did you mean instance_types?"),
    ],
)
def test_mistakes_are_reported_before_anything_is_made(group, said):  # I-90, I-91
    with pytest.raises(InputError) as raised:
        recorded(node_groups={"batch": {**BATCH, **group}})
    assert said in str(raised.value)


@pytest.mark.parametrize("name", ["system", "Batch", "9", "a" * 31])
def test_names_that_a_group_cannot_have_are_refused(name):
    with pytest.raises(InputError, match=rf"node_groups\.{name}"):
        recorded(node_groups={name: GPU})


def test_zones_of_system_nodes_are_those_of_the_network():
    with pytest.raises(InputError, match=r"system_nodes\.zones\[1\]: the network has no subnet for nodes in 'eu-west-1d'"):
        recorded(system_nodes={"zones": ["eu-west-1a", "eu-west-1d"]})


def test_a_cluster_alone_needs_the_subnets_of_zones(tmp_path):
    plane = {**NEW, "version": "1.35", "subnet_ids": ["subnet-a", "subnet-b"], "zones": ["eu-west-1a", "eu-west-1b"]}
    del plane["kubernetes_version"]
    body = "from pulumi_cutlist.aws import Cluster\nCluster('shop', given)\n"
    given = {"control_plane": plane, "node_groups": {"gpu": GPU}}
    group = named(run(tmp_path, body, Mode.PREVIEW, given=given), GROUP, "-group-gpu")
    assert group.inputs["subnetIds"] == ["subnet-a", "subnet-b"]
    chosen = {"gpu": {**GPU, "zones": ["eu-west-1a"]}}
    with pytest.raises(InputError, match=r"^node_groups\.gpu\.subnet_ids: zones without their subnets"):
        run(tmp_path, body, Mode.PREVIEW, given={**given, "node_groups": chosen})


def test_an_adopted_cluster_keeps_the_groups_of_its_owner():
    given = {"adopted_cluster": ADOPTED, "network": ADOPTED_VPC, "node_groups": {"gpu": GPU}}
    with pytest.raises(InputError, match="node_groups: applies to a new cluster, and this one is adopted"):
        joined("KarpenterCluster", {**NEW, **given, "admins": None}, Mode.PREVIEW)


def test_a_control_plane_does_not_go_back_behind_a_group():  # I-93
    def of(version: str, group: str) -> dict[str, Any]:
        plane = {"version": version, "karpenter_version": "1.15.1"}
        return {"control_plane": plane, "system_nodes": {"version": "1.34"}, "node_groups": {"gpu": {"version": group}}}

    [problem] = changes_of_cluster(Place(), of("1.35", "1.35"), of("1.34", "1.34"))
    assert problem.message.startswith("node group gpu runs 1.35, and nodes cannot be newer")
    assert list(changes_of_cluster(Place(), of("1.35", "1.34"), of("1.34", "1.34"))) == []


@pytest.mark.parametrize(("system", "said"), [({}, []), ({"shared": True}, ["taints"])])
def test_a_small_group_is_not_held_to_what_the_system_needs(system, said):
    """IF-09 knows the system's group by its label."""
    small = {**BATCH, "desired": 0, "taints": []}
    resources = Resources.of(recorded_resources(recorded(Mode.UPDATE, node_groups={"batch": small}, system_nodes=system)))
    [rule] = [rule for rule in ALL if rule.id == "IF-09"]
    assert [finding.path for finding in rule.findings(resources, rule.defaults)] == said
