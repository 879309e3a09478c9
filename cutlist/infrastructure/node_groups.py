"""Managed node groups beside that of the system: what EKS accepts, and what is usual (spec: aws-infrastructure 1.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.labels import ON_DEMAND, SPOT
from cutlist.core.taints import Taint
from cutlist.infrastructure.arns import POLICY, check_arn
from cutlist.infrastructure.inputs import one_of
from cutlist.infrastructure.node_images import (
    ALL_AMI_TYPES,
    devices_of,
    disk_problems,
    image_problems,
    release_problems,
    type_problems,
    usual_images,
)
from cutlist.infrastructure.node_labels import label_problems, taint_problems
from cutlist.infrastructure.system_capacity import NODES, SYSTEM

BLOCK: Final = "CAPACITY_BLOCK"
CAPACITY_TYPES: Final[Mapping[str, str]] = {"ON_DEMAND": ON_DEMAND, "SPOT": SPOT, BLOCK: ON_DEMAND}
"""EKS's capacity types of groups, with those of Karpenter's labels; machines of a block are reserved ones."""
STRATEGIES: Final = ("DEFAULT", "MINIMAL")
"""Whether an update starts new nodes before it drains old ones, or drains first."""
MOST_TYPES: Final = 20
HOPS: Final = 64
"""The highest hop limit of the metadata service that EC2 takes."""
UNAVAILABLE: Final = 100
"""The most nodes, and the highest percentage of them, that an update may replace at a time."""
_NAME: Final = re.compile(r"[a-z]([a-z0-9-]{0,28}[a-z0-9])?", re.ASCII)
_IN_NAME: Final = "at most 30 lower-case letters, digits and -, beginning with a letter"


@dataclass(frozen=True, slots=True)
class UpdateFacts:
    """How an update replaces nodes: at most a number of them at a time, or a percentage; None for what is not given."""

    max_unavailable: int | None = None
    max_unavailable_percentage: int | None = None
    strategy: str | None = None


@dataclass(frozen=True, slots=True)
class NodeGroupFacts:
    """A managed node group. Without an `ami_type` the images follow from the first instance type; without `desired`, it starts
    with the minimum; without `maximum`, it has at most as many nodes as it starts with, and one at least. The nodes of one that
    `is_reserved` start in a capacity reservation."""

    instance_types: Sequence[str]
    ami_type: str | None = None
    capacity_type: str = "ON_DEMAND"
    minimum: int = 1
    desired: int | None = None
    maximum: int | None = None
    autoscaled: bool = False
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: Sequence[Taint] = ()
    disk_gib: int = 20
    metadata_hop_limit: int = 1
    update: UpdateFacts = field(default_factory=UpdateFacts)
    zones: Sequence[str] = ()
    release_version: str | None = None
    is_reserved: bool = False
    policy_arns: Sequence[str] = ()
    region: str = ""

    @property
    def images(self) -> str:
        """Return the images of the nodes."""
        return self.ami_type or usual_images(self.instance_types)

    @property
    def initial_size(self) -> int:
        """Return the number of nodes to begin with."""
        return self.minimum if self.desired is None else self.desired

    @property
    def maximum_size(self) -> int:
        """Return the largest number of nodes."""
        return max(1, self.initial_size) if self.maximum is None else self.maximum

    @property
    def devices(self) -> Mapping[str, int | None]:
        """Return the disks by device name, with their sizes in GiB; None keeps the image's own size. All are encrypted."""
        return devices_of(self.images, self.disk_gib)


def name_problems(name: str, at: Place) -> Iterator[Problem]:
    """Yield a problem for a name that a group cannot have."""
    if name == SYSTEM:
        yield Problem(at, "is the group on which Karpenter runs, which has its own input", "another name, or systemNodes")
    elif not _NAME.fullmatch(name):
        yield Problem(at, f"{name!r} cannot begin the name of a node group", _IN_NAME)


