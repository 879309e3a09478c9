"""The controller's documents: statement by statement, by version, by choice, and never too long."""

from __future__ import annotations

import json
import string
from collections.abc import Iterable

import boto3
import pytest
from hypothesis import given
from hypothesis import strategies as st
from moto import mock_aws

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.karpenter.versions import Minor, known_minor
from cutlist.infrastructure.iam.choices import USUAL, Choices, Discovery, Feature
from cutlist.infrastructure.iam.controller import controller_documents, inline_size_problems, managed_size_problems
from cutlist.infrastructure.iam.delta import Permission, PermissionDelta, permissions, upgrade_delta
from cutlist.infrastructure.iam.documents import MANAGED_POLICY_LIMIT, Document
from cutlist.infrastructure.iam.table import Part
from cutlist.infrastructure.names import ClusterFacts
from tests.examples import examples
from tests.unit.infrastructure.iam.clusters import REGIONS, V1_14, V1_15, cluster, everything
from tests.unit.infrastructure.iam.facts import SINCE, STATEMENTS

CLUSTERS = st.text(string.ascii_letters + string.digits, min_size=1, max_size=100)
PLAIN = Choices(("arn:aws:iam::111122223333:role/KarpenterNodeRole-shop",))


def reported(facts: ClusterFacts) -> dict[str, tuple[str, dict[str, object]]]:
    """The statements as they were written down, for one cluster: the document of each, and its text."""
    made = {}
    for sid, (part, action, resource, condition) in STATEMENTS.items():
        statement = {"Sid": sid, "Effect": "Allow", "Action": action, "Resource": resource}
        text = json.dumps(statement | ({"Condition": condition} if condition else {}))
        for mark, value in zip("PRAC", (facts.partition, facts.region, facts.account, facts.cluster), strict=True):
            text = text.replace(f"<{mark}>", value)
        made[sid] = (part, json.loads(text))
    return made


def sids(documents: Iterable[Document]) -> set[str]:
    return {statement.sid for document in documents for statement in document}


def granted(facts: ClusterFacts, minor: int) -> set[tuple[str, str]]:
    """Every pair of Sid and action, and of Sid and resource."""
    documents = controller_documents(facts, Minor(1, minor), everything(facts)).values()
    statements = [statement for document in documents for statement in document]
    return {(s.sid, text) for s in statements for text in (*s.actions, *s.resources)}


@pytest.mark.parametrize("region", REGIONS)
def test_the_statements_are_those_that_were_written_down(region):  # I-25
    facts = cluster(region=region)
    documents = controller_documents(facts, V1_15, everything(facts))
    made = {s["Sid"]: (part.value, s) for part, document in documents.items() for s in document.as_data()["Statement"]}
    assert made == reported(facts)


@pytest.mark.parametrize("minor", range(6, 16))
def test_each_version_has_what_it_needs_and_no_more(minor):  # I-25 I-29 K-11
    """What is not there yet is what later versions began to need."""
    facts = cluster()
    later = {pair for since, new in SINCE.items() if since > minor for pair in new}
    missing = granted(facts, 15) - granted(facts, minor)
    assert {pair for pair in missing if pair[1] != "*"} == {
        (sid, text.replace("<P>", facts.partition).replace("<R>", facts.region)) for sid, text in later
    }
    assert (("AllowUnscopedInstanceProfileListAction", "iam:ListInstanceProfiles") in granted(facts, minor)) == (minor >= 7)


@given(CLUSTERS, st.sampled_from(REGIONS), st.booleans())
@examples(0.6)
def test_no_document_is_too_long_for_any_cluster(name, region, strict):  # I-26
    facts = cluster(name, region)
    documents = controller_documents(facts, V1_15, everything(facts, strict=strict))
    assert max(document.size for document in documents.values()) <= MANAGED_POLICY_LIMIT
    assert list(managed_size_problems(documents)) == []


def test_sizes_are_those_that_are_known():
    """The largest part of the longest name is about 3.7 thousand characters; all in one would be some 8.0 thousand."""
    facts = cluster("x" * 100, "us-gov-west-1")
    usual = controller_documents(facts, V1_15, Choices((facts.role_arn("x" * 64),), queue=facts.arn("sqs", "x" * 80)))
    assert 3500 < usual[Part.NODE_LIFECYCLE].size < 3800
    assert 7500 < sum(document.size for document in usual.values()) < 8500


