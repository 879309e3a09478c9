"""PodIdentity: roles for the pods of one service account, ready ones and those of own rights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording, Registration

from cutlist.core.errors import InputError, Place, Problems
from cutlist.infrastructure.iam.deployer_calls import CALLS
from cutlist.infrastructure.iam.documents import INLINE_POLICIES_LIMIT
from cutlist.infrastructure.iam.evaluator import Request, decide
from cutlist.infrastructure.iam.reading import read_document
from cutlist.infrastructure.iam.ready import READY, load_balancer_document
from cutlist.infrastructure.names import ClusterFacts
from tests.infrastructure.aws_stand_in import ACCOUNT, ISSUER, run

PROGRAM = """
from pulumi_cutlist.aws import PodIdentity
import pulumi

if made_here := args.pop("made_here", ""):
    args["resources"] = [pulumi.Output.from_input(made_here)]
identity = PodIdentity("pods", args)
for output in ("role_name", "role_arn", "service_account_annotations"):
    pulumi.export(output, getattr(identity, output))
"""
ROLE, RIGHTS = "aws:iam/role:Role", "aws:iam/rolePolicy:RolePolicy"
ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
ASSOCIATION = "aws:eks/podIdentityAssociation:PodIdentityAssociation"
ZONE = "arn:aws:route53:::hostedzone/Z0123456789ABCDEFGHIJ"
SECRET = f"arn:aws:secretsmanager:eu-west-1:{ACCOUNT}:secret:shop-*"
PARAMETER = f"arn:aws:ssm:eu-west-1:{ACCOUNT}:parameter/shop/*"
OWN = f"arn:aws:iam::{ACCOUNT}:policy/Uploads"
RESOURCES = {"cert-manager": [ZONE], "external-secrets": [SECRET, PARAMETER]}
FACTS = ClusterFacts("shop", "eu-west-1", ACCOUNT)


@pytest.fixture
def record(tmp_path: Path):
    def make(mode: Mode = Mode.UPDATE, **more: Any) -> Recording:
        return run(tmp_path, PROGRAM, mode, args={"cluster_name": "shop", "region": "eu-west-1", "account_id": ACCOUNT, **more})

    return make


def only(recording: Recording, token: str) -> Registration:
    (found,) = recording.of_type(token)
    return found


def may(statements: list[dict[str, Any]], action: str, resource: str) -> bool:
    return decide((read_document(statements, Place(), Problems()),), Request(action, resource)).allowed


@pytest.mark.parametrize("name", READY)
def test_a_ready_identity_is_for_the_pods_of_its_chart(record, name):
    """With AWS's own policy, or a document that a role can hold; what makes it is in the policy for updates."""
    recording = record(ready=name, **({"resources": RESOURCES[name]} if name in RESOURCES else {}))
    association = only(recording, ASSOCIATION).inputs
    assert (association["namespace"], association["serviceAccount"]) == (READY[name].namespace, READY[name].service_account)
    assert only(recording, ROLE).inputs["name"].startswith("Pod-")
    assert "shop" in only(recording, ROLE).inputs["name"]
    rights = recording.of_type(RIGHTS) + recording.of_type(ATTACHMENT)
    assert len(rights) == 1
    if recording.of_type(RIGHTS):
        assert len("".join(only(recording, RIGHTS).inputs["policy"].split())) < INLINE_POLICIES_LIMIT
    made = {one.type for one in recording.resources.values() if one.type.startswith("aws:")}
    assert made <= CALLS.keys()


def test_the_load_balancer_controller_changes_what_is_of_its_cluster():
    """Balancers of another cluster in the account keep their listeners' owners, their tags and themselves."""
    statements = json.loads(load_balancer_document(FACTS).text())["Statement"]
    balancer = f"arn:aws:elasticloadbalancing:eu-west-1:{ACCOUNT}:loadbalancer/app/web/1"
    delete, tag = "elasticloadbalancing:DeleteLoadBalancer", "aws:ResourceTag/elbv2.k8s.aws/cluster"
    document = read_document(statements, Place(), Problems())
    assert decide((document,), Request(delete, balancer, {tag: "shop"})).allowed
    assert not decide((document,), Request(delete, balancer, {tag: "bank"})).allowed
    assert not decide((document,), Request("ec2:DeleteVpc", "*")).allowed
    assert decide((document,), Request("elasticloadbalancing:DescribeLoadBalancers", "*")).allowed


