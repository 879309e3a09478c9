"""Policy documents and roles of those who update clusters, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from cutlist.core.records import Count, Key, about, json_of
from cutlist.infrastructure.iam.documents import MANAGED_POLICY_LIMIT
from cutlist.verbs.permissions.answer import AksPermissions, Permissions

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
class _Role:
    """A custom role, in the spelling of Azure's command."""

    name: Annotated[str, Key("Name")]
    is_custom: Annotated[bool, Key("IsCustom")]
    description: Annotated[str, Key("Description")]
    actions: Annotated[tuple[str, ...], Key("Actions")]
    not_actions: Annotated[tuple[str, ...], Key("NotActions")]
    data_actions: Annotated[tuple[str, ...], Key("DataActions")]
    not_data_actions: Annotated[tuple[str, ...], Key("NotDataActions")]
    assignable_scopes: Annotated[tuple[str, ...], Key("AssignableScopes")]


@dataclass(frozen=True, slots=True)
class _AksCluster:
    cluster: str
    resource_group: str
    subscription: str
    role: Annotated[_Role, about("The custom role as `az role definition create` takes it.")]
    not_covered: Annotated[
        tuple[str, ...], about("Types of resources that the role does not allow, since their operations are unknown.")
    ]


@dataclass(frozen=True, slots=True)
class PermissionsRecord:
    """What whoever updates clusters must be allowed to do."""

    version: Literal[1]
    clusters: tuple[_Cluster, ...]
    aks_clusters: tuple[_AksCluster, ...]


def permissions_json(answers: Sequence[Permissions], of_aks: Sequence[AksPermissions] = ()) -> str:
    """Return the permissions as indented JSON that ends in a newline."""
    return json_of(PermissionsRecord(VERSION, tuple(map(_cluster, answers)), tuple(map(_aks_cluster, of_aks))))


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


def _aks_cluster(answer: AksPermissions) -> _AksCluster:
    cluster, role = answer.cluster, answer.role
    record = _Role(role.name, True, role.description, role.actions, (), (), (), role.assignable_scopes)
    return _AksCluster(cluster.cluster, cluster.resource_group, cluster.subscription, record, answer.not_covered)