def test_what_is_too_long_is_reported_with_its_size():
    many = Choices(tuple(f"arn:aws:iam::111122223333:role/{'x' * 60}{n}" for n in range(60)))
    documents = controller_documents(cluster(), V1_15, many)
    (problem,) = managed_size_problems(documents)
    assert f"IAMIntegration has {documents[Part.IAM_INTEGRATION].size} characters" in problem.message
    assert "at most 6144" in problem.allowed
    (inline,) = inline_size_problems(documents)
    assert f"have {sum(document.size for document in documents.values())} characters as inline policies" in inline.message
    assert list(inline_size_problems(controller_documents(cluster("x" * 100), V1_14, PLAIN))) == []


@pytest.mark.parametrize(
    ("feature", "dropped"),
    [
        (
            Feature.INSTANCE_PROFILES,
            {
                "AllowScopedInstanceProfileCreationActions",
                "AllowScopedInstanceProfileTagActions",
                "AllowScopedInstanceProfileActions",
            },
        ),
        (Feature.IMAGE_ALIASES, {"AllowSSMReadActions"}),
        (Feature.PRICE_LIST, {"AllowPricingReadActions"}),
        (Feature.CAPACITY_RESERVATIONS, set()),
    ],
)
def test_what_a_cluster_does_without_is_not_granted(feature, dropped):  # I-23
    """Statements fall away; passing the role to nodes stays."""
    documents = controller_documents(cluster(), V1_14, PLAIN)
    fewer = controller_documents(cluster(), V1_14, Choices(PLAIN.node_roles, features=USUAL - {feature}))
    assert sids(documents.values()) - sids(fewer.values()) == dropped
    assert "AllowPassingInstanceRole" in sids(fewer.values())


@pytest.mark.parametrize(
    ("feature", "words"),
    [
        (Feature.CAPACITY_RESERVATIONS, ("capacity-reservation", "CapacityReservations")),
        (Feature.PLACEMENT_GROUPS, ("placement-group", "PlacementGroups")),
    ],
)
def test_what_a_launch_does_not_use_is_not_granted(feature, words):
    """Parts of statements fall away, and nothing but they."""
    documents = controller_documents(cluster(), V1_14, PLAIN)
    fewer = controller_documents(cluster(), V1_14, Choices(PLAIN.node_roles, features=USUAL - {feature}))
    assert [any(word in d.text() for d in documents.values()) for word in words] == [True, True]
    assert [any(word in d.text() for d in fewer.values()) for word in words] == [False, False]
    assert sids(documents.values()) == sids(fewer.values())


def test_parts_without_a_use_are_not_made():  # I-30
    """Neither a queue nor zonal shift nor keys of one's own: four documents."""
    parts = set(controller_documents(cluster(), V1_14, PLAIN))
    assert parts == {Part.NODE_LIFECYCLE, Part.IAM_INTEGRATION, Part.EKS_INTEGRATION, Part.RESOURCE_DISCOVERY}
    shifting = controller_documents(cluster(), V1_14, Choices(PLAIN.node_roles, features=USUAL | {Feature.ZONAL_SHIFT}))
    assert set(shifting) - parts == {Part.ZONAL_SHIFT}
    assert Part.EKS_INTEGRATION in shifting
    older = controller_documents(cluster(), Minor(1, 11), Choices(PLAIN.node_roles, features=USUAL | {Feature.ZONAL_SHIFT}))
    assert Part.ZONAL_SHIFT not in older


def test_reboots_are_permitted_to_a_controller_of_1_15_that_may_repair_by_them():  # VA15-102 VA15-114
    """Scoped as the end of an instance is: on the cluster's own alone."""
    choices = Choices(PLAIN.node_roles, features=USUAL | {Feature.REBOOT_FOR_REPAIR})
    documents = controller_documents(cluster(), V1_15, choices)
    assert sids(documents.values()) - sids(controller_documents(cluster(), V1_15, PLAIN).values()) == {"AllowScopedReboot"}
    by_sid = {statement.sid: statement for statement in documents[Part.NODE_LIFECYCLE]}
    reboot, end = by_sid["AllowScopedReboot"], by_sid["AllowScopedDeletion"]
    assert (reboot.actions, reboot.conditions) == (("ec2:RebootInstances",), end.conditions)
    assert set(reboot.resources) < set(end.resources)
    assert controller_documents(cluster(), V1_14, choices) == controller_documents(cluster(), V1_14, PLAIN)
    assert upgrade_delta(cluster(), PLAIN, V1_14, V1_15) == PermissionDelta((), ())


def test_the_queue_is_read_by_the_same_permission():  # VA15-119
    """1.15 asks for when a message was sent by another parameter of the same call."""
    of_1_14, of_1_15 = (controller_documents(cluster(), version, everything(cluster())) for version in (V1_14, V1_15))
    assert of_1_14[Part.INTERRUPTION] == of_1_15[Part.INTERRUPTION]


