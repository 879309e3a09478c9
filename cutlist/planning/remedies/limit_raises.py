"""By how much limits of a NodePool have to be raised so that the pods which wait for them get nodes, and what these cost.

Every raise is planned with from the beginning, as it would be once it is written: the passes on the cluster as it was, and not
those that continue where the limits stopped them. With higher limits Karpenter chooses other, often larger types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.quantity import MEBI, NANO, Quantity, is_bytes
from cutlist.planning.model.totals import Totals
from cutlist.planning.nodes import planned_nodes
from cutlist.planning.opened_plans import MOST_NODES
from cutlist.planning.pass_inputs import PassInputs
from cutlist.planning.passes import PassesOutcome, run_joint_passes
from cutlist.planning.remedies.changes import RaiseLimit
from cutlist.planning.remedies.trial import TrialBudget
from cutlist.providers.instance_types import CPU
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.refusals import LimitsExceeded, NodesExhausted, NoType, Refusal
from cutlist.scheduling.results import PlacedClaim, Results
from cutlist.state.scheduling_node import NODES

_SMALLER: Final = 8
"""How many smaller raises are tried at most."""
_WORK: Final = 4_000
"""Number of different pods, added up over the smaller raises that are tried: a plan of more different pods tries fewer."""


@dataclass(frozen=True, slots=True)
class JointRaise:
    """A raise of limits, and the batches whose waiting pods all get a node with it."""

    remedy: RaiseLimit
    batches: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Tried:
    """Limits that are enough; `cost` is the price with them, infinite if unknown, and by how much they are raised."""

    cost: tuple[float, int]
    limits: Mapping[str, int]
    totals: Totals


class LimitRaises:
    """Finds for each NodePool the raise of its limits after which all pods that wait for these limits alone have a node.

    One answer serves all these pods. Of the raises that were tried, the one with the cheapest nodes counts, of those the
    smallest.
    """

    __slots__ = ("_before", "_budget", "_known", "_outcome", "_ready", "_waiting")

    def __init__(self, ready: PassInputs, outcome: PassesOutcome, budget: TrialBudget) -> None:
        """Search among the inputs of passes; `outcome` is theirs."""
        self._ready, self._outcome, self._budget = ready, outcome, budget
        self._waiting = _waiting_by_pool(outcome.result)
        self._known: dict[str, JointRaise | None] = {}
        self._before = {unplaced.batch: unplaced.count for unplaced in outcome.result.unplaced}

    def of(self, batch: int, template: NodeClaimTemplate) -> RaiseLimit | None:
        """Return the raise of the limits of a NodePool that places the pods of a batch, with others that wait for them.

        `template` is that of the NodePool after the passes. Raises SpentError if nothing is left of the budget.
        """
        name = template.name
        if batch not in self._waiting.get(name, ()):
            return None
        if name not in self._known:
            self._known[name] = self._found(template)
        found = self._known[name]
        return None if found is None or batch not in found.batches else found.remedy

    def _found(self, template: NodeClaimTemplate) -> JointRaise | None:
        pool = template.pool
        unlimited = self._planned(pool, {})
        placed = frozenset(self._waiting[pool.name]) - {unplaced.batch for unplaced in unlimited.unplaced}
        if not placed or len(unlimited.claims) > MOST_NODES:
            return None  # further passes would go over each node of theirs, and nobody raises a limit by so much
        tried = [found for found in self._tries(template, unlimited, placed) if found is not None]
        if not tried:
            return None
        best = min(tried, key=lambda found: found.cost)
        by = tuple((name, to - pool.limits[name].nanos) for name, to in sorted(best.limits.items()))
        before, then = self._totals(self._outcome.result), best.totals
        old, new = before.whole_price_per_hour, then.whole_price_per_hour
        more = None if old is None or new is None else new - old
        pods, is_estimated = sum(self._before[batch] for batch in placed), bool(before.estimated_part or then.estimated_part)
        return JointRaise(RaiseLimit(pool.name, by, pods, more, is_estimated), placed)

    def _tries(self, template: NodeClaimTemplate, unlimited: Results, placed: frozenset[int]) -> Iterator[_Tried | None]:
        """Yield the smallest limits known to be enough, and smaller ones of a single limit as far as they are."""
        pool, enough = template.pool, None
        for limits in self._needed(template, unlimited):
            enough = self._try(pool, limits, placed)
            if enough is not None:
                break
        yield enough
        if enough is None or len(enough.limits) != 1:
            return
        ((resource, highest),) = enough.limits.items()
        unit = _unit(resource)
        low, high = pool.limits[resource].nanos // unit, -(-highest // unit)
        for _ in range(min(_SMALLER, _WORK // max(1, len(self._ready.passes.batches)))):
            # What is enough is not monotone in the limit: this finds a smaller one, if not always the smallest.
            middle = (low + high) // 2
            if middle <= low:
                return
            smaller = self._try(pool, {resource: middle * unit}, placed)
            yield smaller
            low, high = (low, middle) if smaller is not None else (middle, high)

    def _needed(self, template: NodeClaimTemplate, unlimited: Results) -> Iterator[Mapping[str, int]]:
        """Yield limits that may be enough for the nodes of a result without limits: for what these nodes have, then for what
        limits count until they are launched."""
        pool = template.pool
        own = [claim for claim in unlimited.claims if claim.node_pool == pool.name]
        before = [claim for claim in self._outcome.result.claims if claim.node_pool == pool.name]
        for counted in (self._bought, _at_most):
            limits: dict[str, int] = {}
            for resource, limit in pool.limits.items():
                used = limit.nanos - template.remaining.get(resource, limit.nanos) - _sum(before, resource, self._bought)
                needed = _whole(resource, used + _sum(own, resource, counted))
                if needed > limit.nanos:
                    limits[resource] = needed
            if limits:
                yield limits

    def _try(self, pool: NodePool, limits: Mapping[str, int], placed: frozenset[int]) -> _Tried | None:
        """Return limits if pods of these batches all have a node with them, and no others wait that did not; else None."""
        result = self._planned(pool, {**{name: limit.nanos for name, limit in pool.limits.items()}, **limits})
        waiting = {unplaced.batch: unplaced.count for unplaced in result.unplaced}
        if placed & waiting.keys() or any(count > self._before.get(batch, 0) for batch, count in waiting.items()):
            return None
        totals = self._totals(result)
        price = totals.whole_price_per_hour
        raised = sum((to - pool.limits[name].nanos) // _unit(name) for name, to in limits.items())
        return _Tried((float("inf") if price is None else price, raised), limits, totals)

    def _planned(self, pool: NodePool, limits: Mapping[str, int]) -> Results:
        """Return the result of all passes with other limits of a NodePool."""
        controller = self._ready.controller
        self._budget.spend(len(controller.inputs.nodes) + len(self._outcome.result.claims))
        manifest = pool.manifest()
        written = {name: Quantity(nanos).canonical() for name, nanos in limits.items()}
        manifest["spec"] = {**manifest["spec"], "limits": written}
        if not written:
            del manifest["spec"]["limits"]
        other = NodePool.from_manifest(manifest, pool.karpenter)
        pools = tuple(other if own.name == pool.name else own for own in controller.inputs.pools)
        (outcome,) = run_joint_passes([replace(controller, inputs=replace(controller.inputs, pools=pools))])
        return outcome.result

    def _totals(self, result: Results) -> Totals:
        """Return what the nodes of a result cost together."""
        ready = self._ready
        nodes = planned_nodes(
            result, ready.batches, ready.passes.registry, ready.predictions, ready.idle, with_candidates=False
        )
        return Totals.of(nodes, ())

    def _bought(self, claim: PlacedClaim, resource: str) -> int:
        """Return how much of a resource the node of a claim has as it is launched."""
        return self._ready.predictions.purchase(claim).type.capacity.get(resource, 0)


def _at_most(claim: PlacedClaim, resource: str) -> int:
    """Return how much of a resource the node of a claim may have at most."""
    return max(t.capacity.get(resource, 0) for t in claim.candidates.types)


def _sum(claims: list[PlacedClaim], resource: str, amount: Callable[[PlacedClaim, str], int]) -> int:
    return len(claims) * NANO if resource == NODES else sum(amount(claim, resource) for claim in claims)


def _waiting_by_pool(result: Results) -> Mapping[str, set[int]]:
    """Return the batches with pods that nothing but limits of a NodePool keeps from a node of it, by its name."""
    waiting: dict[str, set[int]] = {}
    for unplaced in result.unplaced:
        for pool, refusal in unplaced.refusals:
            if _is_of_limits(refusal):
                waiting.setdefault(pool, set()).add(unplaced.batch)
    return waiting


def _is_of_limits(refusal: Refusal) -> bool:
    match refusal:
        case LimitsExceeded(besides=None) | NodesExhausted(besides=None):
            return True
        case NoType():
            return bool(refusal.limits) and refusal.besides is None
    return False


def _unit(resource: str) -> int:
    """Return the step in which a limit is raised, in nano-units: a whole CPU or node, or a Gi."""
    return 1024 * MEBI if is_bytes(resource) else NANO


def _whole(resource: str, amount: int) -> int:
    """Return an amount rounded up to what is written of it."""
    unit = MEBI if is_bytes(resource) else NANO if resource in (CPU, NODES) else 1
    return -(-amount // unit) * unit
