"""What EC2 refuses at launch although Karpenter and the API server accept it (spec: api-objects 3.6, 3.8): one table for node
classes, the launch templates of components and the rules on them.

Source of sizes, operations and throughputs: EC2's API model in botocore 1.44.5 (EbsBlockDevice, CreateVolume), read
2026-11-28; of ratios, tags and user data: AWS's user guides. In 2025 the bounds of gp3 rose from 16,000 operations, 1,000 MiB
a second and 16,384 GiB.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.findings import Finding
from cutlist.core.errors import QuantityError
from cutlist.core.quantity import NANO, nanos

USER_DATA_BYTES: Final = 16_384
"""Largest size of user data, before it is encoded."""
TAGS: Final = 50
"""How many tags a resource has at most."""
TAG_KEY: Final = 128
TAG_VALUE: Final = 256
RESERVED_TAGS: Final = "aws:"
"""The beginning of keys that AWS keeps for itself, in any case."""
_OF_KARPENTER: Final = 5
"""How many tags Karpenter adds besides `Name`, which a class may set itself."""
_NAME: Final = "Name"
DEFAULT_TYPE: Final = "gp2"
"""The type of a volume that names none."""
_EC2_NODE_CLASS: Final = "EC2NodeClass"
_GIB: Final = 2**30 * NANO
_ROOTS: Final = ("/dev/xvda", "/dev/sda1")


@dataclass(frozen=True, slots=True)
class VolumeBounds:
    """What a type of volume allows: the fewest and most GiB, operations a second and MiB a second; None for what it does not
    take.

    `iops_per_gib` and `throughput_per_iops` are the highest ratios; `free_iops` is what any size has. `may_boot` tells whether
    an instance starts from it.
    """

    gib: tuple[int, int]
    iops: tuple[int, int] | None = None
    throughput: tuple[int, int] | None = None
    iops_per_gib: int = 0
    throughput_per_iops: float = 0.0
    free_iops: int = 0
    may_boot: bool = True

    @property
    def needs_iops(self) -> bool:
        """Tell whether a volume has to name its operations."""
        return self.iops is not None and not self.free_iops


VOLUMES: Final[Mapping[str, VolumeBounds]] = {
    "gp3": VolumeBounds(
        (1, 65_536), (3_000, 80_000), (125, 2_000), iops_per_gib=500, throughput_per_iops=0.25, free_iops=3_000
    ),
    "gp2": VolumeBounds((1, 16_384)),
    "io2": VolumeBounds((4, 65_536), (100, 256_000), iops_per_gib=1_000),
    "io1": VolumeBounds((4, 16_384), (100, 64_000), iops_per_gib=50),
    "st1": VolumeBounds((125, 16_384), may_boot=False),
    "sc1": VolumeBounds((125, 16_384), may_boot=False),
    "standard": VolumeBounds((1, 1_024)),
}
"""The types of EBS volumes."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one volume: its type, GiB, operations and MiB a second; None where one is not set or not known."""

    type: str
    gib: int | None = None
    iops: int | None = None
    throughput: int | None = None

    @property
    def bounds(self) -> VolumeBounds:
        """Return what its type allows."""
        return VOLUMES[self.type]

    @property
    def most_iops(self) -> int:
        """Return the most operations that a volume of its size has."""
        bounds, most = self.bounds, (self.bounds.iops or (0, 0))[1]
        return most if self.gib is None else min(most, max(bounds.free_iops, bounds.iops_per_gib * self.gib))


