"""Instance types of the AWS provider: cases of kind `types`, with EC2's records as the catalogue."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from cutlist import EC2NodeClass
from cutlist.catalog.embedded import load
from cutlist.catalog.machines import Gpu, InferenceAccelerator, Machine, Neuron
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import RegionCatalog, Zone
from cutlist.core.errors import InputError
from cutlist.core.quantity import NANO, nanos
from cutlist.core.requirements import Requirements
from cutlist.providers.aws import (
    AwsSettings,
    MemoryReport,
    Observed,
    PlacementGroup,
    Unavailable,
    discovered_memory,
    instance_types,
)
from cutlist.providers.aws.expressions import KubeletExpressions
from cutlist.providers.aws.overhead import overhead
from cutlist.providers.aws.profile import NodeProfile
from cutlist.providers.aws.provider import is_listed
from cutlist.providers.instance_types import InstanceType
from tests.conformance.api_hash import gates_of, karpenter_of
from tests.conformance.lookup import find_file
from tests.conformance.stored import stored_node_class

BUILT_IN = {"cn-north-1": "cn-north-1", "us-gov-east-1": "us-gov-east-1", "us-gov-west-1": "us-gov-west-1"}
"""Regions for which Karpenter has a price list of its own; others start with the one of us-east-1.

These lists hold published prices alone."""


def answer(path: Path) -> dict[str, Any]:
    """Return the list of instance types of each case, or why the list is missing."""
    document = json.loads(path.read_text())
    asked = {"karpenter": document.get("karpenter", "1.14.1")}
    return {case["name"]: types_of({**case["input"], **asked}, ec2(path, document["catalogue"])) for case in document["cases"]}


def types_of(case: Mapping[str, Any], records: Mapping[str, Any]) -> Any:
    """Return the answer to one case."""
    node_class = stored_node_class(case["nodeClass"], karpenter_of(case), gates_of(case))
    if not node_class.status.subnets:
        return {"refused": "the NodeClass has no subnets"}
    region = catalog(case, records)
    if not any(is_listed(m) for m in region.machines.values()):
        return {"refused": "there are no instance types"}
    options = settings(case)
    try:
        found = instance_types(node_class, region, options, observed=observed(case, node_class))
    except InputError as error:
        return {"refused": error.problems[0].message}
    profile, expressions = NodeProfile.of(node_class, options), KubeletExpressions.of(node_class, options)

    def own(machine: Machine) -> NodeProfile:
        return profile if expressions is None else expressions.profile_of(machine, profile)

    machines = region.machines
    return [written(t, machines[t.name], own(machines[t.name]), case["sections"]) for t in found]


def ec2(path: Path, name: str) -> Mapping[str, Any]:
    """EC2's records, which a case file names."""
    return _ec2(find_file(path, name))


@lru_cache(maxsize=4)
def _ec2(file: Path) -> Mapping[str, Any]:
    """Return the records with what is made of each, once for all cases that change nothing about it."""
    records: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))
    return {
        **records,
        "machines": {r["InstanceType"]: machine(r) for r in records["instanceTypes"]},
        "onDemandPrices": _priced(records["onDemand"]),
        "spotPrices": {name: _priced(zones) for name, zones in records["spot"].items()},
    }


def settings(case: Mapping[str, Any]) -> AwsSettings:
    """Return the controller's settings."""
    given = case.get("settings") or {}
    return AwsSettings(
        vm_memory_overhead_percent=given.get("vmMemoryOverheadPercent", 0.075),
        reserved_enis=given.get("reservedENIs", 0),
        reserved_capacity=(given.get("featureGates") or {}).get("reservedCapacity", True),
        feature_gates=gates_of(case),
    )


