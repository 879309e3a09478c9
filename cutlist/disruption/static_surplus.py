"""Which nodes a static NodePool with more than its replicas gives up (spec: disruption 8.5). With the gate StaticCapacity."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cutlist.state.pods import RunningPod
from cutlist.state.statenode import StateNode


def surplus(
    machines: Sequence[StateNode], launching: Sequence[str], replicas: int, now: float, cost: Callable[[StateNode], float]
) -> tuple[str, ...]:
    """The claims that a static pool deletes, by name. No budget counts, and nothing is simulated.

    `machines` are those of the pool, `launching` the names of its claims that have no machine yet: these go first. `cost` is
    the lifetime-weighted cost of a machine. Karpenter takes what is equal in any order, here it is by name.
    """
    there = [(_rank(m, now, cost), m.claim.name) for m in machines if m.claim is not None and m.claim.deleted is None]
    order = [*sorted(launching), *(name for _, name in sorted(there))]
    return tuple(order[: max(0, len(order) - replicas)])


def _rank(machine: StateNode, now: float, cost: Callable[[StateNode], float]) -> tuple[bool, bool, float]:
    """Machines without pods of their own first, then those without a pod that may not be disturbed, the cheapest first."""
    held = any(p.active and p.held(now) for p in machine.pods)
    used = held or any(_is_workload(p) for p in machine.pods)
    return used, held, cost(machine) if used else 0.0


def _is_workload(pod: RunningPod) -> bool:
    return not pod.ended and "DaemonSet" not in pod.owners
