"""The policy Balanced: what a command saves of a pool's price against what it disrupts of its pods (spec: disruption 6.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, NODEPOOL, ZONE
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.costs import NODE_COST, eviction_cost
from cutlist.state.statenode import StateNode

BALANCED: Final = "Balanced"
THRESHOLD: Final = 0.5
_TRACKED: Final = frozenset((INSTANCE_TYPE, ZONE, CAPACITY_TYPE, NODEPOOL))


@dataclass(frozen=True, slots=True)
class Totals:
    """What all nodes of a pool cost: in USD/hour, and to disrupt."""

    price: float
    disruption: float


@dataclass(frozen=True, slots=True)
class Score:
    """The shares that a command has of a pool's totals: of its price saved, and of its disruption."""

    pool: str
    savings: float
    disruption: float

    @property
    def value(self) -> float:
        """Savings for disruption; 0 where there is nothing to save."""
        return self.savings / self.disruption if self.savings > 0 and self.disruption > 0 else 0.0

    @property
    def approved(self) -> bool:
        """Whether the command is worth it."""
        return self.value >= THRESHOLD

    @property
    def text(self) -> str:
        """The approval in Karpenter's words."""
        shares = f"savings {self.savings:.1%}, disruption {self.disruption:.1%}"
        return f"score {self.value:.2f} >= threshold {THRESHOLD:.2f} (k: 2, {shares})"


def totals(cluster: ClusterState, candidates: Mapping[str, Candidate]) -> dict[str, Totals]:
    """The totals of pools with the policy Balanced that have candidates, before a method has chosen among these."""
    found = {}
    for name in sorted({c.pool.name for c in candidates.values() if c.pool.disruption.consolidation_policy == BALANCED}):
        of_pool = [m for m in cluster.nodes if m.pool == name]
        price = sum(_tracked_price(m.claim.labels, name, cluster) for m in cluster.nodes if m.claim is not None)
        if price <= 0:
            price = sum(c.price for c in candidates.values() if c.pool.name == name)
        found[name] = Totals(price, sum(_disruption(m, candidates) for m in of_pool))
    return found


def scores(command: Command, of: Mapping[str, Totals]) -> list[Score]:
    """The score that a command has with each pool whose vote it needs; savings are shared by the price of what goes."""
    by_pool: dict[str, list[Candidate]] = {}
    for candidate in command.candidates:
        by_pool.setdefault(candidate.pool.name, []).append(candidate)
    price = sum(c.price for c in command.candidates)
    found = []
    for name, mine in sorted(by_pool.items()):
        if name in of:
            share = sum(c.price for c in mine) / price if len(by_pool) > 1 and price else 1.0
            found.append(_score(name, command.savings * share, mine, of[name]))
    return found


def worth_trying(candidate: Candidate, of: Mapping[str, Totals]) -> bool:
    """Whether even the end of a candidate without any replacement would be approved."""
    known = of.get(candidate.pool.name)
    return known is None or known.price <= 0 or _score(candidate.pool.name, candidate.price, [candidate], known).approved


def _score(pool: str, savings: float, mine: Sequence[Candidate], of: Totals) -> Score:
    if of.price <= 0 or of.disruption <= 0:
        return Score(pool, 0.0, 0.0)
    return Score(pool, savings / of.price, sum(c.cost for c in mine) / of.disruption)


def _tracked_price(labels: Mapping[str, str], pool: str, cluster: ClusterState) -> float:
    """The price of a NodeClaim of a pool, by its own labels if it has all that make one; one that is going counts as well."""
    if labels.get(NODEPOOL) != pool or not labels.keys() >= _TRACKED:
        return 0.0
    return cluster.price_by(labels)


def _disruption(node: StateNode, candidates: Mapping[str, Candidate]) -> float:
    if node.name in candidates:
        return candidates[node.name].cost
    pods = (p for p in node.pods if not p.ended and "DaemonSet" not in p.owners)
    return NODE_COST + sum(max(0.0, eviction_cost(p)) for p in pods)
