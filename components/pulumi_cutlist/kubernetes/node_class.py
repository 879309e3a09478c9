"""EC2NodeClass: how nodes are made on EC2, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import NotRequired, TypedDict

import pulumi

from cutlist import api
from pulumi_cutlist.kubernetes.manifests import Manifest, checked, custom_resource, name_after


class EC2NodeClassArgs(TypedDict):
    """Inputs of EC2NodeClass."""

    manifest: Manifest[api.EC2NodeClass]
    """The EC2NodeClass as Kubernetes has it: apiVersion, kind, metadata, spec. In Python also the typed
    object, cutlist.api.EC2NodeClass. Plain values, for plans are made from them."""
    patch_force: NotRequired[bool]
    """Whether to take over fields that another manager owns, such as one that `kubectl edit` changed. Without it such a
    conflict ends the update and names the manager. Defaults to false."""
    annotations: NotRequired[dict[str, pulumi.Input[str]]]
    """Annotations beside those of the manifest, which go first. They may be known only after an update."""


class EC2NodeClass(pulumi.ComponentResource):
    """An EC2NodeClass in the cluster. A manifest that Karpenter would refuse raises InputError; nothing is registered then."""

    object_name: pulumi.Output[str]
    """Name of the object in the cluster. What uses it waits for the object, and is deleted before it."""

    def __init__(self, name: str, args: EC2NodeClassArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        given, manifest = checked(api.EC2NodeClass, args, EC2NodeClassArgs)
        super().__init__("cutlist:index:EC2NodeClass", name, {"manifest": manifest}, opts)
        node_class = custom_resource(
            name, manifest, self, opts, patch_force=given.get("patch_force", False), annotations=given.get("annotations")
        )
        self.object_name = name_after(node_class, manifest)
        self.register_outputs({"objectName": self.object_name})
