"""Derive what a plan needs from the settings of the stack's own cluster, so that it need not be written twice."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from cutlist.core.errors import InputError, Problems
from cutlist.core.karpenter.feature_gates import gate_spelled
from cutlist.core.labels import ON_DEMAND
from cutlist.core.taints import NO_SCHEDULE
from cutlist.core.wording import camel_case
from cutlist.infrastructure.addresses import read_block, usable
from cutlist.infrastructure.aks.cluster import SKUS, Provisioning
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.profile import NetworkProfile
from cutlist.infrastructure.charts.settings import ENIS_OF_CUSTOM_NETWORKING
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from cutlist.infrastructure.network import DEFAULT_CIDR
from cutlist.infrastructure.node_groups import CAPACITY_TYPES, NodeGroupFacts
from cutlist.infrastructure.node_labels import EFFECTS
from cutlist.infrastructure.subnets import Sizes, cut
from cutlist.infrastructure.system_capacity import SYSTEM, SYSTEM_LABEL, SYSTEM_TAINT, SystemNodesFacts
from cutlist.providers.node_addresses import CUSTOM

_EBS: Final = "aws-ebs-csi-driver"
_PLUGINS: Final = ("azure", "none")
_SIZES: Final = ("minimum", "desired", "maximum")
_DATAPLANES: Final = ("cilium", "azure")


def of_aks(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part `aks` of a document of kind Figures, from what a stack says under `aksCluster`: network, version, node
    group.

    Faulty values are left out; the check of the cluster reports them.
    """
    cluster, settings = _section(args, "cluster"), _section(args, "settings")
    version = _text(settings, "kubernetes_version")
    figures = {
        **_network(_section(settings, "network")),
        "nodeResourceGroup": _node_group(cluster),
        "kubernetesVersion": version,
        "sku": _one_of(_text(settings, "sku"), SKUS),
        "nodeProvisioning": _one_of(_text(settings, "node_provisioning"), tuple(Provisioning)),
    }
    return {"aks": {key: value for key, value in figures.items() if value is not None}}


def _one_of(written: str | None, known: Collection[str]) -> str | None:
    """Return a text that is known, else None."""
    return written if written in known else None


