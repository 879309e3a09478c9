"""The node plan of the NodePools and workloads that a program registers as plain objects, where it has no NodePlan.

What the objects do not say is found beside them: the region in the program's settings or its other resources, the Karpenter and
its gates in the components that install it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from cutlist.api.built_in import AUTO_POOLS
from cutlist.core.errors import InputError, Place, Problem
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.notes import Note, notes_in_order
from cutlist.core.setting import Edge
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.pulumi_stacks import REGION_KEYS
from cutlist.planning.model import Plan
from cutlist.policy.rules import Resource
from cutlist.policy.rules.expansion.expansion import expanded
from cutlist.policy.rules.tokens import NODE_CLASSES, NODE_PLAN, NODE_POOL
from cutlist.settings.planning import REGION, PlanSettings
from cutlist.settings.words import spelled
from pulumi_cutlist.node_plans.made import MadePlan
from pulumi_cutlist.node_plans.request import PlanAnswer, PlanRequest
from pulumi_cutlist.plan import planned_answer
from pulumi_cutlist.stack.cluster_figures import of_aks, of_auto_mode, of_karpenter, of_node_groups, of_volumes
from pulumi_cutlist.stack.karpenter import installed_karpenter, karpenter_of

NAME: Final = "registered objects"
"""What messages call the plan."""
_REGISTERED: Final = "registered-objects"
_TEXT: Final = (
    "the program has no NodePlan and no cluster with `workloads`: "
    "this is planned from the NodePools and workloads that it registers"
)
_KARPENTER_CLUSTER: Final = "cutlist:index:KarpenterCluster"
_AUTO_MODE: Final = "cutlist:index:AutoModeCluster"
_AKS: Final = "cutlist:index:AksNodeProvisioning"
_CHARTS: Final = "cutlist:index:KarpenterCharts"
_PODS: Final = frozenset(
    {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Pod", "Rollout", "ReplicationController"}
)
_NAMESPACE: Final = "kubernetes:core/v1:Namespace::"
_LATER: Final = "known-after-the-update"
_MANIFESTS: Final = "manifests["


@dataclass(frozen=True, slots=True)
class RegisteredPlan:
    """The plan of the registered objects with what a NodePlan of it would register, or what keeps it from being made."""

    made: MadePlan | None = None
    answer: PlanAnswer | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def resource(self) -> Resource | None:
        """Return the plan as rules read a NodePlan; None without one."""
        if self.answer is None:
            return None
        return Resource(NODE_PLAN, NAME, self.answer.registered, place=lambda path: Place(f"NodePlan/{NAME}", path=path))


def registered_plan(resources: Iterable[Resource], config: Mapping[str, str], project: str) -> RegisteredPlan | None:
    """Return the plan of the objects among a program's resources; None if the program has a plan already, or registers no
    workload or no NodePool for it.

    `config` has the program's settings by qualified key, and `project` is its name.
    """
    every = [inner for outer in resources for inner in expanded(outer)]
    if any(resource.type == NODE_PLAN for resource in every):
        return None
    objects = [resource for resource in every if resource.is_kubernetes and _is_whole(resource)]
    around = _Around.of(every, config, project)
    has_pools = any(resource.type == NODE_POOL for resource in objects) or around.built_in_pools
    if not has_pools or not any(resource.type.rpartition(":")[2] in _PODS for resource in objects):
        return None
    request = around.request(objects)
    try:
        inputs = request.read()
    except InputError as error:
        return RegisteredPlan(problems=tuple(_placed(problem, objects) for problem in spelled(error.problems, Edge.COMPONENT)))
    planned, answer = planned_answer(inputs, "")
    return RegisteredPlan(MadePlan(NAME, request, inputs, _with_note(planned)), answer)


def _with_note(planned: Plan) -> Plan:
    return replace(planned, assumptions=notes_in_order([*planned.assumptions, Note(_REGISTERED, _TEXT)]))


@dataclass(frozen=True, slots=True)
class _Around:
    """What the program's other resources and settings say of the nodes of its objects."""

    region: str
    karpenter: Baseline
    built_in_pools: Sequence[str]
    figures: Mapping[str, Any]

    @staticmethod
    def of(resources: Sequence[Resource], config: Mapping[str, str], project: str) -> _Around:
        """Return what resources and settings say."""
        by_type = {resource.type: resource.data for resource in reversed(resources)}
        own = {key.removeprefix(f"{project}:"): value for key, value in config.items()}
        whole, charts = by_type.get(_KARPENTER_CLUSTER), by_type.get(_CHARTS)
        cluster: Mapping[str, Any] = whole or ({"charts": charts, **charts} if charts else {})
        version = cluster.get("karpenter_version", cluster.get("karpenterVersion"))
        karpenter, _ = karpenter_of(own)
        figures = of_karpenter(cluster)
        if whole is not None:
            figures |= {**of_node_groups(whole), **of_volumes(whole)}
        built_in: Sequence[str] = ()
        if (auto := by_type.get(_AUTO_MODE)) is not None:
            figures |= of_auto_mode(auto)
            written = auto.get("built_in_pools", auto.get("builtInPools", AUTO_POOLS))
            built_in = [name for name in written if name in AUTO_POOLS] if isinstance(written, list | tuple) else AUTO_POOLS
        if (aks := by_type.get(_AKS)) is not None:
            figures |= of_aks(aks)
        chosen = installed_karpenter(version) if version is not None else karpenter
        return _Around(_region(resources, config), chosen, built_in, figures)

    def request(self, objects: Sequence[Resource]) -> PlanRequest:
        """Return what the plan of objects is made from."""
        settings: PlanSettings = {
            "region": self.region or None,
            "karpenter": str(self.karpenter),
            "built_in_pools": tuple(self.built_in_pools),
            "external_classes": _elsewhere(objects),
        }
        manifests = tuple(_manifest(resource) for resource in objects)
        return PlanRequest(manifests=manifests, settings=cast("Mapping[str, Any]", settings), figures=self.figures)


