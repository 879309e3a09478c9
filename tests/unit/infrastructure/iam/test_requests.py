"""What the documents let through: every call that the controller makes, and nothing of what it must not."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import pytest

from cutlist.core.errors import Place
from cutlist.infrastructure.iam.calls import (
    calls,
    carried,
    creation_tags,
    known_calls,
    profile_tags,
    refused_calls,
    requested,
)
from cutlist.infrastructure.iam.controller import controller_documents
from cutlist.infrastructure.iam.dangers import dangers
from cutlist.infrastructure.iam.documents import Condition, Document, Operator, Statement
from cutlist.infrastructure.iam.evaluator import Request, decide
from tests.unit.infrastructure.iam.clusters import REGIONS, V1_15, cluster, everything
from tests.unit.infrastructure.iam.facts import STATEMENTS

SHOP = cluster()
OTHER = cluster("other")
DOCUMENTS = tuple(controller_documents(SHOP, V1_15, everything(SHOP)).values())
STRICT = tuple(controller_documents(SHOP, V1_15, everything(SHOP, strict=True)).values())
INSTANCE = SHOP.arn("ec2", "instance/i-1")
TEMPLATE = SHOP.arn("ec2", "launch-template/lt-1")
VOLUME_KEY = SHOP.arn("kms", "key/of-volumes")
PROFILE = SHOP.arn("iam", "instance-profile/one", region="")


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("strict", [False, True])
def test_every_call_of_the_controller_is_allowed(region, strict):  # I-27
    facts = cluster(region=region)
    documents = tuple(controller_documents(facts, V1_15, everything(facts, strict=strict)).values())
    denied = [
        (call.purpose, request)
        for call in calls(facts, everything(facts, strict=strict))
        for request in call.requests
        if not decide(documents, request).allowed
    ]
    assert denied == []


def test_every_statement_is_there_for_a_call():  # I-27
    """A statement that no call needs would grant for nothing."""
    requests = [request for call in calls(SHOP, everything(SHOP)) for request in call.requests]
    speaking = {
        decide((Document((s,)),), r).by.sid for d in DOCUMENTS for s in d for r in requests if decide((Document((s,)),), r).by
    }
    assert speaking == set(STATEMENTS)


@dataclass(frozen=True)
class Fixture:
    """A request that a statement allows, and the same request broken in one respect, several times."""

    sid: str
    allowed: Request
    denied: tuple[Request, ...]


def ec2(action: str, resource: str, context: dict[str, object] | None = None) -> Request:
    return Request(f"ec2:{action}", resource, {"aws:RequestedRegion": SHOP.region, **(context or {})})


def but(request: Request, **context: object) -> Request:
    """The request with other values of its context; None takes a key out. Keys by the fixture's short names."""
    changed = {**request.context, **{KEYS[name]: value for name, value in context.items()}}
    return replace(request, context={key: value for key, value in changed.items() if value is not None})


