"""From NodePools to the instance types that their node classes give them, whichever provider these belong to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cutlist.api import AutoNodeClass, EC2NodeClass, NodeClass, NodePool, kind_of
from cutlist.api.autonodeclass_rules import MANAGED_CLASS
from cutlist.catalog import RegionCatalog
from cutlist.labels import AUTO, AUTO_GROUP
from cutlist.planned import Note
from cutlist.planning.figures import Figures
from cutlist.providers import aws, eks_auto
from cutlist.providers.instance_types import InstanceType


@dataclass(frozen=True, slots=True)
class Clouds:
    """What instance types depend on besides NodePool and node class. `zones` are those with subnets, empty for unknown."""

    catalog: RegionCatalog
    zones: tuple[str, ...] = ()
    figures: Figures = field(default_factory=Figures)
    auto: eks_auto.AutoSettings = field(default_factory=eks_auto.AutoSettings)
    reports: tuple[aws.MemoryReport, ...] = ()

    def types(self, node_class: NodeClass) -> tuple[InstanceType, ...]:
        """The instance types of a node class."""
        if isinstance(node_class, AutoNodeClass):
            return self._paid(eks_auto.instance_types(node_class, self.catalog, self.auto, self.zones or None))
        settings, observed = self.figures.settings, self._observed(node_class)
        return self._paid(aws.instance_types(node_class, self.catalog, settings, self.zones or None, observed))

    def measured(self, node_class: EC2NodeClass) -> Mapping[str, int]:
        """Memory in nano-bytes by instance type, as nodes of the class' images report it, or as the user says."""
        images = {ami.id for ami in node_class.status.amis} or {r.image_id for r in self.reports}
        return {**self.figures.memory, **aws.discovered_memory(self.reports, images)}

    def _observed(self, node_class: EC2NodeClass) -> aws.Observed:
        """What is known of a class: how many instances its reservations have free, and how much memory its nodes have."""
        counts = {r.id: r.available_instance_count for r in node_class.capacity_reservations}
        free = {i: count for i, count in counts.items() if count is not None}
        return aws.Observed(reservations_remaining=free, node_memory=self.measured(node_class))

    def _paid(self, types: tuple[InstanceType, ...]) -> tuple[InstanceType, ...]:
        return self.figures.paid(types) if self.figures.changes_prices else types


def used_classes(pools: Iterable[NodePool], classes: Iterable[NodeClass]) -> dict[str, NodeClass]:
    """The node class of each NodePool by the pool's name; a pool whose class is not there is left out.

    The class that EKS manages need not be there: what matters of it is known.
    """
    known = {(kind_of(c), c.name): c for c in classes}
    found: dict[str, NodeClass] = {}
    for pool in pools:
        ref = pool.node_class_ref
        node_class = known.get((ref.kind, ref.name))
        if node_class is None and (ref.group, ref.name) == (AUTO_GROUP, MANAGED_CLASS):
            node_class = known.setdefault(("NodeClass", MANAGED_CLASS), eks_auto.managed_class())
        if node_class is not None:
            found[pool.name] = node_class
    return found


def types_of_pools(
    pools: Sequence[NodePool], classes: Iterable[NodeClass], clouds: Clouds
) -> dict[str, tuple[InstanceType, ...]]:
    """Instance types by NodePool; pools of one node class share the object."""
    used = used_classes(pools, classes)
    made: dict[tuple[str, str], tuple[InstanceType, ...]] = {}
    for node_class in sorted(used.values(), key=lambda c: c.name):
        key = (kind_of(node_class), node_class.name)
        if key not in made:
            made[key] = clouds.types(node_class)
    return {p.name: made[kind_of(used[p.name]), used[p.name].name] if p.name in used else () for p in pools}


