"""An environment: the NodePools and node classes of one stack, and the plan of the nodes that they will give its workloads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutlist.errors import InputError, Problems
from cutlist.inputs import read
from pulumi_cutlist.kubernetes import EC2NodeClass, NodePool
from pulumi_cutlist.plan import NodePlan
from pulumi_cutlist.settings import EnvironmentSettings, read_settings


@dataclass(frozen=True, slots=True)
class Environment:
    """The components of a stack, Karpenter's objects by name."""

    node_plan: NodePlan
    node_classes: Mapping[str, EC2NodeClass]
    node_pools: Mapping[str, NodePool]

    @property
    def plan(self) -> dict[str, Any]:
        """The plan as a stack exports it: nodes and price by NodePool, pending pods, totals; plain data in a stable order."""
        return self.node_plan.digest


def build_environment() -> Environment:
    """Everything that the running stack asks for. Raises InputError with all mistakes before any resource is registered."""
    settings = _checked_settings()
    node_plan = NodePlan(
        "nodes",
        {"region": settings.region, "zones": list(settings.zones), "sources": [*settings.node_pools, *settings.workloads]},
    )
    planned = node_plan.inputs
    node_classes = {c.name: EC2NodeClass(c.name, {"manifest": c.manifest()}) for c in planned.node_classes}
    node_pools = {
        p.name: NodePool(p.name, {"manifest": p.manifest(), "node_class_name": node_classes[p.node_class_ref.name].object_name})
        for p in planned.node_pools
    }
    return Environment(node_plan, node_classes, node_pools)


def _checked_settings() -> EnvironmentSettings:
    """The stack's settings; when they are mistaken, what is wrong in the files they name is told with them."""
    problems = Problems()
    settings = read_settings(problems)
    if problems:
        sources = [*settings.node_pools, *settings.workloads]
        told = {"", *(source for source in sources if not Path(source).exists())}  # no region, no such file: said already
        try:
            read(sources, region=settings.region or None, zones=settings.zones)
        except InputError as error:
            problems.extend(p for p in error.problems if p.place.source not in told)
    problems.raise_if_any()
    return settings
