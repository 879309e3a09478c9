"""The consequences of a loss of spot capacity, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.catalog.prices import is_estimate, usd
from cutlist.core.records import SPARSE, Count, Instant, Price, TextOrNull, Usd, about, json_of
from cutlist.disruption.command import MovedPods, Replacement
from cutlist.disruption.disk_costs import has_estimates, nodes_without_disks, price, unpriced_nodes
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.state.statenode import StateNode

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Launched:
    name: str
    node_pool: str
    instance_type: str
    capacity_type: str
    zone: str
    price_per_hour: Price
    price_estimated: bool
    disk_price_per_hour: Annotated[Price, about("USD for its disks, which come on top of its price; null where unknown.")]
    pods: Count


@dataclass(frozen=True, slots=True)
class _Pending:
    pod: str
    count: Count
    why: str


@dataclass(frozen=True, slots=True)
class _PricePerHour:
    """What all nodes of Karpenter cost, with disks where their price is known."""

    before: Usd
    after: Usd
    estimated: Annotated[bool, about("Whether the price of a node before or after is an estimate.")]
    nodes_without_disk_price: Annotated[Count, about("Priced nodes afterwards whose disks are not in the price.")]
    unpriced_nodes: Annotated[Count, about("Nodes before that are not in the price, for theirs is unknown.")]


@dataclass(frozen=True, slots=True)
class LossRecord:
    """What comes of a cluster when all spot capacity of a zone ends."""

    version: Literal[1]
    region: str
    at: Instant
    zone: Annotated[TextOrNull, about("Where spot capacity ends; null for everywhere.")]
    lost: tuple[str, ...]
    displaced_pods: Count
    moves: MovedPods
    launched: tuple[_Launched, ...]
    replacements: tuple[Replacement, ...]
    pending: tuple[_Pending, ...]
    price_per_hour: _PricePerHour
    error: Annotated[str | None, SPARSE, about("Why no pod could be placed again; only then.")]


def interrupt_json(loss: SpotLoss, region: str) -> str:
    """Return the consequences of a loss of spot capacity, as indented JSON that ends in a newline. Prices are USD/hour."""
    record = LossRecord(
        version=VERSION,
        region=region,
        at=loss.before.now,
        zone=loss.zone,
        lost=tuple(node.name for node in loss.lost),
        displaced_pods=loss.displaced,
        moves=loss.simulation.moved,
        launched=tuple(_launched(node, loss) for node in loss.launched),
        replacements=loss.replacements,
        pending=tuple(_Pending(pod, count, why) for pod, (count, why) in sorted(loss.pending.items())),
        price_per_hour=_PricePerHour(
            price(loss.before),
            price(loss.after),
            has_estimates(loss.before) or has_estimates(loss.after),
            nodes_without_disks(loss.after),
            unpriced_nodes(loss.before),
        ),
        error=loss.error or None,
    )
    return json_of(record)


def _launched(node: StateNode, loss: SpotLoss) -> _Launched:
    return _Launched(
        name=node.name,
        node_pool=node.pool,
        instance_type=node.instance_type,
        capacity_type=node.capacity_type,
        zone=node.zone,
        price_per_hour=loss.after.bill_of(node) or None,
        price_estimated=is_estimate(loss.after.paid_for(node)),
        disk_price_per_hour=usd(loss.after.disk_price_of(node)),
        pods=len(node.pods),
    )
