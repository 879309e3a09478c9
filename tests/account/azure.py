"""Rows of Azure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from tests.account.checks import Check, at_least, at_most, between, block, matches, one_of, text
from tests.account.rows import Limit, Row
from tests.account.sources import AKS_GUIDE, AZURE_NAMES, AZURE_RBAC, AZURE_TAGS, FEDERATION

_GUID: Final = matches(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", "a GUID")
_ENDS: Final = "letters, digits, _ . -, beginning with a letter or digit and not ending with . or -"
_FORM: Final = r"[A-Za-z0-9]([\w.-]*\w)?"
_TAG_KEY: Final = matches(
    r"(?!microsoft|azure|windows)[^<>%&\\?/]+",
    "a tag key without < > % & \\ ? /, not beginning with microsoft, azure or windows",
    512,
)
_ID: Final = matches(r"/subscriptions/\S+|/providers/\S+|\S+-id", "the id of a resource")
_REPLACED: Final = frozenset({"resourceGroupName", "location"})


def _group(path: str = "resourceGroupName") -> Limit:
    return Limit(path, matches(r"[\w().-]*[\w()-]", "letters, digits, _ ( ) . -, not ending with .", 90), AZURE_NAMES)


def _name(path: str, longest: int, shortest: int = 1) -> Limit:
    return Limit(path, matches(_FORM, _ENDS, longest, shortest), AZURE_NAMES)


def tags() -> tuple[Limit, ...]:
    return (
        Limit("tags", at_most(50, "tags"), AZURE_TAGS),
        Limit("tags{}", _TAG_KEY, AZURE_TAGS),
        Limit(
            "tags",
            Check("tag values of at most 256 characters", lambda tags: all(len(v) <= 256 for v in tags.values())),
            AZURE_TAGS,
        ),
    )


def _ranges(inputs: Mapping[str, Any]) -> bool:
    """Tell whether the DNS server is in the range of services, and is not its first address."""
    from ipaddress import ip_address, ip_network

    profile = inputs.get("networkProfile") or {}
    services, server = profile.get("serviceCidr"), profile.get("dnsServiceIP")
    if not isinstance(services, str) or not isinstance(server, str):
        return True
    return ip_address(server) in ip_network(services) and ip_address(server) != ip_network(services)[1]


def _supported(inputs: Mapping[str, Any]) -> bool:
    """Tell whether the version has the community's support, or the cluster the long-term plan in its tier (as of 2026-11)."""
    minor = int(str(inputs.get("kubernetesVersion", "1.35")).split(".")[1])
    plan, tier = inputs.get("supportPlan"), (inputs.get("sku") or {}).get("tier")
    return minor >= (31 if (plan, tier) == ("AKSLongTermSupport", "Premium") else 34)


def _pools(value: Any) -> bool:
    return any(pool.get("mode") == "System" for pool in value)


_POOL: Final = re.compile(r"[a-z][a-z0-9]{0,11}")

