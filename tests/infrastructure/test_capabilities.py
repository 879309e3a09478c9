"""Capabilities that EKS runs for a cluster: their roles, what they are configured with, and what they cost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from cutlist.infrastructure.costs import charges_of
from cutlist.infrastructure.costs.charges import ChargeState, RequestedResource
from cutlist.infrastructure.iam.deployer import deployer_document
from cutlist.infrastructure.iam.deployer_calls import CALLS
from cutlist.infrastructure.iam.evaluator import Request, decide
from cutlist.infrastructure.names import ClusterFacts
from tests.infrastructure.aws_stand_in import ACCOUNT
from tests.infrastructure.joined_program import ADMINS, NEW, OBJECTS, WHERE, joined

CAPABILITY, ROLE = "aws:eks/capability:Capability", "aws:iam/role:Role"
ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
INSTANCE = "arn:aws:sso:::instance/ssoins-1234567890abcdef"
BUCKETS = f"arn:aws:iam::{ACCOUNT}:policy/Buckets"
OWN = f"arn:aws:iam::{ACCOUNT}:role/Argo"
ARGO_CD = {
    "idc_instance_arn": INSTANCE,
    "idc_region": "us-east-1",
    "namespace": "argocd",
    "role_mappings": [{"role": "ADMIN", "identities": [{"id": "g-1", "type": "SSO_GROUP"}]}],
    "vpc_endpoint_ids": ["vpce-01"],
    "role_arn": OWN,
}
ALL = {"ack": {"policy_arns": [BUCKETS]}, "argo_cd": ARGO_CD, "kro": {}}


def recorded(capabilities: dict[str, Any], **more: Any) -> Recording:
    given = {**NEW, **OBJECTS, "control_plane": {"capabilities": capabilities}, **more}
    return joined("KarpenterCluster", given, Mode.PREVIEW)


def test_each_capability_has_its_role_and_configuration():  # I-95
    recording = recorded(ALL)
    made = {one.inputs["type"]: one.inputs for one in recording.of_type(CAPABILITY)}
    assert sorted(made) == ["ACK", "ARGOCD", "KRO"]
    assert {inputs["deletePropagationPolicy"] for inputs in made.values()} == {"RETAIN"}
    assert made["ARGOCD"]["roleArn"] == OWN
    assert made["ARGOCD"]["configuration"] == {
        "argoCd": {
            "awsIdc": {"idcInstanceArn": INSTANCE, "idcRegion": "us-east-1"},
            "namespace": "argocd",
            "networkAccess": {"vpceIds": ["vpce-01"]},
            "rbacRoleMappings": [{"role": "ADMIN", "identities": [{"id": "g-1", "type": "SSO_GROUP"}]}],
        }
    }
    assert "configuration" not in made["ACK"]
    roles = {one.name: one.inputs for one in recording.of_type(ROLE) if "-capability-" in one.name}
    assert [name.rpartition("-")[2] for name in roles] == ["ack", "kro"]
    [statement] = json.loads(next(iter(roles.values()))["assumeRolePolicy"])["Statement"]
    assert statement["Principal"] == {"Service": "capabilities.eks.amazonaws.com"}
    assert statement["Action"] == ["sts:AssumeRole", "sts:TagSession"]
    attached = [one.inputs["policyArn"] for one in recording.of_type(ATTACHMENT) if "-capability-" in one.name]
    assert attached == [BUCKETS]


def test_a_cluster_in_auto_mode_has_them_too():
    given = {**WHERE, "kubernetes_version": "1.35", "admins": ADMINS, "control_plane": {"capabilities": {"kro": {}}}}
    [kro] = joined("AutoModeCluster", given, Mode.PREVIEW).of_type(CAPABILITY)
    assert kro.inputs["type"] == "KRO"


def test_who_updates_may_make_them_and_pass_their_roles():
    facts = ClusterFacts("shop", "eu-west-1", ACCOUNT)
    document = deployer_document(facts, [CAPABILITY, ROLE])
    assert CAPABILITY in CALLS
    assert decide((document,), Request("eks:CreateCapability", facts.cluster_arn)).allowed
    passed = {"iam:PassedToService": "capabilities.eks.amazonaws.com"}
    role = facts.role_arn("EKSCapabilityRole-ack-shop")
    assert decide((document,), Request("iam:PassRole", role, passed)).allowed


def test_a_capability_costs_more_by_what_it_manages():
    [charge] = charges_of(RequestedResource(CAPABILITY, {"type": "ARGOCD"}, "us-west-2"))
    assert charge.note == "and by the hour for each Application"
    [elsewhere] = charges_of(RequestedResource(CAPABILITY, {"type": "ARGOCD"}, "eu-west-1"))
    assert elsewhere.state is ChargeState.NOT_KNOWN


@pytest.mark.parametrize(
    ("capabilities", "said"),
    [
        ({"ack": {}}, "capabilities.ack.policy_arns: the role would have no rights"),
        ({"ack": {"policy_arns": ["Buckets"]}}, "capabilities.ack.policy_arns[0]: 'Buckets' is not the ARN of a policy"),
        ({"kro": {"role_arn": OWN, "policy_arns": [BUCKETS]}}, "capabilities.kro.policy_arns: policies beside a role"),
        ({"argo_cd": {}}, "capabilities.argo_cd.idc_instance_arn: is missing"),
        ({"argo_cd": {"idc_instance_arn": "ssoins-1"}}, "'ssoins-1' is not the ARN of an instance of IAM Identity Center"),
        ({"argo_cd": {**ARGO_CD, "namespace": "Argo"}}, "capabilities.argo_cd.namespace"),
        ({"argo_cd": {**ARGO_CD, "role_mappings": [{"role": "OWNER", "identities": []}]}}, "unknown value 'OWNER'"),
        ({"argo_cd": {**ARGO_CD, "role_mappings": [{"role": "ADMIN", "identities": []}]}}, "nobody has this role"),
        ({"argocd": ARGO_CD}, "did you mean argo_cd?"),
    ],
)
def test_mistakes_are_reported_before_anything_is_made(capabilities, said):  # I-95
    with pytest.raises(InputError) as raised:
        recorded(capabilities)
    assert f"control_plane.{said}" in str(raised.value) or said in str(raised.value)


def test_other_partitions_have_none():  # I-95
    china = {"region": "cn-north-1", "admins": {"deployer": f"arn:aws-cn:iam::{ACCOUNT}:role/Deployer"}}
    with pytest.raises(InputError, match=r"control_plane\.capabilities: EKS runs no capabilities in cn-north-1"):
        recorded({"kro": {}}, **china)
