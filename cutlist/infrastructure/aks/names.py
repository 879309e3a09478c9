"""Names and resource ids of one AKS cluster's parts, each defined in one place (spec: azure 1.1, 1.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.core.errors import Place, Problems
from cutlist.core.records import HIDDEN
from cutlist.infrastructure.names import shortened

CLUSTER_LIMIT: Final = 63
NODE_GROUP_LIMIT: Final = 80
GROUP_LIMIT: Final = 90
_DNS_LIMIT: Final = 54
_PART_LIMIT: Final = 80
_NETWORK_LIMIT: Final = 64
_CLUSTER: Final = re.compile(r"[0-9A-Za-z]([0-9A-Za-z_-]*[0-9A-Za-z])?")
_GROUP: Final = re.compile(r"[\w().-]*[\w()-]")
_LOCATION: Final = re.compile(r"[a-z0-9]+")
_SUBSCRIPTION: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def is_subscription(text: str) -> bool:
    """Tell whether a text is the id of a subscription of Azure: a GUID."""
    return _SUBSCRIPTION.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class AksFacts:
    """A cluster, and the names and ids of everything around it.

    `subscription` is the id of the subscription, `location` a name such as `japaneast`. `node_resource_group` is the name of
    the group that AKS makes for nodes; without it, AKS chooses the name.
    """

    cluster: str
    resource_group: str
    location: Annotated[str, HIDDEN]
    subscription: str
    given_node_group: Annotated[str | None, HIDDEN] = None

    @property
    def node_resource_group(self) -> str:
        """Return the group that AKS makes for nodes and deletes with the cluster."""
        return self.given_node_group or f"MC_{self.resource_group}_{self.cluster}_{self.location}"

    @property
    def group_id(self) -> str:
        """Return the id of the cluster's own group."""
        return group_id(self.subscription, self.resource_group)

    @property
    def cluster_id(self) -> str:
        """Return the full id in Azure's resource manager, which is known before the cluster exists."""
        return self.id_of("Microsoft.ContainerService/managedClusters", self.cluster)

    @property
    def dns_prefix(self) -> str:
        """Return the beginning of the API server's address: the cluster's name, as far as DNS allows."""
        return shortened(self.cluster.replace("_", "-"), _DNS_LIMIT)

    @property
    def network(self) -> str:
        """Return the name of a virtual network that Cutlist makes."""
        return shortened(self.cluster, _NETWORK_LIMIT)

    @property
    def network_id(self) -> str:
        """Return the id of a virtual network that Cutlist makes."""
        return self.id_of("Microsoft.Network/virtualNetworks", self.network)

    def named(self, part: str) -> str:
        """Return the name of a part of the cluster, such as the identity of its `kubelet`."""
        return shortened(f"{self.cluster}-{part}", _PART_LIMIT)

    def identity_id(self, part: str) -> str:
        """Return the full id of the managed identity that a part runs as."""
        return self.id_of("Microsoft.ManagedIdentity/userAssignedIdentities", self.named(part))

    def role_definition_id(self, guid: str) -> str:
        """Return the full id of a role definition, as an assignment needs it."""
        return f"/subscriptions/{self.subscription}/providers/Microsoft.Authorization/roleDefinitions/{guid}"

    def id_of(self, kind: str, name: str) -> str:
        """Return the id of a resource in the cluster's own group; `kind` is a type such as `Microsoft.Network/natGateways`."""
        return f"{self.group_id}/providers/{kind}/{name}"

    def check(self, problems: Problems) -> None:
        """Report every name that Azure would refuse."""
        _check_cluster(self.cluster, problems)
        _check_group(self.resource_group, GROUP_LIMIT, "cluster.resourceGroup", problems)
        if not _LOCATION.fullmatch(self.location):
            right = re.sub(r"[^a-z0-9]", "", self.location.lower())
            problems.add(Place(path="cluster.location"), f"location {self.location!r}", "a name such as japaneast", right)
        if not is_subscription(self.subscription):
            problems.add(
                Place(path="cluster.subscription"), f"subscription {self.subscription!r}", "the id of a subscription, a GUID"
            )
        if self.given_node_group is not None:
            _check_group(self.given_node_group, NODE_GROUP_LIMIT, "cluster.nodeResourceGroup", problems)
        elif len(self.node_resource_group) > NODE_GROUP_LIMIT:
            message = f"{self.node_resource_group}, the group of nodes, has {len(self.node_resource_group)} characters"
            problems.add(Place(path="cluster.nodeResourceGroup"), message, f"a name of at most {NODE_GROUP_LIMIT}")


def group_id(subscription: str, group: str) -> str:
    """Return the id of a resource group."""
    return f"/subscriptions/{subscription}/resourceGroups/{group}"


def _check_cluster(name: str, problems: Problems) -> None:
    if len(name) > CLUSTER_LIMIT:
        problems.add(Place(path="cluster.name"), f"cluster name of {len(name)} characters", f"at most {CLUSTER_LIMIT}")
    elif not _CLUSTER.fullmatch(name):
        allowed = "letters, digits, - and _, with a letter or digit at both ends"
        problems.add(Place(path="cluster.name"), f"cluster name {name!r}", allowed)


def _check_group(name: str, limit: int, path: str, problems: Problems) -> None:
    if len(name) > limit:
        problems.add(Place(path=path), f"resource group of {len(name)} characters", f"at most {limit}")
    elif not _GROUP.fullmatch(name):
        allowed = "letters, digits, - _ . ( ), with no . at the end"
        problems.add(Place(path=path), f"resource group {name!r}", allowed)
