"""Return what the identity that updates a cluster must be allowed to do, as a policy document for IAM or a role of Azure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cutlist.core.errors import Problems
from cutlist.core.records import FLAT, HIDDEN, After, Count, about, computed
from cutlist.infrastructure.aks.deployer import OF_AZURE, OPERATIONS, CustomRole, deployer_role, scopes_of
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.iam.deployer import deployer_document
from cutlist.infrastructure.iam.deployer_calls import CALLS
from cutlist.infrastructure.iam.documents import MANAGED_POLICY_LIMIT, Document
from cutlist.infrastructure.name_checks import check_account, check_cluster_name, check_region
from cutlist.infrastructure.names import ClusterFacts
from cutlist.settings.permissions import ACCOUNT, CLUSTER, REGION

_OF_AWS = "aws:"


@dataclass(frozen=True, slots=True)
class Permissions:
    """The policy document of the identity that creates, changes and deletes a cluster with everything around it."""

    cluster: Annotated[ClusterFacts, FLAT]
    document: Annotated[Document, HIDDEN]
    not_covered: Annotated[
        tuple[str, ...], about("Types of resources that the policy does not allow, since their calls are unknown.")
    ] = ()
    limit: Annotated[Count, about("How many of them one managed policy may have."), After("size")] = MANAGED_POLICY_LIMIT

    @property
    @computed(after="cluster.account")
    def size(self) -> Annotated[Count, about("Characters of the policy as IAM counts them.")]:
        """Return the size of the document for IAM's limits."""
        return self.document.size

    @property
    @computed(after="limit")
    def policy(self) -> Annotated[Any, about("The document as IAM takes it.")]:
        """Return the document as IAM takes it."""
        return self.document.as_data()


@dataclass(frozen=True, slots=True)
class AksPermissions:
    """The custom role of the identity that creates, changes and deletes an AKS cluster with everything around it."""

    cluster: Annotated[AksFacts, FLAT]
    role: Annotated[CustomRole, about("The custom role as `az role definition create` takes it.")]
    not_covered: Annotated[
        tuple[str, ...], about("Types of resources that the role does not allow, since their operations are unknown.")
    ] = ()


@dataclass(frozen=True, slots=True)
class UpdatePermissions:
    """What whoever updates clusters must be allowed to do."""

    clusters: tuple[Permissions, ...]
    aks_clusters: tuple[AksPermissions, ...] = ()
    version: Annotated[Literal[1], After("")] = 1


def permissions(cluster: str, *, region: str, account: str) -> Permissions:
    """Return what the identity that updates a cluster of this name needs, for everything that the components can create.

    Raises InputError with every mistake.

    >>> from cutlist import permissions
    >>> shop = permissions("shop", region="eu-west-1", account="111122223333")
    >>> shop.policy["Statement"][0]["Sid"]
    'IamOfTheCluster'
    """
    problems = Problems()
    check_cluster_name(cluster, CLUSTER, problems)
    check_region(region, REGION, problems)
    check_account(account, ACCOUNT, problems)
    problems.raise_if_any()
    return permissions_of(ClusterFacts(cluster, region, account), CALLS)


def permissions_of(cluster: ClusterFacts, types: Iterable[str], passes: Iterable[str] = ()) -> Permissions:
    """Return the same as far as resources of these types need it; types of other providers than AWS's are ignored. `passes` are
    ARNs of existing roles that these resources get."""
    wanted = {type_ for type_ in types if type_ in CALLS or type_.startswith(_OF_AWS)}
    document = deployer_document(cluster, wanted & CALLS.keys(), passes)
    return Permissions(cluster, document, tuple(sorted(wanted - CALLS.keys())))


def aks_permissions_of(cluster: AksFacts, types: Iterable[str], named: Iterable[str]) -> AksPermissions:
    """Return the role of the identity that updates an AKS cluster, as far as resources of these types need it, with scopes for
    the ids that are `named` in their inputs; types of other providers than Azure's are ignored."""
    wanted = {type_ for type_ in types if type_.startswith(OF_AZURE)}
    known = wanted & OPERATIONS.keys()
    role = deployer_role(cluster, known, scopes_of(cluster, known, named))
    return AksPermissions(cluster, role, tuple(sorted(wanted - known)))
