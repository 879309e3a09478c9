"""Return what the identity that updates a cluster must be allowed to do, as a policy document for IAM or a role of Azure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cutlist.core.errors import Problems
from cutlist.infrastructure.aks.deployer import OF_AZURE, OPERATIONS, CustomRole, deployer_role, scopes_of
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.iam.deployer import deployer_document
from cutlist.infrastructure.iam.deployer_calls import CALLS
from cutlist.infrastructure.iam.documents import Document
from cutlist.infrastructure.name_checks import check_account, check_cluster_name, check_region
from cutlist.infrastructure.names import ClusterFacts
from cutlist.settings.permissions import ACCOUNT, CLUSTER, REGION

_OF_AWS = "aws:"


@dataclass(frozen=True, slots=True)
class Permissions:
    """The policy document of the identity that creates, changes and deletes a cluster with everything around it.

    `not_covered` are types of resources whose calls are not known, so the document does not allow them.
    """

    cluster: ClusterFacts
    document: Document
    not_covered: tuple[str, ...] = ()

    @property
    def policy(self) -> dict[str, Any]:
        """Return the document as IAM takes it."""
        return self.document.as_data()


@dataclass(frozen=True, slots=True)
class AksPermissions:
    """The custom role of the identity that creates, changes and deletes an AKS cluster with everything around it.

    `not_covered` are types of resources whose operations are not known, so the role does not allow them.
    """

    cluster: AksFacts
    role: CustomRole
    not_covered: tuple[str, ...] = ()


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


def permissions_of(cluster: ClusterFacts, types: Iterable[str]) -> Permissions:
    """Return the same as far as resources of these types need it; types of other providers than AWS's are ignored."""
    wanted = {type_ for type_ in types if type_ in CALLS or type_.startswith(_OF_AWS)}
    return Permissions(cluster, deployer_document(cluster, wanted & CALLS.keys()), tuple(sorted(wanted - CALLS.keys())))


def aks_permissions_of(cluster: AksFacts, types: Iterable[str], named: Iterable[str]) -> AksPermissions:
    """Return the role of the identity that updates an AKS cluster, as far as resources of these types need it, with scopes for
    the ids that are `named` in their inputs; types of other providers than Azure's are ignored."""
    wanted = {type_ for type_ in types if type_.startswith(OF_AZURE)}
    known = wanted & OPERATIONS.keys()
    role = deployer_role(cluster, known, scopes_of(cluster, known, named))
    return AksPermissions(cluster, role, tuple(sorted(wanted - known)))
