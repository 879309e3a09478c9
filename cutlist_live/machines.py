"""Machines from the records of EC2's DescribeInstanceTypes (spec: AWS 0.2, 1.4, 2.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.catalog.machines import Gpu, InferenceAccelerator, Machine, Neuron

_SEPARATORS: Final = str.maketrans("+:\t\n", "    ")  # the catalogue joins lists and devices with these


def machine(record: Mapping[str, Any], tables: Mapping[str, Machine], source: str) -> Machine:
    """Return the machine that a record describes; `source` is the code of the record's source.

    Network bandwidth and branch interfaces are not in the record but compiled into Karpenter. They come from the machine of the
    same name in `tables`; a type that is newer than those tables has none, as in Karpenter, which gives it no such label or
    capacity.
    """
    known = tables.get(record["InstanceType"])
    cpu, disks, ebs, net = (
        record.get(part) or {} for part in ("ProcessorInfo", "InstanceStorageInfo", "EbsInfo", "NetworkInfo")
    )
    cards = sorted(net.get("NetworkCards", ()), key=lambda card: card["NetworkCardIndex"])
    return Machine(
        name=record["InstanceType"],
        usage=tuple(record.get("SupportedUsageClasses", ())),
        virtualization=tuple(record.get("SupportedVirtualizationTypes", ())),
        architectures=tuple(cpu.get("SupportedArchitectures", ())),
        hypervisor=record.get("Hypervisor", ""),
        cpu_maker=cpu.get("Manufacturer", ""),
        cpu_ghz=cpu.get("SustainedClockSpeedInGhz"),
        cpu_features=tuple(cpu.get("SupportedFeatures", ())),
        vcpus=record["VCpuInfo"]["DefaultVCpus"],
        memory_mib=record["MemoryInfo"]["SizeInMiB"],
        disk_gb=disks.get("TotalSizeInGB"),
        disk_nvme=disks.get("NvmeSupport", ""),
        ebs_optimized=ebs.get("EbsOptimizedSupport", ""),
        ebs_mbps=ebs.get("EbsOptimizedInfo", {}).get("MaximumBandwidthInMbps"),
        ebs_attachments=ebs.get("MaximumEbsAttachments"),
        ebs_attachment_limit=ebs.get("AttachmentLimitType", ""),
        network_mbps=known.network_mbps if known else None,
        network_cards=tuple(card["MaximumNetworkInterfaces"] for card in cards),
        default_card=net.get("DefaultNetworkCardIndex", 0),
        ipv4_per_interface=net.get("Ipv4AddressesPerInterface", 0),
        ena=net.get("EnaSupport", ""),
        efa_interfaces=net.get("EfaInfo", {}).get("MaximumEfaInterfaces"),
        encryption_in_transit=net.get("EncryptionInTransitSupported", False),
        limits=known.limits if known else "",
        trunk_interfaces=known.trunk_interfaces if known else None,
        limits_ipv4=known.limits_ipv4 if known else None,
        gpus=_gpus(record.get("GpuInfo") or {}),
        neuron=_neuron(record.get("NeuronInfo") or {}),
        inference=_inference(record.get("InferenceAcceleratorInfo") or {}),
        burstable=record.get("BurstablePerformanceSupported", False),
        placement=tuple((record.get("PlacementGroupInfo") or {}).get("SupportedStrategies", ())),
        nitro_enclaves=record.get("NitroEnclavesSupport") == "supported",
        source=source,
    )


def _gpus(info: Mapping[str, Any]) -> tuple[Gpu, ...]:
    return tuple(
        Gpu(_name(gpu["Manufacturer"]), _name(gpu["Name"]), gpu.get("Count", 0), gpu.get("MemoryInfo", {}).get("SizeInMiB", 0))
        for gpu in info.get("Gpus", ())
    )


def _neuron(info: Mapping[str, Any]) -> tuple[Neuron, ...]:
    return tuple(
        Neuron(_name(device["Name"]), device["Count"], device.get("CoreInfo", {}).get("Count", 0))
        for device in info.get("NeuronDevices", ())
    )


def _inference(info: Mapping[str, Any]) -> tuple[InferenceAccelerator, ...]:
    return tuple(
        InferenceAccelerator(_name(device["Manufacturer"]), _name(device["Name"]), device["Count"])
        for device in info.get("Accelerators", ())
    )


def _name(text: str) -> str:
    return text.translate(_SEPARATORS)
