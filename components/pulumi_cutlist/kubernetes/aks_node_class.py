"""AKSNodeClass: how nodes are made on Azure, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import NotRequired, TypedDict

import pulumi

from cutlist import api
from pulumi_cutlist.kubernetes.manifests import Manifest, checked, custom_resource, name_after


class AKSNodeClassArgs(TypedDict):
    """Inputs of AKSNodeClass."""

    manifest: Manifest[api.AKSNodeClass]
    """The AKSNodeClass as Kubernetes has it: apiVersion, kind, metadata, spec. In Python also the typed
    object, cutlist.api.AKSNodeClass. Plain values, for plans are made from them."""
    patch_force: NotRequired[bool]
    """Whether to take over fields that another manager owns, such as one that `kubectl edit` changed. Without it such a
    conflict ends the update and names the manager. Defaults to false."""
    annotations: NotRequired[dict[str, pulumi.Input[str]]]
    """Annotations beside those of the manifest, which go first. They may be known only after an update."""


class AKSNodeClass(pulumi.ComponentResource):
    """An AKSNodeClass in the cluster. A manifest that Karpenter would refuse raises InputError; nothing is registered then."""

    object_name: pulumi.Output[str]
    """Name of the object in the cluster. What uses it waits for the object, and is deleted before it."""

    def __init__(self, name: str, args: AKSNodeClassArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        given, manifest = checked(api.AKSNodeClass, args, AKSNodeClassArgs)
        super().__init__("cutlist:index:AKSNodeClass", name, {"manifest": manifest}, opts)
        node_class = custom_resource(
            name, manifest, self, opts, patch_force=given.get("patch_force", False), annotations=given.get("annotations")
        )
        self.object_name = name_after(node_class, manifest)
        self.register_outputs({"objectName": self.object_name})
