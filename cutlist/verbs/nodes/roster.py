"""The nodes of a cluster at an instant: how full they are, their types, their states, and their cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from cutlist.api.label_domains import LEGACY_KEYS
from cutlist.catalog.ages import PRICE_AGE, PriceAge
from cutlist.catalog.paid import Bought
from cutlist.catalog.prices import HIGH, LOW, PAID_FOR_ANYWAY, Price, a_month, usd
from cutlist.catalog.ranges import Deviations, PriceRange
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.catalog.windows import windows_price
from cutlist.core.instants import instant
from cutlist.core.labels import CAPACITY_TYPE, COMPUTE_TYPE, LINUX, ON_DEMAND, OS, RESERVED, SPOT, WINDOWS
from cutlist.core.money import money_sum
from cutlist.core.quantity import amount_text, merge
from cutlist.core.records import (
    HIDDEN,
    SPARSE,
    After,
    AmountTexts,
    Count,
    Instant,
    Key,
    TextOrNull,
    about,
    computed,
    form_of,
)
from cutlist.core.records import Price as PriceInJson
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.infrastructure.readiness import UnreadyClass
from cutlist.planning.model.extended import NodeAmounts, Use, extended_use
from cutlist.planning.model.prices import in_parts
from cutlist.planning.model.spelling import ExactPrice, RoundedPart
from cutlist.state.cluster import Cluster
from cutlist.state.statenode import StateNode, all_state_nodes, newest_time

if TYPE_CHECKING:
    from cutlist.planning.cloud import DiskPrices
    from cutlist.planning.figures import Figures
    from cutlist.planning.pool_types import OverlayPrices

Manifest = Mapping[str, Any]

READY: Final = "Ready"
NOT_READY: Final = "NotReady"
CORDONED: Final = "Cordoned"
DELETING: Final = "Deleting"
UNINITIALIZED: Final = "Uninitialized"
LAUNCHING: Final = "Launching"
_AUTO: Final = "auto"
_CAPACITY_KEYS: Final = (CAPACITY_TYPE, *(old for old, new in LEGACY_KEYS.items() if new == CAPACITY_TYPE))


def _amount_texts(amounts: Mapping[str, int]) -> dict[str, str]:
    return {name: amount_text(name, amount) for name, amount in sorted(amounts.items())}


@dataclass(frozen=True, slots=True)
class _PriceMembers:
    usd_per_hour: Annotated[PriceInJson, Key("pricePerHour")] = None
    provenance: Annotated[str | None, Key("priceSource")] = None
    estimated: Annotated[bool, Key("priceEstimated")] = False
    low: Annotated[ExactPrice, Key("pricePerHourLow"), SPARSE, LOW] = None
    high: Annotated[ExactPrice, Key("pricePerHourHigh"), SPARSE, HIGH] = None


_Amounts: TypeAlias = Annotated[Mapping[str, int], form_of(AmountTexts).through(_amount_texts)]


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A node. Amounts are in nano-units, `age` in seconds; `states` are words: Ready alone, or what prevents that.

    `requested` are its pods' requests, `allocatable` is what pods may use; `price` is None when unknown or not requested.
    `disks` is the price of its disks, as its NodePool's class has them, on top of it; None when unknown. `overlay_price` is the
    price that a NodeOverlay sets, by which Karpenter ranks the node, else None; `price` is what is paid.
    """

    name: str
    pool: Annotated[TextOrNull, Key("nodePool")] = ""
    instance_type: TextOrNull = ""
    capacity_type: TextOrNull = ""
    zone: TextOrNull = ""
    requested: _Amounts = field(default_factory=dict)
    allocatable: _Amounts = field(default_factory=dict)
    pods: Count = 0
    price: Annotated[Price | None, in_parts(_PriceMembers)] = None
    age: Annotated[float | None, Key("ageSeconds")] = None
    states: tuple[str, ...] = (READY,)
    disks: Annotated[
        Price | None,
        form_of(PriceInJson).through(usd),
        Key("diskPricePerHour"),
        about("For its disks, which come on top of its price; null where unknown."),
        After("overlay_price"),
    ] = None
    overlay_price: Annotated[
        PriceInJson,
        Key("overlayPricePerHour"),
        SPARSE,
        about("What Karpenter takes it for; only where a NodeOverlay says so."),
        After("price.high"),
    ] = None

    labels: Annotated[Mapping[str, str], HIDDEN] = field(default_factory=dict)

    @property
    def ranked_price(self) -> float | None:
        """Return the price by which Karpenter ranks it, or None if it is unknown."""
        paid = None if self.price is None else self.price.usd_per_hour
        return paid if self.overlay_price is None else self.overlay_price

    def fill(self, resource: str) -> float | None:
        """Return the fraction of a resource that is requested, or None if the node has none of it."""
        total = self.allocatable.get(resource, 0)
        return self.requested.get(resource, 0) / total if total > 0 else None

    @property
    def extended(self) -> dict[str, Use]:
        """Return how much of its accelerators and other extended resources its pods request."""
        return extended_use([NodeAmounts(1, self.requested, self.allocatable)])