def test_strict_permissions_are_off_unless_chosen():
    usual = controller_documents(cluster(), V1_14, PLAIN)
    assert "MetadataHttpTokens" not in usual[Part.NODE_LIFECYCLE].text()
    strict = controller_documents(cluster(), V1_14, everything(cluster(), strict=True))
    lifecycle = strict[Part.NODE_LIFECYCLE].text()
    assert '"ec2:MetadataHttpTokens":"required"' in lifecycle
    assert '"aws:ResourceTag/karpenter.sh/discovery":"shop"' in lifecycle
    assert '"ec2:Owner":["amazon","111122223333"]' in lifecycle
    assert "instance-profile/karpenter/us-west-2/shop/*" in strict[Part.IAM_INTEGRATION].text()
    assert "instance-profile/*" not in strict[Part.IAM_INTEGRATION].text()


def test_subnets_shared_by_clusters_are_reported_by_a_key_of_their_own():
    choices = Choices(
        PLAIN.node_roles, features=USUAL | {Feature.STRICT_NETWORK}, discovery=Discovery("karpenter.sh/discovery/shop", "*")
    )
    text = controller_documents(cluster(), V1_14, choices)[Part.NODE_LIFECYCLE].text()
    assert '"StringLike":{"aws:ResourceTag/karpenter.sh/discovery/shop":"*"}' in text


def test_without_a_node_role_nothing_is_made():
    with pytest.raises(InputError, match="nodeRoleArns: no node role is given"):
        Choices(())


def test_an_upgrade_tells_what_it_grants():  # I-54
    facts = cluster()
    delta = upgrade_delta(facts, PLAIN, Minor(1, 11), Minor(1, 12))
    assert [str(permission) for permission in delta.added] == ["ec2:DescribeInstanceStatus on * (AllowRegionalReadActions)"]
    assert delta.removed == ()
    back = upgrade_delta(facts, PLAIN, Minor(1, 12), Minor(1, 11))
    assert (back.added, back.removed) == ((), delta.added)
    assert upgrade_delta(facts, PLAIN, Minor(1, 13), V1_14).added == ()


def lacking(granted: Iterable[Document], facts: ClusterFacts, version: Minor) -> set[Permission]:
    """What a controller needs and documents do not have, statement by statement; a broader one does not count."""
    return permissions(controller_documents(facts, version, PLAIN).values()) - permissions(granted)


def test_the_documents_of_an_old_version_lack_what_came_later():
    """Those of 1.6 under a controller of 1.14; a condition that was removed counts as well."""
    facts = cluster()
    old = controller_documents(facts, Minor(1, 6), PLAIN)
    assert {p.action for p in lacking(old.values(), facts, V1_14)} == {
        "ec2:CreateFleet",  # on placement groups
        "ec2:DescribeInstanceStatus",
        "ec2:DescribePlacementGroups",
        "ec2:RunInstances",
        "iam:ListInstanceProfiles",
    }
    new = controller_documents(facts, V1_14, PLAIN)
    assert lacking(new.values(), facts, Minor(1, 6)) == set()
    assert lacking(controller_documents(cluster("other"), V1_14, PLAIN).values(), facts, V1_14)


@pytest.mark.parametrize("version", ["1.16.0", "0.37.1", "2.0.0"])
def test_versions_whose_permissions_are_unknown_are_refused(version):
    problems = Problems()
    assert known_minor(version, Place(path="karpenterVersion"), problems) == Minor(1, 15)
    assert str(*problems.found) == (
        f"karpenterVersion: the permissions of Karpenter {version} are not known; allowed: 1.0 to 1.15"
    )


@pytest.mark.parametrize("version", ["latest", "1", "1.14", ""])
def test_permissions_are_of_an_exact_version(version):
    problems = Problems()
    known_minor(version, Place(path="karpenterVersion"), problems)
    assert f"karpenterVersion: {version!r} is not an exact version" in str(*problems.found)


def test_permissions_are_those_of_a_versions_minor():
    problems = Problems()
    assert known_minor("v1.9.2", Place(), problems) == Minor(1, 9)
    assert not problems


@pytest.mark.slow
@pytest.mark.parametrize("region", ["us-west-2", "cn-northwest-1", "us-gov-west-1"])
def test_iam_takes_the_documents(region):
    """A stand-in of IAM reads every document with its own rules for their grammar."""
    facts = cluster(region=region)
    with mock_aws():
        iam = boto3.client("iam", region_name="us-east-1")  # mock_aws brings credentials of its own
        for part, document in controller_documents(facts, V1_14, everything(facts, strict=True)).items():
            answer = iam.create_policy(PolicyName=part, PolicyDocument=document.text())
            assert answer["Policy"]["PolicyName"] == part
