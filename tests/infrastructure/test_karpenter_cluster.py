"""KarpenterCluster: the one call that joins all components, in every variant, in both of the engine's operations."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

import pytest
from pulumi.runtime import rpc
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from tests.infrastructure.aws_stand_in import ACCOUNT
from tests.infrastructure.deletion_order import Part
from tests.infrastructure.graph import Graph
from tests.infrastructure.joined_program import ADOPTED, ADOPTED_VPC, NEW, OBJECTS, SUBNETS, WHERE, joined, parts_of
from tests.infrastructure.test_node_configuration import node_class, pool

POOL = "kubernetes:karpenter.sh/v1:NodePool"
RELEASE = "kubernetes:helm.sh/v3:Release"
NODE_CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
ENTRY = "aws:eks/accessEntry:AccessEntry"
MIRRORED = {
    "mirror": {"repository": f"{ACCOUNT}.dkr.ecr.eu-west-1.amazonaws.com/karpenter/controller"},
    "registry": {"repository": f"oci://{ACCOUNT}.dkr.ecr.eu-west-1.amazonaws.com/karpenter"},
}


def profiled(partition_region: str = "eu-west-1") -> dict[str, Any]:
    made = node_class()
    del made["spec"]["role"]
    made["spec"]["instanceProfile"] = "KarpenterNodeProfile-shop"
    return made


def somewhere(region: str, partition: str) -> dict[str, Any]:
    return {
        **NEW,
        **OBJECTS,
        "region": region,
        "admins": {"deployer": f"arn:{partition}:iam::{ACCOUNT}:role/Deployer"},
        "network": {"own": {"zones": [f"{region}a", f"{region}b"]}},
    }


VARIANTS: dict[str, dict[str, Any]] = {
    "minimal": {**NEW, **OBJECTS},
    "production": {
        **NEW,
        **OBJECTS,
        "production": True,
        "reachable_from": "inside",
        "zonal_shift": True,
        "network": {"own": {"nat": "per-zone"}, "service_cidr": "172.20.0.0/16"},
        "control_plane": {"encrypt_secrets": True, "log_retention_days": 365},
        "interruption": {"encryption": "own-key", "alarm_actions": []},
        "charts": {"replicas": 2, "memory": "2Gi"},
        "tags": {"product": "shop"},
        "permissions_boundary": f"arn:aws:iam::{ACCOUNT}:policy/Boundary",
    },
    "private": {
        **NEW,
        **OBJECTS,
        "node_classes": [profiled()],
        "network": {"own": {"nat": "none"}},
        "charts": MIRRORED,
    },
    "Fargate and IRSA": {**NEW, **OBJECTS, "fargate": {}, "identity": "irsa"},
    "adopted VPC": {**NEW, **OBJECTS, "network": ADOPTED_VPC},
    "adopted cluster": {
        **WHERE,
        **OBJECTS,
        "kubernetes_version": "1.35",
        "network": ADOPTED_VPC,
        "adopted_cluster": ADOPTED,
    },
    "China": somewhere("cn-north-1", "aws-cn"),
    "GovCloud": somewhere("us-gov-west-1", "aws-us-gov"),
    "with observability": {**NEW, **OBJECTS, "observability": {"grafana_password": "secret"}},
}


@pytest.fixture(params=VARIANTS)
def variant(request: pytest.FixtureRequest) -> dict[str, Any]:
    return VARIANTS[request.param]


def mistakes(given: dict[str, Any], component: str = "KarpenterCluster") -> dict[str, str]:
    with pytest.raises(InputError) as error:
        joined(component, given)
    return {str(problem.place): str(problem) for problem in error.value.problems}


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
def test_every_variant_runs_in_both_operations(variant, mode):  # I-2 I-81
    """Without an account: nothing is looked up, and nothing unknown reaches a NodePool or a node class."""
    recording = joined("KarpenterCluster", variant, mode)
    objects = [one for one in recording.resources.values() if one.type.startswith("kubernetes:karpenter")]
    assert len(objects) == 2
    assert [one.urn for one in objects if rpc.UNKNOWN in str(one.inputs["spec"])] == []


def test_everything_goes_in_the_order_that_lets_it_go(variant):  # I-56 I-70 K-196 K-197 K-199 K-200
    """Every edge that a destroy needs is there, whatever is made and whatever is adopted."""
    recording = joined("KarpenterCluster", variant, Mode.UPDATE)
    parts = {urn: part for urn, part in parts_of(recording).items() if not _only_held(urn, part)}
    assert {Part.NODE_POOLS, Part.NODE_CLASSES, Part.DRAIN_GATE, Part.CONTROLLER, Part.CRDS, Part.SWEEP} <= set(parts.values())
    assert Graph.of(recording).lacks(parts) == []


def _only_held(urn: str, part: Part) -> bool:
    """Of what nodes are, only the entry is in the cluster: role and policies need not go before it."""
    return part is Part.NODE_IDENTITY and not urn.split("::")[2].endswith(ENTRY)


def test_the_role_of_nodes_outlives_what_needs_it():  # I-32 I-56
    """Role and policies of nodes go after the node classes and after the controller."""
    recording = joined("KarpenterCluster", VARIANTS["minimal"], Mode.UPDATE)
    parts, graph = parts_of(recording), Graph.of(recording)
    nodes = [recording.resources[urn] for urn, part in parts.items() if part is Part.NODE_IDENTITY]
    for part in (Part.CONTROLLER, Part.NODE_CLASSES, Part.SWEEP):
        users = [recording.resources[urn] for urn, its in parts.items() if its is part]
        assert graph.reaches(users, nodes), part


def test_the_controller_gets_what_was_made():  # I-41
    """Queue, endpoint and rights reach the chart; with IRSA the role does, too."""
    recording = joined("KarpenterCluster", VARIANTS["Fargate and IRSA"], Mode.UPDATE)
    [controller] = [one for one in recording.of_type(RELEASE) if one.inputs["name"] == "karpenter"]
    settings = controller.inputs["values"]["settings"]
    assert settings["interruptionQueue"] == "shop"
    assert settings["clusterEndpoint"] == "https://shop.example"
    annotations = controller.inputs["values"]["serviceAccount"]["annotations"]
    assert annotations == {"eks.amazonaws.com/role-arn": f"arn:aws:iam::{ACCOUNT}:role/KarpenterController-shop"}


def test_zonal_shift_is_one_switch():  # I-30
    """Cluster, rights and controller all have it, or none of them has."""
    on = joined("KarpenterCluster", VARIANTS["production"], Mode.UPDATE)
    off = joined("KarpenterCluster", VARIANTS["minimal"], Mode.UPDATE)
    for recording, expected in ((on, True), (off, False)):
        [cluster] = recording.of_type("aws:eks/cluster:Cluster")
        [controller] = [one for one in recording.of_type(RELEASE) if one.inputs["name"] == "karpenter"]
        rights = [one for one in recording.of_type("aws:iam/policy:Policy") if "zonal" in one.inputs["policy"].lower()]
        reported = str(controller.inputs["values"]).lower()
        assert bool((cluster.inputs.get("zonalShiftConfig") or {}).get("enabled")) is expected
        assert bool(rights) is expected
        assert ("zonalshift" in reported) is expected


@pytest.mark.parametrize(
    "charts",
    [
        {"feature_gates": {"node_repair": True}, "aws_feature_gates": {"reboot_for_repair": True}},
        {"values": {"settings": {"featureGates": {"nodeRepair": True}, "awsFeatureGates": {"rebootForRepair": True}}}},
    ],
)
def test_the_gate_for_reboots_brings_their_permission(charts):  # VA15-110 VA15-112 VA15-114
    """Said as a gate or among the values; without it the controller may not reboot."""
    given = {**VARIANTS["minimal"], "karpenter_version": "1.15.1"}
    for args, expected in (({**given, "charts": charts}, True), (given, False)):
        recording = joined("KarpenterCluster", args, Mode.UPDATE)
        [controller] = [one for one in recording.of_type(RELEASE) if one.inputs["name"] == "karpenter"]
        policies = " ".join(one.inputs["policy"] for one in recording.of_type("aws:iam/policy:Policy"))
        assert ("ec2:RebootInstances" in policies) is expected
        assert ("awsFeatureGates" in controller.inputs["values"]["settings"]) is expected


# VA15-9
@pytest.mark.parametrize(
    "charts",
    [
        {"aws_feature_gates": {"node_class_cel": True}},
        {"values": {"settings": {"awsFeatureGates": {"nodeClassCEL": True}}}},
    ],
)
def test_classes_are_read_with_the_gates_of_the_charts(charts):
    """And for their version: without the gate an expression makes a class not ready, and 1.14 knows none."""
    given = copy.deepcopy({**VARIANTS["minimal"], "karpenter_version": "1.15.1"})
    for of_kubelet in given["node_classes"]:
        of_kubelet["spec"]["kubelet"] = {"maxPods": "vcpus * 10"}
    assert joined("KarpenterCluster", {**given, "charts": charts}, Mode.PREVIEW).of_type(NODE_CLASS)
    assert "NodeClassCEL feature gate is disabled" in " ".join(mistakes(given).values())
    assert "a whole number is needed" in " ".join(mistakes({**given, "karpenter_version": "1.14.3"}).values())


def test_a_private_cluster_needs_nothing_from_the_internet():  # I-14 K-30
    """Nodes have a profile that is made here, the controller makes none, and knows that it is alone."""
    recording = joined("KarpenterCluster", VARIANTS["private"], Mode.UPDATE)
    [profile] = recording.of_type("aws:iam/instanceProfile:InstanceProfile")
    assert profile.inputs["name"] == "KarpenterNodeProfile-shop"
    [controller] = [one for one in recording.of_type(RELEASE) if one.inputs["name"] == "karpenter"]
    assert controller.inputs["values"]["settings"]["isolatedVPC"] is True
    policies = " ".join(one.inputs["policy"] for one in recording.of_type("aws:iam/policy:Policy"))
    assert "iam:CreateInstanceProfile" not in policies
    assert "pricing:GetProducts" not in policies


def test_what_a_private_cluster_lacks_is_reported():  # I-14 K-30
    """All of it: where image and charts come from, and a profile instead of a role."""
    problems = mistakes({**NEW, **OBJECTS, "network": {"own": {"nat": "none"}}, "static_profile": False})
    assert {"static_profile", "charts.mirror", "charts.registry"} <= set(problems)
    problems = mistakes({**NEW, **OBJECTS, "network": {"own": {"nat": "none"}}, "charts": MIRRORED})
    assert list(problems) == ["EC2NodeClass/default spec.role"]
    assert "instanceProfile: KarpenterNodeProfile-shop" in problems["EC2NodeClass/default spec.role"]


def test_an_adopted_cluster_is_not_changed():  # I-12
    """No cluster, no nodes of its own, no VPC; and NodePools of others stop a destroy."""
    recording = joined("KarpenterCluster", VARIANTS["adopted cluster"], Mode.UPDATE)
    made = {one.type for one in recording.resources.values()}
    assert not made & {"aws:eks/cluster:Cluster", "aws:eks/nodeGroup:NodeGroup", "aws:ec2/vpc:Vpc", "aws:ec2/subnet:Subnet"}
    tags = recording.of_type("aws:ec2/tag:Tag")
    assert sorted({one.inputs["resourceId"] for one in tags}) == ["sg-1", "subnet-0a", "subnet-0b"]
    [gate] = recording.of_type("pulumi-python:dynamic/cutlist:Drain")
    assert gate.inputs["mode"] == "fail"
    assert gate.inputs["node_pools"] == ["general"]


def test_two_clusters_share_a_vpc():  # I-44 I-81
    """Each puts a key of its own on the subnets, so that one can go without the other."""
    keys = []
    for name, other in (("shop", "desk"), ("desk", "shop")):
        network = {**ADOPTED_VPC, "discovery": "shared-tag", "shared_with": [other]}
        given = {**NEW, "cluster_name": name, "network": network}
        recording = joined("KarpenterCluster", given, Mode.UPDATE)
        tags = recording.of_type("aws:ec2/tag:Tag")
        keys.append({one.inputs["key"] for one in tags if one.inputs["resourceId"].startswith("subnet-")})
    assert keys == [{"karpenter.sh/discovery/shop"}, {"karpenter.sh/discovery/desk"}]


def test_mistakes_of_all_parts_are_reported_together():  # I-78
    """Each at the input of this call that it comes from, before any resource."""
    problems = mistakes(
        {
            **NEW,
            "cluster_name": "s" * 101,
            "kubernetes_version": "1.36",
            "karpenter_version": "1.9.0",
            "network": {
                "own": {"cidr": "10.0.0.0/16", "zones": ["eu-west-1a"]},
                "service_cidr": "10.0.4.0/22",
            },
            "fargate": {},
            "charts": {"valeus": {}},
            "interruption": {"encryption": "none"},
            "node_pools": [pool(reference="missing")],
        },
    )
    reported = "\n".join(problems.values())
    places = ("cluster_name", "karpenter_version", "network.own.zones", "identity", "charts.valeus", "interruption.encryption")
    assert set(places) <= set(problems), reported
    assert "101 characters" in problems["cluster_name"]
    assert "10.0.4.0/22" in reported
    assert "missing" in reported
    assert len(problems) == len(set(problems.values()))


def test_what_is_for_a_new_cluster_alone_is_refused_for_an_adopted_one():
    """And an adopted cluster has a VPC that has to be written."""
    problems = mistakes({**WHERE, "adopted_cluster": ADOPTED, "kubernetes_version": "1.34", "production": True})
    assert sorted(problems) == ["network.adopted", "production"]
    problems = mistakes(WHERE)
    assert sorted(path for path in problems if "." not in path) == ["admins", "kubernetes_version"]


@pytest.mark.parametrize(
    ("sections", "place"),
    [
        ({"charts": {"namespace": "a.b"}}, "charts.namespace"),
        ({"charts": {"service_account": "Karpenter"}}, "charts.service_account"),
        ({"controller_identity": {"namespace": "karpenter"}}, "controller_identity.namespace"),
        (
            {"controller_identity": {"service_account": "k"}, "charts": {"service_account": "a"}},
            "controller_identity.service_account",
        ),
        ({"fargate": {"namespace": "karpenter"}, "identity": "irsa"}, "fargate.namespace"),
    ],
)
def test_role_profile_and_charts_are_of_one_service_account(sections, place):
    """What Kubernetes would refuse is reported once, where the call has it, and so is what would not meet."""
    assert list(mistakes({**NEW, **OBJECTS, **sections})) == [place]


def test_a_section_does_not_say_what_the_call_says():
    """Parts of one cluster agree on its name, region, account and version."""
    problems = mistakes({**NEW, "interruption": {"region": "us-east-1"}, "charts": {"karpenter_version": "1.9.0"}})
    assert sorted(problems) == ["charts.karpenter_version", "interruption.region"]


@pytest.mark.parametrize(
    ("change", "path", "nearest"),
    [
        ({"role": "KarpenterNodeRole-desk"}, "spec.role", "KarpenterNodeRole-shop"),
        (
            {"subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "desk"}}]},
            "spec.subnetSelectorTerms[0].tags",
            "shop",
        ),
        ({"amiSelectorTerms": [{"alias": "al2023@v20250228"}]}, "spec.amiSelectorTerms[0].alias", "al2023@v20260930"),
        ({"amiSelectorTerms": [{"alias": "al2@v20250228"}]}, "spec.amiSelectorTerms[0].alias", "al2023@v20260930"),
    ],
)
def test_a_class_whose_nodes_could_not_join_is_refused(change, path, nearest):
    """A role that the cluster does not let in, the subnets of another cluster, images that its Kubernetes does not have."""
    wrong = node_class()
    wrong["spec"] |= change
    problems = mistakes({**NEW, **OBJECTS, "node_classes": [wrong]})
    assert list(problems) == [f"EC2NodeClass/default {path}"]
    assert f"did you mean {nearest}?" in problems[f"EC2NodeClass/default {path}"]


def test_a_class_without_images_for_an_adopted_cluster_is_refused():
    wrong = node_class()
    wrong["spec"] |= {"amiSelectorTerms": [{"alias": "bottlerocket@v1.38.0"}]}
    problems = mistakes({**VARIANTS["adopted cluster"], "node_classes": [wrong]})
    assert list(problems) == ["EC2NodeClass/default spec.amiSelectorTerms[0].alias"]


ADD_ON = "aws:eks/addon:Addon"


def test_an_add_on_for_other_nodes_is_made_after_the_node_pools():  # I-6
    """Nothing says that it tolerates the taint of system nodes; the driver for volumes does."""
    given = {**NEW, **OBJECTS, "add_ons": {"some-mesh": {}, "aws-ebs-csi-driver": {}}}
    recording = joined("KarpenterCluster", given, Mode.UPDATE)
    graph, [node_pool] = Graph.of(recording), recording.of_type(POOL)
    made = {add_on.inputs["addonName"]: add_on for add_on in recording.of_type(ADD_ON)}
    assert graph.reaches(made["some-mesh"], node_pool)
    others = [add_on for name, add_on in made.items() if name != "some-mesh"]
    assert len(others) == 5
    assert not any(graph.reaches(add_on, node_pool) for add_on in others)
    [controller] = [one for one in recording.of_type(RELEASE) if one.inputs["name"] == "karpenter"]
    assert all(graph.reaches(controller, add_on) for add_on in others)


def test_an_add_on_for_other_nodes_wants_nodes_that_a_node_pool_has():  # I-6
    """EKS would wait for its pods until the update fails."""
    settings = {"metrics-server": {"configuration": {"nodeSelector": {"own": "x"}}}}
    [message] = mistakes({**NEW, **OBJECTS, "add_ons": settings}).values()
    assert "no NodePool has nodes with own=x, and EKS waits for the pods; allowed: labels of a NodePool, or none" in message
    labelled = pool()
    labelled["spec"]["template"]["metadata"] = {"labels": {"own": "x"}}
    assert joined("KarpenterCluster", {**NEW, **OBJECTS, "node_pools": [labelled], "add_ons": settings}).resources


def test_an_add_on_for_other_nodes_needs_node_pools():  # I-6
    problems = mistakes({**NEW, "add_ons": {"some-mesh": {}}})
    assert list(problems) == ["add_ons.some-mesh"]


def test_other_languages_spell_sections_their_way():
    """Keys inside of sections come as the wire has them; names and values inside are left as they are."""
    given = {**NEW, "charts": {"nodeSelector": {"my-label": "x"}, "featureGates": {"nodeRepair": True}}}
    recording = joined("KarpenterCluster", given, Mode.UPDATE)
    [controller] = [one for one in recording.of_type(RELEASE) if one.inputs["name"] == "karpenter"]
    values = controller.inputs["values"]
    assert values["nodeSelector"]["my-label"] == "x"
    assert values["settings"]["featureGates"]["nodeRepair"] is True


def outputs(recording: Recording) -> dict[str, Any]:
    [component] = [one for one in recording.resources.values() if one.type == "cutlist:index:KarpenterCluster"]
    return recording.outputs[component.urn]


def test_a_stack_answers_what_is_asked_of_a_cluster():  # K-52
    """Which cluster and node groups there are, whose roles may join, which service accounts stand for roles, which add-ons."""
    recording = joined("KarpenterCluster", VARIANTS["minimal"], Mode.UPDATE)

    def reported(token: str, *inputs: str) -> set[Any]:
        return {tuple(one.inputs[name] for name in inputs) for one in recording.of_type(f"aws:eks/{token}")}

    assert reported("cluster:Cluster", "name", "version") == {("shop", "1.35")}
    assert reported("nodeGroup:NodeGroup", "clusterName") == {("shop",)}
    assert reported("accessEntry:AccessEntry", "type") == {("EC2_LINUX",), ("STANDARD",)}
    assert ("karpenter",) in reported("podIdentityAssociation:PodIdentityAssociation", "serviceAccount")
    assert ("vpc-cni",) in reported("addon:Addon", "addonName")
    assert outputs(recording)["clusterName"] == "shop"


def test_outputs_are_what_programs_go_on_with():
    """Names are known in a preview, for they decide what comes next."""
    reported = outputs(joined("KarpenterCluster", VARIANTS["minimal"], Mode.PREVIEW))
    assert reported["nodeRoleName"] == "KarpenterNodeRole-shop"
    assert reported["karpenterVersion"] == "1.15.2"
    assert reported["nodePoolNames"] == ["general"]
    assert reported["controllerRoleName"] == "KarpenterController-shop"
    assert reported["queueName"] == "shop"
    assert reported["subnetSelectorTerms"] == [{"tags": {"karpenter.sh/discovery": "shop"}}]
    assert reported["plannedNodes"] == {}
    assert [subnet["id"] for subnet in SUBNETS] == ["subnet-0a", "subnet-0b"]


def test_no_name_says_a_part_twice_and_objects_are_recorded_once():
    """What a preview shows: short names, and a manifest in its object alone. A stack with doubled names keeps what it has."""
    recording = joined("KarpenterCluster", {**NEW, **OBJECTS}, Mode.PREVIEW)
    names = [(one.name.split("-"), one.type) for one in recording.resources.values()]
    assert [(words, type_) for words, type_ in names if any(a == b for a, b in pairwise(words))] == []
    [cluster] = recording.of_type("aws:eks/cluster:Cluster")
    assert (cluster.name, [alias.spec.name for alias in cluster.request.aliases]) == ("shop-cluster", ["shop-cluster-cluster"])
    holders = {one.type for one in recording.resources.values() if "nodeClassRef" in str(one.inputs)}
    assert holders == {"kubernetes:karpenter.sh/v1:NodePool"}
    assert recording.of_type("cutlist:index:KarpenterCluster")[0].inputs["node_pools"] == ["general"]


def test_classes_have_the_role_that_exists_already():  # I-99
    """And not the one that would have been made."""
    existing = {"node_identity": {"role_name": "Nodes"}}
    made = node_class()
    made["spec"]["role"] = "Nodes"
    recording = joined("KarpenterCluster", {**NEW, **OBJECTS, **existing, "node_classes": [made]})
    assert [one.inputs["name"] for one in recording.of_type("aws:iam/role:Role") if one.name == "shop-node-role"] == []
    with pytest.raises(
        InputError, match=r"role 'KarpenterNodeRole-shop' is not that of the cluster's nodes.*; did you mean Nodes"
    ):
        joined("KarpenterCluster", {**NEW, **OBJECTS, **existing})
