"""The nodes of a cluster as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.catalog.prices import HIGH, LOW
from cutlist.core.quantity import amount_text
from cutlist.core.records import SPARSE, After, AmountTexts, Count, Instant, Part, Price, TextOrNull, about, json_of
from cutlist.planning.model.spelling import ExactPrice
from cutlist.verbs.nodes.roster import NodeRow, Roster

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Pods:
    total: Count
    running: Count
    pending: Count
    bound: Count


@dataclass(frozen=True, slots=True)
class _Node:
    name: str
    node_pool: TextOrNull
    instance_type: TextOrNull
    capacity_type: TextOrNull
    zone: TextOrNull
    requested: AmountTexts
    allocatable: AmountTexts
    pods: Count
    price_per_hour: Price
    price_source: str | None
    price_estimated: bool
    disk_price_per_hour: Annotated[Price, about("For its disks, which come on top of its price; null where unknown.")]
    age_seconds: float | None
    states: tuple[str, ...]
    overlay_price_per_hour: Annotated[
        Price, After("price_per_hour_high"), SPARSE, about("What Karpenter takes it for; only where a NodeOverlay says so.")
    ] = None
    price_per_hour_low: Annotated[ExactPrice, After("price_estimated"), SPARSE, LOW] = None
    price_per_hour_high: Annotated[ExactPrice, After("price_per_hour_low"), SPARSE, HIGH] = None


@dataclass(frozen=True, slots=True)
class _UnreadyClass:
    name: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class RosterRecord:
    """The nodes of a cluster: what they are, how full, and what they cost."""

    version: Literal[1]
    region: TextOrNull
    at: Instant
    currency: str
    price_per_hour: Price
    price_per_month: Price
    disk_price_per_hour: Annotated[Price, about("What of the price of all nodes is for disks; null where none is known.")]
    nodes_without_disk_price: Annotated[Count, about("Priced nodes whose disks are not in the price.")]
    estimated_part: Annotated[Part, about("Which part of the price is estimates; null without prices.")]
    pods: _Pods
    launching: tuple[str, ...]
    nodes: tuple[_Node, ...]
    unready_classes: Annotated[
        tuple[_UnreadyClass, ...] | None, SPARSE, about("EC2NodeClasses that are not ready, and why; only where there are any.")
    ] = None
    overlay_price_per_hour: Annotated[
        Price,
        After("disk_price_per_hour"),
        SPARSE,
        about("What Karpenter takes the price for; only where NodeOverlays set prices."),
    ] = None


def nodes_json(roster: Roster) -> str:
    """Return the nodes as indented JSON that ends in a newline. Prices are per hour; unknown values are null."""
    record = RosterRecord(
        version=VERSION,
        region=roster.region,
        at=roster.now,
        currency=roster.currency,
        price_per_hour=roster.price_per_hour,
        price_per_month=roster.price_per_month,
        disk_price_per_hour=roster.disk_price_per_hour,
        nodes_without_disk_price=roster.without_disks,
        estimated_part=None if roster.estimated_part is None else round(roster.estimated_part, 4),
        pods=_Pods(roster.pods, roster.running, roster.pending, roster.bound),
        launching=tuple(roster.launching),
        nodes=tuple(_node(node) for node in roster.nodes),
        unready_classes=tuple(
            _UnreadyClass(unready.name, unready.reason.name, unready.reason.message) for unready in roster.unready_classes
        )
        or None,
        overlay_price_per_hour=roster.overlay_price_per_hour,
    )
    return json_of(record)


def _node(node: NodeRow) -> _Node:
    return _Node(
        name=node.name,
        node_pool=node.pool,
        instance_type=node.instance_type,
        capacity_type=node.capacity_type,
        zone=node.zone,
        requested=_amounts(node.requested),
        allocatable=_amounts(node.allocatable),
        pods=node.pods,
        price_per_hour=node.price.usd_per_hour if node.price is not None else None,
        price_source=node.price.provenance if node.price is not None else None,
        price_estimated=node.price is not None and node.price.estimated,
        disk_price_per_hour=node.disks.usd_per_hour if node.disks is not None else None,
        age_seconds=node.age,
        states=node.states,
        overlay_price_per_hour=node.overlay_price,
        price_per_hour_low=node.price.low if node.price is not None else None,
        price_per_hour_high=node.price.high if node.price is not None else None,
    )


def _amounts(of: Mapping[str, int]) -> dict[str, str]:
    return {name: amount_text(name, amount) for name, amount in sorted(of.items())}