@dataclass(frozen=True, slots=True)
class PodCounts:
    """How many pods there are, and how many of them run, wait, and have a node."""

    total: Count
    running: Count
    pending: Count
    bound: Count


@dataclass(frozen=True, slots=True)
class Roster:
    """The nodes of a cluster: what they are, how full, and what they cost.

    They are sorted by NodePool and name. `region` is empty when no prices were requested; `launching` are NodeClaims that have
    no machine yet. `unready_classes` are EC2NodeClasses that cannot launch nodes, as far as their conditions say why.
    """

    now: Annotated[Instant, Key("at"), After("region")]
    nodes: Annotated[tuple[NodeRow, ...], After("launching")]
    running: Annotated[int, HIDDEN] = 0
    pending: Annotated[int, HIDDEN] = 0
    bound: Annotated[int, HIDDEN] = 0
    pods: Annotated[int, HIDDEN] = 0
    launching: Annotated[tuple[str, ...], After("pod_counts")] = ()
    unready_classes: Annotated[tuple[UnreadyClass, ...], HIDDEN] = ()
    region: TextOrNull = ""
    currency: Annotated[str, After("now")] = "USD"
    price_age: Annotated[PriceAge | None, SPARSE, PRICE_AGE] = None
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None
    version: Annotated[Literal[1], After("")] = 1

    @property
    @computed(after="estimated_part")
    def pod_counts(self) -> Annotated[PodCounts, Key("pods")]:
        """Return the number of pods by phase."""
        return PodCounts(self.pods, self.running, self.pending, self.bound)

    @property
    @computed(after="nodes")
    def known_unready_classes(
        self,
    ) -> Annotated[
        tuple[UnreadyClass, ...] | None,
        Key("unreadyClasses"),
        SPARSE,
        about("EC2NodeClasses that are not ready, and why; only where there are any."),
    ]:
        """Return the classes that are not ready, or None if there are none."""
        return self.unready_classes or None

    @property
    @computed(after="currency")
    def price_per_hour(self) -> PriceInJson:
        """Return the cost of all nodes with a known price, with the disks whose price is known, or None if no price is
        known."""
        known = [n.price.usd_per_hour for n in self.nodes if n.price is not None]
        return money_sum((*known, self.disk_price_per_hour or 0.0)) if known else None

    @property
    @computed(after="price_per_month")
    def price_range(
        self,
    ) -> Annotated[
        PriceRange | None,
        SPARSE,
        about("What the price lies between in most cases; only where it is partly an estimate with a known error."),
    ]:
        """Return the range of the cost of all nodes, None without one."""
        of = Deviations.of((node.instance_type, 1, node.price) for node in self.nodes)
        return None if self.price_per_hour is None else of.around(self.price_per_hour)

    @property
    @computed(after="price_range")
    def disk_price_per_hour(
        self,
    ) -> Annotated[PriceInJson, about("What of the price of all nodes is for disks; null where none is known.")]:
        """Return the part of this cost that is for disks, or None if no price of disks is known."""
        known = [n.disks.usd_per_hour for n in self.nodes if n.price is not None and n.disks is not None]
        return money_sum(known) if known else None

    @property
    @computed(after="disk_price_per_hour")
    def overlay_price_per_hour(
        self,
    ) -> Annotated[PriceInJson, SPARSE, about("What Karpenter takes the price for; only where NodeOverlays set prices.")]:
        """Return the cost of all nodes with a known price by the prices that NodeOverlays set, or None if they set none."""
        if all(n.overlay_price is None for n in self.nodes):
            return None
        return money_sum((*(n.ranked_price or 0.0 for n in self.nodes), self.disk_price_per_hour or 0.0))

    @property
    @computed(after="overlay_price_per_hour")
    def without_disks(
        self,
    ) -> Annotated[Count, Key("nodesWithoutDiskPrice"), about("Priced nodes whose disks are not in the price.")]:
        """Return the number of nodes with a price whose disks have none."""
        return sum(n.price is not None and n.disks is None for n in self.nodes)

    @property
    @computed(after="price_per_hour")
    def price_per_month(self) -> PriceInJson:
        """Return the same for a month of 730 hours."""
        return None if self.price_per_hour is None else a_month(self.price_per_hour)

    @property
    def unpriced(self) -> int:
        """Return the number of nodes whose price is unknown."""
        return sum(n.price is None for n in self.nodes)

    @property
    def has_estimates(self) -> bool:
        """Tell whether the price of a node is an estimate."""
        return any(n.price is not None and n.price.estimated for n in self.nodes)

    @property
    @computed(after="without_disks")
    def estimated_part(
        self,
    ) -> Annotated[RoundedPart, about("Which part of the price is estimates; null without prices.")]:
        """Return the fraction of the price that is estimated; None without a price."""
        estimated = money_sum(n.price.usd_per_hour for n in self.nodes if n.price is not None and n.price.estimated)
        return estimated / self.price_per_hour if self.price_per_hour else None

    @property
    def extended(self) -> dict[str, Use]:
        """Return the use of accelerators and other extended resources, by name."""
        return extended_use(NodeAmounts(1, n.requested, n.allocatable) for n in self.nodes)

    def total(self, of: str, resource: str) -> int:
        """Return the sum of `requested` or `allocatable` over all nodes, in nano-units."""
        amounts: Iterable[Mapping[str, int]] = map(attrgetter(of), self.nodes)
        return sum(each.get(resource, 0) for each in amounts)

    def fill(self, resource: str) -> float | None:
        """Return the fraction of a resource of all nodes that is requested, or None if the nodes have none of it."""
        total = self.total("allocatable", resource)
        return self.total("requested", resource) / total if total > 0 else None