def observed(case: Mapping[str, Any], node_class: EC2NodeClass) -> Observed:
    """Return what the case says of cluster and account."""
    names = {
        "capacityType": "capacity_type",
        "instanceType": "instance_type",
        "zone": "zone",
        "placementGroup": "placement_group",
        "partition": "partition",
        "subnet": "subnet",
        "reservation": "reservation",
    }
    reports = [MemoryReport(r["instanceType"], nanos(r["memory"]), r["imageID"]) for r in case.get("discoveredMemory") or ()]
    return Observed(
        reservations_remaining=case.get("reservationsRemaining") or {},
        unavailable=tuple(Unavailable(**{names[k]: v for k, v in entry.items()}) for entry in case.get("unavailable") or ()),
        placement_groups=tuple(
            PlacementGroup(g["id"], g["name"], g["strategy"], g.get("partitionCount", 0))
            for g in case.get("placementGroups") or ()
        ),
        node_memory=discovered_memory(reports, {ami.id for ami in node_class.status.amis}),
        shifted_zone_ids=frozenset(case.get("shiftedZoneIDs") or ()),
    )


def catalog(case: Mapping[str, Any], records: Mapping[str, Any]) -> RegionCatalog:
    """Return the region that the case describes."""
    patches = case.get("patchTypes") or {}
    chosen = case["types"]
    machines = {}
    for record in records["instanceTypes"]:
        name = record["InstanceType"]
        if "*" in chosen or name in chosen:
            made = machine(merged(record, patches[name])) if name in patches else records["machines"][name]
            machines[made.name] = made
    offerings = {name: zones for name, zones in records["offerings"].items() if name in machines} | (
        case.get("offerings") or {}
    )
    zones = sorted({zone for names in offerings.values() for zone in names})
    region = case.get("region") or records["region"]
    return RegionCatalog(
        region=region,
        zones=tuple(Zone(name, records["zones"].get(name, "")) for name in zones),
        machines=machines,
        offered={name: tuple(sorted(names)) for name, names in offerings.items()},
        on_demand=_on_demand(case, records, region),
        spot=None if case.get("noSpotYet") or case.get("builtinPrices") else _spot(case, records),
    )


def _on_demand(case: Mapping[str, Any], records: Mapping[str, Any], region: str) -> dict[str, Price]:
    if case.get("builtinPrices"):
        published = load(BUILT_IN.get(region, "us-east-1")).on_demand
        return {name: price for name, price in published.items() if not price.estimated}
    return _with_changes(records["onDemandPrices"], case.get("onDemand") or {})


def _spot(case: Mapping[str, Any], records: Mapping[str, Any]) -> dict[str, dict[str, Price]]:
    changes, prices = case.get("spot") or {}, records["spotPrices"]
    changed = {name: _with_changes(prices.get(name, {}), of) for name, of in changes.items() if of is not None}
    return {name: of for name, of in {**prices, **changed}.items() if changes.get(name, {}) is not None}


def _priced(prices: Mapping[str, float | None]) -> dict[str, Price]:
    return {name: Price(price, "case") for name, price in prices.items() if price is not None}


def _with_changes(prices: Mapping[str, Price], changes: Mapping[str, float | None]) -> dict[str, Price]:
    """Return the prices with a JSON merge patch applied."""
    return {name: price for name, price in {**prices, **_priced(changes)}.items() if changes.get(name, 0.0) is not None}


def merged(value: Any, patch: Any) -> Any:
    """Return a JSON merge patch applied."""
    if not isinstance(patch, Mapping):
        return patch
    out = dict(value) if isinstance(value, Mapping) else {}
    for key, change in patch.items():
        if change is None:
            out.pop(key, None)
        else:
            out[key] = merged(out.get(key), change)
    return out


@lru_cache(maxsize=1)
def tables() -> Mapping[str, Machine]:
    """Return what Karpenter knows besides EC2's records: bandwidth and interface limits."""
    return load("us-west-2").machines


