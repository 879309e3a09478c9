"""Which launched nodes have no room for any pod that waits, so that further passes only have to count them.

Karpenter tries pods on open claims before it opens others. So the claims that a pass leaves have no room for the pods that it
leaves pending, and with limits that bind these are thousands of equal ones. Where pods follow no rules about others, a node
without room for any of them only counts against limits: room never grows between passes, and pods that wait only become fewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain

from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.state.full_nodes import FullNodes
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pods import Pod


class SoughtRoom:
    """What pods that wait request, each different set of requests once."""

    __slots__ = ("_different", "_least")

    def __init__(self, pods: Iterable[Pod]) -> None:
        needs = ({resource: amount for resource, amount in pod.requests.items() if amount > 0} for pod in pods)
        self._different = list({tuple(sorted(need.items())): need for need in needs}.values())
        shared = set[str].intersection(*map(set, self._different)) if self._different else set[str]()
        # Most nodes that are full lack what every pod needs.
        self._least = {resource: min(need[resource] for need in self._different) for resource in shared}

    def fits(self, free: Mapping[str, int]) -> bool:
        """Tell whether some pod has room in these amounts, all else aside."""
        if not self._different or any(free.get(resource, 0) < least for resource, least in self._least.items()):
            return False
        return any(all(free.get(resource, 0) >= need for resource, need in needs.items()) for needs in self._different)


def counts_full_nodes(inputs: SchedulerInputs) -> bool:
    """Tell whether room alone decides about launched nodes: no pod follows rules about others, or has volumes or devices, and
    none is virtual, since those are placed again in each pass."""
    options = inputs.options
    if inputs.volumes or options.default_spread or not options.ignore_dra_requests:
        return False
    if any(batch.virtual for batch in inputs.batches) or any(bound.pod.anti_affinity for bound in inputs.bound):
        return False
    return not any(pod.minds_others for pod in chain((batch.pod for batch in inputs.batches), inputs.daemons))


def listed(inputs: SchedulerInputs) -> SchedulerInputs:
    """Return the inputs of a first pass in which those full nodes that may take one of its pods are listed one by one."""
    if not inputs.full:
        return inputs
    is_counted = counts_full_nodes(inputs)
    sought = SoughtRoom(batch.pod for batch in inputs.batches if batch.count)
    full, bound, nodes, place = list[FullNodes](), list(inputs.bound), list[SchedulingNode](), 0
    for of in inputs.full:
        if is_counted and not sought.fits(of.node.available):
            full.append(replace(of, place=len(nodes) + of.place - place))
            continue
        nodes += [*inputs.nodes[place : of.place], *of.each()]
        place = of.place
        bound += of.pods_on_each()
    return replace(inputs, nodes=(*nodes, *inputs.nodes[place:]), bound=tuple(bound), full=tuple(full))
