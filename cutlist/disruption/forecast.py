"""What Karpenter would do next to a cluster, and for each node that it leaves alone, which rule spares it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from cutlist.api.budget_windows import readable
from cutlist.api.durations import NEVER
from cutlist.disruption.balanced import Totals, scores, totals
from cutlist.disruption.budgets import counts, is_disrupted, remaining
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import NOMINATED_FOR, ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.conditions import settled_at
from cutlist.disruption.consolidation import ConsolidationOption, NoChange, decide, is_consolidatable
from cutlist.disruption.evaluation import MethodInputs, Outcome
from cutlist.disruption.methods import Method, evaluate
from cutlist.disruption.reasons import Reason
from cutlist.disruption.termination import expires_at
from cutlist.state.statenode import DRIFTED, StateNode


class Verdict(StrEnum):
    """What is in store for a node."""

    NEXT = "next"
    LATER = "later"
    STAYS = "stays"
    BLOCKED = "blocked"
    GOING = "going"
    UNMANAGED = "unmanaged"


@dataclass(frozen=True, slots=True)
class NodeForecast:
    """A node: what it is, what it costs (USD/hour; `cost` to disrupt), how many pods would move, and what spares it.

    `drifted` is why it is no longer what was asked for; it expires at an instant (seconds since 1970), unless never.
    """

    name: str
    pool: str
    instance_type: str
    capacity_type: str
    zone: str
    price: float
    cost: float
    pods: int
    verdict: Verdict
    why: str
    drifted: str = ""
    expires: float | None = None


@dataclass(frozen=True, slots=True)
class PoolBudget:
    """How many nodes of a pool may be disrupted now, by reason, of how many, and how many are being disrupted.

    `unreadable` are schedules that Karpenter cannot read: as long as there is one it disrupts nothing.
    """

    pool: str
    nodes: int
    disrupted: int
    remaining: Mapping[Reason, int]
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Forecast:
    """The next thing that Karpenter does at an instant (seconds since 1970), and why it does nothing else."""

    now: float
    price: float
    nodes: tuple[NodeForecast, ...]
    budgets: tuple[PoolBudget, ...]
    method: Method | None
    commands: tuple[Command, ...]
    launching: tuple[str, ...] = ()
    error: str = ""


def forecast(cluster: ClusterState) -> Forecast:
    """Ask every method, in Karpenter's order, and say of every node what comes of it."""
    inputs = MethodInputs.of(cluster)
    outcomes: dict[Method, Outcome] = {}
    acting: Method | None = None
    for method in Method:
        outcome = outcomes[method] = evaluate(method, inputs)
        if outcome.error:
            break
        if outcome.commands and acting is None:
            acting = method
    acting = acting if cluster.synced else None
    commands = tuple(outcomes[acting].commands) if acting is not None else ()
    look = _Look(inputs, outcomes, totals(cluster, inputs.graceful.by_name), {c.name for x in commands for c in x.candidates})
    return Forecast(
        now=cluster.now,
        price=sum(cluster.price_of(m) for m in cluster.nodes if m.claim is not None),
        nodes=tuple(look.at(m) for m in cluster.nodes),
        budgets=tuple(_budget(name, cluster) for name in sorted(cluster.pools)),
        method=acting,
        commands=commands,
        launching=tuple(cluster.launching),
        error=next((o.error for o in outcomes.values() if o.error), ""),
    )


