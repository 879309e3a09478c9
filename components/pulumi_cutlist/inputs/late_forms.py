"""Which inputs may be known late, and the stand-ins that plans have for them: texts of the form that the input takes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.api.late_values import FORMS, WORD, form_of
from cutlist.core.wording import camel_case
from cutlist.infrastructure.names import partition_of

_IAM: Final = "arn:{partition}:iam::{account}:"
_KMS: Final = "arn:{partition}:kms:{region}:{account}:key/{uuid}"
_NETWORK: Final = "/subscriptions/{uuid}/resourceGroups/cutlist-late/providers/Microsoft.Network/virtualNetworks/late-{hex}"
_SUBNET, _GROUP = "subnet-0{hex}", "sg-0{hex}"
_FORMS: Final[Mapping[str, str]] = {
    "accountId": "{digits}",
    "principalArn": _IAM + "role/" + WORD,
    "admins.*": _IAM + "role/" + WORD,
    "publicAccessCidrs[]": "198.{address}/32",  # of 198.18.0.0/15, which is for tests of networks and nobody has
    "adopted.vpcId": "vpc-0{hex}",
    "adopted.networkId": _NETWORK,
    "privateSubnets[].id": _SUBNET,
    "controlPlaneSubnets[].id": _SUBNET,
    "publicSubnets[].id": _SUBNET,
    "adoptedSubnetIds[]": _SUBNET,
    "adoptedGroup.id": _GROUP,
    "moreGroups[].id": _GROUP,
    "extraPolicyArns[]": _IAM + "policy/" + WORD,
    "policyArns[]": _IAM + "policy/" + WORD,
    "volumeKeyArns[]": _KMS,
    "imageParameterArns[]": "arn:{partition}:ssm:{region}:{account}:parameter/" + WORD,
    "alarmActions[]": "arn:{partition}:sns:{region}:{account}:" + WORD,
    **FORMS,
    "ebs.kmsKeyID": _KMS,
}
"""The form of each input that may be known late, by the end of its path; `.*` is any member of a mapping, `[]` of a list."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Account and region of the ARNs among stand-ins, as far as they are known."""

    account: str
    region: str


def stand_in(path: str, where: Whereabouts) -> str | None:
    """Return the stand-in of an input, which follows from its path; None for an input that no plan looks into."""
    form = _form_of(path)
    if form is None:
        return None
    # By the path, so that previews and updates, and two runs of one program, have the same names and hashes.
    digest = hashlib.sha256(path.encode()).hexdigest()
    return form.format(
        hex=digest[:16],
        digits=digits("accountId"),
        uuid="-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32])),
        address=f"18.{int(digest[:2], 16)}.{int(digest[2:4], 16)}",
        account=where.account,
        region=where.region,
        partition=partition_of(where.region),
    )


def digits(path: str) -> str:
    """Return twelve digits that follow from a path, such as those of an account."""
    return f"{int(hashlib.sha256(path.encode()).hexdigest(), 16) % 10**12:012d}"


def _form_of(path: str) -> str | None:
    return form_of(".".join(map(camel_case, path.split("."))), _FORMS)