def roster(
    cluster: Cluster,
    sold: AnyRegion | None = None,
    figures: Figures | None = None,
    disk_prices: Mapping[str, DiskPrices] = MappingProxyType({}),
    overlay_prices: Mapping[str, OverlayPrices] = MappingProxyType({}),
) -> Roster:
    """Return the nodes of a cluster, as of the newest instant in it; with prices if a region is given.

    `figures` are the user's own, which change what nodes cost, None for none. `disk_prices` give the price of a node's disks
    by its type, for each NodePool whose class is known, and `overlay_prices` are the prices that NodeOverlays set.
    """
    machines = all_state_nodes(cluster)
    origins = {state.name: origin for state, origin in zip(cluster.nodes, cluster.origins, strict=True)}
    now = newest_time(machines)
    prices = _Prices(sold, figures, disk_prices, overlay_prices)
    rows = [_row(machine, *origins[machine.name], now, prices) for machine in machines]
    pods = [p for p in cluster.pods if not p.ended]
    return Roster(
        now=now,
        nodes=tuple(sorted(rows, key=lambda r: (not r.pool, r.pool, r.name))),
        running=sum(p.phase == "Running" for p in pods),
        pending=sum(not p.node for p in pods),
        bound=sum(bool(p.node) for p in pods),
        pods=len(pods),
        launching=cluster.launching,
        region=sold.region if sold is not None else "",
        currency=sold.currency if sold is not None else "USD",
    )


@dataclass(frozen=True, slots=True)
class _Prices:
    """What nodes cost: by the region, by the user's own figures, and by NodePool those of disks and of NodeOverlays."""

    sold: AnyRegion | None
    figures: Figures | None
    disks: Mapping[str, DiskPrices]
    overlays: Mapping[str, OverlayPrices]

    def of(self, machine: StateNode, capacity_type: str) -> Price | None:
        """Return the price of a node; None without a region."""
        return None if self.sold is None else _price(machine, capacity_type, self.sold, self.figures)


