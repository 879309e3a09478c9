"""AdoptedCluster: a cluster of others, which is used and never changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pulumi_cutlist.aws.whole_cluster.on_pulumi_eks import name_of_version
from pulumi_cutlist.errors import OfflineError
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError, Place
from tests.infrastructure.aws_stand_in import ACCOUNT, ISSUER, run
from tests.infrastructure.graph import Graph
from tests.infrastructure.test_cluster import ADD_ON, ENTRY, one
from tests.infrastructure.unknowns import has_unknowns

PROGRAM = """
from pulumi_cutlist.aws import AdoptedCluster, kubernetes_provider

cluster = AdoptedCluster("main", args)
kubernetes_provider("main", cluster)
outputs = ("cluster_name", "cluster_arn", "endpoint", "certificate_authority", "security_group_id", "oidc_issuer", "version")
pulumi.export("reported", {name: getattr(cluster, name) for name in outputs})
pulumi.export("mode", cluster.authentication_mode)
pulumi.export("kubeconfig", cluster.kubeconfig)
"""
NAMED = {"cluster_name": "shop", "region": "eu-west-1", "account_id": ACCOUNT}
FACTS = {
    "version": "1.34",
    "authentication_mode": "API",
    "endpoint": "https://shop.example",
    "certificate_authority": "Q0E=",
    "oidc_issuer": ISSUER,
    "security_group_id": "sg-1",
}
LOOK_UP = {
    "aws:eks/getCluster:getCluster": {
        "version": "1.33",
        "accessConfigs": [{"authenticationMode": "API_AND_CONFIG_MAP", "bootstrapClusterCreatorAdminPermissions": True}],
        "endpoint": "https://found.example",
        "certificateAuthorities": [{"data": "Rk9VTkQ="}],
        "identities": [{"oidcs": [{"issuer": ISSUER}]}],
        "vpcConfig": {"clusterSecurityGroupId": "sg-2"},
    }
}


@pytest.fixture
def record(tmp_path: Path):
    def make(mode: Mode = Mode.PREVIEW, calls: dict[str, Any] | None = None, **args: Any) -> Recording:
        return run(tmp_path, PROGRAM, mode, calls, args=args)

    return make


@pytest.mark.parametrize("mode", Mode)
def test_the_facts_are_known_in_a_preview_without_a_look_up(record, mode):  # I-2
    recording = record(mode, **NAMED, **FACTS)
    assert recording.exports["reported"] == {
        "cluster_name": "shop",
        "cluster_arn": f"arn:aws:eks:eu-west-1:{ACCOUNT}:cluster/shop",
        **{key: value for key, value in FACTS.items() if key != "authentication_mode"},
    }
    assert recording.exports["mode"] == "API"
    assert "get-token" in recording.exports["kubeconfig"]
    assert not any(has_unknowns(r) for r in recording.resources.values())


def test_nothing_is_made_and_nothing_changed(record):  # I-12
    assert [r for r in record(**NAMED, **FACTS).resources.values() if r.type.startswith("aws:")] == []


def test_the_agent_is_made_on_request_and_is_all(record):  # I-12
    recording = record(pod_identity_agent=True, **NAMED, **FACTS)
    [made] = [r for r in recording.resources.values() if r.type.startswith("aws:")]
    assert (made.type, made.inputs["addonName"], made.inputs["clusterName"]) == (ADD_ON, "eks-pod-identity-agent", "shop")


def test_objects_that_exist_may_be_taken_over(record):
    [provider] = [r for r in record(**NAMED, **FACTS).resources.values() if r.type == "pulumi:providers:kubernetes"]
    assert provider.inputs["upsertExistingObjects"] == "true"
    assert provider.inputs["deleteUnreachable"] == "false"


def test_what_is_not_given_is_looked_up_in_one_call(record):
    recording = record(calls=LOOK_UP, **NAMED, endpoint="https://given.example")
    reported = recording.exports["reported"]
    assert (reported["endpoint"], reported["version"], reported["security_group_id"]) == (
        "https://given.example",
        "1.33",
        "sg-2",
    )
    assert recording.exports["mode"] == "API_AND_CONFIG_MAP"


def test_without_facts_and_without_an_account_the_run_says_what_it_misses(record):
    with pytest.raises(OfflineError, match="getCluster"):
        record(**NAMED)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"authentication_mode": "CONFIG_MAP"}, "authentication_mode: a cluster with CONFIG_MAP.*aws_auth"),
        ({"authentication_mode": "api"}, "authentication_mode: unknown value 'api'"),
        ({"version": "1.36", "karpenter_version": "1.9.0"}, "did you mean 1.13.0"),  # I-3
        ({"cluster_name": "x" * 101}, "cluster_name: cluster name of 101"),
        ({"region": ""}, "region: no region"),
        ({"endpont": "x"}, "unknown input 'endpont'.*did you mean endpoint"),
    ],
)
def test_what_cannot_work_is_refused(record, more, message):
    with pytest.raises(InputError, match=message):
        record(**{**NAMED, **FACTS, **more})


def test_a_cluster_with_aws_auth_is_taken_when_that_is_chosen(record):
    recording = record(**{**NAMED, **FACTS, "authentication_mode": "CONFIG_MAP"}, aws_auth=True)
    assert recording.exports["mode"] == "CONFIG_MAP"


OF_PULUMI_EKS = """
import pulumi_aws, pulumi_eks
from pulumi_cutlist.aws import adopt_pulumi_eks

