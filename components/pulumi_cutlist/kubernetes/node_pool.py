"""NodePool: which nodes Karpenter may launch, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import copy
from typing import Any, NotRequired, TypedDict

import pulumi

from cutlist import api
from pulumi_cutlist.kubernetes.manifests import custom_resource
from pulumi_cutlist.wire import with_whole_numbers


class NodePoolArgs(TypedDict):
    """Inputs of NodePool."""

    manifest: dict[str, Any]
    """The NodePool as Kubernetes has it: apiVersion, kind, metadata, spec. Plain values, for plans are made from them."""
    node_class_name: NotRequired[pulumi.Input[str]]
    """Takes the place of the name in nodeClassRef. With the objectName of a node class the pool waits for that class."""


class NodePool(pulumi.ComponentResource):
    """A NodePool in the cluster. A manifest that Karpenter would refuse raises InputError; nothing is registered then."""

    object_name: pulumi.Output[str]
    """Name of the object in the cluster. What uses it waits for the object, and is deleted before it."""

    def __init__(self, name: str, args: NodePoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        manifest = api.NodePool.from_manifest(with_whole_numbers(args["manifest"])).manifest()
        if "node_class_name" in args:
            manifest = copy.deepcopy(manifest)
            manifest["spec"]["template"]["spec"]["nodeClassRef"]["name"] = args["node_class_name"]
        super().__init__("cutlist:index:NodePool", name, {"manifest": manifest}, opts)
        node_pool = custom_resource(name, manifest, parent=self)
        # By way of the URN, which even a preview knows: the name itself never becomes unknown, yet carries the dependency.
        self.object_name = node_pool.urn.apply(lambda _: str(manifest["metadata"]["name"]))
        self.register_outputs({"objectName": self.object_name})