def problems(facts: NodeGroupFacts, at: Place, version: str) -> list[Problem]:
    """Return why EKS would refuse a group whose nodes have a `version` of Kubernetes, or why its nodes would not start."""
    mistakes = Problems()
    if not facts.zones:
        mistakes.add(at.member("zones"), "subnets in no zone", "at least one zone")
    mistakes.extend(one_of(facts.capacity_type, CAPACITY_TYPES, at.member("capacityType")))
    mistakes.extend(_types(facts, at))
    mistakes.extend(_sizes(facts, at))
    mistakes.extend(label_problems(facts.labels, at.member("labels")))
    mistakes.extend(taint_problems(facts.taints, at.member("taints")))
    mistakes.extend(disk_problems(facts.disk_gib, at.member("diskGib")))
    mistakes.extend(_updates(facts.update, at.member("update")))
    mistakes.extend(_reserved(facts, at))
    if not 1 <= facts.metadata_hop_limit <= HOPS:
        mistakes.add(at.member("metadataHopLimit"), f"a hop limit of {facts.metadata_hop_limit}", f"1 to {HOPS}")
    if facts.release_version is not None:
        mistakes.extend(release_problems(facts.release_version, facts.images, version, at.member("releaseVersion")))
    for index, arn in enumerate(facts.policy_arns):
        check_arn(arn, POLICY, facts.region, at.member("policyArns").item(index), mistakes)
    return mistakes.found


def _reserved(facts: NodeGroupFacts, at: Place) -> Iterator[Problem]:
    place = at.member("capacityReservationId")
    if facts.capacity_type == BLOCK and not facts.is_reserved:
        yield Problem(place, "is missing", "the id of the capacity block")
    elif facts.is_reserved and facts.capacity_type == "SPOT":
        yield Problem(place, "nodes of spot start in no reservation", f"ON_DEMAND or {BLOCK} as capacityType")
    elif facts.is_reserved and len(facts.zones) > 1:
        yield Problem(
            at.member("zones"), f"{len(facts.zones)} zones, and a reservation is in one", "the zone of the reservation"
        )


def _types(facts: NodeGroupFacts, at: Place) -> Iterator[Problem]:
    place = at.member("instanceTypes")
    if not 1 <= len(facts.instance_types) <= MOST_TYPES:
        yield Problem(place, f"a list of {len(facts.instance_types)} types", f"1 to {MOST_TYPES} types")
    for index, name in enumerate(facts.instance_types):
        yield from type_problems(name, "an instance type of EC2", place.item(index))
    if facts.ami_type is None or facts.ami_type in ALL_AMI_TYPES:
        yield from image_problems(facts.instance_types, facts.images, place)
    else:
        yield from one_of(facts.ami_type, ALL_AMI_TYPES, at.member("amiType"))


def _sizes(facts: NodeGroupFacts, at: Place) -> Iterator[Problem]:
    if not 0 <= facts.minimum <= facts.initial_size <= facts.maximum_size:
        message = f"minimum {facts.minimum}, desired {facts.initial_size}, maximum {facts.maximum_size}"
        yield Problem(at.member("maximum" if facts.desired is None else "desired"), message, "minimum <= desired <= maximum")
    if not 1 <= facts.maximum_size <= NODES:
        place = at.member(next(name for name in ("maximum", "desired", "minimum") if getattr(facts, name) is not None))
        yield Problem(place, f"maximum of {facts.maximum_size}", f"1 to {NODES} nodes in a managed node group")


def _updates(update: UpdateFacts, at: Place) -> Iterable[Problem]:
    number, percentage = update.max_unavailable, update.max_unavailable_percentage
    if number is not None and percentage is not None:
        yield Problem(at.member("maxUnavailablePercentage"), "a number and a percentage of nodes", "one of the two")
    for name, value in (("maxUnavailable", number), ("maxUnavailablePercentage", percentage)):
        if value is not None and not 1 <= value <= UNAVAILABLE:
            yield Problem(at.member(name), f"{value} at a time", f"1 to {UNAVAILABLE}")
    if update.strategy is not None:
        yield from one_of(update.strategy, STRATEGIES, at.member("strategy"))
