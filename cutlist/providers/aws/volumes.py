"""The EBS volumes that nodes of a class start with, and their prices."""

from __future__ import annotations

import math
from typing import Final

from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.block_device_fields import Ebs
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.catalog.ebs import BOTTLEROCKET_ROOT, DEFAULT_TYPE, Volume
from cutlist.catalog.prices import Price, PriceOf, sum_of_prices
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.quantity import NANO
from cutlist.providers.aws.families import CUSTOM, FAMILIES

_GIB: Final = 2**30 * NANO
_GP3: Final = "gp3"


def volumes(node_class: EC2NodeClass | AutoNodeClass) -> tuple[Volume, ...] | None:
    """Return the volumes of a node, or None if only the image says how many and how large.

    Without mappings, they are Karpenter's for the AMI family. Of two mappings for one device, the first counts. The small
    volume of the operating system in EKS Auto Mode is left out, since its size is not published.
    """
    if isinstance(node_class, AutoNodeClass):
        disk = node_class.ephemeral_storage
        return (Volume(_GP3, math.ceil(disk.size.nanos / _GIB), disk.iops, disk.throughput),)
    devices: dict[str, Ebs] = {}
    for mapping in node_class.block_device_mappings or ():
        devices.setdefault(mapping.device_name, mapping.ebs)
    if devices:
        read = [_volume(ebs) for ebs in devices.values()]
        return tuple(volume for volume in read if volume is not None) if None not in read else None
    family = FAMILIES.get(node_class.resolved_ami_family, CUSTOM)
    if family is CUSTOM:
        return None
    data = Volume(_GP3, math.ceil(family.default_disk / _GIB))
    return (Volume(_GP3, bottlerocket_root(node_class.karpenter)), data) if family.name == "Bottlerocket" else (data,)


def bottlerocket_root(karpenter: Baseline) -> int:
    """Return the GiB of the root volume that Karpenter gives Bottlerocket if a class has no mappings (VA15-70)."""
    return 6 if karpenter.does(Behaviour.BOTTLEROCKET_ROOT_IS_6_GIB) else BOTTLEROCKET_ROOT


def _volume(ebs: Ebs) -> Volume | None:
    if ebs.volume_size is None:  # as large as the snapshot, whose size is unknown
        return None
    return Volume(ebs.volume_type or DEFAULT_TYPE, math.ceil(ebs.volume_size.nanos / _GIB), ebs.iops, ebs.throughput)


def volumes_price(node_class: EC2NodeClass | AutoNodeClass, price_of: PriceOf) -> Price | None:
    """Return the price per hour of all volumes of a node, or None if one of them is unknown."""
    of_class = volumes(node_class)
    return None if of_class is None else sum_of_prices((volume.price(price_of), 1) for volume in of_class)
