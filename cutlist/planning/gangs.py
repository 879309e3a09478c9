"""The gangs of a plan: which ones have room for as many pods as they need at once, and which nodes stay empty because not.

Karpenter knows nothing about gangs: it launches nodes for the pods that fit (spec: gangs 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cutlist.core.money import money_of, money_rounded
from cutlist.planning.model import PendingPods, Plan, PlannedNode, PodShare
from cutlist.planning.model.gangs import PlannedGang
from cutlist.planning.passes import PassesOutcome
from cutlist.workloads import Workloads
from cutlist.workloads.gangs.counting import held_back, pods_of_gangs, running_of_gangs
from cutlist.workloads.gangs.gang import Gang, GangId

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
    pods, fit = pods_of_gangs(workloads.groups, workloads.bound), _fitting(workloads, outcomes)
    known = [_planned(gang, workloads, pods[gang.id], fit[gang.id]) for gang in gangs if pods[gang.id]]
    waiting = {gang.gang: set(gang.workloads) for gang in known if not gang.complete}
    idle = _idle_nodes(nodes, waiting, _independent(workloads, gangs, known))
    return tuple(_with_nodes(gang, idle) if not gang.complete else gang for gang in known)


def _planned(gang: Gang, workloads: Workloads, pods: int, fit: int) -> PlannedGang:
    """Return a gang without its nodes."""
    names = dict.fromkeys(group.workload for group in workloads.groups if group.gang == gang.id)
    names |= dict.fromkeys(pod.workload for pod in workloads.bound if pod.gang == gang.id)
    return PlannedGang(
        gang.id.shown,
        gang.id.scheduler.name,
        tuple(names),
        needed=gang.minimum,
        pods=pods,
        running=running_of_gangs(workloads.groups, workloads.bound)[gang.id],
        fit=fit,
        binds_together=gang.id.scheduler.binds_together,
        held_back=gang.id in held_back([gang], workloads.groups, workloads.bound),
        nodes=0,
        price_per_hour=None,
    )


def _fitting(workloads: Workloads, outcomes: Sequence[PassesOutcome]) -> Counter[GangId]:
    """Return how many pods of each gang get a place that they do not have yet."""
    placed = Counter[int]()
    for outcome in outcomes:
        for on_node in (*(claim.pods for claim in outcome.result.claims), *outcome.result.existing.values()):
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
    idle = []
    for node in nodes:
        of = {share.workload for share in node.pods}
        if of and not of & independent:
            gangs = frozenset(gang for gang, workloads in waiting.items() if workloads & of)
            idle += [(node, gangs)] if gangs else []
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
