"""Instance types and their offerings, in the form that scheduling reads (spec: scheduling 0.2, 6.7).

Amounts are integers in nano-units (one cpu is 10**9, one byte is 10**9); prices are per hour in the currency of the catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from cutlist.catalog.prices import Price
from cutlist.core.labels import CAPACITY_TYPE, RESERVED, ZONE
from cutlist.core.requirements import Requirements
from cutlist.devices.slices import NO_DEVICES, DynamicResources

CPU: Final = "cpu"
MEMORY: Final = "memory"
EPHEMERAL_STORAGE: Final = "ephemeral-storage"
PODS: Final = "pods"
NVIDIA_GPU: Final = "nvidia.com/gpu"
AMD_GPU: Final = "amd.com/gpu"


_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


class Offering(NamedTuple):
    """A way to buy an instance type: zone, capacity type, possibly a reservation.

    `price` is None when unknown. `capacity_override` and `overhead_override` are amounts that nodes bought this way have in
    addition to the type's, or since Karpenter 1.15 in their place. Only `price` ranks offerings; `fee` is paid on top of it and
    None if unknown. `price_overlaid` says that a NodeOverlay set the price by which offerings are ranked; `list_price`, the
    price before, is still paid. `basis` is the price that it is sold at with its charges, None if it has no source. `rank`
    orders offerings of equal price if the provider defines an order, the lowest first.

    A region has ten thousand of them, and creating a tuple is four times as fast as a frozen dataclass.
    """

    requirements: Requirements
    price: float | None
    available: bool = True
    reservation_capacity: int = 0
    capacity_override: Mapping[str, int] = _NOTHING
    overhead_override: Mapping[str, int] = _NOTHING
    price_overlaid: bool = False
    basis: Price | None = None
    fee: float | None = 0.0
    rank: int = 0
    list_price: float | None = None

    @property
    def cost(self) -> float | None:
        """Return the paid price per hour including the fee, or None if either is unknown. A NodeOverlay changes what Karpenter
        chooses, not what is paid.
        """
        paid = self.list_price if self.price_overlaid else self.price
        if self.fee is None:
            return None
        return paid + self.fee if paid is not None and self.fee else paid

    @property
    def overlay_price(self) -> float | None:
        """Return the price of a NodeOverlay, by which Karpenter ranks the offering, or None without one."""
        return self.price if self.price_overlaid else None

    @property
    def paid(self) -> Price | None:
        """Return `cost` with its source, whether it is an estimate, and its range."""
        cost = self.cost
        if cost is None:
            return None
        return Price(cost, "") if self.basis is None else self.basis.at(cost)

    @property
    def launchable(self) -> bool:
        """Tell whether a node can be launched with it now: it is available, and not a full reservation (V15-3)."""
        return self.available and (self.reservation_capacity > 0 or self.capacity_type != RESERVED)

    @property
    def zone(self) -> str:
        """Return the offering's zone, or an empty string if it names none or several."""
        return self.requirements.single_value(ZONE)

    @property
    def capacity_type(self) -> str:
        """Return the offering's capacity type, or an empty string if it names none or several."""
        return self.requirements.single_value(CAPACITY_TYPE)


class LateParts(Protocol):
    """Computes the parts of an instance type that most plans need of a few types only."""

    def capacity(self) -> Mapping[str, int]:
        """Return what the machine has, by resource, in nano-units."""

    def overhead(self) -> Mapping[str, int]:
        """Return what pods cannot use of the capacity, by resource, in nano-units."""

    def offerings(self) -> tuple[Offering, ...]:
        """Return the offerings, none of them reserved."""


class _HasLateParts:
    """A base of values whose parts are computed when something reads them."""

    __slots__ = ("_parts",)


_LATE: Final = frozenset({"capacity", "overhead", "offerings"})


@dataclass(frozen=True, slots=True)
class InstanceType(_HasLateParts):
    """A machine shape: its labels, its capacity, the system's overhead, and how it is sold.

    `overhead` is the sum of kube-reserved, system-reserved and eviction threshold. `attach_limits` are the most volumes that a
    node may attach, by CSI driver; a missing driver has no limit. `dynamic_resources` are the devices that its nodes publish.
    """

    name: str
    requirements: Requirements
    capacity: Mapping[str, int]
    overhead: Mapping[str, int]
    offerings: tuple[Offering, ...]
    capacity_overlaid: bool = False
    attach_limits: Mapping[str, int] = field(default_factory=dict)
    dynamic_resources: DynamicResources = NO_DEVICES

    @staticmethod
    def late(
        name: str, requirements: Requirements, parts: LateParts, dynamic_resources: DynamicResources = NO_DEVICES
    ) -> InstanceType:
        """Return a type without reserved offerings whose capacity, overhead and offerings are computed when something reads
        them."""
        late = object.__new__(InstanceType)
        for set_member, value in zip(_SET_KNOWN, (name, requirements, False, _NOTHING, dynamic_resources, parts), strict=True):
            set_member(late, value)
        return late

    def __getattr__(self, name: str) -> Any:
        """Return a part that is not computed yet."""
        if name not in _LATE:
            raise AttributeError(f"an instance type has no attribute {name!r}")
        part = getattr(self._parts, name)()
        object.__setattr__(self, name, part)
        return part

    @property
    def made_of(self) -> tuple[object, ...]:
        """Return the objects that say which machine it is and how it is sold, the same for node classes that differ in amounts
        alone; the type itself where something has been changed."""
        return (self,) if getattr(self, "_parts", None) is None else (self.requirements, self.offerings)

    @property
    def reserved(self) -> tuple[Offering, ...]:
        """Return its reserved offerings, available or not."""
        if getattr(self, "_parts", None) is not None:
            return ()
        return tuple(o for o in self.offerings if o.capacity_type == RESERVED)

    def allocatable(self, offering: Offering | None = None, *, overrides_replace: bool = False) -> dict[str, int]:
        """Return the amounts that pods may use: capacity without overhead, and memory also without huge pages (S-75).

        With an offering, its overrides are added to the type's amounts, as Karpenter 1.14 does (spec 0.1), or replace them
        (V15-2).
        """
        left, overhead = dict(self.capacity), self.overhead
        if offering is not None:
            overhead = dict(overhead)
            for amounts, added in ((left, offering.capacity_override), (overhead, offering.overhead_override)):
                for name, amount in added.items():
                    amounts[name] = amount if overrides_replace else amounts.get(name, 0) + amount
        pages = sum([amount for name, amount in left.items() if name.startswith("hugepages-")])
        for name, amount in overhead.items():
            if name in left:
                left[name] -= amount
        if pages and "memory" in left:
            left["memory"] = max(0, left["memory"] - pages)
        return left


_KNOWN: Final = ("name", "requirements", "capacity_overlaid", "attach_limits", "dynamic_resources", "_parts")
_SET_KNOWN: Final = tuple(getattr(InstanceType, name).__set__ for name in _KNOWN)
"""Set the members of a type that are known from the start."""
