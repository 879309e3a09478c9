"""The gangs of a plan: which ones have room for as many pods as they need at once, and which nodes stay empty because not.

Karpenter knows nothing about gangs: it launches nodes for the pods that fit (spec: gangs 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.money import money_of, money_rounded
from cutlist.core.runs import different
from cutlist.planning.model import PendingPods, Plan, PlannedNode, PodShare
from cutlist.planning.model.gangs import PlannedGang
from cutlist.planning.passes import PassesOutcome
from cutlist.workloads.gangs.counting import held_back, pods_of_gangs, running_of_gangs
from cutlist.workloads.gangs.gang import Gang, GangId
from cutlist.workloads.groups import BoundPod, PodGroup
from cutlist.workloads.read import Workloads

_PLACES: Final = 10  # as in the totals of a plan
_ALONE: Final = 1
"""A gang that needs no more than this is no gang."""


def planned_gangs(
    workloads: Workloads, outcomes: Sequence[PassesOutcome], nodes: Iterable[PlannedNode]
) -> tuple[PlannedGang, ...]:
    """Return what happens to each gang that has pods, when the passes of all controllers end like this."""
    gangs = [gang for gang in workloads.gangs if gang.minimum > _ALONE]
    if not gangs:
        return ()
    known = _Members.of(workloads, gangs, _fitting(workloads, outcomes))
    planned = [known.planned(gang) for gang in gangs if known.pods[gang.id]]
    waiting = {gang.gang: set(gang.workloads) for gang in planned if not gang.complete}
    idle = _idle_nodes(nodes, waiting, _independent(workloads, gangs, planned)) if waiting else []
    return tuple(_with_nodes(gang, idle) if not gang.complete else gang for gang in planned)


@dataclass(frozen=True, slots=True)
class _Members:
    """The pods of gangs: all, those that have a node, and those that fit; and the workloads that they belong to."""

    pods: Mapping[GangId, int]
    running: Mapping[GangId, int]
    fit: Mapping[GangId, int]
    short: frozenset[GangId]
    workloads: Mapping[GangId, Sequence[str]]

    @staticmethod
    def of(workloads: Workloads, gangs: Iterable[Gang], fit: Mapping[GangId, int]) -> _Members:
        """Return the members of all gangs, with how many of each fit."""
        groups, bound = workloads.groups, workloads.bound
        names: dict[GangId, dict[str, None]] = {}
        members: Iterable[PodGroup | BoundPod] = (*groups, *bound)
        for member in members:
            if member.gang is not None:
                names.setdefault(member.gang, {})[member.workload] = None
        return _Members(
            pods_of_gangs(groups, bound),
            running_of_gangs(groups, bound),
            fit,
            held_back(gangs, groups, bound),
            {gang: tuple(of) for gang, of in names.items()},
        )

    def planned(self, gang: Gang) -> PlannedGang:
        """Return a gang without its nodes."""
        return PlannedGang(
            gang.id.shown,
            gang.id.scheduler.name,
            tuple(self.workloads.get(gang.id, ())),
            needed=gang.minimum,
            pods=self.pods[gang.id],
            running=self.running[gang.id],
            fit=self.fit[gang.id],
            binds_together=gang.id.scheduler.binds_together,
            held_back=gang.id in self.short,
            nodes=0,
            price_per_hour=None,
        )


def _fitting(workloads: Workloads, outcomes: Sequence[PassesOutcome]) -> Counter[GangId]:
    """Return how many pods of each gang get a place that they do not have yet."""
    placed = Counter[int]()
    for outcome in outcomes:
        for claim, number in different(outcome.result.claims):
            placed.update({batch: count * number for batch, count in claim.pods.items()})
        for on_node in outcome.result.existing.values():
            placed.update(on_node)
    for on_node in outcomes[0].beside.values() if outcomes else ():
        placed.update(on_node)
    fit = Counter[GangId]()
    for number, group in enumerate(workloads.groups):
        if group.gang is not None:
            fit[group.gang] += placed[number]
    return fit


def _independent(workloads: Workloads, gangs: Iterable[Gang], known: Iterable[PlannedGang]) -> frozenset[str]:
    """Return the workloads with a pod that waits for no gang."""
    complete = {gang.gang for gang in known if gang.complete}
    waits = {gang.id for gang in gangs if gang.id.shown not in complete}
    return frozenset(group.workload for group in workloads.groups if group.gang not in waits)


def _idle_nodes(
    nodes: Iterable[PlannedNode], waiting: Mapping[str, set[str]], independent: frozenset[str]
) -> list[tuple[PlannedNode, frozenset[str]]]:
    """Return the nodes that only pods of waiting gangs are planned on, each with these gangs."""
    gangs_of: dict[str, set[str]] = {}
    for gang, workloads in waiting.items():
        for workload in workloads:
            gangs_of.setdefault(workload, set()).add(gang)
    idle = []
    for node in nodes:
        of = {share.workload for share in node.pods}
        gangs = frozenset(gang for workload in of for gang in gangs_of.get(workload, ()))
        if gangs and not of & independent:
            idle.append((node, gangs))
    return idle


def _with_nodes(gang: PlannedGang, idle: Iterable[tuple[PlannedNode, frozenset[str]]]) -> PlannedGang:
    own = [node for node, gangs in idle if gang.gang in gangs]
    prices = [(node.count, node.price_with_disks) for node in own if node.price_with_disks is not None]
    price = money_rounded(money_of(prices), _PLACES) if prices else None
    return replace(gang, nodes=sum(node.count for node in own), price_per_hour=price)


def held_back_pods(workloads: Workloads) -> tuple[PendingPods, ...]:
    """Return the pods that Karpenter ignores since their gang has too few: their scheduler keeps them out of its queue."""
    short = held_back(workloads.gangs, workloads.groups, workloads.bound)
    pods = pods_of_gangs(workloads.groups, workloads.bound) if short else {}
    why = {gang.id: _why_held_back(gang, pods[gang.id]) for gang in workloads.gangs if gang.id in short}
    return tuple(
        PendingPods(group.workload, group.count, why[group.gang], skipped=True)
        for group in workloads.groups
        if group.gang is not None and group.gang in short and group.count
    )


def _why_held_back(gang: Gang, pods: int) -> str:
    count = f"{gang.id.shown} needs {gang.minimum:,} pods and has {pods:,}"
    return f"{count}: {gang.id.scheduler.name} holds them back until then, and Karpenter launches nothing for them"


def without_unbound(plan: Plan) -> Plan:
    """Return the plan as it is once its nodes are there: no pod of a gang below its minimum is on one of them."""
    unbound = {w for gang in plan.gangs if gang.binds_together and not gang.complete for w in gang.workloads}
    if not unbound:
        return plan

    def bound(pods: Iterable[PodShare]) -> tuple[PodShare, ...]:
        return tuple(share for share in pods if share.workload not in unbound)

    return replace(
        plan,
        nodes=tuple(replace(node, pods=bound(node.pods)) for node in plan.nodes),
        existing=tuple(replace(node, pods=bound(node.pods)) for node in plan.existing),
    )