def test_rights_end_at_the_given_resources(record):
    statements = json.loads(only(record(ready="external-secrets", resources=[SECRET, PARAMETER]), RIGHTS).inputs["policy"])
    read = statements["Statement"]
    assert may(read, "secretsmanager:GetSecretValue", SECRET.replace("*", "db"))
    assert not may(read, "secretsmanager:GetSecretValue", SECRET.replace("shop-*", "bank"))
    assert may(read, "ssm:GetParameter", PARAMETER.replace("*", "db"))
    assert not may(read, "ssm:GetParameter", SECRET)


def test_resources_may_be_made_by_the_same_program(record):
    own = f"arn:aws:secretsmanager:eu-west-1:{ACCOUNT}:secret:own"
    assert own in only(record(ready="external-secrets", made_here=own), RIGHTS).inputs["policy"]


def test_a_workload_of_ones_own_gets_its_policies(record):
    recording = record(namespace="web", service_account="uploader", policy_arns=[OWN], name_style="regional")
    assert only(recording, ATTACHMENT).inputs["policyArn"] == OWN
    assert only(recording, ROLE).inputs["name"] == "Pod-web-uploader-shop-eu-west-1"
    assert recording.exports["role_name"] == "Pod-web-uploader-shop-eu-west-1"


def test_by_irsa_the_service_account_names_the_role(record):
    host = ISSUER.removeprefix("https://")
    provider = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{host}"
    recording = record(ready="ebs-csi", credentials="irsa", oidc_provider_arn=provider, oidc_issuer=ISSUER)
    assert recording.of_type(ASSOCIATION) == []
    assert recording.exports["service_account_annotations"]["eks.amazonaws.com/role-arn"] == recording.exports["role_arn"]
    assert f"{host}:sub" in only(recording, ROLE).inputs["assumeRolePolicy"]


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({}, ["namespace: is missing", "service_account: is missing", "policy_arns: the role would have no rights"]),
        ({"ready": "ebs-cis"}, ["did you mean ebs-csi?"]),
        ({"ready": "cert-manager"}, ["resources: is missing", "ARNs of the hosted zones"]),
        ({"ready": "ebs-csi", "resources": [SECRET]}, ["ebs-csi uses no resources of yours"]),
        ({"ready": "external-secrets", "resources": ["shop"]}, ["resources[0]: 'shop' is not an ARN"]),
        ({"ready": "cert-manager", "resources": [ZONE, SECRET]}, ["resources[1]: ", "not an ARN of hosted zones"]),
        ({"ready": "ebs-csi", "policy_arns": ["Uploads"]}, ["policy_arns[0]"]),
        ({"ready": "ebs-csi", "namespace": "Kube"}, ["namespace"]),
        (
            {"ready": "external-secrets", "resources": [f"{SECRET}{number:0100}" for number in range(80)]},
            ["a document of"],
        ),
    ],
)
def test_mistakes_are_reported_before_anything_is_made(record, inputs, said):
    with pytest.raises(InputError) as raised:
        record(**inputs)
    for part in said:
        assert part in str(raised.value)


def test_nothing_else_is_wrong_with_software_that_is_not_known(record):
    with pytest.raises(InputError) as raised:
        record(ready="cert-manger", resources=["x"])
    assert [problem.place.path for problem in raised.value.problems] == ["ready"]


def test_an_arn_that_another_resource_provides_is_of_what_the_software_uses(record):
    with pytest.raises(InputError, match=f"^resources.0.: '{OWN}' is not an ARN of secrets or parameters"):
        record(ready="external-secrets", made_here=OWN)
