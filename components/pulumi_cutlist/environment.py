"""An environment: the NodePools and node classes of one stack, and the plan of the nodes that they will give its workloads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutlist import api
from cutlist.api.autonodeclass_rules import MANAGED_BY_EKS
from cutlist.errors import InputError, Problems
from cutlist.inputs import read
from cutlist.labels import MANAGED_BY
from cutlist.plan import PlanInputs
from pulumi_cutlist.kubernetes import AutoNodeClass, EC2NodeClass, NodePool
from pulumi_cutlist.plan import NodePlan
from pulumi_cutlist.settings import EnvironmentSettings, read_settings


@dataclass(frozen=True, slots=True)
class Environment:
    """The components of a stack: node classes by kind and name, as a nodeClassRef has them, and NodePools by name.

    What EKS makes by itself in Auto Mode, its NodePools and their class, is planned with and is no component.
    """

    node_plan: NodePlan
    node_classes: Mapping[tuple[str, str], AutoNodeClass | EC2NodeClass]
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
        {
            "region": settings.region,
            "zones": list(settings.zones),
            "sources": [*settings.node_pools, *settings.workloads],
            "built_in_pools": list(settings.built_in_pools),
            "overhead_profile": settings.overhead_profile,
        },
    )
    node_classes = _node_classes(node_plan.inputs)
    node_pools = {
        pool.name: _node_pool(pool, node_classes)
        for pool in node_plan.inputs.node_pools
        if pool.pool_labels.get(MANAGED_BY) != MANAGED_BY_EKS
    }
    return Environment(node_plan, node_classes, node_pools)


def _node_classes(planned: PlanInputs) -> dict[tuple[str, str], AutoNodeClass | EC2NodeClass]:
    made: dict[tuple[str, str], AutoNodeClass | EC2NodeClass] = {}
    for node_class in planned.node_classes:
        key = (api.kind_of(node_class), node_class.name)
        if isinstance(node_class, api.EC2NodeClass):
            made[key] = EC2NodeClass(node_class.name, {"manifest": node_class})
        elif not node_class.is_managed:
            made[key] = AutoNodeClass(node_class.name, {"manifest": node_class})
    return made


def _node_pool(pool: api.NodePool, node_classes: Mapping[tuple[str, str], AutoNodeClass | EC2NodeClass]) -> NodePool:
    """A NodePool that waits for its class, where the class is the stack's."""
    node_class = node_classes.get((pool.node_class_ref.kind, pool.node_class_ref.name))
    if node_class is None:
        return NodePool(pool.name, {"manifest": pool})
    return NodePool(pool.name, {"manifest": pool, "node_class_name": node_class.object_name})


def _checked_settings() -> EnvironmentSettings:
    """The stack's settings; when they are mistaken, what is wrong in the files they name is told with them."""
    problems = Problems()
    settings = read_settings(problems)
    if problems:
        sources = [*settings.node_pools, *settings.workloads]
        told = {"", *(source for source in sources if not Path(source).exists())}  # no region, no such file: said already
        try:
            read(
                sources,
                region=settings.region or None,
                zones=settings.zones,
                built_in_pools=settings.built_in_pools,
                overhead_profile=settings.overhead_profile,
            )
        except InputError as error:
            problems.extend(p for p in error.problems if p.place.source not in told)
    problems.raise_if_any()
    return settings