KEYS = {
    "new_cluster": f"aws:RequestTag/{SHOP.owned_tag}",
    "new_name": "aws:RequestTag/eks:eks-cluster-name",
    "new_pool": "aws:RequestTag/karpenter.sh/nodepool",
    "new_region": "aws:RequestTag/topology.kubernetes.io/region",
    "new_class": "aws:RequestTag/karpenter.k8s.aws/ec2nodeclass",
    "cluster": f"aws:ResourceTag/{SHOP.owned_tag}",
    "pool": "aws:ResourceTag/karpenter.sh/nodepool",
    "region": "aws:ResourceTag/topology.kubernetes.io/region",
    "node_class": "aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass",
    "tag_keys": "aws:TagKeys",
    "creating": "ec2:CreateAction",
    "service": "iam:PassedToService",
    "in_region": "aws:RequestedRegion",
    "identifier": "arc-zonal-shift:ResourceIdentifier",
    "via": "kms:ViaService",
    "for_aws": "kms:GrantIsForAWSResource",
}
CREATING = requested(creation_tags(SHOP))
OWNED = carried(creation_tags(SHOP))
NEW_PROFILE, OWN_PROFILE = requested(profile_tags(SHOP)), carried(profile_tags(SHOP))
NAMING = requested({"Name": "n", "karpenter.sh/nodeclaim": "c", "eks:eks-cluster-name": "shop"})
USE = ec2("RunInstances", SHOP.arn("ec2", "subnet/subnet-1"))
USE_TEMPLATE = ec2("CreateFleet", TEMPLATE, OWNED)
LAUNCH = ec2("RunInstances", INSTANCE, CREATING)
TAG_NEW = ec2("CreateTags", INSTANCE, {**CREATING, "ec2:CreateAction": "RunInstances"})
TAG_OWN = ec2("CreateTags", INSTANCE, {**OWNED, **NAMING})
END = ec2("TerminateInstances", INSTANCE, OWNED)
REBOOT = ec2("RebootInstances", INSTANCE, OWNED)
PASS = Request("iam:PassRole", SHOP.role_arn("KarpenterNodeRole-shop"), {"iam:PassedToService": "ec2.amazonaws.com"})
MAKE_PROFILE = Request("iam:CreateInstanceProfile", PROFILE, NEW_PROFILE)
TAG_PROFILE = Request("iam:TagInstanceProfile", PROFILE, {**NEW_PROFILE, **OWN_PROFILE})
END_PROFILE = Request("iam:DeleteInstanceProfile", PROFILE, OWN_PROFILE)
DESCRIBE = Request("eks:DescribeCluster", SHOP.cluster_arn)
RECEIVE = Request("sqs:ReceiveMessage", SHOP.arn("sqs", "shop"))
DECRYPT = Request("kms:Decrypt", SHOP.arn("kms", "key/of-queue"))
SHIFTS = Request("arc-zonal-shift:GetManagedResource", "*", {KEYS["identifier"]: SHOP.cluster_arn})
READ = ec2("DescribeInstances", "*")
ALIAS = Request("ssm:GetParameter", SHOP.arn("ssm", "parameter/aws/service/eks/x", account=""))
PARAMETER = Request("ssm:GetParameter", SHOP.arn("ssm", "parameter/images/shop"))
PRICES = Request("pricing:GetProducts", "*")
LIST = Request("iam:ListInstanceProfiles", "*")
GET = Request("iam:GetInstanceProfile", PROFILE)
BY_EC2 = {"kms:ViaService": "ec2.us-west-2.amazonaws.com"}
ENCRYPT = Request("kms:GenerateDataKeyWithoutPlaintext", VOLUME_KEY, BY_EC2)
GRANT = Request("kms:CreateGrant", VOLUME_KEY, {**BY_EC2, "kms:GrantIsForAWSResource": "true"})

