"""Karpenter's charts and objects, and those of EKS Auto Mode, as resources of a stack."""

from pulumi_cutlist.kubernetes.charts_plan import KarpenterChartsArgs
from pulumi_cutlist.kubernetes.karpenter_charts import KarpenterCharts
from pulumi_cutlist.kubernetes.node_configuration import NodeConfiguration, NodeConfigurationArgs
from pulumi_cutlist.kubernetes.node_objects import (
    AKSNodeClass,
    AKSNodeClassArgs,
    AutoNodeClass,
    AutoNodeClassArgs,
    EC2NodeClass,
    EC2NodeClassArgs,
    NodePool,
    NodePoolArgs,
)
from pulumi_cutlist.kubernetes.observability import Observability, ObservabilityArgs

__all__ = [
    "AKSNodeClass",
    "AKSNodeClassArgs",
    "AutoNodeClass",
    "AutoNodeClassArgs",
    "EC2NodeClass",
    "EC2NodeClassArgs",
    "KarpenterCharts",
    "KarpenterChartsArgs",
    "NodeConfiguration",
    "NodeConfigurationArgs",
    "NodePool",
    "NodePoolArgs",
    "Observability",
    "ObservabilityArgs",
]
