"""Policy documents of those who update clusters, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from cutlist.answers.permissions import Permissions
from cutlist.core.records import Count, about, json_of
from cutlist.infrastructure.iam.documents import MANAGED_POLICY_LIMIT

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Cluster:
    cluster: str
    region: str
    account: str
    size: Annotated[Count, about("Characters of the policy as IAM counts them.")]
    limit: Annotated[Count, about("How many of them one managed policy may have.")]
    policy: Annotated[Any, about("The document as IAM takes it.")]
    not_covered: Annotated[
        tuple[str, ...], about("Types of resources that the policy does not allow, since their calls are unknown.")
    ]


@dataclass(frozen=True, slots=True)
class PermissionsRecord:
    """What whoever updates clusters must be allowed to do."""

    version: Literal[1]
    clusters: tuple[_Cluster, ...]


def permissions_json(answers: Sequence[Permissions]) -> str:
    """Return the permissions as indented JSON that ends in a newline."""
    return json_of(PermissionsRecord(VERSION, tuple(_cluster(answer) for answer in answers)))


def _cluster(answer: Permissions) -> _Cluster:
    cluster = answer.cluster
    return _Cluster(
        cluster=cluster.cluster,
        region=cluster.region,
        account=cluster.account,
        size=answer.document.size,
        limit=MANAGED_POLICY_LIMIT,
        policy=answer.policy,
        not_covered=answer.not_covered,
    )
