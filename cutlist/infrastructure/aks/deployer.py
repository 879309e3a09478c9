"""The permissions that the identity that updates an AKS cluster needs, as a custom role of Azure (spec: azure 1.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from cutlist.core.records import After, Key, data_of
from cutlist.infrastructure.aks.names import AksFacts

OF_AZURE: Final = "azure-native:"
_OF_RESOURCE: Final = ("read", "write", "delete")
_GROUP_ID: Final = re.compile(r"(/subscriptions/[0-9a-f-]{36})/resourceGroups/[\w().-]+", re.IGNORECASE)
_GROUP: Final = f"{OF_AZURE}resources:ResourceGroup"


@dataclass(frozen=True, slots=True)
class CustomRole:
    """A custom role, in the spelling of Azure's command.

    It allows `actions` of the control plane and can be assigned at some scopes.
    """

    name: Annotated[str, Key("Name")]
    description: Annotated[str, Key("Description")]
    actions: Annotated[tuple[str, ...], Key("Actions")]
    assignable_scopes: Annotated[tuple[str, ...], Key("AssignableScopes"), After("not_data_actions")]
    is_custom: Annotated[bool, Key("IsCustom"), After("name")] = True
    not_actions: Annotated[tuple[str, ...], Key("NotActions")] = ()
    data_actions: Annotated[tuple[str, ...], Key("DataActions")] = ()
    not_data_actions: Annotated[tuple[str, ...], Key("NotDataActions")] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the role as `az role definition create` takes it."""
        data: dict[str, Any] = data_of(self)
        return data


@dataclass(frozen=True, slots=True)
class _Operations:
    """The operations of one type of resource, which is read, written and deleted. `more` are operations on related resources,
    and those by which an update waits for the end of an operation."""

    type: str
    more: tuple[str, ...] = ()

    @property
    def actions(self) -> tuple[str, ...]:
        """Return all operations in the form of a role's actions."""
        return (*(f"{self.type}/{operation}" for operation in _OF_RESOURCE), *self.more)


_NETWORK_WAITS: Final = ("Microsoft.Network/locations/operations/read", "Microsoft.Network/locations/operationResults/read")
_CLUSTER_WAITS: Final = (
    "Microsoft.ContainerService/locations/operations/read",
    "Microsoft.ContainerService/locations/operationresults/read",
)
_IDENTITIES: Final = "Microsoft.ManagedIdentity/userAssignedIdentities"
OPERATIONS: Final[Mapping[str, _Operations]] = {
    "azure-native:authorization:RoleAssignment": _Operations("Microsoft.Authorization/roleAssignments"),
    "azure-native:authorization:RoleDefinition": _Operations("Microsoft.Authorization/roleDefinitions"),
    "azure-native:compute:DiskEncryptionSet": _Operations(
        "Microsoft.Compute/diskEncryptionSets",
        (
            "Microsoft.Compute/locations/diskOperations/read",
            "Microsoft.KeyVault/vaults/deploy/action",
            f"{_IDENTITIES}/assign/action",
        ),
    ),
    "azure-native:containerservice:MaintenanceConfiguration": _Operations(
        "Microsoft.ContainerService/managedClusters/maintenanceConfigurations"
    ),
    "azure-native:containerservice:ManagedCluster": _Operations(
        "Microsoft.ContainerService/managedClusters",
        (
            *_CLUSTER_WAITS,
            "Microsoft.ContainerService/managedClusters/listClusterUserCredential/action",
            "Microsoft.Compute/diskEncryptionSets/read",
            f"{_IDENTITIES}/assign/action",
            "Microsoft.Network/publicIPAddresses/join/action",
            "Microsoft.Network/publicIPPrefixes/join/action",
            "Microsoft.Network/virtualNetworks/subnets/join/action",
            "Microsoft.OperationalInsights/workspaces/read",
            "Microsoft.OperationalInsights/workspaces/sharedKeys/read",
        ),
    ),
    "azure-native:managedidentity:FederatedIdentityCredential": _Operations(f"{_IDENTITIES}/federatedIdentityCredentials"),
    "azure-native:managedidentity:UserAssignedIdentity": _Operations(_IDENTITIES),
    "azure-native:monitor:DiagnosticSetting": _Operations(
        "Microsoft.Insights/diagnosticSettings",
        ("Microsoft.OperationalInsights/workspaces/read", "Microsoft.OperationalInsights/workspaces/sharedKeys/action"),
    ),
    "azure-native:network:NatGateway": _Operations(
        "Microsoft.Network/natGateways", (*_NETWORK_WAITS, "Microsoft.Network/publicIPAddresses/join/action")
    ),
    "azure-native:network:PublicIPAddress": _Operations("Microsoft.Network/publicIPAddresses", _NETWORK_WAITS),
    "azure-native:network:Subnet": _Operations(
        "Microsoft.Network/virtualNetworks/subnets",
        (
            *_NETWORK_WAITS,
            "Microsoft.Network/natGateways/join/action",
            "Microsoft.Network/networkSecurityGroups/join/action",
            "Microsoft.Network/routeTables/join/action",
        ),
    ),
    "azure-native:network:VirtualNetwork": _Operations("Microsoft.Network/virtualNetworks", _NETWORK_WAITS),
    _GROUP: _Operations(
        "Microsoft.Resources/subscriptions/resourceGroups", ("Microsoft.Resources/subscriptions/operationresults/read",)
    ),
}
"""By types of the Pulumi provider. Operations: learn.microsoft.com/azure/role-based-access-control/permissions (pages compute,
containers, general, identity, management-and-governance, monitor, networking, security), read on 2026-11-23; what a cluster
uses of others: "Identity creating and operating the cluster permissions" of learn.microsoft.com/azure/aks, read on the same
day. A test holds the table against every resource of the components for AKS."""


def deployer_role(facts: AksFacts, types: Iterable[str], scopes: Iterable[str]) -> CustomRole:
    """Return a custom role for resources of these types, which can be assigned at `scopes`. Names of roles are unique in a
    tenant, so this one contains those of the cluster and of its group."""
    actions = {action for type_ in types for action in OPERATIONS[type_].actions}
    return CustomRole(
        f"Update {facts.cluster} in {facts.resource_group}",
        f"Makes, changes and deletes the AKS cluster {facts.cluster} with what is around it.",
        tuple(sorted(actions, key=str.lower)),
        tuple(scopes),
    )


def scopes_of(facts: AksFacts, types: Iterable[str], named: Iterable[str]) -> list[str]:
    """Return the scopes of such a role: the subscription if a resource group is made, else the cluster's group; and the other
    groups in the ids that are `named` in inputs."""
    own = facts.group_id.partition("/resourceGroups/")[0] if _GROUP in types else facts.group_id
    groups = {facts.group_id.lower(): facts.group_id}
    for text in named:
        if match := _GROUP_ID.match(text):
            groups.setdefault(match[0].lower(), match[0])
    others = sorted(group for key, group in groups.items() if not f"{key}/".startswith(f"{own.lower()}/"))
    return [own, *others]