FIXTURES = [
    Fixture(
        "AllowScopedEC2InstanceAccessActions",
        USE,
        (
            replace(USE, resource=SHOP.arn("ec2", "subnet/subnet-1", region="us-east-1")),
            replace(USE, resource=SHOP.arn("ec2", "dedicated-host/h-1")),
            replace(USE, action="ec2:DeleteSubnet"),
        ),
    ),
    Fixture(
        "AllowScopedEC2LaunchTemplateAccessActions",
        USE_TEMPLATE,
        (but(USE_TEMPLATE, cluster=None), but(USE_TEMPLATE, cluster="shared"), but(USE_TEMPLATE, pool=None)),
    ),
    Fixture(
        "AllowScopedEC2InstanceActionsWithTags",
        LAUNCH,
        (but(LAUNCH, new_cluster=None), but(LAUNCH, new_name="other"), but(LAUNCH, new_name=None), but(LAUNCH, new_pool=None)),
    ),
    Fixture(
        "AllowScopedResourceCreationTagging",
        TAG_NEW,
        (
            but(TAG_NEW, creating=None),
            but(TAG_NEW, creating="CreateVolume"),
            but(TAG_NEW, new_name="other"),
            but(TAG_NEW, new_pool=None),
            but(TAG_NEW, new_cluster="shared"),
        ),
    ),
    Fixture(
        "AllowScopedResourceTagging",
        TAG_OWN,
        (
            but(TAG_OWN, cluster=None),
            but(TAG_OWN, pool=None),
            but(TAG_OWN, new_name="other"),
            but(TAG_OWN, tag_keys=("Name", "karpenter.sh/nodepool")),
        ),
    ),
    Fixture("AllowScopedDeletion", END, (but(END, cluster=None), but(END, cluster="shared"), but(END, pool=None))),
    Fixture("AllowScopedReboot", REBOOT, (but(REBOOT, cluster=None), but(REBOOT, cluster="shared"), but(REBOOT, pool=None))),
    Fixture(
        "AllowPassingInstanceRole",
        PASS,
        (
            but(PASS, service="lambda.amazonaws.com"),
            but(PASS, service=None),
            replace(PASS, resource=SHOP.role_arn("Administrator")),
            replace(PASS, resource=SHOP.role_arn("KarpenterNodeRole-shop-2")),
        ),
    ),
    Fixture(
        "AllowScopedInstanceProfileCreationActions",
        MAKE_PROFILE,
        (
            but(MAKE_PROFILE, new_region="us-east-1"),
            but(MAKE_PROFILE, new_name="other"),
            but(MAKE_PROFILE, new_cluster=None),
            but(MAKE_PROFILE, new_class=None),
        ),
    ),
    Fixture(
        "AllowScopedInstanceProfileTagActions",
        TAG_PROFILE,
        (
            but(TAG_PROFILE, region="us-east-1"),
            but(TAG_PROFILE, new_region="us-east-1"),
            but(TAG_PROFILE, cluster=None),
            but(TAG_PROFILE, new_cluster=None),
            but(TAG_PROFILE, node_class=None),
            but(TAG_PROFILE, new_class=None),
            but(TAG_PROFILE, new_name="other"),
        ),
    ),
    Fixture(
        "AllowScopedInstanceProfileActions",
        END_PROFILE,
        (but(END_PROFILE, region="us-east-1"), but(END_PROFILE, cluster=None), but(END_PROFILE, node_class=None)),
    ),
    Fixture(
        "AllowAPIServerEndpointDiscovery",
        DESCRIBE,
        (replace(DESCRIBE, resource=OTHER.cluster_arn), replace(DESCRIBE, action="eks:UpdateClusterConfig")),
    ),
    Fixture(
        "AllowInterruptionQueueActions",
        RECEIVE,
        (replace(RECEIVE, resource=SHOP.arn("sqs", "shop-2")), replace(RECEIVE, action="sqs:SendMessage")),
    ),
    Fixture(
        "AllowInterruptionQueueDecryption",
        DECRYPT,
        (replace(DECRYPT, resource=SHOP.arn("kms", "key/another")), replace(DECRYPT, action="kms:Encrypt")),
    ),
    Fixture("AllowZonalShiftStatusReadOnly", SHIFTS, (but(SHIFTS, identifier=None), but(SHIFTS, identifier=OTHER.cluster_arn))),
    Fixture(
        "AllowRegionalReadActions",
        READ,
        (but(READ, in_region="us-east-1"), but(READ, in_region=None), replace(READ, action="ec2:DescribeKeyPairs")),
    ),
    Fixture(
        "AllowSSMReadActions",
        ALIAS,
        (
            replace(ALIAS, resource=SHOP.arn("ssm", "parameter/secrets/database")),
            replace(ALIAS, action="ssm:GetParametersByPath"),
        ),
    ),
    Fixture(
        "AllowOwnSSMReadActions",
        PARAMETER,
        (
            replace(PARAMETER, resource=SHOP.arn("ssm", "parameter/images/shop/secret")),
            replace(PARAMETER, action="ssm:PutParameter"),
        ),
    ),
    Fixture(
        "AllowPricingReadActions",
        PRICES,
        (replace(PRICES, action="pricing:DescribeServices"), replace(PRICES, action="ce:GetCostAndUsage")),
    ),
    Fixture(
        "AllowUnscopedInstanceProfileListAction",
        LIST,
        (replace(LIST, action="iam:ListRoles"), replace(LIST, action="iam:ListUsers")),
    ),
    Fixture(
        "AllowInstanceProfileReadActions",
        GET,
        (
            replace(GET, resource=SHOP.arn("iam", "instance-profile/one", region="", account="999999999999")),
            replace(GET, action="iam:GetRole"),
        ),
    ),
    Fixture(
        "AllowVolumeEncryption",
        ENCRYPT,
        (
            but(ENCRYPT, via=None),
            but(ENCRYPT, via="s3.us-west-2.amazonaws.com"),
            replace(ENCRYPT, action="kms:GenerateDataKey"),
        ),
    ),
    Fixture(
        "AllowVolumeEncryptionGrants",
        GRANT,
        (but(GRANT, for_aws="false"), but(GRANT, for_aws=None), but(GRANT, via="s3.us-west-2.amazonaws.com")),
    ),
]


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.sid)
def test_a_statement_allows_its_request_and_none_with_one_thing_broken(fixture):  # I-27
    answer = decide(DOCUMENTS, fixture.allowed)
    assert answer.allowed
    assert answer.by.sid == fixture.sid
    assert len(fixture.denied) >= 2
    assert [request for request in fixture.denied if decide(DOCUMENTS, request).allowed] == []


