"""ExternalDnsIdentity: a role that changes the records of given zones, for the pods of one service account."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.policy_resources import recorded_resources
from pulumi_cutlist.recorded.recording import Recording, Registration

from cutlist.core.errors import InputError, Place, Problems
from cutlist.infrastructure.iam.evaluator import Request, decide
from cutlist.infrastructure.iam.reading import read_document
from cutlist.policy.gates import judge, read_gates
from cutlist.policy.registry import ALL
from tests.infrastructure.aws_stand_in import ACCOUNT, ISSUER, run
from tests.infrastructure.unknowns import has_unknowns

PROGRAM = """
from pulumi_cutlist.aws import ExternalDnsIdentity
import pulumi_aws as aws

if args.pop("made_here", False):
    args["hosted_zone_ids"] = [aws.route53.Zone("shop", name="shop.example.com").id]
identity = ExternalDnsIdentity("dns", args)
pulumi.CustomResource("test:index:Release", "release", {}, pulumi.ResourceOptions(depends_on=[identity]))
for output in ("role_name", "role_arn", "service_account_annotations"):
    pulumi.export(output, getattr(identity, output))
"""
ROLE, RIGHTS = "aws:iam/role:Role", "aws:iam/rolePolicy:RolePolicy"
ASSOCIATION = "aws:eks/podIdentityAssociation:PodIdentityAssociation"
OURS, OTHER = "Z0123456789ABCDEFGHIJ", "Z2FDTNDATAQYW2"
HOST = ISSUER.removeprefix("https://")
PROVIDER = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{HOST}"
IRSA = {"credentials": "irsa", "oidc_provider_arn": PROVIDER, "oidc_issuer": ISSUER}
CHANGE = "route53:ChangeResourceRecordSets"


@pytest.fixture
def record(tmp_path: Path):
    def make(mode: Mode = Mode.UPDATE, **more: Any) -> Recording:
        args = {"cluster_name": "shop", "region": "eu-west-1", "account_id": ACCOUNT, "hosted_zone_ids": [OURS], **more}
        return run(tmp_path, PROGRAM, mode, args={key: value for key, value in args.items() if value is not None})

    return make


def only(recording: Recording, token: str) -> Registration:
    (found,) = recording.of_type(token)
    return found


def may(recording: Recording, action: str, resource: str) -> bool:
    """Whether the role's document allows a call."""
    statements = json.loads(only(recording, RIGHTS).inputs["policy"])["Statement"]
    return decide((read_document(statements, Place(), Problems()),), Request(action, resource)).allowed


def zone(id_: str, partition: str = "aws") -> str:
    return f"arn:{partition}:route53:::hostedzone/{id_}"


@pytest.mark.parametrize(
    ("region", "partition"), [("eu-west-1", "aws"), ("cn-north-1", "aws-cn"), ("us-gov-west-1", "aws-us-gov")]
)
def test_records_change_in_the_given_zones_alone(record, region, partition):  # K-19
    """Zones are found by listing all of them, which no zone can limit; nothing else is allowed anywhere."""
    recording = record(region=region)
    assert may(recording, CHANGE, zone(OURS, partition))
    assert not may(recording, CHANGE, zone(OTHER, partition))
    assert not may(recording, CHANGE, zone(OURS + "K", partition))
    for reading in ("ListHostedZones", "ListResourceRecordSets", "ListTagsForResources"):
        assert may(recording, f"route53:{reading}", zone(OTHER, partition))
    for more in ("route53:DeleteHostedZone", "route53:CreateHostedZone", "ec2:DescribeInstances"):
        assert not may(recording, more, zone(OURS, partition))


def test_every_zone_is_something_to_say(record):  # K-19
    assert may(record(hosted_zone_ids=None, every_zone=True), CHANGE, zone(OTHER))


@pytest.mark.parametrize("mode", Mode)
def test_one_service_account_gets_the_role_by_pod_identity(record, mode):  # K-19 I-31
    """By an association of this cluster, and by the names that EKS puts on each session."""
    recording = record(mode)
    arn = f"arn:aws:iam::{ACCOUNT}:role/ExternalDNS-shop"
    assert only(recording, ASSOCIATION).inputs == {
        "region": "eu-west-1",
        "clusterName": "shop",
        "namespace": "monitoring",
        "serviceAccount": "external-dns",
        "roleArn": arn,
    }
    [trusted] = json.loads(only(recording, ROLE).inputs["assumeRolePolicy"])["Statement"]
    assert trusted["Condition"] == {
        "StringEquals": {
            "aws:SourceAccount": ACCOUNT,
            "aws:RequestTag/eks-cluster-arn": f"arn:aws:eks:eu-west-1:{ACCOUNT}:cluster/shop",
            "aws:RequestTag/kubernetes-namespace": "monitoring",
            "aws:RequestTag/kubernetes-service-account": "external-dns",
        },
    }
    assert recording.exports == {"role_name": "ExternalDNS-shop", "role_arn": arn, "service_account_annotations": {}}


