"""Manifests as resources, applied by the API server itself (server-side apply)."""

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

import pulumi
import pulumi_kubernetes as k8s

from cutlist import api
from cutlist.core.errors import Problems
from pulumi_cutlist.known import after
from pulumi_cutlist.options import child_options
from pulumi_cutlist.shapes import shaped

FIELD_MANAGER: Final = "pulumi.com/patchFieldManager"
FORCE: Final = "pulumi.com/patchForce"
MANAGER: Final = "cutlist"

_OF_THE_SERVER: Final = frozenset(
    {"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "managedFields"}
    | {"resourceVersion", "selfLink", "uid"}
)

Annotations: TypeAlias = Mapping[str, pulumi.Input[str]]

T = TypeVar("T", api.NodePool, api.EC2NodeClass, api.AutoNodeClass, api.AKSNodeClass)
A = TypeVar("A")

if TYPE_CHECKING:
    Manifest: TypeAlias = T | Mapping[str, Any]
else:

    class Manifest:
        """A typed object or its manifest. For the schema of the package, which has no unions, it is a map."""

        def __class_getitem__(cls, _: object) -> object:
            return dict[str, Any]


def as_data(args: Any, *kinds: type[Any]) -> Any:
    """The manifest of a typed object of some kinds; everything else as it is."""
    return args.manifest() if isinstance(args, kinds) else args


def checked(kind: type[T], args: Mapping[str, Any], declared: type[A]) -> tuple[A, dict[str, Any]]:
    """The inputs of a component that holds one object, and the object's manifest, held against all that can refuse it.

    Raises InputError with everything that is wrong with the inputs, or else with the manifest.
    """
    problems = Problems()
    plain = {**args, "manifest": as_data(args["manifest"], kind)} if "manifest" in args else args
    inputs = shaped(plain, declared, problems)
    problems.raise_if_any()
    manifest: Mapping[str, Any] = cast("Any", inputs)["manifest"]
    return inputs, kind.from_manifest(manifest).manifest()


def custom_resource(
    name: str,
    manifest: Mapping[str, Any],
    parent: pulumi.Resource,
    opts: pulumi.ResourceOptions | None = None,
    *,
    patch_force: bool = False,
    annotations: Annotations | None = None,
) -> pulumi.CustomResource:
    """The object of a manifest as a child of a component; a manifest's status is the cluster's and stays out.

    Of the component's options the child has `depends_on` and `custom_timeouts`, which an engine does not hand on: so the object
    itself is made after the chart that brings its CRD, is gone before it, and is waited for. `patch_force` takes over fields
    that another manager owns. `annotations` are added to the manifest's, of which its own go first.
    """
    return k8s.apiextensions.CustomResource(
        name,
        api_version=manifest["apiVersion"],
        kind=manifest["kind"],
        metadata=_applied_metadata(manifest["metadata"], annotations or {}, patch_force=patch_force),
        spec=manifest["spec"],
        opts=pulumi.ResourceOptions.merge(
            child_options(parent, opts), pulumi.ResourceOptions(custom_timeouts=opts.custom_timeouts if opts else None)
        ),
    )


def name_after(resource: pulumi.CustomResource, manifest: Mapping[str, Any]) -> pulumi.Output[str]:
    """The object's name for those who wait for it, known in a preview as well."""
    return after(str(manifest["metadata"]["name"]), resource)


def _applied_metadata(
    metadata: Mapping[str, Any], annotations: Annotations, *, patch_force: bool
) -> "k8s.meta.v1.ObjectMetaArgsDict":
    """Return metadata with what the provider is told about the patch, as annotations, of which the author's own go first.

    One field manager for ever: a new one for each resource would find its predecessor's fields in its way. What an API server
    adds to an object cannot be applied.
    """
    own = {FIELD_MANAGER: MANAGER, **({FORCE: "true"} if patch_force else {}), **annotations}
    written = {key: copy.deepcopy(value) for key, value in metadata.items() if key not in _OF_THE_SERVER}
    applied = {**written, "annotations": {**own, **written.get("annotations", {})}}
    return cast("k8s.meta.v1.ObjectMetaArgsDict", applied)  # as Kubernetes writes it
