"""NodePools and node classes, each a component of one object."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types. It takes the
# descriptions of inputs and outputs from the class itself, not from its bases, so what all kinds have is written for each.
from typing import NotRequired, TypeAlias, TypedDict

import pulumi

import cutlist
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.lists import MapOf
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.kubernetes.charts_plan import AwsFeatureGatesArgs
from pulumi_cutlist.kubernetes.manifests import Manifest, NodeClassManifest, plan_object


class NodeClassArgs(TypedDict):
    """Inputs of EC2NodeClass, AutoNodeClass and AKSNodeClass."""

    manifest: NodeClassManifest
    """The manifest of the node class: apiVersion, kind, metadata, spec. In Python also the typed object of cutlist. Plain
    values, because plans depend on them."""
    patch_force: NotRequired[bool]
    """Whether to take over fields that another manager owns, such as one that `kubectl edit` changed. Without it such a
    conflict ends the update and names the manager. Defaults to false."""
    annotations: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Annotations in addition to those of the manifest, which take precedence. They may be known only after an update."""
    karpenter_version: NotRequired[str]
    """Karpenter that the manifest is for, a minor such as 1.15 or a release. Defaults to what AKS runs for one of AKS,
    else to the newest that is known in full."""
    aws_feature_gates: NotRequired[AwsFeatureGatesArgs]
    """The feature gates that Karpenter's AWS provider runs with: with nodeClassCel an EC2NodeClass may have expressions."""


EC2NodeClassArgs: TypeAlias = NodeClassArgs
AutoNodeClassArgs: TypeAlias = NodeClassArgs
AKSNodeClassArgs: TypeAlias = NodeClassArgs


class EC2NodeClass(Component):
    """An EC2NodeClass in the cluster. A manifest that Karpenter would refuse raises InputError, before anything is
    registered."""

    object_name: pulumi.Output[str]
    """Name of the object in the cluster. What uses it waits for the object, and is deleted before it."""

    @planned(lambda args: plan_object(cutlist.EC2NodeClass, args, EC2NodeClassArgs))
    def __init__(self, name: str, args: EC2NodeClassArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        node_class = plan_object(cutlist.EC2NodeClass, args, EC2NodeClassArgs)
        super().__init__("cutlist:index:EC2NodeClass", name, node_class.recorded, opts)
        self.object_name = node_class.make(name, self, opts)
        self.register_outputs(outputs_of(self))


class AutoNodeClass(Component):
    """A NodeClass of EKS Auto Mode. A manifest that Auto Mode would refuse raises InputError, before anything is registered."""

    object_name: pulumi.Output[str]
    """Name of the object in the cluster. What uses it waits for the object, and is deleted before it."""

    @planned(lambda args: plan_object(cutlist.AutoNodeClass, args, AutoNodeClassArgs))
    def __init__(self, name: str, args: AutoNodeClassArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        node_class = plan_object(cutlist.AutoNodeClass, args, AutoNodeClassArgs)
        super().__init__("cutlist:index:AutoNodeClass", name, node_class.recorded, opts)
        self.object_name = node_class.make(name, self, opts)
        self.register_outputs(outputs_of(self))


class AKSNodeClass(Component):
    """An AKSNodeClass in the cluster. A manifest that Karpenter would refuse raises InputError, before anything is
    registered."""

    object_name: pulumi.Output[str]
    """Name of the object in the cluster. What uses it waits for the object, and is deleted before it."""

    def __init__(self, name: str, args: AKSNodeClassArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        node_class = plan_object(cutlist.AKSNodeClass, args, AKSNodeClassArgs)
        super().__init__("cutlist:index:AKSNodeClass", name, node_class.recorded, opts)
        self.object_name = node_class.make(name, self, opts)
        self.register_outputs(outputs_of(self))


class NodePoolArgs(TypedDict):
    """Inputs of NodePool."""

    manifest: Manifest[cutlist.NodePool]
    """The manifest of the NodePool: apiVersion, kind, metadata, spec. In Python also the typed object, cutlist.NodePool.
    Plain values, because plans depend on them."""
    node_class_name: NotRequired[pulumi.Input[str]]
    """Replaces the name in nodeClassRef. With the objectName of a node class the pool waits for that class."""
    patch_force: NotRequired[bool]
    """Whether to take over fields that another manager owns, such as one that `kubectl edit` changed. Without it such a
    conflict ends the update and names the manager. Defaults to false."""
    annotations: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Annotations in addition to those of the manifest, which take precedence. They may be known only after an update."""
    karpenter_version: NotRequired[str]
    """Karpenter that the manifest is for, a minor such as 1.15 or a release. Defaults to what AKS runs for one of AKS,
    else to the newest that is known in full."""


class NodePool(Component):
    """A NodePool in the cluster. A manifest that Karpenter would refuse raises InputError, before anything is registered."""

    object_name: pulumi.Output[str]
    """Name of the object in the cluster. What uses it waits for the object, and is deleted before it."""

    def __init__(self, name: str, args: NodePoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        node_pool = plan_object(cutlist.NodePool, args, NodePoolArgs).of_class(args.get("node_class_name"))
        super().__init__("cutlist:index:NodePool", name, node_pool.recorded, opts)
        self.object_name = node_pool.make(name, self, opts)
        self.register_outputs(outputs_of(self))
