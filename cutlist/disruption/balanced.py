"""The policy Balanced: a command's savings of a pool's price against its disruption of the pool's pods (spec: disruption
6.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.go_sums import sum_in_turn
from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, NODEPOOL, ZONE
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.costs import NODE_COST, CostAnnotations, eviction_cost
from cutlist.state.statenode import StateNode

BALANCED: Final = "Balanced"
THRESHOLD: Final = 0.5
_TRACKED: Final = frozenset((INSTANCE_TYPE, ZONE, CAPACITY_TYPE, NODEPOOL))


@dataclass(frozen=True, slots=True)
class PoolTotals:
    """The total price of a pool's nodes in USD per hour, and their total cost of disruption."""

    price: float
    disruption: float


@dataclass(frozen=True, slots=True)
class Score:
    """A command's shares of a pool's totals: the share of the price that it saves, and its share of the disruption."""

    pool: str
    savings: float
    disruption: float

    @property
    def value(self) -> float:
        """Return the savings per unit of disruption, or 0 if nothing is saved."""
        return self.savings / self.disruption if self.savings > 0 and self.disruption > 0 else 0.0

    @property
    def approved(self) -> bool:
        """Tell whether the command saves enough."""
        return self.value >= THRESHOLD

    @property
    def text(self) -> str:
        """Return the approval in Karpenter's words."""
        shares = f"savings {self.savings:.1%}, disruption {self.disruption:.1%}"
        return f"score {self.value:.2f} >= threshold {THRESHOLD:.2f} (k: 2, {shares})"


def totals(cluster: ClusterState, candidates: Mapping[str, Candidate]) -> dict[str, PoolTotals]:
    """Return the totals of pools that have the policy Balanced and candidates, before a method has selected any."""
    by_pool: dict[str, PoolTotals] = {}
    if not any(pool.disruption.consolidation_policy == BALANCED for pool in cluster.pools.values()):
        return by_pool
    for name in sorted({c.pool.name for c in candidates.values() if c.pool.disruption.consolidation_policy == BALANCED}):
        price = sum_in_turn(_tracked_price(n.claim.labels, name, cluster) for n in cluster.nodes if n.claim is not None)
        # Karpenter tracks prices by the labels of NodeClaims. Where none has them all, it falls back on the candidates.
        if price <= 0:
            price = sum_in_turn(c.price for c in candidates.values() if c.pool.name == name)
        disruption = sum_in_turn(_disruption(n, candidates, cluster.cost_annotations) for n in cluster.nodes if n.pool == name)
        by_pool[name] = PoolTotals(price, disruption)
    return by_pool


def scores(command: Command, pool_totals: Mapping[str, PoolTotals]) -> list[Score]:
    """Return the score of a command in each pool that has to approve it; savings are divided by the price of the removed
    nodes."""
    by_pool: dict[str, list[Candidate]] = {}
    for candidate in command.candidates:
        by_pool.setdefault(candidate.pool.name, []).append(candidate)
    price = sum_in_turn(c.price for c in command.candidates)
    votes = []
    for name, of_pool in sorted(by_pool.items()):
        if name in pool_totals:
            # One pool takes all the savings; dividing and multiplying again could change the last digit.
            share = sum_in_turn(c.price for c in of_pool) / price if len(by_pool) > 1 and price else 1.0
            votes.append(_score(name, command.savings * share, of_pool, pool_totals[name]))
    return votes


def worth_trying(candidate: Candidate, pool_totals: Mapping[str, PoolTotals]) -> bool:
    """Tell whether at least deleting a candidate without a replacement would be approved."""
    known = pool_totals.get(candidate.pool.name)
    # A deletion saves the whole price, so no command with this candidate alone can score higher.
    return known is None or known.price <= 0 or _score(candidate.pool.name, candidate.price, [candidate], known).approved


def _score(pool: str, savings: float, disrupted: Sequence[Candidate], total: PoolTotals) -> Score:
    if total.price <= 0 or total.disruption <= 0:
        return Score(pool, 0.0, 0.0)
    return Score(pool, savings / total.price, sum_in_turn(c.cost for c in disrupted) / total.disruption)


def _tracked_price(labels: Mapping[str, str], pool: str, cluster: ClusterState) -> float:
    """Return the price of a NodeClaim of a pool if its labels determine one; a claim that is being deleted counts as well."""
    if labels.get(NODEPOOL) != pool or not labels.keys() >= _TRACKED:
        return 0.0
    return cluster.price_by(labels)


def _disruption(node: StateNode, candidates: Mapping[str, Candidate], annotations: CostAnnotations) -> float:
    if node.name in candidates:
        return candidates[node.name].cost
    # A node that is not a candidate has no computed cost; its pods still belong to the pool's total.
    pods = (p for p in node.pods if not p.ended and "DaemonSet" not in p.owners)
    return NODE_COST + sum_in_turn(max(0.0, eviction_cost(p, annotations)) for p in pods)
