"""What Karpenter would do next, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.api.budget_windows import UNLIMITED
from cutlist.catalog.prices import usd
from cutlist.core.records import SPARSE, Count, Counts, Instant, More, Price, TextOrNull, Usd, about, json_of
from cutlist.disruption.command import Command, Replacement
from cutlist.disruption.forecast import DisruptionVerdict, NodeForecast, PoolBudget
from cutlist.disruption.methods import Method
from cutlist.disruption.reasons import Reason
from cutlist.disruption.timeline import ForcedRemoval, ForcedRemovalKind
from cutlist.disruption.trajectory import Trajectory, TrajectoryEnd, TrajectoryStep
from cutlist.planning.model.spelling import NodeRequirement
from cutlist.verbs.disrupt.answer import DisruptionForecast
from cutlist.verbs.disrupt.words import moved_pods

VERSION: Final = 1
MovedPods = Annotated[Counts, about("Pods that move to each existing node.")]
AllowedDisruptions = Mapping[Reason, Annotated[Count | None, about("Nodes that may be disrupted; null for no limit.")]]


@dataclass(frozen=True, slots=True)
class ReplacementRecord:
    """A node that is launched in place of others."""

    node_pool: str
    capacity_type: str
    pods: Count
    requirements: tuple[NodeRequirement, ...]
    instance_types: tuple[str, ...]
    prices_per_hour: tuple[Price, ...]
    price_estimated: Annotated[bool, about("Whether the first of these prices is an estimate.")]


@dataclass(frozen=True, slots=True)
class _Command:
    decision: Annotated[str, More(enum=["delete", "replace", "terminate-first", "reboot"])]
    reason: Reason
    nodes: tuple[str, ...]
    savings_per_hour: Annotated[Usd, about("With disks, where their price is known; the message is without.")]
    disk_savings_per_hour: Annotated[Price, about("What of it is for disks; null where unknown.")]
    replacements: tuple[ReplacementRecord, ...]
    moves: MovedPods
    message: Annotated[str, about("As Karpenter logs it.")]


@dataclass(frozen=True, slots=True)
class _Step:
    at: Instant
    method: Method | None
    commands: tuple[_Command, ...]
    launched: tuple[str, ...]
    evicted: tuple[str, ...]
    price_per_hour: Usd
    price_estimated: bool


@dataclass(frozen=True, slots=True)
class _Course:
    """The following steps; present only if requested."""

    end: TrajectoryEnd
    repeats_from: Count | None
    steps: tuple[_Step, ...]
    evictions: Annotated[Counts, about("How often each pod has to move.")]
    nodes: Count


@dataclass(frozen=True, slots=True)
class _Node:
    name: str
    node_pool: str
    instance_type: str
    capacity_type: str
    zone: str
    price_per_hour: Price
    price_estimated: bool
    disk_price_per_hour: Annotated[Price, about("USD for its disks, which come on top of its price; null where unknown.")]
    disruption_cost: float
    pods: Count
    verdict: DisruptionVerdict
    why: str
    drifted: str
    expires: Instant | None


@dataclass(frozen=True, slots=True)
class _Budget:
    node_pool: str
    nodes: Count
    disrupted: Count
    remaining: AllowedDisruptions
    unreadable_schedules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Removal:
    at: Instant
    node: str
    node_pool: str
    why: ForcedRemovalKind
    gone_by: Instant | None
    blocked: TextOrNull


@dataclass(frozen=True, slots=True)
class ForecastRecord:
    """What Karpenter does next to a cluster."""

    version: Literal[1]
    region: str
    at: Instant
    price_per_hour: Annotated[Usd, about("Of all nodes of Karpenter, with disks where their price is known.")]
    disk_price_per_hour: Annotated[Price, about("What of it is for disks; null where none is known.")]
    nodes_without_disk_price: Annotated[Count, about("Priced nodes whose disks are not in the price.")]
    unpriced_nodes: Annotated[Count, about("Nodes of Karpenter that are not in the price, for theirs is unknown.")]
    paused: Annotated[tuple[str, ...], about("Nodes that are being launched, for which Karpenter waits.")]
    method: Method | None
    commands: tuple[_Command, ...]
    nodes: tuple[_Node, ...]
    budgets: tuple[_Budget, ...]
    removals: tuple[_Removal, ...]
    oddities: tuple[str, ...]
    error: Annotated[str | None, SPARSE, about("Why Karpenter does nothing at all; only then.")]
    course: Annotated[_Course | None, SPARSE]


def disrupt_json(forecast: DisruptionForecast) -> str:
    """Return the forecast as indented JSON that ends in a newline. Prices are USD/hour; a budget without limit is null."""
    now = forecast.forecast
    record = ForecastRecord(
        version=VERSION,
        region=forecast.region,
        at=now.now,
        price_per_hour=now.price,
        disk_price_per_hour=now.disk_price,
        nodes_without_disk_price=now.nodes_without_disks,
        unpriced_nodes=now.unpriced_nodes,
        paused=now.launching,
        method=now.method,
        commands=tuple(_command(command) for command in now.commands),
        nodes=tuple(_node(node) for node in now.nodes),
        budgets=tuple(_budget(budget) for budget in now.budgets),
        removals=tuple(_removal(removal) for removal in forecast.removals),
        oddities=tuple(forecast.oddities),
        error=now.error or None,
        course=None if forecast.trajectory is None else _course(forecast.trajectory),
    )
    return json_of(record)


def allowed_disruptions(counts: Mapping[Reason, int]) -> dict[Reason, int | None]:
    """Return how many nodes may be disrupted by reason; None for no limit."""
    return {reason: count_or_none(count) for reason, count in counts.items()}


def count_or_none(count: int) -> int | None:
    """Return a number of nodes; None for no limit."""
    return None if count == UNLIMITED else count


def replacement_record(replacement: Replacement) -> ReplacementRecord:
    """Return a NodeClaim that would be created."""
    return ReplacementRecord(
        node_pool=replacement.node_pool,
        capacity_type=replacement.capacity_type,
        pods=sum((replacement.pods or {}).values()),
        requirements=tuple(replacement.requirements.expressions()),
        instance_types=tuple(type_.name for type_ in replacement.types),
        prices_per_hour=replacement.prices,
        price_estimated=replacement.is_estimated,
    )


def _command(command: Command) -> _Command:
    return _Command(
        decision=command.decision,
        reason=command.reason,
        nodes=tuple(candidate.name for candidate in command.candidates),
        savings_per_hour=command.savings_with_disks,
        disk_savings_per_hour=command.disk_savings,
        replacements=tuple(replacement_record(replacement) for replacement in command.replacements),
        moves=moved_pods(command),
        message=command.text,
    )


def _node(node: NodeForecast) -> _Node:
    return _Node(
        name=node.name,
        node_pool=node.pool,
        instance_type=node.instance_type,
        capacity_type=node.capacity_type,
        zone=node.zone,
        price_per_hour=node.bill or None,
        price_estimated=node.is_estimated,
        disk_price_per_hour=usd(node.disk_price),
        disruption_cost=node.cost,
        pods=node.pods,
        verdict=node.verdict,
        why=node.why,
        drifted=node.drifted,
        expires=node.expires,
    )


def _budget(budget: PoolBudget) -> _Budget:
    remaining = allowed_disruptions(budget.remaining)
    return _Budget(budget.pool, budget.nodes, budget.disrupted, remaining, budget.unreadable)


def _removal(removal: ForcedRemoval) -> _Removal:
    return _Removal(
        at=removal.at,
        node=removal.node,
        node_pool=removal.pool,
        why=removal.force,
        gone_by=removal.latest,
        blocked=removal.blocked,
    )


def _course(trajectory: Trajectory) -> _Course:
    return _Course(
        end=trajectory.end,
        repeats_from=trajectory.repeats,
        steps=tuple(_step(step) for step in trajectory.steps),
        evictions=trajectory.evictions,
        nodes=len(trajectory.cluster.nodes),
    )


def _step(step: TrajectoryStep) -> _Step:
    return _Step(
        at=step.at,
        method=step.method,
        commands=tuple(_command(command) for command in step.commands),
        launched=step.launched,
        evicted=step.evicted,
        price_per_hour=step.price_after,
        price_estimated=step.is_estimated,
    )
