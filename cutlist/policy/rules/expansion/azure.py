"""Resources of Azure in other forms than the rules read: by their type of Resource Manager, in templates of it, and with the
members of Terraform's provider, from which Pulumi's classic one is made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.core.unknown import UNKNOWN
from cutlist.policy.rules.parts import Resource
from cutlist.policy.rules.tokens import AKS_CLUSTER, AKS_MAINTENANCE
from cutlist.policy.rules.types.table import native_of

GENERIC: Final = "azure-native:resources:Resource"
AZAPI: Final = ("opentofu:index:azapi_resource", "opentofu:index:azapi_update_resource")
_UPDATE: Final = "opentofu:index:azapi_update_resource"
_READ_IF_ABSENT: Final[Mapping[str, tuple[str, ...]]] = {
    AKS_CLUSTER: ("apiServerAccessProfile", "disableLocalAccounts", "agentPoolProfiles"),
}
"""The members whose absence breaks a rule, by type: an update leaves those that it does not write as they are."""
_VAULT: Final = "azure-native:keyvault:Vault"
TEMPLATES: Final[Mapping[str, str]] = {
    "azure-native:resources:Deployment": "properties.template",
    "azure-native:resources:DeploymentAtSubscriptionScope": "properties.template",
    "azure-native:resources:DeploymentAtManagementGroupScope": "properties.template",
    "azure-native:resources:DeploymentAtTenantScope": "properties.template",
    "azure-native:resources:DeploymentStackAtResourceGroup": "template",
    "azure-native:resources:DeploymentStackAtSubscription": "template",
    "azure-native:resources:DeploymentStackAtManagementGroup": "template",
    "azure:core/resourceGroupTemplateDeployment:ResourceGroupTemplateDeployment": "templateContent",
    "azure:core/subscriptionTemplateDeployment:SubscriptionTemplateDeployment": "templateContent",
    "azure:core/tenantTemplateDeployment:TenantTemplateDeployment": "templateContent",
    "azure:core/templateDeployment:TemplateDeployment": "templateBody",
    "azure:management/groupTemplateDeployment:GroupTemplateDeployment": "templateContent",
}
"""The member that has a template, by type."""
_KEPT: Final = ("microsoft.keyvault/vaults", "microsoft.keyvault/vaults/accesspolicies", "microsoft.resources/deployments")
"""Types of which Pulumi keeps the properties in a member of their own."""
_PROPERTIES: Final = "properties"
_DEEPEST: Final = 40
_IMAGES: Final = "aksManagedNodeOSUpgradeSchedule"
_SYSTEM_TAINT: Final = "CriticalAddonsOnly=true:NoSchedule"
_Members = dict[str, Any]


def resources_of_azure(outer: Resource) -> Iterator[Resource]:
    """Yield what a resource makes, as resources that rules read; nothing for any that is read as it is."""
    if outer.type == GENERIC:
        yield from _generic(outer)
    elif outer.type in AZAPI:
        yield from _of_azapi(outer)
    elif outer.type in TEMPLATES:
        yield from _of_template(outer)
    else:
        read = CLASSIC.get(outer.type)
        for type_, data in read(outer.data) if read is not None else ():
            yield replace(outer, type=type_, data={key: value for key, value in data.items() if value is not None})


def _generic(outer: Resource) -> Iterator[Resource]:
    """Yield the resource that Pulumi's type for any resource makes."""
    data = outer.data
    if UNKNOWN in (data.get("resourceProviderNamespace"), data.get("resourceType"), data.get("parentResourcePath")):
        return
    parent = [text for text in str(data.get("parentResourcePath") or "").strip("/").split("/")[::2] if text]
    kind = "/".join((str(data.get("resourceProviderNamespace")), *parent, str(data.get("resourceType"))))
    members = {key: data[key] for key in ("location", "sku", "identity", _PROPERTIES) if key in data}
    yield from _typed(outer, kind, members, _PROPERTIES)


def _of_azapi(outer: Resource) -> Iterator[Resource]:
    kind = str(outer.data.get("type")).partition("@")[0]
    body = _parsed(outer.data.get("body"))
    if body is UNKNOWN or not isinstance(outer.data.get("type"), str):
        return
    members = {key: outer.data[key] for key in ("name", "location", "identity") if key in outer.data}
    scope = outer.data.get("parentId")
    absent = _READ_IF_ABSENT.get(str(native_of(kind)), ()) if outer.type == _UPDATE else ()
    members |= {} if scope is None else {"scope": scope}
    whole = {**dict.fromkeys(absent, UNKNOWN), **members, **(body if isinstance(body, Mapping) else {})}
    yield from _typed(outer, kind, whole, f"body.{_PROPERTIES}")


