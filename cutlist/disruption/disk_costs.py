"""What nodes cost with fees and disks before and after. This is for people: Karpenter decides only by the prices of
machines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cutlist.catalog.prices import Price, is_estimate, usd
from cutlist.catalog.ranges import Deviations
from cutlist.core.money import money_sum
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, Replacement
from cutlist.state.statenode import StateNode


def with_disk_savings(commands: Iterable[Command], cluster: ClusterState) -> tuple[Command, ...]:
    """Return the commands with how much less disks cost after each of them."""
    return tuple(replace(command, disk_savings=_saved(command, cluster)) for command in commands)


def _saved(command: Command, cluster: ClusterState) -> float | None:
    """Return the difference in USD per hour, or None if the disks of one node are unknown."""
    ended = [cluster.disk_price_of(candidate.node) for candidate in command.candidates]
    # A static pool's replacement names no type; it is among the nodes that follow, with its disks.
    launched = [_price(replacement, cluster) for replacement in command.replacements if replacement.types]
    known = [*(p.usd_per_hour for p in ended if p is not None), *(-p.usd_per_hour for p in launched if p is not None)]
    # A difference with one side unknown would claim savings that nobody knows.
    return money_sum(known) if len(known) == len(ended) + len(launched) else None


def _price(replacement: Replacement, cluster: ClusterState) -> Price | None:
    """Return the price of the disks of a node that is launched, as its first type."""
    return cluster.disk_price_by(replacement.node_pool, replacement.types[0].name)


def price(cluster: ClusterState) -> float:
    """Return the price of all NodeClaims in USD per hour, with disks where their price is known; unknown ones count as 0."""
    prices = [(p, usd(cluster.disk_price_of(n))) for n in cluster.nodes if n.claim is not None and (p := cluster.bill_of(n))]
    return money_sum(part for machine, disks in prices for part in (machine, disks or 0.0))


def disk_price(cluster: ClusterState) -> float | None:
    """Return the price of the disks of all NodeClaims in USD per hour, as far as it is known, or None if no price is known."""
    prices = [cluster.disk_price_of(n) for n in cluster.nodes if n.claim is not None and cluster.bill_of(n)]
    known = [price.usd_per_hour for price in prices if price is not None]
    return money_sum(known) if known else None


def nodes_without_disks(cluster: ClusterState) -> int:
    """Return the number of NodeClaims with a price whose disks have none."""
    return sum(cluster.disk_price_of(n) is None for n in cluster.nodes if n.claim is not None and cluster.bill_of(n))


def unpriced_nodes(cluster: ClusterState) -> int:
    """Return the number of NodeClaims whose price is unknown."""
    return sum(not cluster.bill_of(n) for n in cluster.nodes if n.claim is not None)


def deviations(cluster: ClusterState) -> Deviations:
    """Return how far the prices of all NodeClaims may be from their estimates."""
    return deviations_of((n for n in cluster.nodes if n.claim is not None), cluster)


def deviations_of(nodes: Iterable[StateNode], cluster: ClusterState) -> Deviations:
    """Return how far the prices of some nodes may be from their estimates."""
    return Deviations.of((node.instance_type, 1, cluster.paid_for(node)) for node in nodes)


def has_estimates(cluster: ClusterState) -> bool:
    """Tell whether the price of a NodeClaim is an estimate."""
    return any(is_estimate(cluster.paid_for(n)) for n in cluster.nodes if n.claim is not None)
