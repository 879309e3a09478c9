"""Check all inputs of an AKS cluster and its nodes together, before any of it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cutlist.api.built_in import AKS_POOLS
from cutlist.core.services import AKS, rules_of
from cutlist.infrastructure.aks.classes import check_classes, check_kinds, check_names, placed
from cutlist.infrastructure.aks.cluster import DNS_ZONES, DefaultPools
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.network import NetworkPlan
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.resource_ids import check_key
from pulumi_cutlist.azure.checking import checked
from pulumi_cutlist.azure.cluster.args import AksClusterArgs
from pulumi_cutlist.azure.cluster.cluster import AksClusterPlan
from pulumi_cutlist.azure.cluster.settings import ClusterContext, ClusterPlan, check_inside, read_settings
from pulumi_cutlist.azure.cluster.settings_args import AksNetworkProfileArgs, AksPrivateArgs, AksSettings
from pulumi_cutlist.azure.identity.disk_keys import AksDiskKeysArgs, AksDiskKeysPlan
from pulumi_cutlist.azure.identity.identity import AksIdentityArgs, AksIdentityPlan
from pulumi_cutlist.azure.known_location import known_location
from pulumi_cutlist.azure.names_args import read_facts
from pulumi_cutlist.azure.network.args import AksNetworkArgs, read_network
from pulumi_cutlist.azure.network.network import AksNetworkPlan
from pulumi_cutlist.azure.whole_cluster.provisioning_args import AksNodeNetworkArgs, AksNodeProvisioningArgs
from pulumi_cutlist.inputs.spelling import in_snake_case
from pulumi_cutlist.kubernetes.chosen_karpenter import ChosenKarpenter
from pulumi_cutlist.kubernetes.manifests import TYPED, as_data
from pulumi_cutlist.kubernetes.node_configuration import (
    NodeConfigurationArgs,
    NodeConfigurationPlan,
    plain_objects,
    plan_configuration,
    read_configuration,
)
from pulumi_cutlist.node_plans.of_cluster import ClusterNodePlan, ClusterOfPlan, read_node_plan
from pulumi_cutlist.stack.cluster_figures import of_aks


@dataclass(frozen=True, slots=True)
class ProvisioningPlan:
    """A cluster with nodes that can be made, with the plans of its parts, but for what these pass on to one another. `network`
    None is one that AKS makes; `warnings` are those of the whole alone."""

    args: AksNodeProvisioningArgs
    facts: AksFacts
    network: AksNetworkPlan | None
    disk_keys: AksDiskKeysPlan | None
    identity: AksIdentityPlan
    cluster: AksClusterPlan
    nodes: NodeConfigurationPlan | None
    warnings: AksNotes
    node_plan: ClusterNodePlan

    @property
    def is_protected(self) -> bool:
        """Tell whether a destroy is refused."""
        return self.cluster.cluster.is_protected

    @property
    def subnets_alone(self) -> bool:
        """Tell whether the cluster gets rights on subnets and not on the network."""
        return self.args.get("network", AksNodeNetworkArgs()).get("rights_on_subnets_alone", False)


def plan_provisioning(args: Mapping[str, object]) -> ProvisioningPlan:
    """Return what the inputs ask for, in snake case or in camel case. Raises InputError with every mistake in any part."""
    spelt = in_snake_case(plain_objects(args), AksNodeProvisioningArgs)
    inputs, notes = checked(spelt, AksNodeProvisioningArgs)
    of_cluster, of_whole = AksNotes(notes.problems), AksNotes(notes.problems)
    facts = read_facts(inputs["cluster"], of_cluster)
    network_args = _network(inputs, notes)
    network = read_network(network_args, facts, notes.under("network")) if network_args else None
    settings = _with_way_out(inputs.get("settings") or AksSettings(), network_args, network, notes)
    context = ClusterContext(
        given_network=network_args is not None,
        has_identity=True,
        location=known_location(facts.location),
        own_kubelet_identity=inputs.get("own_kubelet_identity", False),
        further=inputs.get("further") or {},
    )
    cluster = read_settings(settings, context, of_cluster)
    if "disk_key" in inputs:
        check_key(inputs["disk_key"]["vault_id"], inputs["disk_key"]["key_url"], notes.under("diskKey"))
    if network is not None:
        check_inside(cluster, network, of_whole.under("network"))
    objects = _objects(inputs, cluster, network, network_args is None, of_whole)
    notes.problems.raise_if_any()
    return ProvisioningPlan(
        inputs,
        facts,
        AksNetworkPlan(network_args, facts, network) if network_args and network else None,
        _disk_keys(inputs, facts),
        AksIdentityPlan(_identity(inputs, settings), facts),
        AksClusterPlan(_cluster(inputs, settings), facts, cluster, of_cluster),
        plan_configuration(objects) if objects["node_pools"] or objects.get("node_classes") else None,
        of_whole,
        read_node_plan(_planned(inputs, facts, cluster, objects), inputs.get("workloads"), inputs.get("node_plan")),
    )


def _planned(
    inputs: AksNodeProvisioningArgs, facts: AksFacts, cluster: ClusterPlan, objects: NodeConfigurationArgs
) -> ClusterOfPlan:
    """Return what the cluster knows of its nodes."""
    built_in = AKS_POOLS if cluster.choices.default_pools == DefaultPools.AUTO else ()
    return ClusterOfPlan(
        region=known_location(facts.location).name,
        karpenter=rules_of(AKS),
        is_managed=True,
        built_in_pools=built_in,
        node_pools=[as_data(pool, *TYPED) for pool in objects["node_pools"]],
        node_classes=[as_data(node_class, *TYPED) for node_class in objects.get("node_classes", [])],
        figures=of_aks(inputs),
        identity=f"AKS cluster {facts.cluster} in the resource group {facts.resource_group}",
    )


def _disk_keys(inputs: AksNodeProvisioningArgs, facts: AksFacts) -> AksDiskKeysPlan | None:
    if "disk_key" not in inputs:
        return None
    key = inputs["disk_key"]
    args: AksDiskKeysArgs = {
        "cluster": inputs["cluster"],
        "vault_id": key["vault_id"],
        "key_url": key["key_url"],
        "tags": inputs.get("tags") or {},
    }
    return AksDiskKeysPlan(args, facts)


def _identity(inputs: AksNodeProvisioningArgs, settings: AksSettings) -> AksIdentityArgs:
    """Return the inputs of AksIdentity, except what it has rights on in the stack."""
    args: AksIdentityArgs = {
        "cluster": inputs["cluster"],
        "own_kubelet_identity": inputs.get("own_kubelet_identity", False),
    }
    zone = settings.get("private", AksPrivateArgs()).get("dns_zone", "system")
    if zone not in DNS_ZONES:
        args["private_dns_zone_id"] = zone
    if "tags" in inputs:
        args["tags"] = inputs["tags"]
    return args


def _cluster(inputs: AksNodeProvisioningArgs, settings: AksSettings) -> AksClusterArgs:
    """Return the inputs of AksCluster, except network, identities and keys."""
    args: AksClusterArgs = {
        "cluster": inputs["cluster"],
        "settings": settings,
        "further": inputs.get("further") or {},
    }
    if "tags" in inputs:
        args["tags"] = inputs["tags"]
    return args


def _network(inputs: AksNodeProvisioningArgs, notes: AksNotes) -> AksNetworkArgs | None:
    """Return the inputs of AksNetwork, or None where AKS makes the network."""
    network = inputs.get("network") or AksNodeNetworkArgs()
    if network.get("made_by_aks"):
        for key in ("own", "adopted"):
            if key in network:
                notes.refuse(f"network.{key}", f"{key}, and AKS makes the network", "one of them")
        return None
    args: AksNetworkArgs = {"cluster": inputs["cluster"]}
    if "own" in network:
        args["own"] = network["own"]
    if "adopted" in network:
        args["adopted"] = network["adopted"]
    if "node_subnet" in network:
        args["node_subnet"] = network["node_subnet"]
    if "tags" in inputs:
        args["tags"] = inputs["tags"]
    return args


def _with_way_out(
    settings: AksSettings, args: AksNetworkArgs | None, network: NetworkPlan | None, notes: AksNotes
) -> AksSettings:
    """Return the settings with the way out of the network, which need not be given twice and must not be given in two different
    ways."""
    if args is None or network is None:
        return settings
    adopted = args.get("adopted")
    ways = network.outbound_types if adopted is None else (adopted.get("outbound_type"),)
    profile = settings.get("network") or AksNetworkProfileArgs()
    chosen = profile.get("outbound_type")
    if ways[0] is None or chosen in ways:
        return settings
    if chosen is None:
        return {**settings, "network": {**profile, "outbound_type": ways[0]}}
    allowed = " or ".join(str(way) for way in ways)
    notes.refuse("settings.network.outboundType", f"{chosen}, and the network is made for {allowed}", allowed)
    return settings


def _objects(
    args: AksNodeProvisioningArgs, cluster: ClusterPlan, network: NetworkPlan | None, made_by_aks: bool, notes: AksNotes
) -> NodeConfigurationArgs:
    """Return the manifests of NodePools and classes, each class in its subnet."""
    chosen = ChosenKarpenter(rules_of(AKS))  # AKS runs the controller
    objects = read_configuration(args.get("node_pools", []), args.get("node_classes", []), notes.problems, chosen)
    if objects.node_pools and cluster.choices.is_manual:
        message = "NodePools, which nothing reads without node provisioning"
        notes.refuse("nodePools", message, "settings.nodeProvisioning Auto, or your own Karpenter (AksKarpenter)")
    classes = objects.aks_node_classes
    check_kinds(objects, notes)
    check_names(objects.node_pools, classes, cluster.choices.default_pools == DefaultPools.AUTO, notes)
    subnets = args.get("class_subnets") or {}
    for name in subnets:
        names = [node_class.name for node_class in classes]
        if name not in names:
            notes.refuse(f"classSubnets.{name}", f"no class {name!r}", ", ".join(names))
    if network is None and not made_by_aks:
        return {"node_pools": []}  # a network with a mistake says nothing about the classes
    check_classes(classes, network, cluster.profile, cluster.nodes_at_most, notes, subnets)
    return {
        "node_pools": [pool.manifest() for pool in objects.node_pools],
        "node_classes": [placed(node_class, subnets, network, notes) for node_class in classes],
    }