def account_findings(kind: str, spec: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield what EC2 refuses of a valid node class of a kind, with paths below the object. Values that are not known pass."""
    mappings = spec.get("blockDeviceMappings") if kind == _EC2_NODE_CLASS else None
    for index, mapping in enumerate(mappings if isinstance(mappings, list | tuple) else ()):
        yield from _mapping_findings(mapping, f"spec.blockDeviceMappings[{index}].ebs")
    tags, text = spec.get("tags"), spec.get("userData")
    if isinstance(tags, Mapping):
        yield from tag_findings(tags, "spec.tags")
    if isinstance(text, str) and kind == _EC2_NODE_CLASS:
        yield from user_data_findings(text, "spec.userData")


def _mapping_findings(mapping: Any, at: str) -> Iterator[Finding]:
    ebs = mapping.get("ebs") if isinstance(mapping, Mapping) else None
    kind = (ebs.get("volumeType") or DEFAULT_TYPE) if isinstance(ebs, Mapping) else None
    if not isinstance(ebs, Mapping) or not isinstance(kind, str) or kind not in VOLUMES:
        return
    if not VOLUMES[kind].may_boot and mapping.get("deviceName") in _ROOTS:
        text = f"EC2 starts no instance from a volume of type {kind}"
        yield Finding(f"{at}.volumeType", text, ", ".join(name for name, of in VOLUMES.items() if of.may_boot))
    gib = _gib(ebs.get("volumeSize"))
    yield from volume_findings(Figures(kind, gib, whole(ebs.get("iops")), whole(ebs.get("throughput"))), at)


def volume_findings(volume: Figures, at: str) -> Iterator[Finding]:
    """Yield what EC2 refuses of a volume, whose members `volumeSize`, `iops` and `throughput` are below a path."""
    if volume.gib is not None and not _is_within(volume.gib, volume.bounds.gib):
        text = f"EC2 makes no {volume.type} volume of {volume.gib:,} GiB"
        yield Finding(f"{at}.volumeSize", text, f"{_range(volume.bounds.gib)} GiB")
    yield from _iops_findings(volume, f"{at}.iops")
    yield from _throughput_findings(volume, f"{at}.throughput")


def _iops_findings(volume: Figures, at: str) -> Iterator[Finding]:
    bounds, kind, iops = volume.bounds, volume.type, volume.iops
    if iops is None:
        if bounds.needs_iops:
            least = (bounds.iops or (0, 0))[0]
            text = f"is missing: EC2 makes no {kind} volume without it"
            yield Finding(at, text, _range((least, max(least, volume.most_iops))))
    elif bounds.iops is None:
        with_iops = ", ".join(name for name, of in VOLUMES.items() if of.iops is not None)
        yield Finding(at, f"EC2 takes no iops for a volume of type {kind}", f"volumes of type {with_iops}, or none")
    elif not _is_within(iops, bounds.iops):
        nearest = bounds.iops[0] if iops < bounds.iops[0] else bounds.iops[1]
        yield Finding(at, f"EC2 makes no {kind} volume with {iops:,} iops", _range(bounds.iops), str(nearest))
    elif iops > volume.most_iops and volume.gib is not None:
        text = (
            f"{iops:,} iops for {volume.gib:,} GiB, and EC2 gives a {kind} volume at most {bounds.iops_per_gib:,} for each GiB"
        )
        yield Finding(at, text, f"at most {volume.most_iops:,}")


def _throughput_findings(volume: Figures, at: str) -> Iterator[Finding]:
    bounds, kind, throughput = volume.bounds, volume.type, volume.throughput
    if throughput is None:
        return
    most = int(max(bounds.free_iops, volume.iops or 0) * bounds.throughput_per_iops)
    if bounds.throughput is None:
        others = ", ".join(name for name, of in VOLUMES.items() if of.throughput is not None)
        yield Finding(at, f"EC2 takes no throughput for a volume of type {kind}", f"volumes of type {others}, or none")
    elif not _is_within(throughput, bounds.throughput):
        nearest = bounds.throughput[0] if throughput < bounds.throughput[0] else bounds.throughput[1]
        text = f"EC2 makes no {kind} volume with a throughput of {throughput:,} MiB/s"
        yield Finding(at, text, f"{_range(bounds.throughput)} MiB/s", str(nearest))
    elif throughput > most:
        text = (
            f"{throughput:,} MiB/s, and EC2 gives a {kind} volume 1 MiB/s for every {1 / bounds.throughput_per_iops:.0f} iops"
        )
        needed = math.ceil(throughput / bounds.throughput_per_iops)
        yield Finding(at, text, f"at most {most:,} MiB/s, or at least {needed:,} iops")


def tag_findings(tags: Mapping[str, Any], path: str) -> Iterator[Finding]:
    """Yield what EC2 refuses in the tags of nodes at a path. Karpenter's own count too, since a node has both."""
    own = [key for key in tags if key != _NAME]
    most = TAGS - _OF_KARPENTER - 1
    if len(own) > most:
        text = f"{len(own)} tags, and EC2 takes {TAGS} on a resource, of which Karpenter sets {_OF_KARPENTER + 1}"
        yield Finding(path, text, f"at most {most}")
    for key, value in tags.items():
        at = f"{path}.{key}"
        if key.lower().startswith(RESERVED_TAGS):
            yield Finding(at, f"AWS keeps keys that begin with {RESERVED_TAGS} for itself", "another key")
        elif len(key) > TAG_KEY:
            yield Finding(at, f"EC2 takes no key of {len(key)} characters", f"at most {TAG_KEY} characters")
        if isinstance(value, str) and len(value) > TAG_VALUE:
            yield Finding(at, f"EC2 takes no value of {len(value)} characters", f"at most {TAG_VALUE} characters")


def user_data_findings(text: str, path: str) -> Iterator[Finding]:
    """Yield that EC2 refuses user data of this size; what Karpenter adds for the family comes on top."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > USER_DATA_BYTES:
        message = f"{size:,} bytes, and EC2 takes {USER_DATA_BYTES:,} of user data"
        yield Finding(path, message, "less, such as a script that fetches the rest at first boot")


def whole(value: object) -> int | None:
    """Return a figure; None for one that is not set, which 0 stands for too, or not known."""
    return value or None if isinstance(value, int) else None


def _gib(size: object) -> int | None:
    """Return a quantity in whole GiB, rounded up as Karpenter does, or None if there is none."""
    try:
        return -(-nanos(size) // _GIB) if isinstance(size, str) else None
    except QuantityError:
        return None  # already reported


def _is_within(value: int, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= value <= bounds[1]


def _range(bounds: tuple[int, int]) -> str:
    return f"{bounds[0]:,} to {bounds[1]:,}"
