"""The node plan of a cluster that a component makes: from what the cluster is, and the workloads that it is given."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NotRequired, TypeAlias, TypedDict

import pulumi

from cutlist.api.read import Objects
from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.setting import Edge
from cutlist.planning.absences import require_workloads
from cutlist.planning.inputs import PlanInputs
from cutlist.settings.planning import FurtherSettings, PlanSettings
from cutlist.settings.words import spelled
from cutlist.verbs.nodes.answer import nodes
from cutlist.verbs.nodes.glance import running_sentence
from pulumi_cutlist.inputs.edits import Manifest, ObjectEdits
from pulumi_cutlist.inputs.late import Component
from pulumi_cutlist.inputs.lists import ListOf
from pulumi_cutlist.inputs.shapes import declare_plainly
from pulumi_cutlist.kubernetes.manifests import WORKLOADS
from pulumi_cutlist.node_plans.matching import PlannedCluster, inputs_beside, note_cluster
from pulumi_cutlist.node_plans.replaced_nodes import OwnObjects, log_replaced
from pulumi_cutlist.node_plans.request import PlanRequest
from pulumi_cutlist.plan import NodePlan, NodePlanArgs

if TYPE_CHECKING:
    Workload: TypeAlias = str | Mapping[str, Any]
else:
    Workload = Any
    """A path or a manifest. For the schema of the package, which has no unions, it is anything."""

NODE_PLAN: Final = "nodePlan"


class ClusterPlanSettings(FurtherSettings):
    """Settings of the node plan of a cluster: those that the cluster does not know by itself. Plain values."""

    baseline: NotRequired[str]
    """File with the last plan as `cutlist plan -o json` writes it, with which gates compare the price. Defaults to none."""


declare_plainly(ClusterPlanSettings, FurtherSettings)


class WorkloadsArgs(TypedDict):
    """Inputs of every component that makes a whole cluster: what runs on its nodes."""

    workloads: NotRequired[ListOf[Workload]]
    """What runs on the nodes: paths of files, folders, kustomizations or a snapshot, and manifests. Previews and updates then
    show the nodes that it gets, what they cost and which pods stay pending, and gates judge that. Plain values. Defaults to
    none."""
    node_plan: NotRequired[ClusterPlanSettings]
    """Further settings of that plan, such as kustomize or replicas. What the cluster has as an input of its own, such as its
    region and NodePools, counts for the plan too."""


@dataclass(frozen=True, slots=True)
class ClusterOfPlan:
    """What a cluster knows of its nodes: region, zones with subnets (empty for all), Karpenter (None for the newest known) and
    whether the cloud runs it, NodePools that the cloud makes, its own NodePools and node classes, and `figures`, parts of a
    document of kind Figures. `identity` says in words which cluster of its cloud it is."""

    region: str
    zones: Sequence[str] = ()
    karpenter: Baseline | None = None
    is_managed: bool = False
    built_in_pools: Sequence[str] = ()
    node_pools: Sequence[Mapping[str, Any]] = ()
    node_classes: Sequence[Mapping[str, Any]] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    identity: str = ""

    @property
    def objects(self) -> tuple[Mapping[str, Any], ...]:
        """Return its own NodePools, then its node classes."""
        return (*self.node_pools, *self.node_classes)

    @property
    def settings(self) -> PlanSettings:
        """Return the settings of a plan that the cluster decides."""
        known: PlanSettings = {
            "region": self.region,
            "zones": tuple(self.zones),
            "built_in_pools": tuple(self.built_in_pools),
        }
        return {**known, "karpenter": self.karpenter.choice} if self.karpenter else known


@dataclass(frozen=True, slots=True)
class ClusterNodePlan:
    """The node plan of a cluster as it can be shown: what was read, and how another process reads it. Both are None without
    workloads. `before` are its NodePools and node classes as a snapshot among the workloads has them."""

    cluster: ClusterOfPlan
    inputs: PlanInputs | None = None
    request: PlanRequest | None = None
    before: tuple[Manifest, ...] = ()

    def show(self, name: str, parent: Component) -> pulumi.Output[dict[str, Any]]:
        """Register the plan as a child of a cluster's component, by whose `name` messages call the cluster, and return its
        totals. Without workloads the cluster is noted, so that a NodePlan beside it is compared with it."""
        of = self.cluster
        totals = pulumi.Output.from_input(dict[str, Any]())
        if self.inputs is not None and self.request is not None:
            args: NodePlanArgs = {"region": of.region, "baseline": self.request.baseline}
            options = pulumi.ResourceOptions(parent=parent)
            made = NodePlan(f"{name}-plan", args, options, inputs=self.inputs, request=self.request, of_cluster=True)
            if self.inputs.cluster.nodes:
                pulumi.log.info(f"{running_sentence(nodes(self.inputs))}; the plan has those that come on top", resource=made)
            totals = made.totals
        note_cluster(
            PlannedCluster(
                kind=type(parent).__name__,
                name=name,
                region=of.region,
                karpenter=None if of.is_managed else of.karpenter,
                figures=of.figures,
                node_pools=frozenset(map(_name, of.node_pools)),
                built_in_pools=frozenset(of.built_in_pools),
                shows_nodes=self.inputs is not None,
                identity="" if parent.is_late(of.identity) else of.identity,
            ),
            parent,
        )
        return totals

    def show_replaced(self, edits: ObjectEdits, objects: Objects, component: pulumi.Resource) -> None:
        """Show which nodes an update replaces that changes the cluster's objects or its version: of those that the plan knows,
        also of a NodePlan beside the cluster."""
        own = OwnObjects(objects.node_pools, (*objects.node_classes, *objects.aks_node_classes))
        name = component.pulumi_resource_name
        label = f"{type(component).__name__} {name}"
        log_replaced(edits, lambda: self.inputs or inputs_beside(label) or own, component, self.before)


def read_node_plan(
    cluster: ClusterOfPlan, workloads: Sequence[Workload] | None, settings: ClusterPlanSettings | None
) -> ClusterNodePlan:
    """Return the node plan of a cluster with some workloads. Raises InputError with every mistake in these or the settings, or
    in a NodePool that fits none of the region's machines."""
    if workloads is None:
        if settings:
            raise InputError.one(Place(path=NODE_PLAN), "settings of a node plan without workloads", WORKLOADS)
        return ClusterNodePlan(cluster)
    manifests = [(index, item) for index, item in enumerate(workloads) if not isinstance(item, str)]
    problems = Problems()
    problems.extend(_not_plain(manifests))
    problems.raise_if_any()
    chosen = {key: value for key, value in (settings or {}).items() if key != "baseline"}
    request = PlanRequest(
        tuple(item for item in workloads if isinstance(item, str)),
        tuple(item for _, item in manifests),
        {**chosen, **cluster.settings},
        cluster.figures,
        (settings or {}).get("baseline", ""),
        objects=cluster.objects,
    )
    try:
        inputs = request.read()
        require_workloads(inputs, allow_empty=(settings or {}).get("allow_empty", not workloads))
    except InputError as error:
        places = [index for index, _ in manifests]
        raise InputError([_placed(problem, places) for problem in spelled(error.problems, Edge.COMPONENT)]) from error
    before = tuple(document.data for document in inputs.replaced) if inputs.cluster.origins else ()
    return ClusterNodePlan(cluster, inputs, request, before)