ROWS: Final = (
    Row(
        "azure-native:resources:ResourceGroup",
        (_group(), *tags()),
        _REPLACED,
        id="/subscriptions/{name}",
        computed={"name": "{resourceGroupName}"},
    ),
    Row(
        "azure-native:containerservice:ManagedCluster",
        (
            Limit(
                "resourceName",
                matches(
                    r"[A-Za-z0-9]([\w-]*[A-Za-z0-9])?", "letters, digits, _ and -, with a letter or digit at both ends", 63
                ),
                AZURE_NAMES,
            ),
            _group(),
            _group("nodeResourceGroup"),
            Limit("nodeResourceGroup", text(80, 1), AKS_GUIDE),
            Limit("dnsPrefix", matches(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?", "letters, digits and -", 54), AKS_GUIDE),
            Limit("kubernetesVersion", matches(r"1\.\d+(\.\d+)?", "a version of Kubernetes"), AKS_GUIDE),
            Limit("", Check("a version of Kubernetes that its support plan has", _supported), AKS_GUIDE),
            Limit("supportPlan", one_of("KubernetesOfficial", "AKSLongTermSupport"), AKS_GUIDE),
            Limit("agentPoolProfiles", at_least(1, "node pools"), AKS_GUIDE),
            Limit("agentPoolProfiles", Check("a node pool of mode System", _pools), AKS_GUIDE),
            Limit(
                "agentPoolProfiles[].name",
                matches(_POOL.pattern, "lower-case letters and digits, beginning with a letter", 12),
                AZURE_NAMES,
            ),
            Limit("agentPoolProfiles[].count", between(0, 1_000), AKS_GUIDE),
            Limit("agentPoolProfiles[].maxPods", between(10, 250), AKS_GUIDE),
            Limit("agentPoolProfiles[].osDiskSizeGB", between(0, 2_048), AKS_GUIDE),
            Limit("agentPoolProfiles[].mode", one_of("System", "User", "Gateway"), AKS_GUIDE),
            Limit("networkProfile.podCidr", block(1, 24), AKS_GUIDE),
            Limit("networkProfile.serviceCidr", block(12, 29), AKS_GUIDE),
            Limit("", Check("a DNS server in the range of services that is not its first address", _ranges), AKS_GUIDE),
            Limit("apiServerAccessProfile.authorizedIPRanges", at_most(200, "ranges"), AKS_GUIDE),
            *tags(),
        ),
        _REPLACED
        | {"resourceName", "dnsPrefix", "nodeResourceGroup", "networkProfile.serviceCidr", "networkProfile.dnsServiceIP"},
        id="/subscriptions/{resourceName}",
    ),
    Row(
        "azure-native:containerservice:MaintenanceConfiguration",
        (
            _group(),
            Limit(
                "configName", one_of("default", "aksManagedAutoUpgradeSchedule", "aksManagedNodeOSUpgradeSchedule"), AKS_GUIDE
            ),
            Limit("maintenanceWindow.durationHours", between(4, 24), AKS_GUIDE),
        ),
        frozenset({"resourceGroupName", "resourceName", "configName"}),
    ),
    Row(
        "azure-native:managedidentity:UserAssignedIdentity",
        (
            Limit(
                "resourceName",
                matches(r"[A-Za-z0-9][\w-]*", "letters, digits, _ and -, beginning with a letter or digit", 128, 3),
                AZURE_NAMES,
            ),
            _group(),
            *tags(),
        ),
        _REPLACED | {"resourceName"},
    ),
    Row(
        "azure-native:managedidentity:FederatedIdentityCredential",
        (
            Limit(
                "federatedIdentityCredentialResourceName",
                matches(r"[A-Za-z0-9][\w-]*", "letters, digits, _ and -, beginning with a letter or digit", 120, 3),
                AZURE_NAMES,
            ),
            _group(),
            Limit("audiences", at_most(1, "audience"), FEDERATION),
            Limit("issuer", matches(r"https://\S+", "an https URL", 600), FEDERATION),
            Limit("subject", text(600, 1), FEDERATION),
        ),
        frozenset({"resourceGroupName", "resourceName", "federatedIdentityCredentialResourceName"}),
    ),
    Row(
        "azure-native:authorization:RoleAssignment",
        (
            Limit("roleAssignmentName", _GUID, AZURE_NAMES),
            Limit("scope", _ID, AZURE_RBAC),
            Limit("roleDefinitionId", _ID, AZURE_RBAC),
            Limit("principalType", one_of("ServicePrincipal", "User", "Group", "ForeignGroup", "Device"), AZURE_RBAC),
        ),
        frozenset({"scope", "roleAssignmentName", "roleDefinitionId", "principalId", "principalType"}),
    ),
    Row(
        "azure-native:authorization:RoleDefinition",
        (
            Limit("roleDefinitionId", _GUID, AZURE_NAMES),
            Limit("roleName", text(128, 1), AZURE_RBAC),
            Limit("assignableScopes", at_least(1, "scopes"), AZURE_RBAC),
        ),
        frozenset({"scope", "roleDefinitionId"}),
    ),
    Row(
        "azure-native:network:VirtualNetwork",
        (_name("virtualNetworkName", 64, 2), _group(), *tags()),
        _REPLACED | {"virtualNetworkName"},
    ),
    Row(
        "azure-native:network:Subnet",
        (_name("subnetName", 80), _group(), Limit("addressPrefix", block(2, 29), AZURE_NAMES)),
        frozenset({"resourceGroupName", "subnetName", "virtualNetworkName"}),
    ),
    Row(
        "azure-native:network:NatGateway",
        (
            _name("natGatewayName", 80),
            _group(),
            Limit("idleTimeoutInMinutes", between(4, 120), AZURE_NAMES),
            Limit("sku.name", one_of("Standard", "StandardV2"), AZURE_NAMES),
            *tags(),
        ),
        _REPLACED | {"natGatewayName", "zones"},
    ),
    Row(
        "azure-native:network:PublicIPAddress",
        (
            _name("publicIpAddressName", 80),
            _group(),
            Limit("publicIPAllocationMethod", one_of("Static", "Dynamic"), AZURE_NAMES),
            *tags(),
        ),
        _REPLACED | {"publicIpAddressName", "zones"},
    ),
    Row(
        "azure-native:compute:DiskEncryptionSet",
        (Limit("diskEncryptionSetName", matches(r"[\w-]+", "letters, digits, _ and -", 80), AZURE_NAMES), _group(), *tags()),
        _REPLACED | {"diskEncryptionSetName"},
    ),
    Row(
        "azure-native:monitor:DiagnosticSetting",
        (Limit("name", matches(r"[^<>*%:?+/\\]+", "no < > * % : ? + / \\", 260), AZURE_NAMES),),
        frozenset({"name", "resourceUri"}),
    ),
)
