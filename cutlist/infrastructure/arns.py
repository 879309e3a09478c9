"""ARNs in inputs: whether they are of the right kind, and in the cluster's partition and region (spec: aws-infrastructure
0.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.names import partition_of


@dataclass(frozen=True, slots=True)
class ArnKind:
    """A kind of resource that an ARN names: in words, by service and by the form of its last part. One that is `in_region` has
    to be in the cluster's region."""

    noun: str
    service: str
    resource: str
    example: str
    in_region: bool = False
    account: str = "[0-9]{12}"


POLICY: Final = ArnKind("a policy", "iam", r"policy/\S+", "policy/boundary", account="([0-9]{12}|aws)")
ROLE: Final = ArnKind("a role", "iam", r"role/\S+", "role/Deployer")
PARAMETER: Final = ArnKind("a parameter", "ssm", r"parameter/\S+", "parameter/images/web", True, "([0-9]{12})?")
QUEUE: Final = ArnKind("a queue", "sqs", r"[\w-]+(\.fifo)?", "shop", True)
KEY: Final = ArnKind("a key", "kms", r"key/\S+", "key/1234abcd-12ab-34cd-56ef-1234567890ab", True)


def check_arn(arn: object, kind: ArnKind, region: str, place: Place, problems: Problems) -> None:
    """Report a text that is not the ARN of a kind, and one of another partition or region than a cluster's. Values that only an
    update knows pass. Aliases of keys are refused: services need the key itself."""
    if not isinstance(arn, str):
        return
    where = region if kind.in_region else ""
    example = f"arn:{partition_of(region)}:{kind.service}:{where}:111122223333:{kind.example}"
    form = re.fullmatch(rf"arn:aws[a-z-]*:{kind.service}:(?P<region>[a-z0-9-]*):{kind.account}:{kind.resource}", arn)
    if form is None or bool(form["region"]) != kind.in_region:
        problems.add(place, f"{arn!r} is not the ARN of {kind.noun}", f"such as {example}")
    elif check_partition(arn, region, place, problems) and form["region"] != where:
        message = f"{arn} is in {form['region']}, and the cluster in {region}"
        problems.add(place, message, f"{kind.noun} there, such as {example}")


def check_partition(arn: str, region: str, place: Place, problems: Problems) -> bool:
    """Report an ARN of another partition than a cluster's, and return whether it is of the cluster's."""
    partition, expected = arn.split(":")[1], partition_of(region)
    if partition != expected:
        message = f"{arn} is in the partition {partition}, and {region} in {expected}"
        problems.add(place, message, f"an ARN that begins with arn:{expected}:")
    return partition == expected