def _of_template(outer: Resource) -> Iterator[Resource]:
    """Yield the resources in a template under their names there, with what its functions compute unknown."""
    listed = _template(outer)
    named = list(listed.items()) if isinstance(listed, Mapping) else list(enumerate(listed if isinstance(listed, list) else ()))
    for key, written in named:
        if isinstance(written, Mapping):
            own = key if isinstance(key, str) else written.get("name")
            name = own if isinstance(own, str) and not own.startswith("[") else f"{outer.name}[{key}]"
            at = f"resources.{key}" if isinstance(key, str) else f"resources[{key}]"
            path = f"{TEMPLATES[outer.type]}.{at}.{_PROPERTIES}"
            yield from _typed(replace(outer, name=name), str(written.get("type")), _computed(written, 0), path)


def has_template(deployment: Resource) -> bool:
    """Tell whether a deployment has its template, so that its resources are judged."""
    return isinstance(_template(deployment), Mapping | list)


def _template(deployment: Resource) -> Any:
    """Return the resources of the template that a deployment has, or None."""
    template: Any = deployment.data
    for member in TEMPLATES.get(deployment.type, "").split("."):
        template = _parsed(template.get(member)) if isinstance(template, Mapping) else None
    return template.get("resources") if isinstance(template, Mapping) else None


def _typed(outer: Resource, kind: str, members: Mapping[str, Any], path: str) -> Iterator[Resource]:
    """Yield a resource under its type in Pulumi; under that of Resource Manager, if the table has none. Nothing, if all of it
    is unknown."""
    if members.get(_PROPERTIES) is UNKNOWN:
        return
    type_ = native_of(kind) or f"opentofu:index:{kind}"
    data = dict(members) if kind.casefold() in _KEPT else _flat(members, 0)
    if type_ == AKS_MAINTENANCE:
        data.setdefault("configName", data.get("name"))

    def place(inner: str) -> Place:
        return outer.place(f"{path}.{inner}" if inner else path)

    yield replace(outer, type=type_, data=data, place=place)


def _flat(value: Any, depth: int) -> Any:
    """Return data of Resource Manager without the members `properties`, which Pulumi leaves out."""
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(value, list):
        return [_flat(item, depth + 1) for item in value]
    if not isinstance(value, Mapping):
        return value
    inner = value.get(_PROPERTIES)
    below = inner if isinstance(inner, Mapping) else {}
    merged = {**{key: item for key, item in value.items() if key != _PROPERTIES or not below}, **below}
    return {str(key): _flat(item, depth + 1) for key, item in merged.items()}


def _computed(value: Any, depth: int) -> Any:
    """Return data of a template, in which texts in brackets are expressions that the deployment computes."""
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(value, Mapping):
        return {key: _computed(below, depth + 1) for key, below in value.items()}
    if isinstance(value, list):
        return [_computed(item, depth + 1) for item in value]
    if isinstance(value, str) and value.startswith("[") and not value.startswith("[["):
        return UNKNOWN
    return value