def _region(resources: Sequence[Resource], config: Mapping[str, str]) -> str:
    """Return the region of the settings, else the one that components, providers and resources of the program agree on."""
    written = next((config[key] for key in REGION_KEYS if config.get(key)), "")
    named = {text for resource in resources if isinstance(text := _named_region(resource), str) and text}
    return written or (named.pop() if len(named) == 1 else "")


def _named_region(resource: Resource) -> Any:
    if resource.is_kubernetes:
        return None
    cluster = resource.data.get("cluster")
    data = cluster if resource.type == _AKS and isinstance(cluster, Mapping) else resource.data
    return data.get("location") if "azure" in resource.type or resource.type == _AKS else data.get("region")


def _is_whole(resource: Resource) -> bool:
    """Tell whether a resource is an object, not a chart or a group that only holds some."""
    return isinstance(resource.data.get("spec"), Mapping) and not resource.type.startswith("kubernetes:helm.sh")


def _manifest(resource: Resource) -> dict[str, Any]:
    """Return an object as a manifest. What is known only after an update has a text in its place, which a plan reports where it
    depends on it."""
    _, version, kind = resource.type.split(":", 2)
    metadata = resource.data.get("metadata")
    written = metadata if isinstance(metadata, Mapping) else {}
    named = {"name": resource.name, **{key: value for key, value in written.items() if value is not UNKNOWN}}
    if written.get("namespace") is UNKNOWN:
        named["namespace"] = _namespace(resource)
    api_version = version.removeprefix("core/")
    return {"apiVersion": api_version, "kind": kind, **_known({**resource.data, "metadata": named})}


def _namespace(resource: Resource) -> str:
    """Return a name for the namespace of an object that Pulumi names during the update: that of its resource in the program,
    else that of the object's own resource, which no other object has."""
    urns = (urn for urn in resource.references.get("metadata", ()) if urn.partition("::")[2].find(_NAMESPACE) >= 0)
    return next((urn.rpartition("::")[2] for urn in urns), resource.urn.rpartition("::")[2] or _LATER)


def _known(value: Any) -> Any:
    if value is UNKNOWN:
        return _LATER
    if isinstance(value, Mapping):
        return {str(key): _known(inner) for key, inner in value.items()}
    return [_known(inner) for inner in value] if isinstance(value, list | tuple) else value


def _elsewhere(objects: Sequence[Resource]) -> tuple[str, ...]:
    """Return the names of EC2NodeClasses that NodePools refer to and that are made elsewhere."""
    made = {resource.name for resource in objects if resource.type in NODE_CLASSES}
    references = (ref for resource in objects if resource.type == NODE_POOL for ref in _references(resource))
    return tuple(sorted({str(ref["name"]) for ref in references if ref.get("kind") == "EC2NodeClass"} - made))


def _references(pool: Resource) -> Iterator[Mapping[str, Any]]:
    value: Any = _known(pool.data)
    for key in ("spec", "template", "spec", "nodeClassRef"):
        value = value.get(key) if isinstance(value, Mapping) else None
    if isinstance(value, Mapping) and "name" in value:
        yield value


def _placed(problem: Problem, objects: Sequence[Resource]) -> Problem:
    """Return a mistake where the program's object has it; of a missing region, with the settings that may name it."""
    source = problem.place.source
    if not source and problem.place.path == REGION.spelled(Edge.COMPONENT) and not problem.allowed:
        return replace(problem, allowed=f"{' or '.join(REGION_KEYS)} of the stack")
    if not source.startswith(_MANIFESTS):
        return problem
    number = source.removeprefix(_MANIFESTS).partition("]")[0]
    return replace(problem, place=Place(objects[int(number)].label, path=problem.place.path))