def of_auto_mode(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part `eks` of a document of kind Figures, from what a stack says under `autoModeCluster`: the version."""
    version = _text(args, "kubernetes_version") or _text(_section(args, "control_plane"), "version")
    return {"eks": {"kubernetesVersion": version}} if version else {}


def of_karpenter(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part `controller` of a document of kind Figures, from the charts that a stack describes under
    `karpenterCluster`."""
    charts = _section(args, "charts")
    written = _section(_section(charts, "values"), "settings")
    reserved = _number(
        written.get("reservedENIs", ENIS_OF_CUSTOM_NETWORKING if _member(charts, "custom_networking") is True else None)
    )
    figures: dict[str, Any] = {
        "vmMemoryOverheadPercent": _number(written.get("vmMemoryOverheadPercent")),
        "reservedENIs": None if reserved is None else int(reserved),
        "featureGates": _gates(charts, written, "feature_gates") or None,
        "awsFeatureGates": _gates(charts, written, "aws_feature_gates") or None,
        "legacyNodeRepair": True if written.get("legacyNodeRepair") is True else None,
        **{key: _switch(written.get(key)) for key in ("ignoreDRARequests", "enableDRA")},
        "preferencePolicy": _text(written, "preferencePolicy"),
        "minValuesPolicy": _text(written, "minValuesPolicy"),
    }
    return {"controller": {key: value for key, value in figures.items() if value is not None}}


def _switch(written: object) -> bool | None:
    """Return a value that is true or false, else None."""
    return written if isinstance(written, bool) else None


def of_volumes(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part `volumes` of a document of kind Figures, from the configuration of EBS' add-on below
    `karpenterCluster`."""
    node = _section(_section(_section(_section(args, "add_ons"), _EBS), "configuration"), "node")
    limit, reserved = _count(node, "volumeAttachLimit"), _count(node, "reservedVolumeAttachments")
    figures = {"attachLimit": limit or None, "reservedAttachments": reserved}
    written = {key: value for key, value in figures.items() if value is not None}
    return {"volumes": written} if written else {}


def of_system_nodes(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part `nodeGroups` of a document of kind Figures: the group on which Karpenter runs, from `systemNodes` below
    `karpenterCluster`. A cluster whose controller runs on Fargate has no such group.

    Faulty values are left out; the check of the cluster reports them.
    """
    if _member(args, "fargate") is not None:
        return {}
    nodes = _section(args, "system_nodes")
    written: dict[str, Any] = {
        "ami_type": _text(nodes, "ami_type"),
        "instance_types": _texts(nodes, "instance_types"),
        **{key: _count(nodes, key) for key in _SIZES},
    }
    facts = SystemNodesFacts(**{key: value for key, value in written.items() if value is not None})
    label, value = SYSTEM_LABEL
    taints = [] if _member(nodes, "shared") is True else [{"key": SYSTEM_TAINT, "value": "true", "effect": NO_SCHEDULE}]
    group = {
        "instanceTypes": list(facts.types),
        "min": facts.minimum,
        "desired": facts.initial_size,
        "max": facts.maximum_size,
        "autoscaled": _member(nodes, "autoscaled") is True,
        "labels": {**_labels(nodes), label: value},
        "taints": taints,
        **_zones(nodes),
    }
    return {"nodeGroups": {_group_name(args, SYSTEM): group}}


def of_node_groups(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part `nodeGroups` of a document of kind Figures: the group on which Karpenter runs, and those of `nodeGroups`
    below `karpenterCluster`.

    Faulty values are left out; the check of the cluster reports them.
    """
    groups = of_system_nodes(args).get("nodeGroups", {})
    written = _section(args, "node_groups").items()
    further = {_group_name(args, name): _group(group) for name, group in written if isinstance(group, Mapping)}
    return {"nodeGroups": {**groups, **further}} if groups or further else {}


def _group_name(args: Mapping[str, Any], group: str) -> str:
    """Return the name of a group in its account but for the digits at its end, by which its running nodes are known."""
    cluster, region, style = (_text(args, key) or "" for key in ("cluster_name", "region", "name_style"))
    try:
        named = ClusterFacts(cluster, region, "", name_style=NameStyle(style or NameStyle.KARPENTER))
    except (InputError, ValueError):
        return group
    return (named.node_group_prefix(group) or group).rstrip("-")


def _group(args: Mapping[str, Any]) -> dict[str, Any]:
    sizes: dict[str, Any] = {key: size for key in _SIZES if (size := _count(args, key)) is not None}
    facts = NodeGroupFacts(_texts(args, "instance_types"), **sizes)
    return {
        "instanceTypes": list(facts.instance_types),
        "capacityType": CAPACITY_TYPES.get(_text(args, "capacity_type") or "", ON_DEMAND),
        "min": facts.minimum,
        "desired": facts.initial_size,
        "max": facts.maximum_size,
        "autoscaled": _member(args, "autoscaled") is True,
        "labels": _labels(args),
        "taints": [taint for raw in _list(args, "taints") if (taint := _taint(raw)) is not None],
        **_zones(args),
    }


def _labels(args: Mapping[str, Any]) -> dict[str, str]:
    return {key: label for key, label in _section(args, "labels").items() if isinstance(label, str)}


def _taint(raw: Any) -> dict[str, str] | None:
    if not isinstance(raw, Mapping) or raw.get("effect") not in EFFECTS or not isinstance(raw.get("key"), str):
        return None
    return {key: text for key in ("key", "value", "effect") if isinstance(text := raw.get(key), str)}


def _zones(args: Mapping[str, Any]) -> dict[str, list[str]]:
    zones = _texts(args, "zones")
    return {"zones": zones} if zones else {}


def _list(args: Mapping[str, Any], key: str) -> list[Any]:
    written = _member(args, key)
    return list(written) if isinstance(written, list | tuple) else []


def _texts(args: Mapping[str, Any], key: str) -> list[str]:
    return [text for text in _list(args, key) if isinstance(text, str)]


def _gates(charts: Mapping[str, Any], written: Mapping[str, Any], section: str) -> dict[str, bool]:
    """Return the feature gates that are turned on or off, by their names: by an input of the charts, or among their values."""
    both = {**_section(written, section), **_section(charts, section)}
    return {gate.name: on for name, on in both.items() if isinstance(on, bool) and (gate := gate_spelled(name)) is not None}


def _network(network: Mapping[str, Any]) -> dict[str, str]:
    mode, dataplane = _text(network, "mode"), _text(network, "dataplane")
    profile = NetworkProfile(_text(network, "plugin") or "azure", mode, dataplane)
    if profile.plugin not in _PLUGINS:
        return {}
    figures = {"networkPlugin": profile.plugin, "networkPluginMode": "overlay" if profile.mode == "overlay" else ""}
    return {**figures, "networkDataplane": profile.dataplane} if profile.dataplane in _DATAPLANES else figures


def _node_group(cluster: Mapping[str, Any]) -> str | None:
    name, group, location = (_text(cluster, key) for key in ("name", "resource_group", "location"))
    if not (name and group and location):
        return None
    return AksFacts(name, group, location, "", _text(cluster, "node_resource_group")).node_resource_group


def _section(args: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    section = _member(args, key)
    return section if isinstance(section, Mapping) else {}


def _text(args: Mapping[str, Any], key: str) -> str | None:
    text = _member(args, key)
    return text if isinstance(text, str) else None


def _member(args: Mapping[str, Any], key: str) -> Any:
    """Return a member by its name in snake case, which a stack file may have in camel case."""
    return args.get(camel_case(key), args.get(key))


def _count(args: Mapping[str, Any], key: str) -> int | None:
    count = _member(args, key)
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None


def _number(written: Any) -> float | None:
    """Return a number, or a text of one as charts take it."""
    try:
        return float(written) if isinstance(written, str | int | float) else None
    except ValueError:
        return None


def of_network(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part `addresses` of a document of kind Figures: the subnets for nodes, from `network` below
    `karpenterCluster`. Those of a new VPC are known once its zones are, adopted ones by their zone and block.

    Faulty values are left out; the check of the cluster reports them.
    """
    network = _section(args, "network")
    adopted = _member(_section(network, "adopted"), "private_subnets")
    subnets = _adopted_subnets(adopted) if isinstance(adopted, list) else _own_subnets(_section(network, "own"))
    if not subnets:
        return {}
    is_custom = _member(_section(args, "charts"), "custom_networking") is True
    return {"addresses": {**({"cni": CUSTOM} if is_custom else {}), "subnets": subnets}}


def _own_subnets(own: Mapping[str, Any]) -> list[dict[str, Any]]:
    zones, block = _member(own, "zones"), read_block(_text(own, "cidr") or DEFAULT_CIDR, "cidr", "the VPC", Problems())
    if block is None or not isinstance(zones, list) or not zones or not all(isinstance(zone, str) and zone for zone in zones):
        return []
    written = {key: _count(own, f"{key}_prefix") for key in ("private", "public", "control_plane")}
    sizes = Sizes(**{key: prefix for key, prefix in written.items() if prefix is not None})
    if not sizes.check("", Problems()) or len({zone[-1] for zone in zones}) < len(zones):
        return []
    subnets = cut(block.network, zones, sizes) or ()
    return [{"name": f"private-{of.zone}", "zone": of.zone, "cidr": str(of.private)} for of in subnets]


def _adopted_subnets(written: list[Any]) -> list[dict[str, Any]]:
    subnets = []
    for raw in (entry for entry in written if isinstance(entry, Mapping)):
        name, zone, cidr, free = _text(raw, "id"), _text(raw, "zone"), _text(raw, "cidr"), _count(raw, "free_addresses")
        block = read_block(cidr, "cidr", "the subnet", Problems()) if cidr else None
        if block is None or not zone:
            continue
        used = 0 if free is None else max(usable(block.network.prefixlen) - free, 0)
        subnets.append({"name": name or block.network.with_prefixlen, "zone": zone, "cidr": str(block.network), "used": used})
    return subnets