def _parsed(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _held(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, Mapping) else {}


def _known(members: _Members) -> _Members:
    return {key: value for key, value in members.items() if value is not None}


def _pool(pool: Mapping[str, Any], mode: str) -> _Members:
    taints = pool.get("nodeTaints") or ([_SYSTEM_TAINT] if pool.get("onlyCriticalAddonsEnabled") is True else None)
    return _known(
        {
            "name": pool.get("name"),
            "mode": pool.get("mode") or mode,
            "vmSize": pool.get("vmSize"),
            "count": pool.get("nodeCount"),
            "minCount": pool.get("minCount"),
            "maxCount": pool.get("maxCount"),
            "enableAutoScaling": pool.get("autoScalingEnabled", pool.get("enableAutoScaling")),
            "nodeTaints": taints,
            "osType": pool.get("osType"),
            "osSKU": pool.get("osSku"),
            "podSubnetID": pool.get("podSubnetId"),
            "enableNodePublicIP": pool.get("nodePublicIpEnabled", pool.get("enableNodePublicIp")),
        }
    )


def _cluster(data: Mapping[str, Any]) -> Iterator[tuple[str, _Members]]:
    network, access, tier = _held(data, "networkProfile"), _held(data, "apiServerAccessProfile"), data.get("skuTier")
    versions = network.get("ipVersions")
    yield (
        AKS_CLUSTER,
        {
            "agentPoolProfiles": [_pool(_held(data, "defaultNodePool"), "System")],
            "nodeProvisioningProfile": _held(data, "nodeProvisioningProfile") or None,
            "apiServerAccessProfile": _known(
                {
                    "authorizedIPRanges": access.get("authorizedIpRanges") or data.get("apiServerAuthorizedIpRanges"),
                    "enablePrivateCluster": data.get("privateClusterEnabled"),
                }
            ),
            "networkProfile": _known(
                {
                    "networkPlugin": network.get("networkPlugin"),
                    "networkPluginMode": network.get("networkPluginMode"),
                    "networkPolicy": network.get("networkPolicy"),
                    "networkDataplane": network.get("networkDataPlane"),
                    "loadBalancerSku": network.get("loadBalancerSku"),
                    "ipFamilies": versions,
                }
            ),
            "servicePrincipalProfile": _held(data, "servicePrincipal") or None,
            "windowsProfile": _held(data, "windowsProfile") or None,
            "enableRBAC": data.get("roleBasedAccessControlEnabled"),
            "publicNetworkAccess": _access_in_words(data.get("publicNetworkAccessEnabled")),
            "disableLocalAccounts": data.get("localAccountDisabled"),
            "kubernetesVersion": data.get("kubernetesVersion"),
            "supportPlan": data.get("supportPlan"),
            "sku": None if tier is None else {"tier": tier},
        },
    )
    window = _held(data, "maintenanceWindowNodeOs")
    if window:
        yield AKS_MAINTENANCE, {"configName": _IMAGES, "maintenanceWindow": {"durationHours": window.get("duration")}}


def _access_in_words(public: Any) -> Any:
    """Return the API's word for whether the public network reaches something; what is not known stays so."""
    return {True: "Enabled", False: "Disabled"}.get(public) if isinstance(public, bool) else public


def _vault(data: Mapping[str, Any]) -> Iterator[tuple[str, _Members]]:
    public, rules = data.get("publicNetworkAccessEnabled"), _held(data, "networkAcls")
    listed = rules.get("ipRules")
    policies = data.get("accessPolicies") or data.get("accessPolicy")
    properties = {
        "publicNetworkAccess": {True: "Enabled", False: "Disabled"}.get(public) if isinstance(public, bool) else None,
        "networkAcls": _known(
            {
                "defaultAction": rules.get("defaultAction"),
                "ipRules": [{"value": text} for text in listed] if isinstance(listed, list) else None,
            }
        ),
        "accessPolicies": [_access(policy) for policy in policies] if isinstance(policies, list) else None,
    }
    yield _VAULT, {"properties": _known(properties)}


def _access(policy: Any) -> _Members:
    """Return a policy of access as Resource Manager has it."""
    held = policy if isinstance(policy, Mapping) else {}
    names = ("secrets", "keys", "certificates", "storage")
    permissions = {name: held.get(f"{name.rstrip('s') if name != 'storage' else name}Permissions") for name in names}
    return {"objectId": held.get("objectId"), "permissions": _known(permissions)}


def _policy(data: Mapping[str, Any]) -> Iterator[tuple[str, _Members]]:
    yield "azure-native:keyvault:AccessPolicy", {"policy": _access(data)}


def _machine(data: Mapping[str, Any]) -> Iterator[tuple[str, _Members]]:
    yield "azure-native:compute:VirtualMachine", {"hardwareProfile": {"vmSize": data.get("size", data.get("vmSize"))}}


def _machines(data: Mapping[str, Any]) -> Iterator[tuple[str, _Members]]:
    sku = data.get("sku")
    size = {"name": data.get("skuName", sku), "capacity": data.get("instances")}
    yield "azure-native:compute:VirtualMachineScaleSet", {"sku": sku if isinstance(sku, Mapping) else _known(size)}


_Read = Callable[[Mapping[str, Any]], Iterator[tuple[str, _Members]]]
CLASSIC: Final[Mapping[str, _Read]] = {
    "azure:containerservice/kubernetesCluster:KubernetesCluster": _cluster,
    "azure:keyvault/keyVault:KeyVault": _vault,
    "azure:keyvault/accessPolicy:AccessPolicy": _policy,
    "azure:compute/virtualMachine:VirtualMachine": _machine,
    "azure:compute/linuxVirtualMachine:LinuxVirtualMachine": _machine,
    "azure:compute/windowsVirtualMachine:WindowsVirtualMachine": _machine,
    "azure:compute/scaleSet:ScaleSet": _machines,
    "azure:compute/linuxVirtualMachineScaleSet:LinuxVirtualMachineScaleSet": _machines,
    "azure:compute/windowsVirtualMachineScaleSet:WindowsVirtualMachineScaleSet": _machines,
    "azure:compute/orchestratedVirtualMachineScaleSet:OrchestratedVirtualMachineScaleSet": _machines,
}
"""Types of Pulumi's classic provider whose members differ from those that rules read, with what reads them."""