def _not_plain(manifests: Sequence[tuple[int, object]]) -> Iterator[Problem]:
    """Yield what is neither a path nor data: Outputs are not known when the plan is made."""
    for index, item in manifests:
        for path, value in _leaves(item, f"{WORKLOADS}[{index}]"):
            if isinstance(value, pulumi.Output | pulumi.Resource):
                what = "known only during an update" if isinstance(value, pulumi.Output) else "a resource"
                yield Problem(Place(path=path), f"{what}, and the plan is made before", "a plain value, which is known before")


def _leaves(value: object, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{index}]")
    else:
        yield path, value


def _placed(problem: Problem, places: Sequence[int]) -> Problem:
    """Return a mistake where the call has it: in an entry of the workloads, or in a setting of the plan."""
    place = problem.place
    if place.source.startswith("manifests["):
        number, _, rest = place.source.removeprefix("manifests[").partition("]")
        return replace(
            problem, place=replace(place, source="", path=_joined(f"{WORKLOADS}[{places[int(number)]}]{rest}", place))
        )
    if not place.source and place.path:
        return replace(problem, place=replace(place, path=f"{NODE_PLAN}.{place.path}"))
    return problem


def _joined(start: str, place: Place) -> str:
    return f"{start}.{place.path}" if place.path else start


def _name(manifest: Mapping[str, Any]) -> str:
    metadata = manifest.get("metadata")
    return str(metadata.get("name", "")) if isinstance(metadata, Mapping) else ""
