"""Services: their type, ports, addresses and traffic (W-81)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import ip_network
from typing import Any, Final

from cutlist.core.shapes import shown
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.containers import PROTOCOLS
from cutlist.workloads.validation.refusals import Refusals, one_of

Manifest = Mapping[str, Any]

_TYPES: Final = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
_FROM_OUTSIDE: Final = ("LoadBalancer", "NodePort")
_NO_ADDRESS: Final = "None"
_LONGEST_AFFINITY: Final = 86400
_DISTRIBUTIONS: Final = ("PreferClose", "PreferSameZone", "PreferSameNode")
_MORE_DISTRIBUTIONS: Final = 34  # the first minor version with all of them
_RANGES: Final = "service.beta.kubernetes.io/load-balancer-source-ranges"
_OF_BALANCERS: Final = ("allocateLoadBalancerNodePorts", "loadBalancerClass")


def check_service(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a Service. Only a cluster knows which addresses and node ports are free."""
    spec = manifest.get("spec") or {}
    kind, ports = spec.get("type") or _TYPES[0], spec.get("ports") or ()
    one_of(kind, "spec.type", _TYPES, refusals)
    addresses = spec.get("clusterIPs") or ([spec["clusterIP"]] if spec.get("clusterIP") else ())
    is_headless = list(addresses) == [_NO_ADDRESS]
    if not ports and not is_headless and kind != "ExternalName":
        refusals.required("spec.ports")
    if is_headless and kind in _FROM_OUTSIDE:
        refusals.invalid("spec.clusterIPs[0]", _NO_ADDRESS, f"may not be set for {kind} services")
    _check_ports(ports, kind, refusals)
    formats.labels(spec.get("selector"), "spec.selector", refusals)
    _check_affinity(spec, refusals)
    if kind == "ExternalName":
        _check_external_name(spec, refusals)
    else:
        _check_addresses(spec, addresses, refusals)
    for index, address in enumerate(spec.get("externalIPs") or ()):
        formats.ip(address or "", f"spec.externalIPs[{index}]", refusals)
    _check_balancer(spec, kind, refusals)
    annotations = (manifest.get("metadata") or {}).get("annotations") or {}
    if not spec.get("loadBalancerSourceRanges") and annotations.get(_RANGES) is not None:
        _check_annotated_ranges(annotations[_RANGES], kind, refusals)
    _check_traffic(spec, kind, refusals)


def _check_ports(ports: Sequence[Manifest], kind: str, refusals: Refusals) -> None:
    names: set[str] = set()
    for index, port in enumerate(ports):
        here, name = f"spec.ports[{index}]", port.get("name") or ""
        if name:
            formats.dns_label(name, f"{here}.name", refusals)
            if name in names:
                refusals.duplicate(f"{here}.name", name)
        elif len(ports) > 1:
            refusals.required(f"{here}.name", "each of several ports needs one")
        names.add(name)
        formats.port_number(port.get("port") or 0, f"{here}.port", refusals)
        one_of(port.get("protocol") or None, f"{here}.protocol", PROTOCOLS, refusals)
        target = port.get("targetPort")
        formats.port(target if target not in (None, 0, "") else port.get("port"), f"{here}.targetPort", refusals)
        if port.get("appProtocol") is not None:
            formats.qualified_name(port["appProtocol"], f"{here}.appProtocol", refusals)
        if port.get("nodePort") and kind == "ClusterIP":
            refusals.add(f"{here}.nodePort", "may not be set when type is 'ClusterIP'")
    for member, suffix in (("port", ""), ("nodePort", ".nodePort")):
        keys = [(port.get("protocol") or "TCP", port.get(member) or 0) for port in ports]
        for index in formats.first_repeated(keys):
            if keys[index][1] or member == "port":
                refusals.duplicate(f"spec.ports[{index}]{suffix}", "/".join(map(str, keys[index])))


def _check_affinity(spec: Manifest, refusals: Refusals) -> None:
    affinity = spec.get("sessionAffinity") or None
    one_of(affinity, "spec.sessionAffinity", ("ClientIP", "None"), refusals)
    seconds = ((spec.get("sessionAffinityConfig") or {}).get("clientIP") or {}).get("timeoutSeconds")
    if affinity == "ClientIP" and seconds is not None and not 0 < seconds <= _LONGEST_AFFINITY:
        path = "spec.sessionAffinityConfig.clientIP.timeoutSeconds"
        refusals.invalid(path, seconds, f"must be from 1 to {_LONGEST_AFFINITY}")


