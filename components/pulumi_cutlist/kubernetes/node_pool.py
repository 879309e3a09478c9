"""NodePool: which nodes Karpenter may launch, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import copy
from typing import NotRequired, TypedDict

import pulumi

from cutlist import api
from pulumi_cutlist.kubernetes.manifests import Manifest, checked, custom_resource, name_after


class NodePoolArgs(TypedDict):
    """Inputs of NodePool."""

    manifest: Manifest[api.NodePool]
    """The NodePool as Kubernetes has it: apiVersion, kind, metadata, spec. In Python also the typed
    object, cutlist.api.NodePool. Plain values, for plans are made from them."""
    node_class_name: NotRequired[pulumi.Input[str]]
    """Takes the place of the name in nodeClassRef. With the objectName of a node class the pool waits for that class."""
    patch_force: NotRequired[bool]
    """Whether to take over fields that another manager owns, such as one that `kubectl edit` changed. Without it such a
    conflict ends the update and names the manager. Defaults to false."""
    annotations: NotRequired[dict[str, pulumi.Input[str]]]
    """Annotations beside those of the manifest, which go first. They may be known only after an update."""


class NodePool(pulumi.ComponentResource):
    """A NodePool in the cluster. A manifest that Karpenter would refuse raises InputError; nothing is registered then."""

    object_name: pulumi.Output[str]
    """Name of the object in the cluster. What uses it waits for the object, and is deleted before it."""

    def __init__(self, name: str, args: NodePoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        given, manifest = checked(api.NodePool, args, NodePoolArgs)
        if "node_class_name" in given:
            manifest = copy.deepcopy(manifest)
            manifest["spec"]["template"]["spec"]["nodeClassRef"]["name"] = given["node_class_name"]
        super().__init__("cutlist:index:NodePool", name, {"manifest": manifest}, opts)
        node_pool = custom_resource(
            name, manifest, self, opts, patch_force=given.get("patch_force", False), annotations=given.get("annotations")
        )
        self.object_name = name_after(node_pool, manifest)
        self.register_outputs({"objectName": self.object_name})