def test_every_statement_has_its_fixtures():  # I-27
    assert [fixture.sid for fixture in FIXTURES] == list(STATEMENTS)


def test_every_condition_is_broken_by_a_fixture():  # I-27
    """For each key of each statement there is a denied request that differs from the allowed one in that key."""
    by_sid = {fixture.sid: fixture for fixture in FIXTURES}
    for statement in (statement for document in DOCUMENTS for statement in document):
        fixture = by_sid[statement.sid]
        for condition in statement.conditions:
            key = condition.key
            assert any(r.values(key) != fixture.allowed.values(key) for r in fixture.denied), (statement.sid, key)


FORBIDDEN = [
    Request("iam:CreateServiceLinkedRole", "*"),
    Request("iam:CreateRole", SHOP.role_arn("new")),
    Request("iam:PutRolePolicy", SHOP.role_arn("KarpenterNodeRole-shop")),
    Request("iam:AttachRolePolicy", SHOP.role_arn("KarpenterController-shop")),
    Request("sts:AssumeRole", SHOP.role_arn("Administrator")),
    Request("ssm:SendCommand", INSTANCE),
    Request("eks:DeleteCluster", SHOP.cluster_arn),
    Request("eks:CreateAccessEntry", SHOP.cluster_arn),
    Request("sqs:DeleteQueue", SHOP.arn("sqs", "shop")),
    Request("sqs:SetQueueAttributes", SHOP.arn("sqs", "shop")),
    ec2("DeleteTags", INSTANCE, OWNED),
    ec2("StopInstances", INSTANCE, OWNED),
    ec2("ModifyInstanceAttribute", INSTANCE, OWNED),
    ec2("TerminateInstances", INSTANCE, carried(creation_tags(OTHER))),
    ec2("RebootInstances", INSTANCE, carried(creation_tags(OTHER))),
    ec2("DeleteLaunchTemplate", TEMPLATE, carried(creation_tags(OTHER))),
    ec2("RunInstances", INSTANCE),
    ec2("CreateFleet", SHOP.arn("ec2", "fleet/f"), requested(creation_tags(OTHER))),
    ec2("CreateTags", INSTANCE, CREATING),
    ec2("CreateTags", SHOP.arn("ec2", "subnet/s"), {**CREATING, "ec2:CreateAction": "RunInstances"}),
    ec2("CreateTags", SHOP.arn("ec2", "volume/v"), {**OWNED, **NAMING}),
    ec2("DeleteVolume", SHOP.arn("ec2", "volume/v"), OWNED),
]


