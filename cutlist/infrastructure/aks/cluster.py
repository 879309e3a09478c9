"""The plain facts of an AKS cluster, their defaults, and the mistakes in them (spec: azure 1.2, 1.5, 1.8)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from ipaddress import ip_network
from typing import Any, Final

from cutlist.core.errors import nearest
from cutlist.core.services import AKS, AUTOMATIC, BASE
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.versions import SupportPlan, check_new_kubernetes, check_support_plan

SKUS: Final = (BASE, AUTOMATIC)
TIERS: Final = ("Free", "Standard", "Premium")
UPGRADE_CHANNELS: Final = ("rapid", "stable", "patch", "node-image", "none")
IMAGE_CHANNELS: Final = ("None", "Unmanaged", "NodeImage", "SecurityPatch")
DNS_ZONES: Final = ("system", "none")
MADE_FROM: Final = {
    "resource_name_": "cluster",
    "resource_group_name": "cluster",
    "location": "cluster",
    "node_resource_group": "cluster",
    "identity": "identityId",
    "identity_profile": "kubeletIdentity",
    "disk_encryption_set_id": "diskEncryptionSetId",
    "tags": "tags",
    "network_profile": "settings.network",
    "agent_pool_profiles": "settings.pools",
    "node_provisioning_profile": "settings.nodeProvisioning",
    "kubernetes_version": "settings.kubernetesVersion",
    "sku": "settings.sku",
    "support_plan": "settings.supportPlan",
    "auto_upgrade_profile": "settings.upgradeChannel",
    "api_server_access_profile": "settings.private",
    "aad_profile": "settings.adminGroupIds",
    "disable_local_accounts": "settings.disableLocalAccounts",
    "azure_monitor_profile": "settings.monitoring",
}
"""Arguments of the SDK's ManagedCluster that are derived from inputs, which have defaults and checks."""
_JOINED: Final = ("addon_profiles", "security_profile")
_OF_AUTOSCALER: Final = "auto_scaler_profile"
_NAMES_IN_SDK: Final = {
    "enable_rbac": "enableRBAC",
    "public_network_access": "publicNetworkAccess",
    "service_principal_profile": "servicePrincipalProfile",
    "windows_profile": "windowsProfile",
}
_NOT_PROVISIONED: Final = {
    name: limit for name, member in _NAMES_IN_SDK.items() for limit in AKS.limits if limit.path == member
}
_ZONE_ID: Final = re.compile(r"/subscriptions/.+/providers/Microsoft\.Network/privateDnsZones/.+", re.IGNORECASE)
SWITCHING_OFF: Final = (
    "set spec.limits.cpu: 0 on every NodePool, move workloads until no node of node provisioning is left "
    "(the taint karpenter.azure.com/disable:NoSchedule on the pools helps), then set the mode to Manual"
)


class Provisioning(StrEnum):
    """Whether AKS provisions nodes itself."""

    AUTO = "Auto"
    MANUAL = "Manual"


class DefaultPools(StrEnum):
    """Whether AKS makes the NodePools `default` and `system-surge`."""

    NONE = "None"
    AUTO = "Auto"


class IdentityType(StrEnum):
    """The kind of identity that a cluster has in Azure."""

    USER_ASSIGNED = "UserAssigned"
    SYSTEM_ASSIGNED = "SystemAssigned"


@dataclass(frozen=True, slots=True)
class ClusterChoices:
    """The choices that define a cluster before any part of it exists.

    `version` is a minor one such as `1.33`, an exact one, or None for AKS's own choice. `given_network` says that it is in a
    network that AKS does not make, `own_kubelet_identity` that its nodes have their own identity. `day` is when AKS would make
    it; without one, no support has ended.
    """

    provisioning: str = Provisioning.AUTO
    chosen_default_pools: str | None = None
    version: str | None = None
    sku: str = BASE
    tier: str = "Standard"
    chosen_support_plan: str | None = None
    identity_type: str = IdentityType.SYSTEM_ASSIGNED
    given_network: bool = False
    own_kubelet_identity: bool = False
    chosen_upgrade_channel: str | None = None
    image_channel: str = "NodeImage"
    private: bool = False
    private_dns_zone: str = "system"
    authorized_ranges: Sequence[Any] = ()
    has_admin_groups: bool = False
    disable_local_accounts: bool = False
    day: date | None = None

    @property
    def is_provisioned(self) -> bool:
        """Tell whether AKS provisions nodes itself."""
        return self.provisioning == Provisioning.AUTO

    @property
    def is_manual(self) -> bool:
        """Tell whether node provisioning was explicitly turned off; an unknown choice does not count."""
        return self.provisioning == Provisioning.MANUAL

    @property
    def is_automatic(self) -> bool:
        """Tell whether AKS manages the system's nodes as well."""
        return self.sku == AUTOMATIC

    @property
    def default_pools(self) -> str | None:
        """Return the API's value for AKS's own NodePools, or None without node provisioning."""
        return (self.chosen_default_pools or DefaultPools.NONE.value) if self.is_provisioned else None

    @property
    def upgrade_channel(self) -> str:
        """Return which upgrades of Kubernetes AKS does: patches, but none if an exact patch version was requested."""
        return self.chosen_upgrade_channel or ("none" if self.is_exact else "patch")

    @property
    def is_exact(self) -> bool:
        """Tell whether an exact patch version was requested."""
        return (self.version or "").count(".") > 1