@dataclass(frozen=True, slots=True)
class _Look:
    """What is known when nodes are looked at one by one."""

    inputs: MethodInputs
    outcomes: Mapping[Method, Outcome]
    totals: Mapping[str, Totals]
    next: set[str]

    def at(self, node: StateNode) -> NodeForecast:
        """The outlook of one node."""
        verdict, why = self._verdict(node)
        candidate, claim = self.inputs.eventual.by_name.get(node.name), node.claim
        return NodeForecast(
            name=node.name,
            pool=node.pool,
            instance_type=node.instance_type,
            capacity_type=node.capacity_type,
            zone=node.zone,
            price=self.inputs.cluster.price_of(node),
            cost=candidate.cost if candidate is not None else 0.0,
            pods=sum(p.reschedulable for p in node.pods),
            verdict=verdict,
            why=why,
            drifted=claim.conditions[DRIFTED].reason if claim is not None and claim.has(DRIFTED) else "",
            expires=expires_at(claim) if claim is not None else None,
        )

    def _verdict(self, node: StateNode) -> tuple[Verdict, str]:
        if node.name in self.next:
            return Verdict.NEXT, ""
        if node.claim is None:
            return Verdict.UNMANAGED, "not a node of Karpenter"
        if node.state.removed:
            return Verdict.GOING, "is being removed already"
        candidate = self.inputs.graceful.by_name.get(node.name)
        if candidate is None:
            return Verdict.BLOCKED, self._blocked(node)
        why = _not_yet(candidate, self.inputs.cluster)
        if why:
            return Verdict.STAYS, why
        return self._consolidated(candidate)

    def _blocked(self, node: StateNode) -> str:
        text = self.inputs.graceful.blocked[node.name]
        if self.inputs.cluster.nominated(node):
            since = self.inputs.cluster.controller_memory.nominated[node.name]
            return f"{text}, for {since + NOMINATED_FOR - self.inputs.cluster.now:.0f} s more"
        return text or "belongs to a command that is being executed"

    def _consolidated(self, candidate: Candidate) -> tuple[Verdict, str]:
        """What consolidation would make of a node by itself, whatever else comes first."""
        decision = decide([candidate], self.inputs.simulator)
        if isinstance(decision, NoChange):
            return Verdict.STAYS, decision.text or decision.error
        command = decision.command([candidate]) if isinstance(decision, ConsolidationOption) else decision
        refused = next((s for s in scores(command, self.totals) if not s.approved), None)
        if refused is not None:
            text = f"Balanced: saves {refused.savings:.1%} of the pool's price for {refused.disruption:.1%} of its disruption"
            return Verdict.STAYS, f"{text}; a score of {refused.value:.2f} is below 0.50"
        verb = "replaced" if command.replacements else "deleted"
        if not remaining(self.inputs.cluster, Reason.UNDERUTILIZED).allows(candidate):
            return Verdict.STAYS, f"could be {verb}, but the budget of NodePool {candidate.pool.name} is used up"
        return Verdict.LATER, f"could be {verb} by itself; something else comes first"


def _not_yet(candidate: Candidate, cluster: ClusterState) -> str:
    """Why consolidation does not even look at a candidate; empty when it does."""
    skipped = is_consolidatable(candidate, cluster)
    if skipped is None:
        return ""
    pool, claim = candidate.pool, candidate.node.claim
    if skipped.text:
        return skipped.text
    if pool.is_static:
        return f"NodePool {pool.name} is static: it keeps {pool.replicas} nodes"
    until = settled_at(claim, pool) if claim is not None else None
    if until is not None and until > cluster.now:
        after = pool.disruption.consolidate_after
        return f"a pod came or went; consolidateAfter {after} ends in {_length(until - cluster.now)}"
    if pool.disruption.consolidate_after == NEVER:
        return f"NodePool {pool.name} never consolidates"
    if candidate.empty:
        return f"empty, but the budget of NodePool {pool.name} is used up" if candidate.price else "empty"
    return "not marked Consolidatable yet"


def _length(length: float) -> str:
    minutes, seconds = divmod(round(length), 60)
    return f"{minutes}m{seconds:02d}s" if minutes else f"{seconds}s"


def _budget(name: str, cluster: ClusterState) -> PoolBudget:
    counted = [m for m in cluster.nodes if m.pool == name and counts(m)]
    return PoolBudget(
        pool=name,
        nodes=len(counted),
        disrupted=sum(is_disrupted(m) for m in counted),
        remaining={reason: remaining(cluster, reason).by_pool[name] for reason in Reason},
        unreadable=tuple(b.schedule or "" for b in cluster.pools[name].disruption.budgets if not readable(b)),
    )


__all__ = ["Command", "Forecast", "NodeForecast", "PoolBudget", "Verdict", "forecast"]
