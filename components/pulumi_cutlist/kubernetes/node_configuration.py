"""NodeConfiguration: the NodePools and node classes of one environment, as resources of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NotRequired, TypedDict

import pulumi

import cutlist
from cutlist.api.durations import seconds
from cutlist.api.external_classes import check_references
from cutlist.api.read import Objects, read_objects
from cutlist.core.errors import Place, Problem, Problems
from cutlist.documents.document import Document
from cutlist.infrastructure.charts.settings import IDENTITY_HASH
from cutlist.infrastructure.inputs import HERE, Places
from pulumi_cutlist.inputs.edits import ObjectEdits
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.lists import ListOf
from pulumi_cutlist.inputs.shapes import shaped
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.kubernetes.charts_plan import AwsFeatureGatesArgs
from pulumi_cutlist.kubernetes.chosen_karpenter import NEWEST, ChosenKarpenter, chosen_karpenter
from pulumi_cutlist.kubernetes.manifests import LISTS, TYPED, Manifest, NodeClassManifest, as_data
from pulumi_cutlist.kubernetes.node_objects import (
    AKSNodeClass,
    AutoNodeClass,
    EC2NodeClass,
    NodeClassArgs,
    NodePool,
    NodePoolArgs,
)
from pulumi_cutlist.node_plans.matching import inputs_with
from pulumi_cutlist.node_plans.replaced_nodes import OwnObjects, log_replaced
from pulumi_cutlist.options import refuse_orphaning

WAIT_FOR: Final = "pulumi.com/waitFor"
TIMEOUT: Final = "pulumi.com/timeoutSeconds"
PROPAGATION: Final = "pulumi.com/deletionPropagationPolicy"
SKIP: Final = "pulumi.com/skipAwait"
_FOREGROUND: Final = "foreground"
_READY_MINUTES: Final = 10
_LEAST_DELETION: Final = 30
_AFTER_GRACE: Final = 10

_Class = cutlist.EC2NodeClass | cutlist.AutoNodeClass | cutlist.AKSNodeClass
_COMPONENTS: Final[Mapping[type[_Class], type[EC2NodeClass | AutoNodeClass | AKSNodeClass]]] = {
    cutlist.EC2NodeClass: EC2NodeClass,
    cutlist.AutoNodeClass: AutoNodeClass,
    cutlist.AKSNodeClass: AKSNodeClass,
}


class NodeConfigurationArgs(TypedDict):
    """Inputs of NodeConfiguration."""

    node_pools: ListOf[Manifest[cutlist.NodePool]]
    """The NodePools, as manifests. In Python also typed objects, cutlist.NodePool. Plain values."""
    node_classes: NotRequired[ListOf[NodeClassManifest]]
    """The node classes that the pools refer to, of any kind: EC2NodeClass, AKSNodeClass, or the NodeClass of EKS Auto Mode.
    Leave out those that a cloud creates itself."""
    identity_hash: NotRequired[pulumi.Input[str]]
    """Changes whenever the controller's role or its policies do. It is an annotation of each EC2NodeClass, so that Karpenter
    checks at once whether it may launch what the class asks for. It may be known only after an update."""
    ready_minutes: NotRequired[int]
    """How long an object may take to become ready. Defaults to 10: Karpenter tries three launches for each EC2NodeClass."""
    patch_force: NotRequired[bool]
    """Whether to take over fields that another manager owns. Defaults to false: such a conflict ends the update."""
    karpenter_version: NotRequired[str]
    """Karpenter that the objects are for, a minor such as 1.15 or a release. Defaults to what AKS runs for objects of
    AKS alone, else to the newest that is known in full."""
    aws_feature_gates: NotRequired[AwsFeatureGatesArgs]
    """The feature gates that Karpenter's AWS provider runs with: with nodeClassCel an EC2NodeClass may have expressions."""


@dataclass(frozen=True, slots=True)
class NodeConfigurationPlan:
    """NodePools and node classes that can be made."""

    args: NodeConfigurationArgs
    objects: Objects


def plan_configuration(args: NodeConfigurationArgs, at: Places = HERE) -> NodeConfigurationPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(plain_objects(args), NodeConfigurationArgs, problems, at)
    chosen = chosen_karpenter(args, problems, at)
    objects = read_configuration(args["node_pools"], args.get("node_classes", []), problems, chosen)
    problems.raise_if_any()
    return NodeConfigurationPlan(args, objects)


