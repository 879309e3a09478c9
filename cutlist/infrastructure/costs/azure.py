"""Azure's charges for the resources of clusters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from cutlist.core.services import AUTOMATIC
from cutlist.infrastructure.costs.charges import (
    Charge,
    RequestedResource,
    Rule,
    machine_price,
    not_known,
    priced,
    service_price,
    used,
)

PRICES: Final = "azure.microsoft.com/pricing"
_AKS: Final = "azure.microsoft.com/pricing/details/kubernetes-service"
_ADDRESSES: Final = "azure.microsoft.com/pricing/details/ip-addresses"
_NAT: Final = "azure.microsoft.com/pricing/details/azure-nat-gateway"
_BALANCERS: Final = "azure.microsoft.com/pricing/details/load-balancer"
_MACHINES: Final = "azure.microsoft.com/pricing/details/virtual-machines"
_FREE_TIER: Final = f"the price list has a meter for the free tier since 2026-10: see {_AKS}"
_listed: Final = partial(service_price, "azure")


def _cluster(resource: RequestedResource) -> Iterable[Charge]:
    yield _control_plane(resource)
    pools = resource.of("agentPoolProfiles")
    for pool in pools if isinstance(pools, list) else ():
        yield from _pool(replace(resource, inputs=pool if isinstance(pool, Mapping) else {}))


def _control_plane(resource: RequestedResource) -> Charge:
    name, tier = resource.of("sku", "name"), resource.of("sku", "tier")
    if name == AUTOMATIC:
        fees = "and a fee for each vCPU of its nodes"
        return priced("AKS Automatic control plane", _listed(resource, "aks-automatic"), _AKS, note=fees)
    if tier in ("Standard", "Premium"):
        return priced(f"AKS control plane, {tier}", _listed(resource, f"aks-{tier.lower()}"), _AKS)
    if tier in (None, "Free"):
        return not_known("AKS control plane, Free", _FREE_TIER)
    return not_known("AKS control plane", f"its tier is not known: see {_AKS}")


def _pool(resource: RequestedResource) -> Iterable[Charge]:
    size, count = resource.of("vmSize"), resource.of("count")
    if not isinstance(size, str) or resource.of("scaleSetPriority") == "Spot":
        yield not_known("node pool", f"see {_MACHINES}")
        return
    nodes = count if isinstance(count, int) and not isinstance(count, bool) else 1
    yield priced(f"node of {size}", machine_price(resource, size), _MACHINES, nodes, "without its disk")


def _address(resource: RequestedResource) -> Iterable[Charge]:
    if resource.of("publicIPAddressVersion") == "IPv6":
        return ()
    if resource.of("sku", "name") != "Standard" or resource.of("sku", "tier") not in (None, "Regional"):
        return (not_known("public address", f"see {_ADDRESSES}"),)
    return (priced("public IPv4 address", _listed(resource, "public-ipv4-address"), _ADDRESSES),)


def _nat_gateway(resource: RequestedResource) -> Iterable[Charge]:
    listed = _listed(resource, "nat-gateway") if resource.of("sku", "name") in (None, "Standard") else None
    return (priced("NAT gateway", listed, _NAT, note="and by the traffic through it"),)


def _load_balancer(resource: RequestedResource) -> Iterable[Charge]:
    listed = _listed(resource, "load-balancer") if resource.of("sku", "name") == "Standard" else None
    return (priced("load balancer", listed, _BALANCERS, note="for its first five rules, and by the traffic through it"),)


RULES: Final[Mapping[str, Rule]] = {
    "azure-native:containerservice:AgentPool": _pool,
    "azure-native:containerservice:ManagedCluster": _cluster,
    "azure-native:keyvault:Key": used("key", "by operations"),
    "azure-native:keyvault:Vault": used("key vault", "by operations"),
    "azure-native:monitor:DiagnosticSetting": used("diagnostic setting", "by the logs that it passes on"),
    "azure-native:network:LoadBalancer": _load_balancer,
    "azure-native:network:NatGateway": _nat_gateway,
    "azure-native:network:PublicIPAddress": _address,
    "azure-native:operationalinsights:Workspace": used("log workspace", "by what is written and kept"),
}

FREE_MODULES: Final = ("azure-native:authorization:", "azure-native:managedidentity:")
FREE: Final = frozenset(
    {
        "azure-native:compute:DiskEncryptionSet",
        "azure-native:containerservice:MaintenanceConfiguration",
        "azure-native:network:NetworkSecurityGroup",
        "azure-native:network:RouteTable",
        "azure-native:network:Subnet",
        "azure-native:network:VirtualNetwork",
        "azure-native:resources:ResourceGroup",
    }
)