def test_one_service_account_gets_the_role_by_the_provider(record):  # K-19 I-31
    recording = record(**IRSA, namespace="dns", service_account="writer")
    assert recording.of_type(ASSOCIATION) == []
    [trusted] = json.loads(only(recording, ROLE).inputs["assumeRolePolicy"])["Statement"]
    assert trusted["Principal"] == {"Federated": PROVIDER}
    subject = "system:serviceaccount:dns:writer"
    assert trusted["Condition"] == {"StringEquals": {f"{HOST}:aud": "sts.amazonaws.com", f"{HOST}:sub": subject}}
    annotation = {"eks.amazonaws.com/role-arn": f"arn:aws:iam::{ACCOUNT}:role/ExternalDNS-shop"}
    assert recording.exports["service_account_annotations"] == annotation


def test_the_role_is_bounded_placed_and_tagged_like_the_others(record):
    boundary = f"arn:aws:iam::{ACCOUNT}:policy/Boundary"
    given = {"path": "/team/", "permissions_boundary": boundary, "tags": {"team": "shop"}, "name_style": "regional"}
    recording = record(**given)
    role = only(recording, ROLE).inputs
    assert (role["path"], role["permissionsBoundary"], role["tags"]) == ("/team/", boundary, {"team": "shop"})
    assert only(recording, ASSOCIATION).inputs["tags"] == {"team": "shop"}
    assert recording.exports["role_arn"] == f"arn:aws:iam::{ACCOUNT}:role/team/ExternalDNS-shop-eu-west-1"


@pytest.mark.parametrize("mode", Mode)
def test_names_can_be_left_to_the_engine(record, mode):
    assert "name" not in only(record(mode, name_style="auto"), ROLE).inputs


def test_what_waits_for_it_waits_for_rights_and_association(record):  # I-32
    """Pods that were there before would run without credentials."""
    recording = record()
    waits = set(only(recording, "test:index:Release").request.dependencies)
    assert {only(recording, token).urn for token in (ROLE, RIGHTS, ASSOCIATION)} <= waits


def test_a_zone_of_the_same_program_is_known_later(record):
    """A preview leaves the document open; what an update then finds is checked like what is written down."""
    late = {"hosted_zone_ids": None, "made_here": True}
    assert has_unknowns(only(record(Mode.PREVIEW, **late), RIGHTS))
    with pytest.raises(InputError, match=r"hostedZoneIds\[0\]: '\S+' is not the id of a hosted zone"):
        record(Mode.UPDATE, **late)


@pytest.mark.parametrize(
    ("given", "reported"),
    [
        ({"hosted_zone_ids": None}, "hosted_zone_ids: no hosted zone is given"),
        ({"hosted_zone_ids": []}, "hosted_zone_ids: no hosted zone is given"),
        ({"hosted_zone_ids": [OURS, "*"]}, "hosted_zone_ids[1]: '*' is not the id of a hosted zone"),
        ({"hosted_zone_ids": [f"/hostedzone/{OURS}"]}, f"did you mean {OURS}?"),
        ({"hosted_zone_ids": 5}, "hosted_zone_ids: expected a list, found 5"),
        ({"hosted_zone_ids": [True]}, 'hosted_zone_ids[0]: true is not text; did you mean "true"?'),
        ({"hosted_zone_ids": OURS}, f"hosted_zone_ids: expected a list, found '{OURS}'"),
        ({"hosted_zone_ids": [OURS.lower()]}, f"did you mean {OURS}?"),
        ({"every_zone": True}, "every_zone: both every_zone and hosted_zone_ids"),
        ({"hosted_zone_ids": [f"Z{number:031}" for number in range(200)]}, "200 zones make a document of"),
        ({"credentials": "irsa"}, "oidc_issuer: irsa needs the cluster's OIDC provider"),
        ({**IRSA, "credentials": "pod-identity"}, "oidc_provider_arn: belongs to irsa"),
        ({"credentials": "isra"}, "credentials: unknown value 'isra'"),
        ({"namespace": "Mon*"}, "namespace: 'Mon*' is not the name of a namespace"),
        ({"service_account": "external dns"}, "service_account: 'external dns' is not a name"),
        ({"path": "team"}, "path: path 'team'"),
        ({"account_id": "1234"}, "account_id: account '1234'"),
        ({"hosted_zones": [OURS]}, "hosted_zones: unknown input 'hosted_zones'"),
    ],
)
def test_what_cannot_be_is_refused_in_a_preview(record, given, reported):  # K-19
    with pytest.raises(InputError) as error:
        record(Mode.PREVIEW, **given)
    assert reported in str(error.value)


def test_mistakes_are_reported_together_before_anything_is_registered(record):
    with pytest.raises(InputError) as error:
        record(cluster_name="x" * 101, hosted_zone_ids=["*"], path="team", credentials="isra", namespace="-")
    places = [str(problem.place) for problem in error.value.problems]
    assert places == ["cluster_name", "credentials", "hosted_zone_ids[0]", "namespace", "path"]


@pytest.mark.parametrize("given", [{}, IRSA, {"hosted_zone_ids": None, "every_zone": True}])
def test_the_gates_pass_its_documents(record, given):
    """Under every rule that there is, as production has them."""
    resources = recorded_resources(record(**given))
    gates = read_gates({"environment": "production"}, ALL)
    outcomes = [one for one in judge(resources, gates, date(2026, 6, 1)).outcomes if one.rule.startswith("IF-")]
    assert outcomes == []
