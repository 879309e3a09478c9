"""AutoNodeClass: the NodeClass of EKS Auto Mode, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Any, TypedDict

import pulumi

from cutlist import api
from pulumi_cutlist.kubernetes.manifests import custom_resource
from pulumi_cutlist.wire import with_whole_numbers


class AutoNodeClassArgs(TypedDict):
    """Inputs of AutoNodeClass."""

    manifest: dict[str, Any]
    """The NodeClass as Kubernetes has it: apiVersion, kind, metadata, spec. Plain values, for plans are made from them."""


class AutoNodeClass(pulumi.ComponentResource):
    """A NodeClass of EKS Auto Mode. A manifest that Auto Mode would refuse raises InputError; nothing is registered then."""

    object_name: pulumi.Output[str]
    """Name of the object in the cluster. What uses it waits for the object, and is deleted before it."""

    def __init__(self, name: str, args: AutoNodeClassArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        manifest = api.AutoNodeClass.from_manifest(with_whole_numbers(args["manifest"])).manifest()
        super().__init__("cutlist:index:AutoNodeClass", name, {"manifest": manifest}, opts)
        node_class = custom_resource(name, manifest, parent=self)
        # By way of the URN, which even a preview knows: the name itself never becomes unknown, yet carries the dependency.
        self.object_name = node_class.urn.apply(lambda _: str(manifest["metadata"]["name"]))
        self.register_outputs({"objectName": self.object_name})
