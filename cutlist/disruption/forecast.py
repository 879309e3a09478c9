"""What Karpenter would do next to a cluster, and the rule behind each node that it leaves alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from typing import Annotated, Final

from cutlist.api.budget_windows import Allowed, readable
from cutlist.api.durations import NEVER
from cutlist.catalog.prices import Price, is_estimate, usd
from cutlist.catalog.ranges import EXACT, Deviations, PriceRange
from cutlist.core.money import money_sum
from cutlist.core.records import HIDDEN, SPARSE, After, Count, Instant, Key, PriceOrNull, Usd, about, computed, form_of
from cutlist.core.records import Price as PriceInJson
from cutlist.disruption.balanced import PoolTotals, scores, totals
from cutlist.disruption.budgets import Remaining, counts, is_disrupted, remaining
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import NOMINATED_FOR, ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.conditions import settled_at
from cutlist.disruption.consolidation import ConsolidationOption, NoChange, decide, is_consolidatable
from cutlist.disruption.disk_costs import deviations, disk_price, nodes_without_disks, price, unpriced_nodes, with_disk_savings
from cutlist.disruption.draining import drain_waits_for
from cutlist.disruption.evaluation import MethodInputs, MethodOutcome
from cutlist.disruption.following import with_following
from cutlist.disruption.methods import Method, evaluate, methods_of
from cutlist.disruption.reasons import Reason
from cutlist.disruption.static_scale_in import surplus
from cutlist.disruption.termination import expires_at, is_expired
from cutlist.disruption.waiting import NOT_REPAIRED, WaitingNodes
from cutlist.state.statenode import DRIFTED, StateNode


class DisruptionVerdict(StrEnum):
    """What is going to happen to a node."""

    NEXT = "next"
    LATER = "later"
    STAYS = "stays"
    BLOCKED = "blocked"
    GOING = "going"
    UNMANAGED = "unmanaged"


@dataclass(frozen=True, slots=True)
class NodeForecast:
    """A node: its type, its price (`cost` is that of disruption), how many pods would move, and why it stays.

    `disk_price` is what its disks cost besides; prices are None when unknown. `drifted` is why it no longer matches its
    NodePool; it expires at an instant (seconds since 1970), or never.
    """

    name: str
    pool: Annotated[str, Key("nodePool")]
    instance_type: str
    capacity_type: str
    zone: str
    price: Annotated[Price | None, HIDDEN]
    cost: Annotated[float, Key("disruptionCost")]
    pods: Count
    verdict: DisruptionVerdict
    why: str
    drifted: str = ""
    expires: Instant | None = None
    disk_price: Annotated[
        Price | None,
        form_of(PriceInJson).through(usd),
        Key("diskPricePerHour"),
        about("USD for its disks, which come on top of its price; null where unknown."),
        After("is_estimated"),
    ] = None

    @property
    @computed(after="zone")
    def bill(self) -> Annotated[PriceOrNull, Key("pricePerHour")]:
        """Return the price in USD per hour, or 0 if it is unknown."""
        return usd(self.price) or 0.0

    @property
    @computed(after="bill")
    def is_estimated(self) -> Annotated[bool, Key("priceEstimated")]:
        """Tell whether the catalogue only estimates what the node costs."""
        return is_estimate(self.price)


@dataclass(frozen=True, slots=True)
class PoolBudget:
    """How many of a pool's nodes may be disrupted now, by reason, the total number, and how many are being disrupted.

    `unreadable` are schedules that Karpenter cannot read: while there is one it disrupts nothing.
    """

    pool: Annotated[str, Key("nodePool")]
    nodes: Count
    disrupted: Count
    remaining: Mapping[Reason, Allowed]
    unreadable: Annotated[tuple[str, ...], Key("unreadableSchedules")] = ()


@dataclass(frozen=True, slots=True)
class Forecast:
    """The next thing that Karpenter does at an instant (seconds since 1970), and why it does nothing else.

    `price` is that of all NodeClaims in USD per hour. `disk_price` is the part of it for disks, None if no price of disks is
    known; it lacks the disks of `nodes_without_disks` and of `unpriced_nodes`.
    """

    now: Annotated[Instant, Key("at")]
    price: Annotated[Usd, Key("pricePerHour"), about("Of all nodes of Karpenter, with disks where their price is known.")]
    nodes: Annotated[tuple[NodeForecast, ...], After("commands")]
    budgets: Annotated[tuple[PoolBudget, ...], After("nodes")]
    method: Annotated[Method | None, After("launching")]
    commands: Annotated[tuple[Command, ...], After("method")]
    launching: Annotated[
        tuple[str, ...],
        Key("paused"),
        about("Nodes that are being launched, for which Karpenter waits."),
        After("unpriced_nodes"),
    ] = ()
    error: Annotated[str, HIDDEN] = ""
    disk_price: Annotated[
        PriceInJson, Key("diskPricePerHour"), about("What of it is for disks; null where none is known."), After("price")
    ] = None
    nodes_without_disks: Annotated[
        Count,
        Key("nodesWithoutDiskPrice"),
        about("Priced nodes whose disks are not in the price."),
        After("disk_price"),
    ] = 0
    unpriced_nodes: Annotated[
        Count,
        about("Nodes of Karpenter that are not in the price, for theirs is unknown."),
        After("nodes_without_disks"),
    ] = 0

    price_range: Annotated[
        PriceRange | None,
        After("price"),
        SPARSE,
        about("What the price lies between in most cases; only where it is partly an estimate with a known error."),
    ] = None

    @property
    def not_repaired(self) -> int:
        """Return how many unhealthy nodes repair spares."""
        return sum(node.why.startswith(NOT_REPAIRED) for node in self.nodes)

    @property
    def has_estimates(self) -> bool:
        """Tell whether the price of a node is an estimate."""
        return any(node.is_estimated for node in self.nodes)

    @property
    def savings(self) -> float:
        """Return how much less the cluster costs after the commands, in USD per hour, with disks where they are known."""
        return money_sum(command.savings_with_disks for command in self.commands)

    @property
    def currency(self) -> str:
        """Return the currency of all prices, US dollars if none is known."""
        return next((node.price.currency for node in self.nodes if node.price is not None), "USD")

    @property
    def savings_range(self) -> PriceRange | None:
        """Return the range of these savings, None without one."""
        return reduce(Deviations.plus, (command.deviations for command in self.commands), EXACT).around(self.savings)

    @property
    def savings_estimated(self) -> bool:
        """Tell whether the price of a node that is removed or launched is an estimate."""
        removed = {candidate.name for command in self.commands for candidate in command.candidates}
        return any(node.is_estimated for node in self.nodes if node.name in removed) or any(
            command.is_estimated for command in self.commands
        )


def forecast(cluster: ClusterState) -> Forecast:
    """Evaluate every method, in Karpenter's order, and return the forecast of each node."""
    inputs = MethodInputs.of(cluster)
    acting, commands, error, outcomes = _next(inputs)
    node_forecasts = _NodeForecasts(
        inputs,
        totals(cluster, inputs.graceful.by_name),
        remaining(inputs.cluster, Reason.UNDERUTILIZED),
        frozenset(candidate.name for command in commands for candidate in command.candidates),
        frozenset(node.name for node in surplus(cluster)),
        WaitingNodes.of(inputs, outcomes, commands),
    )
    return Forecast(
        now=cluster.now,
        price=price(cluster),
        price_range=deviations(cluster).around(price(cluster)),
        nodes=tuple(map(node_forecasts.of, cluster.nodes)),
        budgets=tuple(_budget(name, cluster) for name in sorted(cluster.pools)),
        method=acting,
        commands=commands,
        launching=tuple(cluster.launching),
        error=error,
        disk_price=disk_price(cluster),
        nodes_without_disks=nodes_without_disks(cluster),
        unpriced_nodes=unpriced_nodes(cluster),
    )


