"""EC2NodeClass: how nodes are made on EC2, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Any, TypedDict

import pulumi

from cutlist import api
from pulumi_cutlist.kubernetes.manifests import custom_resource
from pulumi_cutlist.wire import with_whole_numbers


class EC2NodeClassArgs(TypedDict):
    """Inputs of EC2NodeClass."""

    manifest: dict[str, Any]
    """The EC2NodeClass as Kubernetes has it: apiVersion, kind, metadata, spec. Plain values, for plans are made from them."""


class EC2NodeClass(pulumi.ComponentResource):
    """An EC2NodeClass in the cluster. A manifest that Karpenter would refuse raises InputError; nothing is registered then."""

    object_name: pulumi.Output[str]
    """Name of the object in the cluster. What uses it waits for the object, and is deleted before it."""

    def __init__(self, name: str, args: EC2NodeClassArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        manifest = api.EC2NodeClass.from_manifest(with_whole_numbers(args["manifest"])).manifest()
        super().__init__("cutlist:index:EC2NodeClass", name, {"manifest": manifest}, opts)
        node_class = custom_resource(name, manifest, parent=self)
        # By way of the URN, which even a preview knows: the name itself never becomes unknown, yet carries the dependency.
        self.object_name = node_class.urn.apply(lambda _: str(manifest["metadata"]["name"]))
        self.register_outputs({"objectName": self.object_name})
