"""The passes of a plan after the first: how many pods each placed, and what the pods had waited for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.core.records import Count, More, about
from cutlist.core.wording import counted

LIMITS: Final = "limits"
TOPOLOGY: Final = "topology"
RESERVATIONS: Final = "reservations"
CAPACITY_BUFFERS: Final = "capacity buffers"
ATTACH_LIMITS: Final = "attach limits"
LAUNCHED_NODES: Final = "launched nodes"
_CAUSES: Final = {
    LIMITS: "within a round each new node counts against its NodePool's limits as the largest instance type that it may become",
    TOPOLOGY: "a topology rule asks where other pods are, which is open until their node is launched",
    RESERVATIONS: "within a round a new node holds every reservation that it may use",
    CAPACITY_BUFFERS: "the pods of CapacityBuffers are placed again in each round",
    ATTACH_LIMITS: "Karpenter knows how many volumes a node attaches only once it runs",
    LAUNCHED_NODES: "nodes that were launched meanwhile have room for them",
}
_IN_SHORT: Final = {
    LIMITS: "because of limits of NodePools",
    TOPOLOGY: "because of topology rules",
    RESERVATIONS: "because of reservations",
    CAPACITY_BUFFERS: "because of CapacityBuffers",
    ATTACH_LIMITS: "because of the volumes that a node attaches",
    LAUNCHED_NODES: "for room on launched nodes",
}


@dataclass(frozen=True, slots=True)
class WaitedFor:
    """What pods of a pass had waited for, and how many of them."""

    cause: Annotated[str, More(enum=list(_CAUSES))]
    pods: Count


@dataclass(frozen=True, slots=True)
class FurtherPass:
    """A pass after the first: how many pods it placed and how many nodes it added, and what had kept its pods pending."""

    number: Annotated[Count, about("From 2 on.")]
    pods: Count
    nodes: Count
    waited_for: tuple[WaitedFor, ...]


def passes_text(further: Sequence[FurtherPass]) -> str:
    """Return one sentence for each run of passes that had the same causes."""
    runs: list[list[FurtherPass]] = []
    for later in further:
        if runs and _causes(runs[-1][0]) == _causes(later):
            runs[-1].append(later)
        else:
            runs.append([later])
    return "; ".join(map(_run_text, runs))


def passes_in_short(further: Sequence[FurtherPass]) -> str:
    """Return what pods of later passes had waited for, all passes together: `2 pods waited because of limits, ...`."""
    pods: dict[str, int] = {}
    for waited in (w for later in further for w in later.waited_for):
        pods[waited.cause] = pods.get(waited.cause, 0) + waited.pods
    parts = [f"{counted(count, 'pod')} waited {_IN_SHORT[cause]}" for cause, count in sorted(pods.items()) if count]
    return ", ".join(parts) or "the pods of capacity buffers were placed again"


def _causes(later: FurtherPass) -> tuple[str, ...]:
    return tuple(w.cause for w in later.waited_for)


def _run_text(run: Sequence[FurtherPass]) -> str:
    first, last = run[0].number, run[-1].number
    which = f"round {first}" if first == last else f"rounds {first} to {last}"
    pods, nodes = sum(later.pods for later in run), sum(later.nodes for later in run)
    where = counted(nodes, "more node") if nodes else "nodes that were there"
    why = " and ".join(_CAUSES[cause] for cause in _causes(run[0]))
    return f"{which} placed {counted(pods, 'pod')} on {where}: {why}"
