"""EBS volumes that claims become, by the parameters of their StorageClass (VL-9, VL-10)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from cutlist.catalog.ebs import Volume
from cutlist.catalog.prices import PriceOf
from cutlist.providers.disks import ProvisionedDisk, UnreadableParameter, lower_keys, whole_number

_DEFAULT: Final = "gp3"
_LEAST_GIB: Final = {"io1": 4, "io2": 4, "st1": 125, "sc1": 125}
_WITH_IOPS: Final = frozenset({"gp3", "io1", "io2"})
_MOST_IOPS: Final = {"gp3": 80_000, "io1": 64_000, "io2": 256_000}
_LEAST_IOPS: Final = {"gp3": 3_000, "io1": 100, "io2": 100}


def ebs_disk(parameters: Mapping[str, str], gib: float, price_of: PriceOf) -> ProvisionedDisk:
    """Return the volume that the EBS CSI driver makes for a claim of some GiB, which it rounds up."""
    written = lower_keys(parameters)
    kind = written.get("type") or _DEFAULT
    size = max(math.ceil(gib), _LEAST_GIB.get(kind, 1))
    disk = ProvisionedDisk(kind, size)
    try:
        iops, throughput = _iops(written, kind, size), whole_number(written, "throughput") if kind == "gp3" else None
    except UnreadableParameter as problem:
        return replace(disk, unpriced=str(problem))
    price = Volume(kind, size, iops, throughput).price(price_of)
    return replace(
        disk, iops=iops, throughput=throughput, price=price, unpriced="" if price else f"no price of {kind} in this region"
    )


def _iops(written: dict[str, str], kind: str, gib: int) -> int | None:
    if kind not in _WITH_IOPS:
        return None
    per_gib = whole_number(written, "iopspergb")
    iops = whole_number(written, "iops") if per_gib is None else per_gib * gib
    return None if iops is None else min(max(iops, _LEAST_IOPS[kind]), _MOST_IOPS[kind])
