"""An environment: a stack's cluster, its NodePools and node classes, and the plan of the nodes that its workloads will get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cutlist
from cutlist.api import read
from cutlist.api.autonodeclass_rules import MANAGED_BY_EKS
from cutlist.core.errors import InputError, Problems
from cutlist.core.labels import MANAGED_BY
from cutlist.core.setting import Edge
from cutlist.planning.absences import require_workloads
from cutlist.planning.inputs import PlanInputs
from cutlist.settings.words import spelled
from pulumi_cutlist.inputs.program_words import written_in_camel_case
from pulumi_cutlist.kubernetes import AKSNodeClass, AutoNodeClass, EC2NodeClass, NodePool
from pulumi_cutlist.node_plans.request import PlanRequest
from pulumi_cutlist.plan import NodePlan, NodePlanArgs
from pulumi_cutlist.stack.settings import EnvironmentSettings, in_stack_file, read_settings

if TYPE_CHECKING:
    from pulumi_cutlist.stack.clusters import StackCluster
NodeClass = AKSNodeClass | AutoNodeClass | EC2NodeClass


@dataclass(frozen=True, slots=True)
class Environment:
    """The components of a stack: its cluster, which holds its objects; or, for a cluster that exists already, node classes by
    kind and name, as a nodeClassRef has them, and NodePools by name.

    What EKS makes by itself in Auto Mode, its NodePools and their class, is part of the plan but not a component.
    """

    node_plan: NodePlan
    cluster: StackCluster | None = None
    node_classes: Mapping[tuple[str, str], NodeClass] = field(default_factory=dict)
    node_pools: Mapping[str, NodePool] = field(default_factory=dict)

    @property
    def plan(self) -> dict[str, Any]:
        """Return the plan as a stack exports it: nodes and price by NodePool, pending pods, totals; plain data in a stable
        order."""
        return self.node_plan.digest

    @property
    def outputs(self) -> dict[str, Any]:
        """Return what the stack exports: the plan, and how the cluster is reached if it is the stack's own."""
        if self.cluster is None:
            return {"plan": self.plan}
        kubeconfig = getattr(self.cluster, "kubeconfig", None)  # that of AKS may hold a secret, and is not shown
        reached = {} if kubeconfig is None else {"kubeconfig": kubeconfig}
        return {"plan": self.plan, "clusterName": self.cluster.cluster_name, **reached}


def build_environment() -> Environment:
    """Return everything that the running stack asks for. Raises InputError with all mistakes before any resource is
    registered."""
    with written_in_camel_case():
        return _built()


def _built() -> Environment:
    settings, planned = _checked_settings()
    args: NodePlanArgs = {"region": settings.region, "baseline": settings.baseline}
    node_plan = NodePlan("nodes", args, inputs=planned, request=_request(settings))
    if settings.cluster is not None:
        return Environment(node_plan, settings.cluster.make(_own_pools(planned), _own_classes(planned)))
    node_classes = {
        (read.kind_of(node_class), node_class.name): _node_class(node_class) for node_class in _own_classes(planned)
    }
    node_pools = {pool.name: _node_pool(pool, node_classes) for pool in _own_pools(planned)}
    return Environment(node_plan, None, node_classes, node_pools)


def _own_pools(planned: PlanInputs) -> list[cutlist.NodePool]:
    return [pool for pool in planned.node_pools if pool.pool_labels.get(MANAGED_BY) != MANAGED_BY_EKS]


def _own_classes(planned: PlanInputs) -> list[read.NodeClass]:
    return [c for c in planned.node_classes if not (isinstance(c, cutlist.AutoNodeClass) and c.is_managed)]


def _node_class(node_class: read.NodeClass) -> NodeClass:
    if isinstance(node_class, cutlist.EC2NodeClass):
        return EC2NodeClass(node_class.name, {"manifest": node_class})
    if isinstance(node_class, cutlist.AKSNodeClass):
        return AKSNodeClass(node_class.name, {"manifest": node_class})
    return AutoNodeClass(node_class.name, {"manifest": node_class})


def _node_pool(pool: cutlist.NodePool, node_classes: Mapping[tuple[str, str], NodeClass]) -> NodePool:
    """Return a NodePool that waits for its class, where the class is the stack's."""
    node_class = node_classes.get((pool.node_class_ref.kind, pool.node_class_ref.name))
    if node_class is None:
        return NodePool(pool.name, {"manifest": pool})
    return NodePool(pool.name, {"manifest": pool, "node_class_name": node_class.object_name})


def _checked_settings() -> tuple[EnvironmentSettings, PlanInputs]:
    """Return the stack's settings and what its files hold; the mistakes in both, and in its cluster, are reported together."""
    problems = Problems()
    settings = read_settings(problems)
    planned = _read(settings, problems)
    if settings.cluster is not None:
        pools, classes = (_own_pools(planned), _own_classes(planned)) if planned is not None else ([], [])
        problems.extend(settings.cluster.problems(pools, classes))
    if planned is None or problems:
        raise InputError(spelled(problems.ordered(), Edge.STACK))
    return settings, planned


def _read(settings: EnvironmentSettings, problems: Problems) -> PlanInputs | None:
    """Return what the stack's files hold, or None, with problems added, if any of it is faulty."""
    request = _request(settings)
    try:
        planned = request.read()
        require_workloads(planned, allow_empty=not settings.workloads)
        return planned
    except InputError as error:
        missing = {source for source in request.sources if not Path(source).exists()}
        reported = {"", *missing} if problems else set()  # reported already
        problems.extend(in_stack_file(problem) for problem in error.problems if problem.place.source not in reported)
        return None


def _request(settings: EnvironmentSettings) -> PlanRequest:
    """Return what the stack's plan is made from."""
    sources = (*settings.node_pools, *settings.workloads)
    return PlanRequest(sources, settings=settings.plan, figures=settings.figures, baseline=settings.baseline)