def zone_notes(pools: Sequence[NodePool], classes: Iterable[NodeClass], clouds: Clouds) -> list[Note]:
    """The node classes of which nobody says where they have subnets."""
    assumed: dict[str, set[str]] = {}
    for node_class in used_classes(pools, classes).values():
        if aws.usable_zones(node_class, clouds.catalog, clouds.zones or None).source is aws.ZoneSource.REGION:
            assumed.setdefault(kind_of(node_class), set()).add(node_class.name)
    zones = ", ".join(z.name for z in clouds.catalog.zones)
    return [
        Note("zones", f"{kind} {', '.join(sorted(names))}: subnets in every zone of {clouds.catalog.region} ({zones})")
        for kind, names in sorted(assumed.items())
    ]


def estimate_notes(pools: Sequence[NodePool], classes: Iterable[NodeClass], clouds: Clouds) -> list[Note]:
    """How the amounts of nodes are estimated, and what in prices is no price of EC2's."""
    notes = [*_reservation_notes(used_classes(pools, classes).values(), clouds), *_price_notes(clouds.figures)]
    if any(p.registry is not AUTO for p in pools) or not pools:
        percent = f"{clouds.figures.settings.vm_memory_overhead_percent * 100:g}"
        text = f"memory of a node is estimated as Karpenter does, {percent} % below what EC2 names"
        notes.append(Note("memory-estimate", text + _measured_types(used_classes(pools, classes).values(), clouds)))
    if any(p.registry is AUTO for p in pools):
        notes += _auto_mode_notes(clouds.auto, used_classes(pools, classes))
    return notes


def _measured_types(classes: Iterable[NodeClass], clouds: Clouds) -> str:
    """How many types are not estimated because their memory is known."""
    known = {name for c in classes if isinstance(c, EC2NodeClass) for name in clouds.measured(c)}
    return f"; of {len(known)} instance type{'s' * (len(known) > 1)} it is known" if known else ""


def _price_notes(figures: Figures) -> list[Note]:
    """What of a price is the user's own figure."""
    told = [f"a discount of {part * 100:g} % on {kind} prices" for kind, part in figures.discounts.items() if part]
    told += [f"a surcharge of ${figures.surcharge:g} an hour for each node"] if figures.surcharge else []
    return [Note("own-prices", f"costs are with {' and '.join(told)}; Karpenter ranks by list prices")] if told else []


def _reservation_notes(classes: Iterable[NodeClass], clouds: Clouds) -> list[Note]:
    """The reservations that nodes may use and that are taken to have no room, because nobody says how much they have."""
    ours = {c.name: c for c in classes if isinstance(c, EC2NodeClass) and clouds.figures.settings.reserved_capacity}
    notes = []
    for name, node_class in sorted(ours.items()):
        untold = sorted({r.id for r in node_class.capacity_reservations if r.available_instance_count is None})
        if untold:
            text = f"its status does not say how many instances are free in {', '.join(untold)}; nodes are planned without"
            notes.append(Note("reservations-unknown", f"EC2NodeClass {name}: {text}"))
        elif node_class.capacity_reservation_selector_terms and not (node_class.capacity_reservations or node_class.subnets):
            text = f"EC2NodeClass {name}: capacity reservations are not looked up; nodes are planned without them"
            notes.append(Note("reservations-unknown", text))
    return notes


def _auto_mode_notes(settings: eks_auto.AutoSettings, classes: Mapping[str, NodeClass]) -> list[Note]:
    profile = eks_auto.overhead_profile(settings.overhead_profile)
    text = "what EKS Auto Mode keeps of a node is not published; it is taken from the overhead profile"
    notes = [
        Note("overhead-profile", f"{text} {profile.name}: {profile.source}"),
        Note(
            "management-fee",
            "prices hold the management fee of EKS Auto Mode; instance types are ranked without it, as Karpenter ranks them",
        ),
    ]
    own = {c.name: c for c in classes.values() if isinstance(c, AutoNodeClass)}
    for name, node_class in sorted(own.items()):
        if node_class.capacity_reservation_selector_terms:
            text = f"NodeClass {name}: capacity reservations are not looked up; nodes are planned without them"
            notes.append(Note("reservations-unknown", text))
        if node_class.advanced_security.kernel_lockdown is not None:
            text = f"NodeClass {name}: the values of kernelLockdown are not published, so yours is not checked"
            notes.append(Note("kernel-lockdown", text))
    return notes
