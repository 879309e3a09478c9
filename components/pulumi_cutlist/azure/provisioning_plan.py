"""Everything that is asked of an AKS cluster and its nodes, checked together before anything of it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cutlist.infrastructure.aks.classes import check_classes, check_kinds, check_names, placed
from cutlist.infrastructure.aks.cluster import DNS_ZONES, DefaultPools
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.network import NetworkPlan
from cutlist.infrastructure.aks.notes import Notes
from cutlist.infrastructure.aks.resource_ids import check_key
from pulumi_cutlist.azure.checking import checked
from pulumi_cutlist.azure.known_location import known_location
from pulumi_cutlist.azure.names_args import read_facts
from pulumi_cutlist.azure.network_args import AksNetworkArgs, read_network
from pulumi_cutlist.azure.provisioning_args import AksNodeNetworkArgs, AksNodeProvisioningArgs
from pulumi_cutlist.azure.settings import ClusterContext, ClusterPlan, check_inside, read_settings
from pulumi_cutlist.azure.settings_args import AksNetworkProfileArgs, AksSettings
from pulumi_cutlist.kubernetes.node_configuration import plain_objects, read_configuration
from pulumi_cutlist.spelling import in_snake_case


@dataclass(frozen=True, slots=True)
class ProvisioningPlan:
    """A cluster with nodes that can be made. `network` None is one that AKS makes; `warnings` are those of the whole alone."""

    args: AksNodeProvisioningArgs
    facts: AksFacts
    network: AksNetworkArgs | None
    settings: AksSettings
    node_pools: list[Any]
    node_classes: list[Any]
    is_protected: bool
    """Whether a destroy is refused."""
    warnings: Notes

    @property
    def subnets_alone(self) -> bool:
        """Whether the cluster gets rights on subnets and not on the network."""
        return (self.args.get("network") or AksNodeNetworkArgs()).get("rights_on_subnets_alone", False)

    @property
    def dns_zone_id(self) -> str | None:
        """The DNS zone of one's own that a private cluster is to be known in."""
        zone = (self.settings.get("private") or {}).get("dns_zone", "system")
        return None if zone in DNS_ZONES else zone


def plan_provisioning(args: Mapping[str, Any]) -> ProvisioningPlan:
    """The plan for what is given, in snake case or in camel case. Raises InputError with every mistake in any part of it."""
    spelt = in_snake_case(plain_objects(args), AksNodeProvisioningArgs)
    inputs, notes = checked(spelt, AksNodeProvisioningArgs)
    facts = read_facts(inputs["cluster"], notes)
    wanted = _network(inputs, notes)
    network = read_network(wanted, facts, notes.under("network")) if wanted else None
    settings = _with_way_out(inputs.get("settings") or AksSettings(), wanted, network, notes)
    around = ClusterContext(
        given_network=wanted is not None,
        has_identity=True,
        location=known_location(facts.location),
        own_kubelet_identity=inputs.get("own_kubelet_identity", False),
        further=inputs.get("further") or {},
    )
    cluster = read_settings(settings, around, notes)
    if "disk_key" in inputs:
        check_key(inputs["disk_key"]["vault_id"], inputs["disk_key"]["key_url"], notes.under("diskKey"))
    of_whole = Notes(notes.problems)
    if network is not None:
        check_inside(cluster, network, of_whole.under("network"))
    pools, classes = _objects(inputs, cluster, network, wanted is None, of_whole)
    notes.problems.raise_if_any()
    return ProvisioningPlan(inputs, facts, wanted, settings, pools, classes, cluster.is_protected, of_whole)


def _network(args: AksNodeProvisioningArgs, notes: Notes) -> AksNetworkArgs | None:
    """What an AksNetwork is to be given, or None where AKS makes the network."""
    network = args.get("network") or AksNodeNetworkArgs()
    if network.get("made_by_aks"):
        for key in ("own", "adopted"):
            if key in network:
                notes.refuse(f"network.{key}", f"{key}, and AKS makes the network", "one of them")
        return None
    made = AksNetworkArgs(cluster=args["cluster"])
    if "own" in network:
        made["own"] = network["own"]
    if "adopted" in network:
        made["adopted"] = network["adopted"]
    if "node_subnet" in network:
        made["node_subnet"] = network["node_subnet"]
    if "tags" in args:
        made["tags"] = args["tags"]
    return made


def _with_way_out(
    settings: AksSettings, wanted: AksNetworkArgs | None, network: NetworkPlan | None, notes: Notes
) -> AksSettings:
    """The settings with the way out of the network, which need not be said twice and must not be said in two ways."""
    if wanted is None or network is None:
        return settings
    adopted = wanted.get("adopted")
    ways = network.ways_out if adopted is None else (adopted.get("outbound_type"),)
    profile = settings.get("network") or AksNetworkProfileArgs()
    said = profile.get("outbound_type")
    if ways[0] is None or said in ways:
        return settings
    if said is None:
        return {**settings, "network": {**profile, "outbound_type": ways[0]}}
    allowed = " or ".join(str(way) for way in ways)
    notes.refuse("settings.network.outboundType", f"{said}, and the network is made for {allowed}", allowed)
    return settings


def _objects(
    args: AksNodeProvisioningArgs, cluster: ClusterPlan, network: NetworkPlan | None, made_by_aks: bool, notes: Notes
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The manifests of NodePools and classes, each class in its subnet."""
    objects = read_configuration(args.get("node_pools", []), args.get("node_classes", []), notes.problems)
    if objects.node_pools and cluster.choices.is_manual:
        message = "NodePools, and without node provisioning nothing knows them"
        notes.refuse("nodePools", message, "settings.nodeProvisioning Auto, or a Karpenter of your own (AksKarpenter)")
    classes = objects.aks_node_classes
    check_kinds(objects, notes)
    check_names(objects.node_pools, classes, cluster.choices.default_pools == DefaultPools.AUTO, notes)
    subnets = args.get("class_subnets") or {}
    for name in subnets:
        if name not in [one.name for one in classes]:
            notes.refuse(f"classSubnets.{name}", f"no class {name!r}", ", ".join(one.name for one in classes))
    if network is None and not made_by_aks:
        return [], []  # a network with a mistake in it says nothing of the classes
    check_classes(classes, network, cluster.profile, cluster.nodes_at_most, notes, subnets)
    return [pool.manifest() for pool in objects.node_pools], [placed(one, subnets, network, notes) for one in classes]
