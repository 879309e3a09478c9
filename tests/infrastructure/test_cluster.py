"""Cluster: what it registers, in which order, and what it refuses before anything is made."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pulumi
import pytest
from pulumi.runtime import rpc
from pulumi_cutlist.aws.cluster.control_plane_resources import refuse_way_back
from pulumi_cutlist.errors import TransitionError
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.protection import HOW_TO_LIFT
from pulumi_cutlist.recorded.recording import Recording, Registration

from cutlist.core.errors import InputError
from tests.infrastructure.aws_stand_in import ACCOUNT, ISSUER, run
from tests.infrastructure.graph import Graph, unguarded
from tests.infrastructure.unknowns import has_unknowns

PROGRAM = """
from pulumi_cutlist.aws import Cluster, kubernetes_provider
import pulumi_kubernetes as k8s

cluster = Cluster("main", args)
provider = kubernetes_provider("main", cluster)
k8s.core.v1.Namespace("team", opts=pulumi.ResourceOptions(provider=provider))
pulumi.export("kubeconfig", cluster.kubeconfig)
pulumi.export("issuer", cluster.oidc_issuer)
pulumi.export("group", cluster.security_group_id)
pulumi.export("provider", cluster.oidc_provider_arn)
"""
PARTITIONS = {"eu-west-1": "aws", "cn-north-1": "aws-cn", "us-gov-west-1": "aws-us-gov"}


def control_plane(**more: Any) -> dict[str, Any]:
    return {
        "cluster_name": "shop",
        "region": "eu-west-1",
        "account_id": ACCOUNT,
        "version": "1.34",
        "subnet_ids": ["subnet-a", "subnet-b"],
        "zones": ["eu-west-1a", "eu-west-1b"],
        "admins": {"deployer": f"arn:aws:iam::{ACCOUNT}:role/Deployer"},
        **more,
    }


@pytest.fixture
def record(tmp_path: Path):
    def make(mode: Mode = Mode.UPDATE, of_plane: dict[str, Any] | None = None, **more: Any) -> Recording:
        args = {"control_plane": control_plane(**(of_plane or {})), **more}
        return run(tmp_path, PROGRAM, mode, args=args)

    return make


def one(recording: Recording, token: str, name: str = "") -> Registration:
    [found] = [r for r in recording.of_type(token) if name in ("", r.name)]
    return found


CLUSTER = "aws:eks/cluster:Cluster"
ADD_ON = "aws:eks/addon:Addon"
NODES = "aws:eks/nodeGroup:NodeGroup"
ROLE = "aws:iam/role:Role"
ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
PROFILE = "aws:eks/fargateProfile:FargateProfile"
LOGS = "aws:cloudwatch/logGroup:LogGroup"
ENTRY = "aws:eks/accessEntry:AccessEntry"
ACCESS = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
NAMESPACE = "kubernetes:core/v1:Namespace"


@pytest.mark.parametrize("mode", Mode)
def test_the_cluster_has_the_settings_that_nodes_rely_on(record, mode):  # I-4, I-5, I-6, I-8
    inputs = one(record(mode), CLUSTER).inputs
    assert inputs["name"] == "shop"
    assert inputs["version"] == "1.34"
    assert inputs["accessConfig"] == {"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": False}
    assert inputs["bootstrapSelfManagedAddons"] is False
    assert inputs["vpcConfig"] == {
        "subnetIds": ["subnet-a", "subnet-b"],
        "endpointPrivateAccess": True,
        "endpointPublicAccess": False,
    }
    assert inputs["enabledClusterLogTypes"] == ["api", "audit", "authenticator"]
    assert inputs["upgradePolicy"] == {"supportType": "STANDARD"}
    assert inputs["deletionProtection"] is False
    assert "encryptionConfig" not in inputs
    assert "computeConfig" not in inputs


@pytest.mark.parametrize("mode", Mode)
def test_no_look_up_is_made_and_an_update_knows_every_input(record, mode):  # I-2
    """The stand-in refuses every look-up, so that one would have ended the run."""
    recording = record(mode)
    if mode is Mode.UPDATE:
        assert [r.urn for r in recording.resources.values() if has_unknowns(r)] == []
    assert [r.name for r in recording.of_type("cutlist:index:Cluster")] == ["main"]


@pytest.mark.parametrize(("region", "partition"), PARTITIONS.items())
def test_every_arn_is_of_the_regions_partition(record, region, partition):  # I-1
    recording = record(of_plane={"region": region, "admins": {"me": f"arn:{partition}:iam::{ACCOUNT}:user/me"}})
    policies = {r.inputs["policyArn"] for token in (ATTACHMENT, ACCESS) for r in recording.of_type(token)}
    assert {arn.split(":")[1] for arn in policies} == {partition}
    nodes = json.loads(one(recording, ROLE, "main-system-node").inputs["assumeRolePolicy"])["Statement"][0]["Principal"]
    assert nodes == {"Service": "ec2.amazonaws.com.cn" if partition == "aws-cn" else "ec2.amazonaws.com"}
    cluster = json.loads(one(recording, ROLE, "main-role").inputs["assumeRolePolicy"])["Statement"][0]
    assert cluster == {
        "Sid": "EKSClusterAssumeRole",
        "Effect": "Allow",
        "Principal": {"Service": "eks.amazonaws.com"},
        "Action": "sts:AssumeRole",
    }
    cni = json.loads(one(recording, ROLE, "main-vpc-cni").inputs["assumeRolePolicy"])["Statement"][0]["Condition"]
    assert cni == {
        "StringEquals": {
            "aws:SourceAccount": ACCOUNT,
            "aws:RequestTag/eks-cluster-arn": f"arn:{partition}:eks:{region}:{ACCOUNT}:cluster/shop",
            "aws:RequestTag/kubernetes-namespace": "kube-system",
            "aws:RequestTag/kubernetes-service-account": "aws-node",
        }
    }


def test_logs_have_an_end_and_a_home_before_the_cluster(record):  # I-9
    recording = record()
    logs = one(recording, LOGS)
    assert logs.inputs == {"region": "eu-west-1", "name": "/aws/eks/shop/cluster", "retentionInDays": 90}
    assert Graph.of(recording).reaches(one(recording, CLUSTER), logs)


def test_administrators_are_let_in_before_any_object_of_the_cluster(record):  # I-5
    recording = record()
    entry, access = one(recording, ENTRY), one(recording, ACCESS)
    assert entry.inputs["principalArn"] == f"arn:aws:iam::{ACCOUNT}:role/Deployer"
    assert entry.inputs["type"] == "STANDARD"
    assert entry.request.deleteBeforeReplace
    assert access.inputs["policyArn"] == "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
    assert access.inputs["accessScope"] == {"type": "cluster"}
    graph = Graph.of(recording)
    assert graph.reaches(access, entry)
    assert graph.reaches(one(recording, NAMESPACE), [access, entry])
    assert graph.reaches(one(recording, NODES), access)


def test_what_nodes_need_is_there_before_them_and_coredns_after(record):  # I-6, I-7 K-9
    recording = record()
    graph, nodes = Graph.of(recording), one(recording, NODES)
    assert {r.inputs["addonName"] for r in recording.of_type(ADD_ON)} == {
        "vpc-cni",
        "kube-proxy",
        "eks-pod-identity-agent",
        "coredns",
    }
    early = [r for r in recording.of_type(ADD_ON) if r.inputs["addonName"] != "coredns"]
    assert graph.reaches(nodes, early)
    assert graph.reaches(one(recording, ADD_ON, "main-coredns"), nodes)


def test_add_ons_are_owned_and_leave_nothing_behind(record):
    for add_on in record(add_ons={"coredns": {"version": "v1.12.1-eksbuild.2"}}).of_type(ADD_ON):
        inputs = add_on.inputs
        conflicts = (inputs["resolveConflictsOnCreate"], inputs["resolveConflictsOnUpdate"])
        assert (conflicts, inputs["preserve"]) == (("OVERWRITE", "PRESERVE"), False)
        assert inputs.get("addonVersion") == ("v1.12.1-eksbuild.2" if inputs["addonName"] == "coredns" else None)


def test_the_cni_has_a_role_of_its_own_that_nodes_do_not_have(record):  # I-17
    recording = record()
    [associated] = one(recording, ADD_ON, "main-vpc-cni").inputs["podIdentityAssociations"]
    assert associated == {"roleArn": f"arn:aws:iam::{ACCOUNT}:role/main-vpc-cni", "serviceAccount": "aws-node"}
    attached = {(r.inputs["role"], r.inputs["policyArn"].rsplit("/", 1)[-1]) for r in recording.of_type(ATTACHMENT)}
    assert {role for role, policy in attached if policy == "AmazonEKS_CNI_Policy"} == {"EKSAddOnRole-vpc-cni-shop"}
    assert Graph.of(recording).reaches(
        one(recording, ADD_ON, "main-vpc-cni"), [r for r in recording.of_type(ATTACHMENT) if "vpc-cni" in r.name]
    )


def test_the_cni_may_use_the_nodes_rights_where_that_is_asked_for(record):
    recording = record(cni_role="node")
    assert "podIdentityAssociations" not in one(recording, ADD_ON, "main-vpc-cni").inputs
    assert one(recording, ATTACHMENT, "main-system-node-AmazonEKS_CNI_Policy").inputs["role"] == "EKSSystemNodeRole-shop"


def test_the_cni_of_an_ipv6_cluster_has_a_document_of_its_own(record):
    recording = record(of_plane={"ip_family": "ipv6"})
    policy = json.loads(one(recording, "aws:iam/rolePolicy:RolePolicy").inputs["policy"])
    assert "ec2:AssignIpv6Addresses" in policy["Statement"][0]["Action"]
    assert policy["Statement"][1] == {
        "Sid": "TagInterfaces",
        "Effect": "Allow",
        "Action": "ec2:CreateTags",
        "Resource": "arn:aws:ec2:*:*:network-interface/*",
    }
    assert not any("CNI" in r.inputs["policyArn"] for r in recording.of_type(ATTACHMENT))


def test_system_nodes_are_two_hardened_ones_in_two_zones(record):  # I-10
    recording = record()
    nodes, template = one(recording, NODES), one(recording, "aws:ec2/launchTemplate:LaunchTemplate")
    assert nodes.inputs["scalingConfig"] == {"minSize": 2, "desiredSize": 2, "maxSize": 3}
    assert nodes.inputs["subnetIds"] == ["subnet-a", "subnet-b"]
    assert nodes.inputs["nodeRoleArn"] == f"arn:aws:iam::{ACCOUNT}:role/main-system-node"
    assert one(recording, ROLE, "main-system-node").inputs["name"] == "EKSSystemNodeRole-shop" != "KarpenterNodeRole-shop"
    assert nodes.inputs["labels"] == {"karpenter.sh/controller": "true"}
    assert nodes.inputs["taints"] == [{"key": "CriticalAddonsOnly", "value": "true", "effect": "NO_SCHEDULE"}]
    assert nodes.inputs["nodeGroupNamePrefix"] == "shop-system-"
    assert "nodeGroupName" not in nodes.inputs  # a fixed name would be deleted before its successor is made
    assert not nodes.request.deleteBeforeReplace
    metadata = template.inputs["metadataOptions"]
    assert (metadata["httpTokens"], metadata["httpPutResponseHopLimit"]) == ("required", 1)
    assert metadata["instanceMetadataTags"] == "disabled"
    assert {d["deviceName"]: d["ebs"]["encrypted"] for d in template.inputs["blockDeviceMappings"]} == {
        "/dev/xvda": "true",
        "/dev/xvdb": "true",
    }


@pytest.mark.parametrize(
    ("sizes", "group"),
    [
        ({"minimum": 3}, (3, 3, 3)),
        ({"minimum": 5}, (5, 5, 5)),
        ({"desired": 3}, (2, 3, 3)),
        ({"desired": 6}, (2, 6, 6)),
        ({"maximum": 2}, (2, 2, 2)),
        ({"minimum": 3, "maximum": 9}, (3, 3, 9)),
    ],
)
def test_sizes_that_are_not_given_follow_those_that_are(record, sizes, group):  # I-10
    scaling = one(record(system_nodes=sizes), NODES).inputs["scalingConfig"]
    assert (scaling["minSize"], scaling["desiredSize"], scaling["maxSize"]) == group


def test_one_disk_suffices_where_images_are_on_the_systems_own(record):
    nodes = {"ami_type": "AL2023_x86_64_STANDARD", "disk_gib": 50, "shared": True, "labels": {"team": "platform"}}
    recording = record(system_nodes=nodes)
    [device] = one(recording, "aws:ec2/launchTemplate:LaunchTemplate").inputs["blockDeviceMappings"]
    assert (device["deviceName"], device["ebs"]["volumeSize"]) == ("/dev/xvda", 50)
    assert one(recording, NODES).inputs["instanceTypes"] == ["m7i.large", "m6i.large"]
    assert one(recording, NODES).inputs["taints"] == []
    assert one(recording, NODES).inputs["labels"] == {"team": "platform", "karpenter.sh/controller": "true"}


def test_something_else_may_change_the_number_of_nodes(record):
    assert list(one(record(), NODES).request.ignoreChanges) == []
    scaled = one(record(system_nodes={"autoscaled": True}), NODES)
    assert list(scaled.request.ignoreChanges) == ["scalingConfig.desiredSize"]


def test_broken_system_nodes_are_replaced_where_an_agent_finds_them(record):
    assert "nodeRepairConfig" not in one(record(), NODES).inputs
    recording = record(add_ons={"eks-node-monitoring-agent": {}})
    assert one(recording, NODES).inputs["nodeRepairConfig"] == {"enabled": True}
    assert Graph.of(recording).reaches(one(recording, ADD_ON, "main-eks-node-monitoring-agent"), one(recording, NODES))


def test_fargate_takes_the_controller_and_coredns_and_nothing_else(record):  # I-11 K-18
    recording = record(fargate={"subnet_ids": ["subnet-x", "subnet-y"]}, identity="irsa")
    selectors = {r.inputs["fargateProfileName"]: r.inputs["selectors"] for r in recording.of_type(PROFILE)}
    assert selectors == {
        "karpenter": [{"namespace": "kube-system", "labels": {"app.kubernetes.io/name": "karpenter"}}],
        "coredns": [{"namespace": "kube-system", "labels": {"k8s-app": "kube-dns"}}],
    }
    assert recording.of_type(NODES) == []
    assert "main-eks-pod-identity-agent" not in {r.name for r in recording.of_type(ADD_ON)}
    trust = json.loads(one(recording, ROLE, "main-fargate").inputs["assumeRolePolicy"])["Statement"][0]
    assert trust["Principal"] == {"Service": "eks-fargate-pods.amazonaws.com"}
    assert trust["Condition"] == {"ArnLike": {"aws:SourceArn": f"arn:aws:eks:eu-west-1:{ACCOUNT}:fargateprofile/shop/*"}}
    coredns = one(recording, ADD_ON, "main-coredns")
    assert json.loads(coredns.inputs["configurationValues"])["computeType"] == "Fargate"
    assert Graph.of(recording).reaches(coredns, recording.of_type(PROFILE))


def test_with_irsa_a_role_trusts_one_service_account_by_the_clusters_issuer(record):
    recording = record(identity="irsa")
    statement = json.loads(one(recording, ROLE, "main-vpc-cni").inputs["assumeRolePolicy"])["Statement"][0]
    assert statement["Principal"] == {"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/shop"}
    host = ISSUER.removeprefix("https://")
    assert statement["Condition"] == {
        "StringEquals": {f"{host}:aud": "sts.amazonaws.com", f"{host}:sub": "system:serviceaccount:kube-system:aws-node"}
    }
    arn = one(recording, ADD_ON, "main-vpc-cni").inputs["serviceAccountRoleArn"]
    assert arn == f"arn:aws:iam::{ACCOUNT}:role/main-vpc-cni"
    assert recording.exports["provider"] == f"arn:aws:iam::{ACCOUNT}:oidc-provider/shop"


def test_an_oidc_provider_is_made_when_it_is_asked_for(record):  # K-6
    assert record().exports.get("provider") is None
    provider = one(record(oidc_provider=True), "aws:iam/openIdConnectProvider:OpenIdConnectProvider")
    assert provider.inputs == {"url": ISSUER, "clientIdLists": ["sts.amazonaws.com"]}


def test_settings_of_an_add_on_may_be_of_other_resources(tmp_path):
    """Such as the subnets of pods with custom networking, which the same program makes."""
    late = """