@pytest.mark.parametrize("request_", FORBIDDEN, ids=lambda request: f"{request.action} {request.resource.rpartition(':')[2]}")
def test_what_the_controller_must_not_do_is_denied(request_):  # I-28
    assert not decide(DOCUMENTS, request_).allowed
    assert not decide(STRICT, request_).allowed


@pytest.mark.parametrize(
    "request_",
    [
        ec2("RunInstances", SHOP.arn("ec2", "subnet/s"), carried({"karpenter.sh/discovery": "other"})),
        ec2("RunInstances", SHOP.arn("ec2", "image/ami-1", account=""), {"ec2:Owner": "999999999999"}),
        ec2("RunInstances", INSTANCE, {**CREATING, "ec2:MetadataHttpTokens": "optional"}),
        Request("iam:DeleteInstanceProfile", PROFILE, OWN_PROFILE),
    ],
    ids=["another's subnet", "a stranger's image", "no session tokens", "a profile elsewhere"],
)
def test_strict_permissions_deny_what_the_usual_ones_allow(request_):
    assert decide(DOCUMENTS, request_).allowed
    assert not decide(STRICT, request_).allowed


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("strict", [False, True])
def test_no_statement_of_ours_is_a_danger(region, strict):  # I-28
    facts = cluster(region=region)
    documents = controller_documents(facts, V1_15, everything(facts, strict=strict))
    assert [str(d.problem) for document in documents.values() for d in dangers(document, Place())] == []


@pytest.mark.parametrize(
    "sid",
    [
        "AllowPassingInstanceRole",
        "AllowScopedResourceCreationTagging",
        "AllowScopedResourceTagging",
        "AllowScopedEC2InstanceActionsWithTags",
        "AllowScopedEC2LaunchTemplateAccessActions",
        "AllowScopedDeletion",
        "AllowScopedReboot",
    ],
)
def test_without_its_conditions_a_statement_is_a_danger(sid):  # I-28
    """The check above would find what it looks for."""
    statement = next(s for document in DOCUMENTS for s in document if s.sid == sid)
    assert list(dangers(Document((replace(statement, conditions=()),)), Place()))


@pytest.mark.parametrize(
    ("actions", "resource", "found"),
    [
        (("iam:PassRole",), "*", "iam:PassRole on '\\*'"),
        (("iam:Pass*",), "arn:aws:iam::111122223333:role/Karpenter*", "iam:PassRole on"),
        (("iam:CreateServiceLinkedRole",), "*", "grants iam:CreateServiceLinkedRole"),
        (("ssm:*",), "*", "'ssm:\\*' grants a whole service"),
        (("eks:Delete*",), "*", "grants eks:DeleteCluster"),
        (("ec2:Run*",), "*", "'ec2:Run\\*' without a condition"),
        (("ec2:CreateTags",), "*", "without a condition"),
        (("*",), "*", "grants a whole service"),
        (("EC2:**",), "*", "'EC2:\\*\\*' grants a whole service"),
        (("e?2:*",), "*", "grants a whole service"),
    ],
)
def test_dangers_are_reported_with_what_would_be_right(actions, resource, found):
    document = Document((Statement("Mine", actions, (resource,)),))
    problems = [one.problem for one in dangers(document, Place(path="extraStatements"))]
    assert any(re.search(found, problem.message) for problem in problems)
    assert all(str(p.place) == "extraStatements[0] Mine" and p.allowed for p in problems)


def test_a_condition_that_a_request_can_leave_out_guards_nothing():
    """`IfExists` holds where the key is not sent; the same test without it guards, however its key is spelt."""
    key = f"aws:RequestTag/{SHOP.owned_tag}"
    launches = Statement("Mine", ("ec2:RunInstances",), ("*",), (Condition(Operator.STRING_EQUALS, key.upper(), ("owned",)),))
    assert list(dangers(Document((launches,)), Place())) == []
    loose = Condition(Operator.STRING_EQUALS_IF_EXISTS, key, ("owned",))
    assert list(dangers(Document((replace(launches, conditions=(loose,)),)), Place()))


