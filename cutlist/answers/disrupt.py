"""What Karpenter will do next to a cluster that was written down: the inputs of a plan, read as what runs (design: floor 6)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.api import read_objects
from cutlist.core.errors import InputError, Place, Problems, nearest
from cutlist.disruption.budget_calendar import BudgetCalendar, budget_calendar
from cutlist.disruption.budgets import counts
from cutlist.disruption.cluster_state import ClusterState, ControllerMemory, FeatureGates, odd_times
from cutlist.disruption.forecast import Forecast, forecast
from cutlist.disruption.node_repair import repair
from cutlist.disruption.spot_loss import SpotLoss, lose_spot
from cutlist.disruption.timeline import ForcedRemoval, timeline, with_repairs
from cutlist.disruption.trajectory import Trajectory, judged, until_stable
from cutlist.documents import collect_documents, sources
from cutlist.planning.controllers import apart, registry_of
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.notebook import NotebookValue
from cutlist.planning.pool_types import types_of_pools
from cutlist.providers.node_repair import RepairPolicy
from cutlist.scheduling.queue import PodBatch
from cutlist.state.checks import check_cluster
from cutlist.state.cluster import Cluster
from cutlist.state.statenode import StateNode, state_nodes
from cutlist.state.statenode import newest_time as newest_time_of

__all__ = [
    "DisruptionForecast",
    "Upcoming",
    "calendars",
    "cluster_state_of",
    "disrupt",
    "loss_of_spot",
    "newest_time",
    "upcoming",
]

_DAY: Final = 86400.0


@dataclass(frozen=True, slots=True)
class DisruptionForecast(NotebookValue):
    """What comes next, what is removed by force and when, and, where it was asked for, everything that follows.

    `oddities` are times of the input that do not fit together, or do not fit the instant.
    """

    region: str
    forecast: Forecast
    removals: tuple[ForcedRemoval, ...] = ()
    trajectory: Trajectory | None = None
    oddities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Upcoming:
    """What may go in the week from an instant (seconds since 1970) on, NodePool by NodePool, and what is removed by force."""

    now: float
    weeks: tuple[BudgetCalendar, ...]
    removals: tuple[ForcedRemoval, ...] = ()


def disrupt(
    inputs: PlanInputs, now: float, *, gates: FeatureGates | None = None, to_the_end: bool = False
) -> DisruptionForecast:
    """The next command of Karpenter at an instant (seconds since 1970), and with `to_the_end` the whole course.

    Raises InputError when there are no nodes, or NodePools of two controllers, which have to be looked at apart.
    """
    cluster = judged(cluster_state_of(inputs, now, gates or FeatureGates()))
    trajectory = until_stable(cluster) if to_the_end else None
    return DisruptionForecast(
        inputs.catalog.region,
        forecast(cluster),
        _removals(cluster, inputs.cloud.repair_policies),
        trajectory,
        odd_times(cluster.nodes, now),
    )


def _removals(cluster: ClusterState, policies: Sequence[RepairPolicy]) -> tuple[ForcedRemoval, ...]:
    """What is removed by force; sick nodes among it where the gate for that is open."""
    found = timeline(cluster.nodes)
    if not cluster.feature_gates.node_repair:
        return found
    return with_repairs(found, cluster.nodes, repair(cluster.nodes, policies, cluster.now), cluster.now)


def loss_of_spot(inputs: PlanInputs, now: float, zone: str = "") -> SpotLoss:
    """What comes of a cluster when all spot capacity of a zone goes at an instant; without a zone, all there is.

    Raises InputError for a zone that the region does not have, and as `forecast` does.
    """
    zones = [z.name for z in inputs.catalog.zones]
    if zone and zone not in zones:
        found = f"no zone {zone!r} in {inputs.catalog.region}"
        raise InputError.one(Place("--spot-in"), found, ", ".join(zones), nearest(zone, zones))
    return lose_spot(judged(cluster_state_of(inputs, now, FeatureGates())), zone)


def newest_time(inputs: PlanInputs) -> float:
    """The newest instant that nodes, NodeClaims or pods of the input tell of, in seconds since 1970: when they were read."""
    return newest_time_of(state_nodes(inputs.cluster))


def calendars(
    paths: Sequence[str | os.PathLike[str]], start: float, nodes: int | None = None, stdin: str | bytes | None = None
) -> tuple[BudgetCalendar, ...]:
    """A week of the budgets of each NodePool in files, from an instant on (seconds since 1970).

    Percentages are of `nodes`; without it of the nodes that the files have of the pool. Raises InputError with every mistake.
    """
    problems = Problems()
    documents = collect_documents(paths, problems, stdin)
    pools = sorted(read_objects(documents, problems).node_pools, key=lambda p: p.name)
    check_cluster(documents, problems)
    if not pools and not problems:
        problems.add(Place(sources(paths)), "no NodePool is in the input", "at least one NodePool")
    problems.raise_if_any()
    there = _counted(state_nodes(Cluster.read(d.data for d in documents)))
    return tuple(budget_calendar(p, there[p.name] if nodes is None else nodes, start) for p in pools)


def upcoming(inputs: PlanInputs, now: float) -> Upcoming:
    """What is upcoming for the nodes of a plan's inputs; the week of budgets begins at the midnight before the instant."""
    found = state_nodes(inputs.cluster)
    there, start = _counted(found), now - now % _DAY
    pools = sorted(inputs.node_pools, key=lambda p: p.name)
    return Upcoming(now, tuple(budget_calendar(p, there[p.name], start) for p in pools), timeline(found))


def _counted(found: Sequence[StateNode]) -> Counter[str]:
    """How many nodes of each NodePool its budgets count."""
    return Counter(m.pool for m in found if counts(m))


def cluster_state_of(inputs: PlanInputs, now: float, gates: FeatureGates) -> ClusterState:
    """The cluster as disruption sees it at an instant (seconds since 1970), with these feature gates.

    Raises InputError for NodePools of two controllers, and where there is no node.
    """
    parts = apart(inputs.node_pools)
    if len(parts) > 1:
        raise InputError.one(
            Place(), "the NodePools belong to EKS Auto Mode and to self-managed Karpenter; give the files of one of them"
        )
    if not inputs.cluster.nodes:
        raise InputError.one(
            Place(), "no node is in the input", "Nodes with their NodeClaims and pods, as `kubectl get -o yaml` has them"
        )
    pools = inputs.node_pools
    return ClusterState(
        now=now,
        nodes=state_nodes(inputs.cluster),
        pools={p.name: p for p in pools},
        types=types_of_pools(pools, inputs.node_classes, inputs.cloud),
        launching=inputs.cluster.launching,
        pending=_pending(inputs),
        daemons=tuple(d.pod for d in inputs.workloads.daemons),
        evictions=inputs.cluster.budgets,
        storage=inputs.cluster.storage,
        namespaces=inputs.workloads.namespaces,
        overlays=inputs.overlays,
        registry=registry_of(pools),
        options=inputs.options,
        feature_gates=gates,
        controller_memory=ControllerMemory(),
    )


def _pending(inputs: PlanInputs) -> Sequence[PodBatch]:
    """The workloads of the input that have no pods on nodes: they wait."""
    return [PodBatch(g.workload, g.pod, g.count, uid=f"{number:08d}") for number, g in enumerate(inputs.workloads.groups)]
