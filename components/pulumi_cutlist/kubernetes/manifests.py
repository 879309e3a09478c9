"""Manifests as resources, applied by the API server itself (server-side apply)."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NotRequired, TypeAlias, TypedDict, TypeVar, cast

import pulumi
import pulumi_kubernetes as k8s

import cutlist
from cutlist.api.read import NODE_OBJECTS
from cutlist.core.errors import InputError, Place, Problems
from cutlist.verbs.diff.replaced import NodeObjects
from pulumi_cutlist.inputs.edits import ObjectEdits
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.late import Component
from pulumi_cutlist.inputs.lists import MapOf
from pulumi_cutlist.inputs.shapes import shaped
from pulumi_cutlist.kubernetes.chosen_karpenter import chosen_karpenter
from pulumi_cutlist.node_plans.matching import inputs_with
from pulumi_cutlist.node_plans.replaced_nodes import OwnObjects, log_replaced
from pulumi_cutlist.options import child_options

FIELD_MANAGER: Final = "pulumi.com/patchFieldManager"
FORCE: Final = "pulumi.com/patchForce"
MANAGER: Final = "cutlist"
TYPED: Final = NODE_OBJECTS
_TYPES: Final[Mapping[str, Any]] = {kind.KIND: kind for kind in TYPED}
LISTS: Final = ("node_pools", "node_classes")
"""Inputs that are lists of manifests."""
WORKLOADS: Final = "workloads"
"""The input that lists paths and manifests of workloads."""

_OF_THE_SERVER: Final = frozenset(
    {"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "managedFields"}
    | {"resourceVersion", "selfLink", "uid"}
)

Annotations: TypeAlias = Mapping[str, pulumi.Input[str]]

T = TypeVar("T", cutlist.NodePool, cutlist.EC2NodeClass, cutlist.AutoNodeClass, cutlist.AKSNodeClass)

if TYPE_CHECKING:
    Manifest: TypeAlias = T | Mapping[str, Any]
    NodeClassManifest: TypeAlias = cutlist.EC2NodeClass | cutlist.AutoNodeClass | cutlist.AKSNodeClass | Mapping[str, Any]
else:
    NodeClassManifest = dict[str, Any]

    class Manifest:
        """A typed object or its manifest. For the schema of the package, which has no unions, it is a map."""

        def __class_getitem__(cls, _: object) -> object:
            return dict[str, Any]


def as_data(args: Any, *kinds: type[Any]) -> Any:
    """Return the manifest of a typed object of some kinds; everything else as it is."""
    return args.manifest() if isinstance(args, kinds) else args


def with_objects_by_name(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs as a component records them: NodePools and node classes by name, each of which is a resource of its own
    that has all its fields, so that a diff shows a change of them once; and workloads by kind and name, whose plan has its own
    diff."""
    named = {**dict.fromkeys(LISTS, _name), WORKLOADS: _kind_and_name}
    return {key: [named[key](item) for item in value] if key in named and value else value for key, value in inputs.items()}


def _name(manifest: Any) -> Any:
    return as_data(manifest, *TYPED)["metadata"]["name"]


def _kind_and_name(workload: Any) -> str:
    """Return what a workload is recorded as: the path of a file, or kind and name of a manifest."""
    if isinstance(workload, str):
        return workload
    metadata = workload.get("metadata") or {}
    return "/".join(str(part) for part in (workload.get("kind"), metadata.get("namespace"), metadata.get("name")) if part)


class Applied(TypedDict):
    """A view of the inputs, beside the manifest, of every component of one object."""

    patch_force: NotRequired[bool]
    annotations: NotRequired[MapOf[str, pulumi.Input[str]]]


A = TypeVar("A", bound=Applied)


