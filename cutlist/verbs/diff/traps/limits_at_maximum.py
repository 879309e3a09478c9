"""Limits of NodePools that leave pods waiting once the autoscalers are at their maximum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from cutlist.catalog.sizes import Size
from cutlist.core.quantity import MEBI, NANO, amount_text
from cutlist.core.wording import counted, first_of
from cutlist.optimization.pool_terms import without_limits
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.state.scheduling_node import NODES, usage
from cutlist.verbs.diff.traps.trap import LIMITS, Change, Trap
from cutlist.workloads.scaled import at_range_end

_NAMED: Final = 3
_MAXIMUM: Final = 1
"""The upper end of an autoscaler's range."""


@dataclass(frozen=True, slots=True)
class _AtMaximum:
    """The plan of a side with all autoscalers at their maximum, and the plan of the same without any limit."""

    limited: Plan
    unlimited: Plan

    @property
    def stopped(self) -> int:
        """Return how many pods wait for nothing but limits."""
        return max(self.limited.totals.pending - self.unlimited.totals.pending, 0)


def limits_at_maximum(change: Change) -> Iterator[Trap]:
    """Yield a trap for each NodePool whose limits leave more pods waiting at the autoscalers' maximum than before."""
    inputs = change.inputs[1]
    if at_range_end(inputs.workloads.groups, _MAXIMUM) == inputs.workloads.groups:
        return
    after = _at_maximum(change, inputs)
    if not after.stopped:
        return
    earlier = _at_maximum(change, change.inputs[0]).stopped
    if after.stopped > earlier:
        yield from _traps(after, earlier, inputs)


def _at_maximum(change: Change, inputs: PlanInputs) -> _AtMaximum:
    groups = at_range_end(inputs.workloads.groups, _MAXIMUM)
    scaled = replace(inputs, workloads=replace(inputs.workloads, groups=groups))
    limited = change.planner(scaled)
    if not limited.pending:
        return _AtMaximum(limited, limited)
    return _AtMaximum(limited, change.planner(replace(scaled, node_pools=tuple(map(without_limits, scaled.node_pools)))))


def _traps(after: _AtMaximum, earlier: int, inputs: PlanInputs) -> Iterator[Trap]:
    waiting = after.limited.pods_apart
    free = after.unlimited.pods_apart
    counts = {name: count - free.get(name, 0) for name, count in waiting.items() if count > free.get(name, 0)}
    largest = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    names = first_of([f"{name} {count:,}" for name, count in largest], _NAMED)
    was = "all had one" if not earlier else f"{counted(earlier, 'pod')} had none"
    left = f"its limits leave {counted(after.stopped, 'pod')} without a node ({names})"
    text = f"at the maximum of the autoscalers, {left}; before, {was}"
    for pool in inputs.node_pools:
        needed = _needed(after.unlimited, pool.name, inputs)
        short = {name: (limit.nanos, needed[name]) for name, limit in pool.limits.items() if needed.get(name, 0) > limit.nanos}
        if short:
            raised = ", ".join(
                f"limits.{name} from {_text(name, was)} to {_text(name, now)}" for name, (was, now) in short.items()
            )
            yield Trap(LIMITS, pool.name, text, f"raise {raised} in NodePool {pool.name}, or lower the autoscalers' maximum")


def _needed(plan: Plan, pool: str, inputs: PlanInputs) -> dict[str, int]:
    """Return what all nodes of a NodePool have together, those that run included, as its limits count it, in nano-units."""
    total = dict(usage(inputs.cluster.nodes).get(pool, {}))
    for node in (node for node in plan.nodes if node.node_pool == pool):
        machine = inputs.catalog.machines.get(node.instance_type)
        amounts = dict(node.allocatable) | {NODES: NANO}
        if machine is not None:
            mebibytes = machine.memory_gib * 1024 if isinstance(machine, Size) else machine.memory_mib
            amounts |= {"cpu": machine.vcpus * NANO, "memory": ceil(mebibytes) * MEBI}
        for name, amount in amounts.items():
            total[name] = total.get(name, 0) + node.count * amount
    return total


def _text(resource: str, amount: int) -> str:
    return f"{amount // NANO:,}" if resource == NODES else amount_text(resource, amount)