subnet = aws.ec2.Subnet("pods", vpc_id="vpc-1")
args["add_ons"] = {"vpc-cni": {"configuration": {"eniConfig": {"subnets": {"a": {"id": subnet.id}}}}}}
"""
    recording = run(tmp_path, f"import pulumi_aws as aws\n{late}\n{PROGRAM}", args={"control_plane": control_plane()})
    values = json.loads(one(recording, ADD_ON, "main-vpc-cni").inputs["configurationValues"])
    assert values == {"eniConfig": {"subnets": {"a": {"id": "subnet-pods"}}}}


@pytest.mark.parametrize(
    ("of_plane", "more", "message"),
    [
        ({"security_group_ids": ["x"]}, {}, "control_plane.security_group_ids[0]: 'x' is not the id of a security group"),
        ({"security_group_ids": ["sg-1", "sg-1"]}, {}, "control_plane.security_group_ids[1]: sg-1 is listed already"),
        ({"subnet_ids": ["subnet-a", "b"]}, {}, "control_plane.subnet_ids[1]: 'b' is not the id of a subnet"),
        ({"secrets_key_arn": "alias/eks"}, {}, "control_plane.secrets_key_arn: 'alias/eks' is not the ARN of a key"),
        (
            {"log_key_arn": f"arn:aws:kms:us-east-1:{ACCOUNT}:key/1"},
            {},
            f"control_plane.log_key_arn: arn:aws:kms:us-east-1:{ACCOUNT}:key/1 is in us-east-1, and the cluster in eu-west-1",
        ),
        ({"kubeconfig_role_arn": "Deployer"}, {}, "control_plane.kubeconfig_role_arn: 'Deployer' is not the ARN of a role"),
        (
            {"admins": {"me": f"arn:aws-cn:iam::{ACCOUNT}:role/Deployer"}},
            {},
            f"control_plane.admins.me: arn:aws-cn:iam::{ACCOUNT}:role/Deployer is in the partition aws-cn, and eu-west-1 in",
        ),
        (
            {"permissions_boundary": f"arn:aws-us-gov:iam::{ACCOUNT}:policy/b"},
            {},
            f"control_plane.permissions_boundary: arn:aws-us-gov:iam::{ACCOUNT}:policy/b is in the partition aws-us-gov",
        ),
        (
            {},
            {"system_nodes": {"policy_arns": ["arn:aws-cn:iam::aws:policy/AmazonSSMManagedInstanceCore"]}},
            "system_nodes.policy_arns[0]: arn:aws-cn:iam::aws:policy/AmazonSSMManagedInstanceCore is in the partition aws-cn",
        ),
        (
            {},
            {"system_nodes": {"subnet_ids": ["a", "subnet-b"], "zones": ["eu-west-1a", "eu-west-1b"]}},
            "system_nodes.subnet_ids[0]: 'a' is not the id of a subnet",
        ),
    ],
)
def test_ids_and_arns_of_another_kind_or_place_are_refused(record, of_plane, more, message):
    """Before anything is registered; the account would refuse them in the middle of an update."""
    with pytest.raises(InputError) as error:
        record(of_plane=of_plane, **more)
    [problem] = error.value.problems
    assert str(problem).startswith(message)


@pytest.mark.parametrize("types", [[], ["m7g.large", "m7g.large"]])
def test_system_nodes_of_fewer_than_two_types_are_refused(record, types):
    with pytest.raises(InputError, match=r"^system_nodes\.instance_types: .*; allowed: at least two types"):
        record(system_nodes={"instance_types": types})


def test_coredns_stays_on_system_nodes(record):
    """Keys of the user replace ours one by one."""
    recording = record(add_ons={"coredns": {"configuration": {"replicaCount": 3}}})
    values = json.loads(one(recording, ADD_ON, "main-coredns").inputs["configurationValues"])
    assert values["nodeSelector"] == {"karpenter.sh/controller": "true"}
    assert values["replicaCount"] == 3


def test_an_add_on_that_no_node_could_run_is_refused(record):  # I-6
    """A cluster by itself has no NodePools, and EKS would wait until its creation fails."""
    with pytest.raises(InputError, match=r"add_ons\.some-mesh: .*CriticalAddonsOnly.*or NodePools in the same call"):
        record(add_ons={"some-mesh": {}})
    with pytest.raises(InputError, match=r"add_ons\.coredns: .*CriticalAddonsOnly"):
        record(add_ons={"coredns": {"configuration": {"tolerations": []}}})
    shared = record(add_ons={"some-mesh": {}}, system_nodes={"shared": True})
    assert Graph.of(shared).reaches(one(shared, ADD_ON, "main-some-mesh"), one(shared, NODES))


def test_secrets_may_have_a_key_of_their_own(record):
    recording = record(of_plane={"encrypt_secrets": True})
    key = one(recording, "aws:kms/key:Key")
    assert key.inputs["enableKeyRotation"] is True
    assert key.inputs["deletionWindowInDays"] == 30
    admitted = [s["Principal"]["AWS"] for s in json.loads(key.inputs["policy"])["Statement"]]
    assert admitted == [f"arn:aws:iam::{ACCOUNT}:root", f"arn:aws:iam::{ACCOUNT}:role/Deployer"]
    cluster = one(recording, CLUSTER)
    arn = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/main-key"
    assert cluster.inputs["encryptionConfig"] == {"provider": {"keyArn": arn}, "resources": ["secrets"]}
    allowed = one(recording, "aws:iam/rolePolicy:RolePolicy", "main-role-key")
    [statement] = json.loads(allowed.inputs["policy"])["Statement"]
    assert statement["Resource"] == arn
    assert statement["Action"] == ["kms:Encrypt", "kms:Decrypt", "kms:ListGrants", "kms:DescribeKey"]
    assert Graph.of(recording).reaches(cluster, allowed)
    assert one(recording, "aws:kms/alias:Alias").inputs["name"] == "alias/eks/shop"


def test_a_key_that_exists_is_used_and_none_made(record):
    arn = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/1"
    recording = record(of_plane={"secrets_key_arn": arn})
    assert one(recording, CLUSTER).inputs["encryptionConfig"]["provider"] == {"keyArn": arn}
    assert recording.of_type("aws:kms/key:Key") == []


def test_production_is_protected(record):
    recording = record(of_plane={"production": True, "encrypt_secrets": True})
    protected = {r.name for r in recording.resources.values() if r.request.protect}
    assert protected == {"main-cluster", "main-key", f"main-protection{HOW_TO_LIFT}"}
    assert one(recording, CLUSTER).inputs["deletionProtection"] is True
    assert not any(r.request.protect for r in record().resources.values())


EVERYTHING = {"encrypt_secrets": True, "zonal_shift": True, "zonal_autoshift": "ENABLED"}


@pytest.mark.parametrize(
    "more",
    [{"oidc_provider": True}, {"identity": "irsa", "fargate": {}}, {"add_ons": {"metrics-server": {}}}, {"cni_role": "node"}],
)
def test_a_destroy_meets_the_protection_before_all_that_the_cluster_has(record, more):
    """An engine deletes what nothing depends on first; so while it is protected, nodes, add-ons and access stay as well."""
    recording = record(of_plane={"production": True, **EVERYTHING}, **more)
    protection = one(recording, "cutlist:index:Protection")
    assert protection.request.protect
    assert unguarded(recording, protection) == []


def test_slow_parts_get_the_time_they_take(record):
    recording = record()
    times = one(recording, CLUSTER).request.customTimeouts
    assert (times.create, times.delete) == ("45m", "45m")
    assert one(recording, NODES).request.customTimeouts.delete == "60m"


def test_nothing_is_kept_behind_or_deleted_with_something_else(record):
    for one_of_all in record().resources.values():
        assert not one_of_all.request.retainOnDelete
        assert not one_of_all.request.deletedWith


@pytest.mark.parametrize("mode", Mode)
def test_the_kubeconfig_makes_its_tokens_anew(record, mode):  # I-15 K-53
    recording = record(mode, {"kubeconfig_role_arn": f"arn:aws:iam::{ACCOUNT}:role/Deployer"})
    [provider] = [r for r in recording.resources.values() if r.type == "pulumi:providers:kubernetes"]
    if mode is Mode.PREVIEW:
        assert has_unknowns(provider)
        return
    config = json.loads(provider.inputs["kubeconfig"])
    [user] = config["users"]
    assert list(user["user"]) == ["exec"]
    assert user["user"]["exec"]["args"][:2] == ["eks", "get-token"]
    assert "--role-arn" in user["user"]["exec"]["args"]
    assert "k8s-aws-v1" not in provider.inputs["kubeconfig"]
    assert not rpc.is_rpc_secret(provider.inputs["kubeconfig"])
    assert config["clusters"][0]["cluster"] == {"server": "https://shop.example", "certificate-authority-data": "Q0E="}


def test_an_unreachable_cluster_is_never_a_reason_to_forget_objects(record):
    [provider] = [r for r in record().resources.values() if r.type == "pulumi:providers:kubernetes"]
    switches = ("deleteUnreachable", "skipUpdateUnreachable", "upsertExistingObjects", "enableServerSideApply")
    assert [provider.inputs[s] for s in switches] == ["false", "false", "false", "true"]
    assert provider.inputs["clusterIdentifier"] == f"arn:aws:eks:eu-west-1:{ACCOUNT}:cluster/shop"


def test_deletion_goes_from_objects_over_nodes_and_their_network_to_the_cluster(record):
    """The CNI on a node is what gives its network interfaces back, so that it may go only after the node."""
    recording = record()
    steps = Graph.of(recording).deletions()

    def step(token: str, name: str = "") -> int:
        return next(n for n, urns in enumerate(steps) if one(recording, token, name).urn in urns)

    order = [step(NAMESPACE), step(ACCESS), step(CLUSTER), step(LOGS)]
    assert order == sorted(order)
    nodes = [step(ADD_ON, "main-coredns"), step(NODES), step(ADD_ON, "main-vpc-cni"), step(CLUSTER), step(ROLE, "main-role")]
    assert nodes == sorted(set(nodes))
    assert step(NODES) < step(ATTACHMENT, "main-system-node-AmazonEKSWorkerNodePolicy")


def test_every_child_is_named_after_its_component(record):
    recording = record(
        of_plane={"encrypt_secrets": True, "zonal_shift": True, "zonal_autoshift": "ENABLED"}, oidc_provider=True
    )
    component = one(recording, "cutlist:index:Cluster")
    children = recording.children(component.urn)
    assert len(children) > 20
    assert all(child.name.startswith("main-") for child in children)


@pytest.mark.parametrize(
    ("of_plane", "more", "message"),
    [
        ({"cluster_name": "x" * 101}, {}, "control_plane.cluster_name: cluster name of 101 characters"),  # I-1
        ({"version": ""}, {}, "control_plane.version: no version"),  # I-3
        ({"version": 1.3}, {}, 'control_plane.version: 1.3 is not text; allowed: in quotes, "1.3" or "1.30"'),
        ({"version": "1.35", "karpenter_version": "1.8.1"}, {}, "does not fit Kubernetes 1.35.*did you mean 1.9.0"),  # I-3
        ({"zones": ["eu-west-1a", "eu-west-1a"]}, {}, "control_plane.zones: subnets in one zone, eu-west-1a"),
        ({"subnet_ids": ["subnet-a"]}, {}, "1 subnet for 2 zones"),
        ({"subnet_ids": None}, {}, "control_plane.subnet_ids: is missing"),
        ({"authentication_mode": "CONFIG_MAP"}, {}, "CONFIG_MAP there are no access entries"),  # I-4
        ({"admins": {}}, {}, "no administrator"),  # I-5
        ({"public_access_cidrs": ["0.0.0.0/0"], "production": True}, {}, "production's API is open to every"),  # I-8
        ({"public_access_cidrs": ["0.0.0.0/1", "128.0.0.0/1"]}, {}, "the API is open to every address"),  # I-8
        ({"log_retention_days": 0}, {}, "logs kept for 0 days"),  # I-9
        ({"account_id": "42"}, {}, "control_plane.account_id"),
        ({"region": ""}, {}, "control_plane.region: no region"),
        ({"encrypt_secrets": True, "secrets_key_arn": "k"}, {}, "encrypt_secrets makes a key and secrets_key_arn names one"),
        ({"zonal_autoshift": "ENABLED"}, {}, "allowed: zonal_shift"),
        ({"name_style": "regionl"}, {}, "did you mean regional"),
        ({"zones": "eu-west-1a"}, {}, "control_plane.zones: expected a list, found 'eu-west-1a'"),
        ({"admins": ["arn"]}, {}, "control_plane.admins: expected a mapping, found a list"),
        ({"production": "yes"}, {}, "expected true or false"),
        ({}, {"add_ons": ["coredns"]}, "add_ons: expected a mapping, found a list"),
        ({}, {"system_nodes": {"minimum": "2"}}, "system_nodes.minimum: expected a whole number, found '2'"),
        ({"vesion": "1.34"}, {}, "unknown input 'vesion'.*did you mean version"),
        ({}, {"fargate": {}}, "identity: Fargate has no Pod Identity agent.*allowed: irsa"),  # I-11
        ({}, {"fargate": {}, "system_nodes": {}, "identity": "irsa"}, "both system_nodes and fargate"),
        ({}, {"system_nodes": {"minimum": 1}}, "system_nodes.minimum: minimum of 1"),  # I-10
        ({}, {"system_nodes": {"minimum": 3, "desired": 2}}, "system_nodes.desired: minimum 3, desired 2, maximum 3"),
        ({}, {"system_nodes": {"minimum": 4, "maximum": 3}}, "system_nodes.maximum: minimum 4, desired 4, maximum 3"),
        ({}, {"system_nodes": {"desired": 451}}, "system_nodes.desired: maximum of 451; allowed: at most 450"),
        ({}, {"system_nodes": {"labels": {"k8s.io/a": "b"}}}, "labels of k8s.io/ are EKS's own"),
        ({}, {"system_nodes": {"zones": ["eu-west-1a"]}}, "system_nodes.zones: subnets in one zone"),  # I-10
        ({}, {"system_nodes": {"subnet_ids": ["subnet-c"]}}, "system_nodes.zones: subnets without their zones"),
        ({}, {"system_nodes": {"instance_types": ["m7i.large", "m7g.large"]}}, "m7i.large cannot start images of BOTTLE"),
        ({}, {"add_ons": {"corends": {}}}, "add-on 'corends'.*did you mean coredns"),
        ({}, {"add_ons": {"coredns": {"verison": "v1"}}}, "add_ons.coredns.verison: unknown input"),
        ({}, {"idenity": "irsa"}, "unknown input 'idenity'.*did you mean identity"),
        ({}, {"cni_role": "nodes"}, "cni_role: unknown value 'nodes'.*did you mean node"),
    ],
)
def test_what_cannot_work_is_refused(record, of_plane, more, message):
    with pytest.raises(InputError, match=message):
        record(Mode.PREVIEW, of_plane, **more)


def test_all_mistakes_are_reported_together(record):  # I-78
    wrong = {"cluster_name": "x" * 101, "version": "", "zones": ["a"], "admins": {}}
    with pytest.raises(InputError) as raised:
        record(Mode.PREVIEW, wrong, fargate={}, add_ons={"corends": {}})
    assert [problem.place.path for problem in raised.value.problems] == [
        "add_ons.corends",
        "control_plane.admins",
        "control_plane.cluster_name",
        "control_plane.version",
        "control_plane.zones",
        "identity",
    ]


def test_a_value_of_an_update_cannot_decide_names(tmp_path):
    body = """
