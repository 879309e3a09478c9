"""Access to a running cluster's API, to ask what it uses. EKS provides its address and accepts the account's credentials: no
kubeconfig is read, so another cluster can never answer."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from cutlist_live.sweep.calls import Clients

_TOKEN_SECONDS: Final = 60
_CLUSTER_HEADER: Final = "x-k8s-aws-id"
_SIGNING: Final = "before-sign.sts.GetCallerIdentity"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The access to a cluster's API: its address, its certificate authority in base64, and a token for the next minutes."""

    server: str
    certificate_authority: str
    token: str = field(repr=False)


class KarpenterObjects(Protocol):
    """Lists of manifests, all namespaces, all pages. Each method raises UnreachableError; a kind that does not exist has no
    objects."""

    def node_pools(self) -> list[dict[str, Any]]:
        """Return NodePools of karpenter.sh/v1."""

    def node_claims(self) -> list[dict[str, Any]]:
        """Return NodeClaims of karpenter.sh/v1."""

    def node_classes(self) -> list[dict[str, Any]]:
        """Return EC2NodeClasses of karpenter.k8s.aws/v1."""

    def nodes(self) -> list[dict[str, Any]]:
        """Return the manifests of all nodes."""

    def pods(self) -> list[dict[str, Any]]:
        """Return the manifests of the pods of all namespaces."""

    def delete_node_pool(self, name: str) -> None:
        """Delete a NodePool with foreground propagation; a missing one is not an error."""


Connect = Callable[[Endpoint], KarpenterObjects]


def endpoint(cluster: dict[str, Any], clients: Clients, region: str) -> Endpoint:
    """Return the endpoint of a cluster from `eks:DescribeCluster`, with a token for the credentials of the call."""
    token = cluster_token(clients.client("sts", region), cluster["name"])
    return Endpoint(cluster["endpoint"], cluster["certificateAuthority"]["data"], token)


def cluster_token(sts: Any, cluster: str) -> str:
    """Return the bearer token that EKS accepts: a signed request for the caller's identity that names the cluster."""

    def name_cluster(request: Any, **_: Any) -> None:
        request.headers[_CLUSTER_HEADER] = cluster

    sts.meta.events.register(_SIGNING, name_cluster)
    try:
        url = sts.generate_presigned_url("get_caller_identity", ExpiresIn=_TOKEN_SECONDS, HttpMethod="GET")
    finally:
        sts.meta.events.unregister(_SIGNING, name_cluster)
    return "k8s-aws-v1." + base64.urlsafe_b64encode(url.encode()).decode().rstrip("=")
