"""ARNs that inputs name, before an account refuses them."""

from __future__ import annotations

import pytest

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.arns import KEY, PARAMETER, POLICY, ROLE, ArnKind, check_arn, check_partition
from cutlist.infrastructure.names import partition_of

AT = Place(path="arn")
REGIONS = ("eu-west-1", "cn-north-1", "us-gov-west-1")


def texts(arn: object, kind: ArnKind, region: str = "eu-west-1") -> list[str]:
    problems = Problems()
    check_arn(arn, kind, region, AT, problems)
    return [str(problem) for problem in problems.found]


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize(
    ("kind", "end"),
    [
        (POLICY, "iam::111122223333:policy/team/a"),
        (POLICY, "iam::aws:policy/service-role/a"),
        (ROLE, "iam::111122223333:role/aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_a_0123456789abcdef"),
        (KEY, "kms:{region}:111122223333:key/mrk-1"),
        (PARAMETER, "ssm:{region}::parameter/aws/service/a"),
    ],
)
def test_an_arn_of_its_kind_passes_in_every_partition(region, kind, end):
    assert texts(f"arn:{partition_of(region)}:{end.format(region=region)}", kind, region) == []


@pytest.mark.parametrize(
    ("arn", "kind", "example"),
    [
        ("a", POLICY, "arn:aws:iam::111122223333:policy/boundary"),
        ("arn:aws:iam::111122223333:role/a", POLICY, "arn:aws:iam::111122223333:policy/boundary"),
        ("alias/aws/sqs", KEY, "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"),
        ("arn:aws:iam::1111:role/a", ROLE, "arn:aws:iam::111122223333:role/Deployer"),
        ("arn:aws:iam::111122223333:role/a b", ROLE, "arn:aws:iam::111122223333:role/Deployer"),
        (
            "arn:aws:kms:eu-west-1:111122223333:alias/a",
            KEY,
            "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
        ),
        (
            "arn:aws:kms::111122223333:key/a",
            KEY,
            "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
        ),
    ],
)
def test_another_kind_is_refused_with_an_example(arn, kind, example):
    assert texts(arn, kind) == [f"arn: {arn!r} is not the ARN of {kind.noun}; allowed: such as {example}"]


@pytest.mark.parametrize("arn", [None, object()])
def test_what_only_an_update_knows_passes(arn):
    assert texts(arn, KEY) == []


@pytest.mark.parametrize("kind", [POLICY, ROLE, KEY])
def test_an_arn_of_another_partition_is_refused(kind):
    """What is in AWS China or GovCloud cannot be seen from elsewhere. The example is of the right one."""
    arn = f"arn:aws:{kind.service}:{'eu-west-1' if kind.in_region else ''}:111122223333:{kind.example}"
    assert texts(arn, kind, "us-gov-west-1") == [
        f"arn: {arn} is in the partition aws, and us-gov-west-1 in aws-us-gov; allowed: an ARN that begins with arn:aws-us-gov:"
    ]


def test_a_key_is_in_the_region_of_the_cluster():
    arn = "arn:aws:kms:us-east-1:111122223333:key/a"
    assert texts(arn, KEY) == [
        f"arn: {arn} is in us-east-1, and the cluster in eu-west-1; allowed: a key there, such as "
        "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    ]


@pytest.mark.parametrize("region", REGIONS)
def test_the_partition_of_any_arn_can_be_compared(region):
    problems = Problems()
    assert check_partition(f"arn:{partition_of(region)}:iam::111122223333:user/a", region, AT, problems)
    assert not check_partition("arn:aws-iso:iam::111122223333:user/a", region, AT, problems)
    assert len(problems.found) == 1