def check_choices(choices: ClusterChoices, notes: AksNotes) -> None:
    """Report every setting that AKS would refuse, that contradicts another, or that opens the cluster to everyone."""
    for path, value, allowed in (
        ("defaultNodePools", choices.chosen_default_pools, tuple(DefaultPools)),
        ("sku", choices.sku, SKUS),
        ("tier", choices.tier, TIERS),
        ("upgradeChannel", choices.upgrade_channel, UPGRADE_CHANNELS),
        ("nodeOsUpgradeChannel", choices.image_channel, IMAGE_CHANNELS),
    ):
        if value is not None:
            notes.one_of(path, value, allowed)
    check_provisioning(choices, notes)
    support = SupportPlan(choices.chosen_support_plan, choices.tier)
    check_support_plan(support, notes)
    if choices.version is not None and check_new_kubernetes(choices.version, support, "kubernetesVersion", notes, choices.day):
        _check_channel(choices, notes)
    _check_access(choices, notes)


def check_provisioning(choices: ClusterChoices, notes: AksNotes) -> None:
    """Report an unknown choice of node provisioning, and settings that contradict it."""
    notes.one_of("nodeProvisioning", choices.provisioning, Provisioning)
    if choices.chosen_default_pools is not None and choices.is_manual:
        text = f"defaultNodePools {choices.chosen_default_pools} without node provisioning"
        notes.refuse("defaultNodePools", text, "leave it out, or nodeProvisioning Auto")
    if choices.is_automatic and choices.is_manual:
        notes.refuse("nodeProvisioning", "Manual, and a cluster of sku Automatic always makes nodes by itself", "Auto")


def check_identity(choices: ClusterChoices, notes: AksNotes) -> None:
    """Report an identity that comes too late for the permissions that the cluster needs, or that is not an identity."""
    if choices.identity_type not in tuple(IdentityType):
        if choices.identity_type.lower() == "serviceprincipal":
            message = "a service principal" + (" cannot be combined with node provisioning" if choices.is_provisioned else "")
            notes.refuse("identityType", message, ", ".join(IdentityType))
        else:
            notes.one_of("identityType", choices.identity_type, IdentityType)
        return
    if choices.identity_type == IdentityType.USER_ASSIGNED:
        return
    wants = "an identity that exists before the cluster, identityId, so that it has its rights in time"
    if choices.given_network:
        notes.refuse("identityId", "your own network, and an identity that comes with the cluster", wants)
    if choices.own_kubelet_identity:
        notes.refuse("identityId", "your own identity for kubelets, and one that comes with the cluster", wants)
    if choices.private and choices.private_dns_zone not in DNS_ZONES:
        notes.refuse("identityId", "your own DNS zone, and an identity that comes with the cluster", wants)


def check_further(further: Mapping[str, Any], known: Collection[str], *, provisioned: bool, notes: AksNotes) -> None:
    """Report additional arguments of the SDK's ManagedCluster that are not allowed besides the inputs, or cannot be merged.
    `known` are all its arguments.
    """
    for key, value in further.items():
        if key not in known:
            near = nearest(key, known)
            notes.refuse(
                f"further.{key}", f"ManagedCluster has no argument {key!r}", "one of its arguments in snake case", near
            )
        if key in _JOINED and not isinstance(value, Mapping):
            notes.refuse(f"further.{key}", f"found {value!r}", "a mapping, to which that of the inputs is added")
        if key in MADE_FROM:
            notes.refuse(f"further.{key}", f"{key} is made from {MADE_FROM[key]}", MADE_FROM[key])
        if provisioned and key == _OF_AUTOSCALER:
            notes.warn(f"further.{key}", "settings of the cluster autoscaler, which node provisioning replaces")
        limit = _NOT_PROVISIONED.get(key) if provisioned else None
        if limit is not None and limit.refuses(value):
            notes.refuse(f"further.{key}", limit.why, limit.allowed)


