"""The cluster of the seed on AKS: its facts as cluster.yaml has them, as a plan takes them, and its nodes once they run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import yaml

from cutlist import AKSNodeClass
from cutlist.catalog.embedded import load_location
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import LocationCatalog
from cutlist.core.labels import AKS_GROUP, INSTANCE_TYPE
from cutlist.core.requirements import Requirements
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.providers.azure.labels import EBPF_DATAPLANE, HYPERV, MODE, ULTRA_SSD, USER
from cutlist.providers.azure.launch import SizeChoice, demands_ultra
from cutlist.providers.azure.settings import AzureSettings
from tests.seeds.steps import Seed

R5 = Seed("r5-aks-nap", "japaneast", "")
CILIUM = "cilium"
OVERLAY = "overlay"


def facts() -> dict[str, Any]:
    """Return what cluster.yaml says."""
    found: dict[str, Any] = yaml.safe_load((R5.folder / "cluster.yaml").read_text())
    return found


def figures(spot_is_open: bool) -> dict[str, Any]:
    """Return the cluster and its subscription, as a user tells of them: families without quota, and arm64 sizes that are
    closed."""
    reported = facts()
    families = [f"standard{name.removeprefix('standard')}Family" for name in reported["quotaZeroFamilies"]]
    quotas = {**dict.fromkeys(families, 0), **({} if spot_is_open else {"lowPriorityCores": 0})}
    sizes = load_location(R5.region).machines.values()
    return {
        "apiVersion": "cutlist/v1",
        "kind": "Figures",
        "aks": {
            "nodeResourceGroup": reported["cluster"]["nodeResourceGroup"],
            "kubernetesVersion": reported["cluster"]["kubernetesVersion"],
            "quotas": quotas,
            "restricted": sorted(size.name for size in sizes if size.architecture == "Arm64"),
        },
    }


def of_then(catalog: LocationCatalog) -> LocationCatalog:
    """Return the catalogue without sizes that are newer than the document, in its zone, with spot at its share of on-demand."""
    reported = facts()
    machines = {n: s for n, s in catalog.machines.items() if s.parts is None or s.parts.version <= 5}
    zones = tuple(z for z in catalog.zones if z.name in ("0", *reported["zones"]))
    names = tuple(z.name for z in zones)
    share = reported["prices"]["spotShareOfOnDemand"]
    spot = {n: dict.fromkeys(names, Price(p.usd_per_hour * share, "share of on-demand")) for n, p in catalog.on_demand.items()}
    return replace(catalog, machines=machines, zones=zones, offered=dict.fromkeys(machines, names), spot=spot)


def inputs_of(step: str, *, spot_is_open: bool, more: tuple[dict[str, Any], ...] = ()) -> PlanInputs:
    """Return the inputs of a plan from the files of a step, in their v1 forms, in the state that the document met."""
    files = [R5.folder / file for file in R5.step(step)["inputs_v1"]]
    found = read_inputs(files, region=R5.region, manifests=(figures(spot_is_open), *more))
    catalog = found.catalog
    assert catalog.vendor == "azure"
    return replace(found, catalog=of_then(load_location(R5.region)))


def running(name: str, pool: str, labels: dict[str, str], capacity: dict[str, str]) -> tuple[dict[str, Any], ...]:
    """Return the Node and the NodeClaim of a node that came up at noon."""
    noon = "2026-01-05T12:00:00Z"
    up = [
        {"type": kind, "status": "True", "lastTransitionTime": noon}
        for kind in ("Launched", "Registered", "Initialized", "Consolidatable", "Ready")
    ]
    provider_id = f"azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/{name}"
    named = {"name": name, "labels": labels, "creationTimestamp": noon}
    status = {"capacity": capacity, "allocatable": capacity, "conditions": up}
    claim = {**named, "name": name.removeprefix("aks-"), "uid": "u-1"}
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}
    return (
        {"apiVersion": "v1", "kind": "Node", "metadata": named, "spec": {"providerID": provider_id}, "status": status},
        {
            "apiVersion": "karpenter.sh/v1",
            "kind": "NodeClaim",
            "metadata": claim,
            "spec": {"nodeClassRef": reference, "requirements": [], "expireAfter": "Never"},
            "status": {**status, "nodeName": name, "providerID": provider_id},
        },
    )


def node_labels(
    choice: SizeChoice, wanted: Requirements, node_class: AKSNodeClass, settings: AzureSettings, own: Mapping[str, str]
) -> dict[str, str]:
    """Return the labels of the node that a choice becomes, without names and ids. `own` are those of the NodePool's template.

    Of the labels of its size those with one value; a node is for `user` pods unless its NodePool says otherwise (Z-34).
    """
    labels = {**choice.type.requirements.single_values(), **choice.offering.requirements.single_values()}
    labels.pop(HYPERV, None)
    labels[ULTRA_SSD] = "true" if demands_ultra(wanted) else "false"
    labels[MODE] = own.get(MODE, USER)
    return {**labels, **labels_without_effect(node_class, settings), **own, INSTANCE_TYPE: choice.type.name}


def labels_without_effect(node_class: AKSNodeClass, settings: AzureSettings) -> dict[str, str]:
    """Return what is written on nodes besides, and plays no part in scheduling."""
    streams = node_class.artifact_streaming is not None and node_class.artifact_streaming.enabled
    of_network: dict[str, str] = {}
    if settings.network_plugin_mode == OVERLAY:
        of_network |= {f"{AKS_GROUP}/azure-cni-overlay": "true", f"{AKS_GROUP}/podnetwork-type": OVERLAY}
    if settings.network_dataplane == CILIUM:
        of_network[EBPF_DATAPLANE] = CILIUM
    return {
        f"{AKS_GROUP}/role": "agent",
        f"{AKS_GROUP}/os-sku-requested": node_class.image_family,
        **of_network,
        **({f"{AKS_GROUP}/artifactstreaming-enabled": "true"} if streams else {}),
    }