def machine(record: Mapping[str, Any]) -> Machine:
    """Return a record of DescribeInstanceTypes."""
    known = tables().get(record["InstanceType"])
    processor, network, disks = record["ProcessorInfo"], record["NetworkInfo"], record.get("InstanceStorageInfo") or {}
    ebs = record.get("EbsInfo") or {}
    return Machine(
        name=record["InstanceType"],
        usage=tuple(record["SupportedUsageClasses"]),
        virtualization=tuple(record["SupportedVirtualizationTypes"]),
        architectures=tuple(processor["SupportedArchitectures"]),
        hypervisor=record.get("Hypervisor", ""),
        cpu_maker=processor["Manufacturer"],
        cpu_ghz=processor.get("SustainedClockSpeedInGhz"),
        cpu_features=tuple(processor.get("SupportedFeatures") or ()),
        vcpus=record["VCpuInfo"]["DefaultVCpus"],
        memory_mib=record["MemoryInfo"]["SizeInMiB"],
        disk_gb=disks.get("TotalSizeInGB"),
        disk_nvme=disks.get("NvmeSupport", ""),
        ebs_optimized=ebs.get("EbsOptimizedSupport", ""),
        ebs_mbps=(ebs.get("EbsOptimizedInfo") or {}).get("MaximumBandwidthInMbps"),
        ebs_attachments=ebs.get("MaximumEbsAttachments"),
        ebs_attachment_limit=ebs.get("AttachmentLimitType", ""),
        network_mbps=known.network_mbps if known else None,
        network_cards=tuple(card["MaximumNetworkInterfaces"] for card in network["NetworkCards"]),
        default_card=network["DefaultNetworkCardIndex"],
        ipv4_per_interface=network["Ipv4AddressesPerInterface"],
        ena=network.get("EnaSupport", ""),
        efa_interfaces=(network.get("EfaInfo") or {}).get("MaximumEfaInterfaces"),
        encryption_in_transit=network.get("EncryptionInTransitSupported") or False,
        limits=known.limits if known else "",
        trunk_interfaces=known.trunk_interfaces if known else None,
        limits_ipv4=known.limits_ipv4 if known else None,
        gpus=gpus(record),
        neuron=neuron(record),
        inference=inference(record),
        burstable=record.get("BurstablePerformanceSupported") or False,
        placement=tuple((record.get("PlacementGroupInfo") or {}).get("SupportedStrategies") or ()),
        nitro_enclaves=record.get("NitroEnclavesSupport") == "supported",
    )


def gpus(record: Mapping[str, Any]) -> tuple[Gpu, ...]:
    listed = (record.get("GpuInfo") or {}).get("Gpus") or ()
    return tuple(Gpu(g["Manufacturer"], g["Name"], g["Count"], g["MemoryInfo"]["SizeInMiB"]) for g in listed)


def neuron(record: Mapping[str, Any]) -> tuple[Neuron, ...]:
    listed = (record.get("NeuronInfo") or {}).get("NeuronDevices") or ()
    return tuple(Neuron(d["Name"], d["Count"], d["CoreInfo"]["Count"]) for d in listed)


def inference(record: Mapping[str, Any]) -> tuple[InferenceAccelerator, ...]:
    listed = (record.get("InferenceAcceleratorInfo") or {}).get("Accelerators") or ()
    return tuple(InferenceAccelerator(a["Manufacturer"], a["Name"], a["Count"]) for a in listed)


def written(found: InstanceType, of: Machine, profile: NodeProfile, sections: list[str]) -> dict[str, Any]:
    """Return an instance type in the form of the vectors."""
    parts = overhead(of, profile)
    all_sections: dict[str, Any] = {
        "requirements": lambda: _requirements(found.requirements),
        "capacity": lambda: _amounts(found.capacity),
        "overhead": lambda: {
            "kubeReserved": _amounts(parts.kube_reserved),
            "systemReserved": _amounts(parts.system_reserved),
            "evictionThreshold": _amounts(parts.eviction_threshold),
        },
        "allocatable": lambda: _amounts(found.allocatable()),
        "offerings": lambda: [
            {
                "requirements": _requirements(o.requirements),
                "price": o.price or 0,
                "available": o.available,
                "reservationCapacity": o.reservation_capacity,
            }
            for o in found.offerings
        ],
    }
    return {"name": found.name, **{section: all_sections[section]() for section in sections}}


def _requirements(found: Requirements) -> list[dict[str, Any]]:
    return [expression.manifest() for expression in found.expressions()]


def _amounts(amounts: Mapping[str, int]) -> dict[str, str]:
    return {name: str(amount // NANO) if amount % NANO == 0 else f"{amount}n" for name, amount in amounts.items()}