@dataclass(frozen=True, slots=True)
class ObjectPlan:
    """An object that can be applied: its manifest, annotations added to the manifest's, of which its own go first, whether
    fields are taken over that another manager owns, and of a NodePool the name of its class in the cluster, where that is
    known only once the class is made. None leaves the manifest's."""

    manifest: dict[str, Any]
    annotations: Annotations
    patch_force: bool
    node_class_name: pulumi.Output[str] | None = None

    @property
    def recorded(self) -> dict[str, Any]:
        """Return what the component of the object records: its name. The object has all its fields."""
        return {"object": self.manifest["metadata"]["name"]}

    def of_class(self, node_class_name: pulumi.Input[str] | None) -> "ObjectPlan":
        """Return the plan of a NodePool with another name in its nodeClassRef; None leaves it as it is."""
        if node_class_name is None:
            return self
        if isinstance(node_class_name, str):
            return replace(self, manifest=_with_class(self.manifest, node_class_name))
        return replace(self, node_class_name=pulumi.Output.from_input(node_class_name))

    def make(self, name: str, parent: pulumi.Resource, opts: pulumi.ResourceOptions | None = None) -> pulumi.Output[str]:
        """Register the object as a child of a component, and return its name for those who wait for it, which a preview knows.
        A manifest's status is the cluster's and stays out.

        Of the component's options the child has `depends_on` and `custom_timeouts`, which an engine does not hand on: so the
        object itself is made after the chart that brings its CRD, is deleted before it, and is waited for.
        """
        timeouts = pulumi.ResourceOptions(custom_timeouts=opts.custom_timeouts if opts else None)
        kind = self.manifest["kind"]
        shared = parent.edits if isinstance(parent, Component) else None
        edits = ObjectEdits() if shared is None else shared
        options = pulumi.ResourceOptions.merge(child_options(parent, opts), edits.of_object(f"{name}-{kind}"))
        applied = self.manifest if self.node_class_name is None else _with_class(self.manifest, self.node_class_name)
        resource = k8s.apiextensions.CustomResource(
            name,
            api_version=self.manifest["apiVersion"],
            kind=kind,
            metadata=_applied_metadata(self.manifest["metadata"], self.annotations, patch_force=self.patch_force),
            spec=applied["spec"],
            opts=pulumi.ResourceOptions.merge(options, timeouts),
        )
        edits.registered.append(resource.urn)
        if shared is None:
            log_replaced(edits, self._alone, parent)
        return after(str(self.manifest["metadata"]["name"]), resource)

    def _alone(self) -> NodeObjects:
        """Return the object with those of a NodePlan that has it, else without others that refer to it."""
        made = _TYPES[self.manifest["kind"]].from_manifest(self.manifest)
        planned = inputs_with(made.KIND, made.name)
        if planned is not None:
            return planned
        return OwnObjects((made,)) if isinstance(made, cutlist.NodePool) else OwnObjects((), (made,))


def _with_class(node_pool: dict[str, Any], name: pulumi.Input[str]) -> dict[str, Any]:
    """Return the manifest of a NodePool with another name of its class."""
    manifest = copy.deepcopy(node_pool)
    manifest["spec"]["template"]["spec"]["nodeClassRef"]["name"] = name
    return manifest


def plan_object(kind: type[T], args: Mapping[str, object], declared: type[A]) -> ObjectPlan:
    """Return what the inputs of a component with one object ask for, after every check that can refuse the object.

    A typed object is not checked again: it was checked for its Karpenter. Raises InputError with everything
    that is wrong with the inputs, or else with the manifest.
    """
    problems = Problems()
    plain = {**args, "manifest": as_data(args["manifest"], *TYPED)} if "manifest" in args else args
    inputs = shaped(plain, declared, problems)
    problems.raise_if_any()
    applied: Applied = inputs
    written = cast("Any", inputs)["manifest"]
    if written.get("kind", kind.KIND) != kind.KIND:
        raise InputError.one(Place(path="manifest.kind"), f"the object is of kind {written['kind']!r}", kind.KIND)
    chosen = chosen_karpenter(cast("Any", inputs), problems)
    problems.raise_if_any()
    typed = args["manifest"]
    manifest = (typed if isinstance(typed, kind) else kind.from_manifest(written, *chosen)).manifest()
    return ObjectPlan(manifest, applied.get("annotations", {}), applied.get("patch_force", False))


def _applied_metadata(
    metadata: Mapping[str, Any], annotations: Annotations, *, patch_force: bool
) -> "k8s.meta.v1.ObjectMetaArgsDict":
    """Return metadata with annotations that say how the provider patches; the author's own take precedence.

    All resources have one field manager: with one for each resource, fields of a predecessor would be in the way of its
    successor. What an API server adds to an object cannot be applied.
    """
    own = {FIELD_MANAGER: MANAGER, **({FORCE: "true"} if patch_force else {}), **annotations}
    written = {key: copy.deepcopy(value) for key, value in metadata.items() if key not in _OF_THE_SERVER}
    applied = {**written, "annotations": {**own, **written.get("annotations", {})}}
    return cast("k8s.meta.v1.ObjectMetaArgsDict", applied)  # as Kubernetes writes it
