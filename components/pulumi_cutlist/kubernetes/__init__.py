"""Karpenter's objects, and those of EKS Auto Mode, as resources of a stack."""

from pulumi_cutlist.kubernetes.aks_node_class import AKSNodeClass, AKSNodeClassArgs
from pulumi_cutlist.kubernetes.auto_node_class import AutoNodeClass, AutoNodeClassArgs
from pulumi_cutlist.kubernetes.node_class import EC2NodeClass, EC2NodeClassArgs
from pulumi_cutlist.kubernetes.node_pool import NodePool, NodePoolArgs

__all__ = [
    "AKSNodeClass",
    "AKSNodeClassArgs",
    "AutoNodeClass",
    "AutoNodeClassArgs",
    "EC2NodeClass",
    "EC2NodeClassArgs",
    "NodePool",
    "NodePoolArgs",
]