def _row(machine: StateNode, node: Manifest | None, claim: Manifest | None, now: float, prices: _Prices) -> NodeRow:
    pods = [p for p in machine.pods if not p.ended]
    requested = merge(*(p.pod.requests for p in pods))
    created = instant(((node or claim or {}).get("metadata") or {}).get("creationTimestamp"))
    capacity_type = _capacity_type(machine)
    return NodeRow(
        name=machine.name,
        pool=machine.pool,
        instance_type=machine.instance_type,
        capacity_type=capacity_type,
        zone=machine.zone,
        requested=requested,
        allocatable=merge(machine.state.available, requested),
        pods=len(pods),
        price=prices.of(machine, capacity_type),
        age=max(now - created, 0.0) if created is not None else None,
        states=tuple(_states(machine, node)) or (READY,),
        disks=_disks(machine, prices.disks),
        overlay_price=_overlay_price(machine, prices.overlays),
        labels=machine.state.labels,
    )


def _disks(machine: StateNode, prices: Mapping[str, DiskPrices]) -> Price | None:
    of_pool = prices.get(machine.pool)
    return of_pool(machine.instance_type) if of_pool is not None and machine.instance_type else None


def _overlay_price(machine: StateNode, prices: Mapping[str, OverlayPrices]) -> float | None:
    of_pool = prices.get(machine.pool)
    return of_pool(machine.instance_type, machine.zone, _capacity_type(machine)) if of_pool is not None else None


def _capacity_type(machine: StateNode) -> str:
    """Return the capacity type by Karpenter's label, else by that of EKS, which spells it `ON_DEMAND`."""
    label = next((machine.state.labels[key] for key in _CAPACITY_KEYS if machine.state.labels.get(key)), "")
    return label.lower().replace("_", "-")


def _price(machine: StateNode, capacity_type: str, sold: AnyRegion, figures: Figures | None) -> Price | None:
    """Return what is paid for its type in its zone.

    A reservation is paid for whether it is used or not, so its nodes cost nothing more.
    """
    listed, os = _list_price(machine, capacity_type, sold), machine.state.labels.get(OS, LINUX)
    price = listed if capacity_type == RESERVED else _with_charges(machine, os, listed, sold)
    if price is None or listed is None or figures is None:
        return price
    bought = Bought(machine.instance_type, sold.region, machine.zone, capacity_type, os)
    return figures.real_price(price, price.usd_per_hour - listed.usd_per_hour, bought)


def _list_price(machine: StateNode, capacity_type: str, sold: AnyRegion) -> Price | None:
    if capacity_type == RESERVED:
        return Price(0.0, PAID_FOR_ANYWAY, currency=sold.currency)
    if capacity_type == SPOT:
        return sold.spot_price(machine.instance_type, machine.zone)
    return sold.on_demand_price(machine.instance_type) if capacity_type == ON_DEMAND else None


def _with_charges(machine: StateNode, os: str, listed: Price | None, sold: AnyRegion) -> Price | None:
    """Return a list price on AWS with the licence if the node runs Windows, and with the fee if EKS Auto Mode manages it."""
    if listed is None:
        return None
    if os == WINDOWS and not is_azure(sold):
        return windows_price(sold, machine.instance_type, listed)
    if machine.state.labels.get(COMPUTE_TYPE) == _AUTO:
        from cutlist.providers.eks_auto.provider import fee  # which few clusters need

        return fee(machine.instance_type, sold).added_to(listed)
    return listed


def _states(machine: StateNode, node: Manifest | None) -> list[str]:
    deleting = machine.state.removed or bool(((node or {}).get("metadata") or {}).get("deletionTimestamp"))
    if node is None:
        return [LAUNCHING, *([DELETING] if deleting else [])]
    conditions = {
        NOT_READY: not machine.ready,
        UNINITIALIZED: machine.claim is not None and not machine.initialized,
        CORDONED: bool((node.get("spec") or {}).get("unschedulable")),
        DELETING: deleting,
    }
    return [state for state, holds in conditions.items() if holds]