from pulumi_cutlist.aws import Cluster
zone = pulumi.Output.from_input("eu-west-1a")
Cluster("main", {"control_plane": {**plane, "zones": zone}})
"""
    with pytest.raises(InputError, match=r"control_plane\.zones: known only during an update; allowed: a list"):
        run(tmp_path, body, plane=control_plane())


def test_a_component_without_inputs_tells_what_it_needs(tmp_path):
    with pytest.raises(InputError, match=r"control_plane\.version: is missing") as raised:
        run(tmp_path, 'from pulumi_cutlist.aws import Cluster; Cluster("main", {})')
    assert len(raised.value.problems) > 5


HOSTED = """
from pulumi.provider.experimental.component import ComponentProvider
from pulumi_cutlist.aws import Cluster

host = ComponentProvider([Cluster], "cutlist", version="0.1.0")
hosted = host.construct("main", "cutlist:index:Cluster", args)
pulumi.export("state", hosted.state)
"""


def test_a_program_in_another_language_gets_a_cluster(tmp_path):
    """Constructed as the component host does it: names as other languages write them, and whole numbers as floats."""
    plane = {
        "clusterName": "shop",
        "region": "eu-west-1",
        "accountId": ACCOUNT,
        "version": "1.34",
        "subnetIds": ["subnet-a", "subnet-b"],
        "zones": ["eu-west-1a", "eu-west-1b"],
        "admins": {"deployer": f"arn:aws:iam::{ACCOUNT}:role/Deployer"},
        "logRetentionDays": 30.0,
    }
    recording = run(tmp_path, HOSTED, args={"controlPlane": plane, "systemNodes": {"maximum": 4.0}})
    assert one(recording, LOGS).inputs["retentionInDays"] == 30
    assert one(recording, NODES).inputs["scalingConfig"]["maxSize"] == 4
    state = recording.exports["state"]
    assert (state["clusterName"], state["endpoint"]) == ("shop", "https://shop.example")
    assert "get-token" in state["kubeconfig"]


def test_a_way_back_of_authentication_is_refused_in_a_preview_already(record):  # I-4
    """The engine asks before it updates a cluster, previews included."""
    hook = next(hook for hook in record(Mode.PREVIEW).hooks if hook.name == "main-one-way")
    assert (hook.name, hook.on_dry_run) == ("main-one-way", True)
    assert list(one(record(), CLUSTER).request.hooks.before_update) == ["main-one-way"]


@pytest.mark.parametrize(
    ("before", "after", "refused"),
    [("API", "API_AND_CONFIG_MAP", True), ("API_AND_CONFIG_MAP", "API", False), ("API", "API", False)],
)
def test_what_the_engine_asks_is_answered_by_the_inputs(before, after, refused):  # I-4
    old, new = ({"accessConfig": {"authenticationMode": mode}} for mode in (before, after))
    change = pulumi.ResourceHookArgs("urn", "id", "main-cluster", CLUSTER, new_inputs=new, old_inputs=old)
    with pytest.raises(TransitionError, match="one-way") if refused else nullcontext():
        refuse_way_back(change)


KEYS = tuple(f"arn:aws:kms:eu-west-1:111122223333:key/{name}" for name in "ab")


@pytest.mark.parametrize(
    ("before", "after", "refused"),
    [(None, KEYS[0], False), (KEYS[0], KEYS[0], False), (KEYS[0], KEYS[1], True), (KEYS[0], "unknown", False)],
)
def test_another_key_for_secrets_is_refused_before_an_update(before, after, refused):
    """EKS takes the first one and keeps it; the provider would announce the change at each update, and make none."""
    old, new = ({"encryptionConfig": {"provider": {"keyArn": key}}} if key else {} for key in (before, after))
    change = pulumi.ResourceHookArgs("urn", "id", "main-cluster", CLUSTER, new_inputs=new, old_inputs=old)
    with pytest.raises(TransitionError, match="key/b needs another cluster") if refused else nullcontext():
        refuse_way_back(change)