BEING_REMOVED: Final = "is being removed already"
"""How the reason begins of a node whose removal has begun."""
_Next = tuple[Method | None, tuple[Command, ...], str, Mapping[Method, MethodOutcome]]


def _next(inputs: MethodInputs) -> _Next:
    """Return the first method with commands, these commands, the error that ends the loop, and the outcome of each method
    until then; none acts in an unsynced cluster."""
    acting: Method | None = None
    commands: tuple[Command, ...] = ()
    outcomes: dict[Method, MethodOutcome] = {}
    for method in methods_of(inputs.cluster):
        outcome = outcomes[method] = evaluate(method, inputs)
        # An error ends Karpenter's loop: methods after it do not run in this round.
        if outcome.error:
            return acting, commands, outcome.error, outcomes
        # Later methods are evaluated too, since one of them may end with an error, but only the first one acts.
        if outcome.commands and acting is None and inputs.cluster.synced:
            acting = method
            commands = with_following(with_disk_savings(outcome.commands, inputs.cluster), inputs.cluster)
    return acting, commands, "", outcomes


@dataclass(frozen=True, slots=True)
class _NodeForecasts:
    """The basis for the forecasts of single nodes; `disrupted` are the nodes of the next commands, `surplus` those that static
    NodePools give up, `waiting` says why drifted and unhealthy nodes are not replaced yet."""

    inputs: MethodInputs
    totals: Mapping[str, PoolTotals]
    budgets: Remaining
    disrupted: frozenset[str]
    surplus: frozenset[str]
    waiting: WaitingNodes

    def of(self, node: StateNode) -> NodeForecast:
        verdict, why = self._verdict(node)
        candidate, claim = self.inputs.eventual.by_name.get(node.name), node.claim
        return NodeForecast(
            name=node.name,
            pool=node.pool,
            instance_type=node.instance_type,
            capacity_type=node.capacity_type,
            zone=node.zone,
            price=self.inputs.cluster.paid_for(node),
            cost=candidate.cost if candidate is not None else 0.0,
            pods=sum(p.reschedulable for p in node.pods),
            verdict=verdict,
            why=why,
            drifted=claim.conditions[DRIFTED].reason if claim is not None and claim.has(DRIFTED) else "",
            expires=expires_at(claim) if claim is not None else None,
            disk_price=self.inputs.cluster.disk_price_of(node),
        )

    def _verdict(self, node: StateNode) -> tuple[DisruptionVerdict, str]:
        if node.name in self.disrupted:
            return DisruptionVerdict.NEXT, ""
        if node.claim is None:
            return DisruptionVerdict.UNMANAGED, "not a node of Karpenter"
        if node.state.removed:
            cluster = self.inputs.cluster
            return DisruptionVerdict.GOING, f"{BEING_REMOVED}{drain_waits_for(node, cluster.evictions, cluster.now)}"
        if node.name in self.surplus:
            return (
                DisruptionVerdict.GOING,
                f"NodePool {node.pool} is static and has more than {self.inputs.cluster.pools[node.pool].replicas} nodes",
            )
        if is_expired(node.claim, self.inputs.cluster.now):
            return DisruptionVerdict.GOING, self._expired(node)
        waiting = self.waiting.reason(node)
        if waiting is not None and not waiting.is_blocked:
            return DisruptionVerdict.LATER, waiting.text
        verdict, why = self._without_repair_and_drift(node)
        # Consolidation may still remove what drift or repair cannot replace.
        return (
            (verdict, why)
            if waiting is None or verdict is DisruptionVerdict.LATER
            else (DisruptionVerdict.BLOCKED, waiting.text)
        )

    def _expired(self, node: StateNode) -> str:
        """Return what happens to a node whose time is up, and what its drain waits for without an end."""
        text, claim = "expired: its removal begins now, regardless of budgets", node.claim
        blocked = self.inputs.graceful.blocked.get(node.name, "")
        if blocked and claim is not None and claim.termination_grace_period is None:
            return f"{text}, and waits without a time limit: {blocked}; terminationGracePeriod would be one"
        return text

    def _without_repair_and_drift(self, node: StateNode) -> tuple[DisruptionVerdict, str]:
        """Return what consolidation does with a node."""
        candidate = self.inputs.graceful.by_name.get(node.name)
        if candidate is None:
            return DisruptionVerdict.BLOCKED, self._blocked(node)
        why = _not_considered(candidate, self.inputs.cluster)
        return (DisruptionVerdict.STAYS, why) if why else self._consolidated(candidate)

    def _blocked(self, node: StateNode) -> str:
        text, cluster = self.inputs.graceful.blocked[node.name], self.inputs.cluster
        # The text alone would not say for how long.
        if cluster.nominated(node):
            since = cluster.controller_memory.nominated[node.name]
            return f"{text}, for {since + NOMINATED_FOR - cluster.now:.0f} s more"
        return text or "belongs to a command that is being executed"

    def _consolidated(self, candidate: Candidate) -> tuple[DisruptionVerdict, str]:
        """Return what consolidation would do to a single node, regardless of what else comes first."""
        decision = decide([candidate], self.inputs.simulator)
        if isinstance(decision, NoChange):
            return DisruptionVerdict.STAYS, decision.text or decision.error
        command = decision.command([candidate]) if isinstance(decision, ConsolidationOption) else decision
        refused = next((s for s in scores(command, self.totals) if not s.approved), None)
        if refused is not None:
            text = f"Balanced: saves {refused.savings:.1%} of the pool's price for {refused.disruption:.1%} of its disruption"
            return DisruptionVerdict.STAYS, f"{text}; a score of {refused.value:.2f} is below 0.50"
        verb = "replaced" if command.replacements else "deleted"
        if not self.budgets.allows(candidate):
            return DisruptionVerdict.STAYS, f"could be {verb}, but the budget of NodePool {candidate.pool.name} is used up"
        return DisruptionVerdict.LATER, f"could be {verb} on its own; another command comes first"