def _check_channel(choices: ClusterChoices, notes: AksNotes) -> None:
    version = choices.version or ""
    channel = choices.upgrade_channel
    moves_patch, moves_minor = channel in ("patch", "stable", "rapid"), channel in ("stable", "rapid")
    if choices.is_exact and moves_patch:
        minor = version.rsplit(".", 1)[0]
        message = f"version {version} to the patch, which channel {channel} leaves behind: the next update would go back"
        notes.refuse("kubernetesVersion", message, "the minor version, or upgradeChannel none", minor)
    elif moves_minor:
        message = f"version {version}, which channel {channel} leaves behind: the next update would go back"
        notes.refuse("kubernetesVersion", message, "no version, or upgradeChannel patch")


def check_range(text: str, path: str, notes: AksNotes) -> None:
    """Report a text that is not a range of addresses, or a range that lets every address reach the API."""
    try:
        open_to_all = ip_network(text).prefixlen == 0
    except ValueError:
        notes.refuse(path, f"{text!r} is not an address range", "a range such as 198.51.100.0/24")
        return
    if open_to_all:
        notes.refuse(path, f"{text} is every address", "the ranges that need the API")


def _check_access(choices: ClusterChoices, notes: AksNotes) -> None:
    for n, text in enumerate(choices.authorized_ranges):
        if isinstance(text, str):  # others are only known at the update
            check_range(text, f"authorizedIpRanges[{n}]", notes)
    if choices.private and choices.authorized_ranges:
        notes.refuse("authorizedIpRanges", "ranges that may reach a private cluster, which has no public address", "none")
    elif not choices.private and not choices.authorized_ranges:
        notes.warn("authorizedIpRanges", "every address reaches the API server", "authorizedIpRanges, or a private cluster")
    zone = choices.private_dns_zone
    if choices.private and zone not in DNS_ZONES and not _ZONE_ID.fullmatch(zone):
        allowed = "system, none, or the id of a private DNS zone"
        notes.refuse("private.dnsZone", f"{zone!r} is not a zone", allowed, nearest(zone, DNS_ZONES))
    if choices.disable_local_accounts and not choices.has_admin_groups:
        message = "no local accounts and no group of administrators: nobody, Pulumi included, could use the cluster"
        notes.refuse("adminGroupIds", message, "the id of at least one group that runs Pulumi")


def check_change(before: Mapping[str, Any], after: Mapping[str, Any], notes: AksNotes) -> None:
    """Report changes that destroy something or that AKS refuses, given a ManagedCluster's inputs by their names in the API
    (spec: azure 1.2, 1.8)."""
    old_mode, new_mode = (_mode(inputs) for inputs in (before, after))
    if old_mode == Provisioning.AUTO and new_mode == Provisioning.MANUAL:
        text = "node provisioning is switched off, which AKS refuses while there are nodes of it"
        notes.warn("nodeProvisioning", f"{text}: {SWITCHING_OFF}")
    elif old_mode == new_mode == Provisioning.AUTO and (_pools(before), _pools(after)) == (
        DefaultPools.AUTO,
        DefaultPools.NONE,
    ):
        text = "the NodePools default and system-surge may be deleted and their nodes drained"
        notes.warn("defaultNodePools", f"Auto becomes None: {text}", "move their workloads to NodePools of yours before")
    for member, path in (("outboundType", "network.outboundType"), ("networkDataplane", "network.dataplane")):
        old, new = (_of_network(inputs, member) for inputs in (before, after))
        if old and new and old != new and _changes(member, old_mode, new_mode):
            message = f"{member} goes from {old} to {new}, which a cluster with node provisioning cannot do"
            notes.refuse(path, message, old)


def _mode(inputs: Mapping[str, Any]) -> str:
    return str((inputs.get("nodeProvisioningProfile") or {}).get("mode") or Provisioning.MANUAL.value)


def _pools(inputs: Mapping[str, Any]) -> str:
    """Return the value for AKS's own NodePools, with AKS's default if none was given."""
    return str((inputs.get("nodeProvisioningProfile") or {}).get("defaultNodePools") or DefaultPools.AUTO.value)


def _of_network(inputs: Mapping[str, Any], member: str) -> str:
    return str((inputs.get("networkProfile") or {}).get(member) or "")


def _changes(member: str, old_mode: str, new_mode: str) -> bool:
    """Tell whether a change of the network is one that AKS refuses: of the data plane only while node provisioning is on before
    and after (learn.microsoft.com/azure/aks/update-azure-cni, 2026-08-21)."""
    return member == "outboundType" or old_mode == new_mode == Provisioning.AUTO