class NodeConfiguration(Component):
    """NodePools and node classes that become ready before the update continues, and are removed before the destroy continues.

    Raises InputError with everything that Karpenter would refuse in any of them, with pools whose class is missing, and with
    options that would leave machines behind. All of this happens before anything is registered.
    """

    node_pool_names: pulumi.Output[list[str]]
    """Names of the NodePools. What uses them waits for the objects, and is deleted before them."""
    node_class_names: pulumi.Output[list[str]]
    """Names of the node classes."""

    @planned(plan_configuration)
    def __init__(
        self,
        name: str,
        args: NodeConfigurationArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: NodeConfigurationPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs, apart from `identity_hash`."""
        refuse_orphaning(opts)
        if plan is None:
            plan = plan_configuration(args)
            args = plan.args
        objects = plan.objects
        shared = opts.parent.edits if opts is not None and isinstance(opts.parent, Component) else None
        self._edits = edits = ObjectEdits() if shared is None else shared
        super().__init__("cutlist:index:NodeConfiguration", name, {**args, **_names(objects)}, opts)
        applied = _AppliedObjects(self, name, args, opts)
        longest = max((deletion_minutes(pool) for pool in objects.node_pools), default=_LEAST_DELETION)
        classes = (*objects.node_classes, *objects.aks_node_classes)
        names = {(node_class.KIND, node_class.name): applied.node_class(node_class, longest) for node_class in classes}
        pools = [
            applied.node_pool(pool, names.get((pool.node_class_ref.kind, pool.node_class_ref.name)))
            for pool in objects.node_pools
        ]
        self.node_pool_names = pulumi.Output.all(*pools)
        self.node_class_names = pulumi.Output.all(*names.values())
        if shared is None:
            own = OwnObjects(objects.node_pools, classes)
            named = next(((of.KIND, of.name) for of in (*objects.node_pools, *classes)), ("", ""))
            log_replaced(edits, lambda: inputs_with(*named) or own, self)
        self.register_outputs(outputs_of(self))


@dataclass(frozen=True, slots=True)
class _AppliedObjects:
    """Registers the objects that a component of these inputs holds, under its name."""

    component: NodeConfiguration
    name: str
    args: NodeConfigurationArgs
    opts: pulumi.ResourceOptions | None

    def node_class(self, node_class: _Class, minutes: int) -> pulumi.Output[str]:
        """Register a node class whose deletion may take some minutes, and return its name for those who wait for it."""
        name, options = f"{self.name}-{node_class.KIND.lower()}-{node_class.name}", self._options(minutes)
        annotations = self._annotations
        if isinstance(node_class, cutlist.EC2NodeClass) and "identity_hash" in self.args:
            annotations[IDENTITY_HASH] = self.args["identity_hash"]
        args: NodeClassArgs = {
            "manifest": node_class,
            "annotations": annotations,
            "patch_force": self.args.get("patch_force", False),
        }
        return _COMPONENTS[type(node_class)](name, args, options).object_name

    def node_pool(self, pool: cutlist.NodePool, node_class_name: pulumi.Output[str] | None) -> pulumi.Output[str]:
        """Register a NodePool that waits for its class where that is made here, and return its name."""
        args: NodePoolArgs = {
            "manifest": pool,
            "annotations": self._annotations,
            "patch_force": self.args.get("patch_force", False),
        }
        if node_class_name is not None:
            args["node_class_name"] = node_class_name
        return NodePool(f"{self.name}-{pool.name}", args, self._options(deletion_minutes(pool))).object_name

    @property
    def _ready_minutes(self) -> int:
        return self.args.get("ready_minutes", _READY_MINUTES)

    @property
    def _annotations(self) -> dict[str, pulumi.Input[str]]:
        return {WAIT_FOR: "condition=Ready", TIMEOUT: str(self._ready_minutes * 60), PROPAGATION: _FOREGROUND}

    def _options(self, minutes: int) -> pulumi.ResourceOptions:
        ready, after = f"{self._ready_minutes}m", self.opts.depends_on if self.opts else None
        timeouts = pulumi.CustomTimeouts(create=ready, update=ready, delete=f"{minutes}m")
        return pulumi.ResourceOptions(parent=self.component, depends_on=after, custom_timeouts=timeouts)


def deletion_minutes(pool: cutlist.NodePool) -> int:
    """Return how many minutes the deletion of a pool may take: half an hour, or ten more than its nodes are given to end."""
    grace = seconds(pool.termination_grace_period) if pool.termination_grace_period else None
    return max(_LEAST_DELETION, -(-(grace or 0) // 60) + _AFTER_GRACE)


def plain_objects(args: Mapping[str, object]) -> dict[str, object]:
    """Return the inputs with manifests in place of typed objects."""
    lists = {key: objects for key in LISTS if isinstance(objects := args.get(key), list)}
    return {**args, **{key: [as_data(item, *TYPED) for item in objects] for key, objects in lists.items()}}


def read_configuration(
    node_pools: Iterable[Any],
    node_classes: Iterable[Any],
    problems: Problems,
    chosen: ChosenKarpenter = NEWEST,
) -> Objects:
    """Return the objects of manifests for nodePools and nodeClasses, as a Karpenter has them, with everything noted that is
    wrong in any of them."""
    documents = [*_documents(node_pools, "nodePools"), *_documents(node_classes, "nodeClasses")]
    objects = read_objects(documents, problems, *chosen)
    check_references(objects, problems, "nodeClasses")
    allowed = {"nodePools": "NodePool", "nodeClasses": "EC2NodeClass, NodeClass, AKSNodeClass"}
    for document in documents:
        listed = document.place.source.partition("[")[0]
        if document.kind not in allowed[listed].split(", "):
            problems.add(document.at("kind"), f"{document.kind or 'nothing'} is not one of the {listed}", allowed[listed])
        problems.extend(_of_annotations(document))
    return objects


def _documents(manifests: Iterable[Any], listed: str) -> Iterator[Document]:
    for index, manifest in enumerate(manifests):
        yield Document(Place(source=f"{listed}[{index}]"), manifest, {})


def _of_annotations(document: Document) -> Iterator[Problem]:
    """Yield the annotations because of which the object's deletion would not be waited for."""
    metadata = document.data.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, Mapping) else None
    for key, right in ((PROPAGATION, _FOREGROUND), (SKIP, "false")):
        value = annotations.get(key, right) if isinstance(annotations, Mapping) else right
        if str(value).lower() != right:
            text = f"{key} {value!r} would let a destroy finish while nodes still run"
            yield Problem(document.at(f"metadata.annotations.{key}"), text, right, right)


def _names(objects: Objects) -> dict[str, list[str]]:
    """Return what the component records of its objects, each of which is a resource with all its fields."""
    classes = (*objects.node_classes, *objects.aks_node_classes)
    return {
        "node_pools": [pool.name for pool in objects.node_pools],
        "node_classes": [c.name for c in classes],
    }