def _not_considered(candidate: Candidate, cluster: ClusterState) -> str:
    """Return why consolidation does not even consider a candidate, or an empty string if it does."""
    skipped = is_consolidatable(candidate, cluster)
    if skipped is None or skipped.text:
        return skipped.text if skipped is not None else ""
    pool, claim = candidate.pool, candidate.node.claim
    if pool.is_static:
        return f"NodePool {pool.name} is static: it keeps {pool.replicas} {'node' if pool.replicas == 1 else 'nodes'}"
    until = settled_at(claim, pool) if claim is not None else None
    if until is not None and until > cluster.now:
        after = pool.disruption.consolidate_after
        return f"a pod was added or removed; consolidateAfter {after} ends in {_duration(until - cluster.now)}"
    if pool.disruption.consolidate_after == NEVER:
        return f"NodePool {pool.name} never consolidates"
    if candidate.empty:
        return f"empty, but the budget of NodePool {pool.name} is used up" if candidate.price else "empty"
    return "not marked Consolidatable yet"


def _duration(length: float) -> str:
    minutes, seconds = divmod(round(length), 60)
    return f"{minutes}m{seconds:02d}s" if minutes else f"{seconds}s"


def _budget(name: str, cluster: ClusterState) -> PoolBudget:
    counted = [n for n in cluster.nodes if n.pool == name and counts(n)]
    return PoolBudget(
        pool=name,
        nodes=len(counted),
        disrupted=sum(is_disrupted(n, Reason.UNDERUTILIZED) for n in counted),
        remaining={reason: remaining(cluster, reason).by_pool[name] for reason in cluster.reasons},
        unreadable=tuple(b.schedule or "" for b in cluster.pools[name].disruption.budgets if not readable(b)),
    )


__all__ = ["Command", "DisruptionVerdict", "Forecast", "NodeForecast", "PoolBudget", "forecast"]
