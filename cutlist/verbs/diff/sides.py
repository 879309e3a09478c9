"""One side of a comparison: manifests, a stored plan, a stack, or a cluster."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.stored_plan import read_plan
from cutlist.state.statenode import state_nodes
from cutlist.verbs.plan.answer import plan

Paths = tuple[str, ...]
Reader = Callable[[Paths, Paths, frozenset[str]], PlanInputs]
"""Reads manifests, together with those of a cluster without its NodePools of some names."""
StackPlanner = Callable[[str], tuple[Plan, PlanInputs] | None]
"""Returns the plan of a stack with its inputs; None for a name that is not a stack's."""


_PLAN_BEGINS: Final = re.compile(rb'\s*(\{\s*"version"|version:)')


@dataclass(frozen=True, slots=True)
class Scope:
    """Whether a side has what decides a plan: workloads, and NodePools."""

    workloads: bool = True
    node_pools: bool = True


class Scopes(NamedTuple):
    """What each of two sides has."""

    old: Scope
    new: Scope


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: its label, how its plan is made, and the plan's inputs, None for a plan in a file."""

    label: str
    make: Callable[[], Plan]
    inputs: PlanInputs | None = None

    @property
    def scope(self) -> Scope:
        """Return what can be compared; for a plan in a file, it is not known whether there were NodePools."""
        if self.inputs is not None:
            return Scope(self.inputs.has_workloads, bool(self.inputs.node_pools))
        stored = self.make()
        return Scope(bool(stored.nodes or stored.existing or stored.pending), node_pools=True)

    @property
    def has_pods(self) -> bool:
        """Tell whether there is a pod to plan for or that runs; nodes of NodePools with replicas need none."""
        if self.inputs is not None:
            return self.inputs.has_pods
        stored = self.make()
        return bool(stored.totals.pods or stored.existing or stored.pending)

    @property
    def is_cluster(self) -> bool:
        """Tell whether it holds nodes of Karpenter."""
        return self.inputs is not None and any(node.claim is not None for node in state_nodes(self.inputs.cluster))


def no_stacks(_name: str) -> None:
    """Return None: without a program runner, no name is a stack, and every side is a path."""


def read_side(
    path: str,
    common: Paths,
    cluster: Paths,
    read: Reader,
    removed: frozenset[str] = frozenset(),
    stacks: StackPlanner = no_stacks,
) -> Side:
    """Return the side of a path: a stored plan, else the manifests there together with those that both sides have.

    A text that is not a path may be the name of a stack of the project in the working directory; its program provides the
    inputs. `removed` are NodePools that the cluster is going to lose. Raises InputError when it cannot be read.
    """
    if _is_stored_plan(path):
        plan_of_file = read_plan(path)
        return Side(path, lambda: plan_of_file)
    stack = stacks(path)
    if stack is not None:
        planned, inputs = stack
        return Side(path, lambda: planned, replace(inputs, cluster=read((), cluster, removed).cluster) if cluster else inputs)
    return side_of(path, read((path, *common), cluster, removed))


def side_of(label: str, inputs: PlanInputs) -> Side:
    """Return a side that is planned only when its plan is needed."""
    return Side(label, lambda: plan(inputs), inputs)


def own_pools(side: Side, cluster: Paths) -> frozenset[str]:
    """Return the NodePools that a side has in files other than a cluster's: if these files lose one, the cluster loses it."""
    pools = side.inputs.node_pools if side.inputs is not None else ()
    return frozenset(pool.name for pool in pools if not pool.at("").source.startswith(cluster))


def _is_stored_plan(path: str) -> bool:
    """Tell whether a path is a file that begins like a plan."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return _PLAN_BEGINS.match(file.read(256)) is not None