def _check_external_name(spec: Manifest, refusals: Refusals) -> None:
    for name, source in (("clusterIPs", "clusterIP"), ("ipFamilies", ""), ("ipFamilyPolicy", "")):
        if spec.get(name) or spec.get(source):
            refusals.add(f"spec.{name}", "may not be set for ExternalName services")
    formats.object_name((spec.get("externalName") or "").removesuffix("."), "spec.externalName", refusals)


def _check_addresses(spec: Manifest, addresses: Sequence[Any], refusals: Refusals) -> None:
    first, every = spec.get("clusterIP") or "", spec.get("clusterIPs") or ()
    if every and first != every[0]:
        refusals.add("spec.clusterIPs", "must begin with clusterIP" if first else "must be empty when clusterIP is not set")
    for index, address in enumerate(addresses):
        if index or address != _NO_ADDRESS:
            formats.ip(address or "", f"spec.clusterIPs[{index}]", refusals)
    if formats.first_repeated(":" in (address or "") for address in addresses):
        refusals.add("spec.clusterIPs", "may hold one address of each family")
    families = spec.get("ipFamilies") or ()
    for index, family in enumerate(families):
        one_of(family or "", f"spec.ipFamilies[{index}]", ("IPv4", "IPv6"), refusals)
    for index in formats.first_repeated(families):
        refusals.duplicate(f"spec.ipFamilies[{index}]", families[index])
    policies = ("SingleStack", "PreferDualStack", "RequireDualStack")
    one_of(spec.get("ipFamilyPolicy"), "spec.ipFamilyPolicy", policies, refusals)


def _check_balancer(spec: Manifest, kind: str, refusals: Refusals) -> None:
    ranges, here = spec.get("loadBalancerSourceRanges") or (), "spec.LoadBalancerSourceRanges"
    if ranges and kind != "LoadBalancer":
        refusals.add_at("spec.loadBalancerSourceRanges", here, "may only be set when type is 'LoadBalancer'")
    for index, written in enumerate(ranges):
        if not _is_range(written or ""):
            text = f"{shown(written)} is not a range of addresses"
            refusals.add_at(f"spec.loadBalancerSourceRanges[{index}]", f"{here}[{index}]", text, "such as 10.0.0.0/8")
    for name in _OF_BALANCERS:
        if spec.get(name) is not None and kind != "LoadBalancer":
            refusals.add(f"spec.{name}", "may only be set when type is 'LoadBalancer'")
    if spec.get("loadBalancerClass") is not None and kind == "LoadBalancer":
        formats.qualified_name(spec["loadBalancerClass"], "spec.loadBalancerClass", refusals)


def _check_annotated_ranges(written: str, kind: str, refusals: Refusals) -> None:
    """Add what is wrong with ranges of addresses in the annotation that preceded the field."""
    path, line = f"metadata.annotations[{_RANGES}]", f"metadata.annotations.{_RANGES}"
    if kind != "LoadBalancer":
        refusals.add_at(line, path, "may only be set when type is 'LoadBalancer'")
    if written.strip() and not all(map(_is_range, written.split(","))):
        refusals.add_at(
            line, path, f"{shown(written)} is not a list of ranges of addresses", "such as 10.0.0.0/8,192.168.0.0/16"
        )


def _is_range(text: str) -> bool:
    try:
        ip_network(text.strip(), strict=False)
    except ValueError:
        return False
    return "/" in text


def _check_traffic(spec: Manifest, kind: str, refusals: Refusals) -> None:
    outside, port = spec.get("externalTrafficPolicy") or "", spec.get("healthCheckNodePort") or 0
    if kind in _FROM_OUTSIDE or (kind == "ClusterIP" and spec.get("externalIPs")):
        one_of(outside or None, "spec.externalTrafficPolicy", ("Cluster", "Local"), refusals)
    elif outside:
        refusals.invalid("spec.externalTrafficPolicy", outside, "may only be set for services that are reached from outside")
    if port and not (kind == "LoadBalancer" and outside == "Local"):
        text = "may only be set when type is 'LoadBalancer' and externalTrafficPolicy is 'Local'"
        refusals.invalid("spec.healthCheckNodePort", port, text)
    elif port:
        formats.port_number(port, "spec.healthCheckNodePort", refusals)
    one_of(spec.get("internalTrafficPolicy"), "spec.internalTrafficPolicy", ("Cluster", "Local"), refusals)
    known = _DISTRIBUTIONS if refusals.minor >= _MORE_DISTRIBUTIONS else _DISTRIBUTIONS[:1]
    one_of(spec.get("trafficDistribution"), "spec.trafficDistribution", known, refusals)
