"""Karpenter's objects as resources of a stack."""

from pulumi_cutlist.kubernetes.node_class import EC2NodeClass, EC2NodeClassArgs
from pulumi_cutlist.kubernetes.node_pool import NodePool, NodePoolArgs

__all__ = ["EC2NodeClass", "EC2NodeClassArgs", "NodePool", "NodePoolArgs"]