@pytest.mark.parametrize(
    ("action", "condition", "is_safe"),
    [
        ("iam:PassRole", Condition(Operator.STRING_LIKE, "iam:PassedToService", ("*",)), False),
        ("iam:PassRole", Condition(Operator.STRING_LIKE, "iam:PassedToService", ("ec2.amazonaws.*",)), True),
        ("ec2:DeleteTags", Condition(Operator.FOR_ALL_STRING_EQUALS, "aws:ResourceTag/Name", ("a",)), False),
        ("ec2:DeleteTags", Condition(Operator.FOR_ALL_STRING_EQUALS, "aws:TagKeys", ("Name",)), True),
    ],
)
def test_a_condition_that_every_request_meets_guards_nothing(action: str, condition: Condition, is_safe: bool):
    """Any value will do, or none: "all" of no values hold."""
    resource = "arn:aws:iam::111122223333:role/nodes" if action.startswith("iam:") else "arn:aws:ec2:*:*:instance/*"
    statement = Statement("Mine", (action,), (resource,), (condition,))
    assert (list(dangers(Document((statement,)), Place())) == []) is is_safe


def test_the_danger_of_a_whole_service_concerns_each_of_its_actions():
    (danger,) = dangers(Document((Statement("Mine", ("iam:*",), ("*",)),)), Place())
    assert danger.concerns("iam:PassRole")
    assert not danger.concerns("ec2:CreateTags")


def test_a_boundary_that_denies_a_call_is_reported():
    """By the calls, not by names of actions: a boundary that asks for a tag that the controller does not send denies."""
    wanted = calls(SHOP, everything(SHOP))
    assert list(refused_calls(DOCUMENTS, wanted, Place())) == []
    without_prices = tuple(Document(tuple(s for s in d if "Pricing" not in s.sid)) for d in DOCUMENTS)
    (problem,) = refused_calls(without_prices, wanted, Place(path="boundaryStatements"))
    assert str(problem).startswith("boundaryStatements: the boundary denies pricing:GetProducts for reading prices")
    roles = everything(SHOP).node_roles
    assert "iam:PassRole" not in {r.action for call in known_calls(SHOP, everything(SHOP), roles) for r in call.requests}


@pytest.mark.parametrize(("tag", "refused"), [(("karpenter.sh/discovery", "shop"), 2), ((SHOP.owned_tag, "owned"), 0)])
def test_a_boundary_on_launch_templates_asks_for_a_tag_that_they_have(tag, refused):  # K-26
    """The cluster's tag is on every template and that of discovery is not, so a condition on it would stop every launch."""
    key, value = tag
    asked = (Condition(Operator.STRING_EQUALS, f"aws:ResourceTag/{key}", (value,)),)
    boundary = [Document(tuple(replace(s, conditions=asked) if uses_templates(s) else s for s in d)) for d in DOCUMENTS]
    problems = list(refused_calls(boundary, calls(SHOP, everything(SHOP)), Place()))
    assert [str(problem).partition(" for ")[0] for problem in problems] == [
        "the boundary denies ec2:CreateFleet",
        "the boundary denies ec2:RunInstances",
    ][:refused]


def uses_templates(statement: Statement) -> bool:
    """Whether instances are launched from templates by it."""
    launches = {"ec2:RunInstances", "ec2:CreateFleet"} <= set(statement.actions)
    return launches and all("launch-template/" in resource for resource in statement.resources)


def test_operators_are_those_that_are_judged():
    """Every operator of the documents has its test of requests here."""
    used = {condition.operator for d in (*DOCUMENTS, *STRICT) for s in d for condition in s.conditions}
    assert used == set(Operator) - {Operator.ARN_EQUALS, Operator.ARN_LIKE}  # of trust and of queues