made = pulumi_eks.Cluster("inner", authentication_mode="API")
cluster = adopt_pulumi_eks("main", made, args)
pulumi.export("name", cluster.cluster_name)
pulumi.export("endpoint", cluster.endpoint)
pulumi_aws.eks.AccessEntry("nodes", cluster_name=cluster.cluster_name, principal_arn="arn", type="EC2_LINUX")
"""


def test_a_cluster_of_pulumi_eks_is_adopted_with_its_outputs(tmp_path):  # I-12
    args = {**NAMED, "version": "1.34", "authentication_mode": "API"}
    recording = run(tmp_path, OF_PULUMI_EKS, Mode.PREVIEW, args=args)
    inner, outer = one(recording, "eks:index:Cluster"), one(recording, "cutlist:index:AdoptedCluster")
    assert Graph.of(recording).reaches([outer, one(recording, ENTRY)], inner)
    assert recording.exports["name"] == "shop"


def test_a_cluster_of_pulumi_eks_has_no_authentication_mode_to_look_up(tmp_path):
    """It left access configuration out, which EKS reads as CONFIG_MAP; so the mode has to be written."""
    with pytest.raises(InputError, match="authenticationMode: the cluster does not exist yet"):
        run(tmp_path, OF_PULUMI_EKS, Mode.PREVIEW, args={**NAMED, "version": "1.34"})


WITH_KARPENTER = """
import pulumi_eks
from pulumi_cutlist.aws import karpenter_on_pulumi_eks

made = pulumi_eks.Cluster("inner", authentication_mode="API", version="1.34")
karpenter = karpenter_on_pulumi_eks("shop", made, args)
pulumi.export("vpc", karpenter.vpc_id)
"""
ON_IT = {
    **NAMED,
    "kubernetes_version": "1.34",
    "adopted_cluster": {"authentication_mode": "API"},
    "network": {
        "adopted": {
            "private_subnets": [
                {"id": "subnet-0a", "zone": "eu-west-1a", "has_default_route": True},
                {"id": "subnet-0b", "zone": "eu-west-1b", "has_default_route": True},
            ]
        }
    },
}


def test_a_cluster_of_pulumi_eks_gets_karpenter_by_one_call(tmp_path):
    """What is in the cluster, and what needs it in the account, waits for it; its agent is there before the controller."""
    recording = run(tmp_path, WITH_KARPENTER, Mode.PREVIEW, args=ON_IT)
    graph, inner = Graph.of(recording), one(recording, "eks:index:Cluster")
    releases = [r for r in recording.resources.values() if r.type == "kubernetes:helm.sh/v3:Release"]
    entries, agents = recording.of_type(ENTRY), recording.of_type(ADD_ON)
    assert len(releases) == 2
    assert [agent.inputs["addonName"] for agent in agents] == ["eks-pod-identity-agent"]
    assert graph.reaches([*releases, *entries, *agents], inner)
    assert graph.reaches(releases, agents[0])


@pytest.mark.parametrize("program", [WITH_KARPENTER, OF_PULUMI_EKS])
def test_the_component_is_given_and_not_the_cluster_inside(tmp_path, program):
    """That is an output of the component, and every fact of it would stay unknown."""
    args = ON_IT if program is WITH_KARPENTER else {**NAMED, "version": "1.34", "authentication_mode": "API"}
    with pytest.raises(InputError, match=r"^cluster: found a pulumi\.Output; allowed: the pulumi_eks\.Cluster itself"):
        run(tmp_path, program.replace(", made, args", ", made.eks_cluster, args"), Mode.PREVIEW, args=args)


def test_a_cluster_of_another_version_than_was_said_ends_the_update():
    """Its version is known only once it is made."""
    at = Place(path="kubernetesVersion")
    assert name_of_version("shop", "1.34", "1.34", at) == "shop"
    with pytest.raises(InputError, match=r"^kubernetesVersion: shop has version 1\.34, not 1\.36; allowed: 1\.34"):
        name_of_version("shop", "1.34", "1.36", at)


def test_administrators_are_of_a_cluster_that_is_made(tmp_path):
    with pytest.raises(InputError, match="admins: applies to a new cluster, and this one is adopted"):
        run(tmp_path, WITH_KARPENTER, Mode.PREVIEW, args={**ON_IT, "admins": {"me": f"arn:aws:iam::{ACCOUNT}:role/me"}})


def test_pods_with_roles_by_irsa_need_no_agent(tmp_path):
    args = {**ON_IT, "identity": "irsa"}
    assert run(tmp_path, WITH_KARPENTER, Mode.PREVIEW, args=args).of_type(ADD_ON) == []


@pytest.mark.parametrize(
    ("lacks", "message"),
    [
        ("kubernetes_version", "kubernetesVersion: the cluster does not exist yet"),
        ("adopted_cluster", "adoptedCluster.authenticationMode: the cluster does not exist yet"),
        ("network", "network.adopted.privateSubnets: is missing"),
    ],
)
def test_what_the_component_cannot_say_is_asked_for(tmp_path, lacks, message):
    with pytest.raises(InputError, match=message):
        run(tmp_path, WITH_KARPENTER, Mode.PREVIEW, args={key: value for key, value in ON_IT.items() if key != lacks})
