"""The API of a running cluster: Karpenter's objects, in whichever version is served."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import httpx2
from lightkube.core.exceptions import ApiError
from lightkube.generic_resource import create_global_resource
from lightkube.types import CascadeType

from cutlist.core.errors import InputError
from cutlist_live.cluster import ClusterClient
from cutlist_live.cluster_failures import MISSING
from cutlist_live.connection import Connection
from cutlist_live.errors import NotListedError, UnreachableError
from cutlist_live.kinds import KINDS, SnapshotKind
from cutlist_live.kubeconfig_entries import ClusterContext, ClusterEntry, UserEntry
from cutlist_live.sweep.access import Endpoint


def _kind(name: str) -> SnapshotKind:
    kind = next(kind for kind in KINDS if kind.kind == name)
    # A cluster with Karpenter older than 1.0 has its objects only under v1beta1; missing them would mean removing its nodes.
    return replace(kind, versions=("v1", "v1beta1")) if "karpenter" in kind.group else kind


_POOLS: Final = _kind("NodePool")
_CLAIMS: Final = _kind("NodeClaim")
_CLASSES: Final = _kind("EC2NodeClass")
_OLD_CLASSES: Final = replace(_CLASSES, kind="AWSNodeTemplate", plural="awsnodetemplates", versions=("v1alpha1",))
_NODES: Final = _kind("Node")
_PODS: Final = _kind("Pod")


class LiveCluster:
    """The KarpenterObjects of a cluster."""

    def __init__(self, context: ClusterContext, cluster: ClusterClient) -> None:
        self._context = context
        self._cluster = cluster

    def node_pools(self) -> list[dict[str, Any]]:
        """Return NodePools."""
        return self._all(_POOLS)

    def node_claims(self) -> list[dict[str, Any]]:
        """Return NodeClaims."""
        return self._all(_CLAIMS)

    def node_classes(self) -> list[dict[str, Any]]:
        """Return EC2NodeClasses, and the AWSNodeTemplates of Karpenter before 0.32."""
        return [*self._all(_CLASSES), *self._all(_OLD_CLASSES)]

    def nodes(self) -> list[dict[str, Any]]:
        """Return the manifests of all nodes. Raises UnreachableError."""
        return self._all(_NODES)

    def pods(self) -> list[dict[str, Any]]:
        """Return the manifests of the pods of all namespaces. Raises UnreachableError."""
        return self._all(_PODS)

    def delete_node_pool(self, name: str) -> None:
        """Delete a NodePool; it disappears when its NodeClaims have been deleted."""
        with Connection(self._context) as connection:
            for version in _POOLS.versions:
                pool = create_global_resource(_POOLS.group, version, _POOLS.kind, _POOLS.plural)
                try:
                    connection.api.delete(pool, name, cascade=CascadeType.FOREGROUND)
                except (ApiError, httpx2.HTTPError) as error:
                    if _is_missing(error):
                        continue  # not served in this version, or deleted
                    raise UnreachableError(f"NodePool {name} cannot be deleted: {' '.join(str(error).split())}") from error
                return

    def _all(self, kind: SnapshotKind) -> list[dict[str, Any]]:
        try:
            return self._cluster.all_of(kind)[1]
        except NotListedError as error:
            if error.status == MISSING:
                return []
            raise UnreachableError(str(error)) from error
        except InputError as error:
            raise UnreachableError(str(error)) from error


def connect(endpoint: Endpoint) -> LiveCluster:
    """Return the objects of the cluster at an endpoint. Raises UnreachableError."""
    entry = ClusterEntry(server=endpoint.server, certificate_auth_data=endpoint.certificate_authority or None)
    context = ClusterContext("eks", entry, UserEntry(token=endpoint.token))
    try:
        return LiveCluster(context, ClusterClient(context))
    except InputError as error:
        raise UnreachableError(str(error)) from error


def _is_missing(error: Exception) -> bool:
    return isinstance(error, httpx2.HTTPStatusError) and error.response.status_code == MISSING
