"""Karpenter's objects, typed: read from manifests or built in Python, both giving the same value (spec: api-objects)."""

from __future__ import annotations

from cutlist.api._model import Condition
from cutlist.api.ec2nodeclass import DISCOVERY_TAG, EC2NodeClass
from cutlist.api.ec2nodeclass_fields import (
    Ami,
    AmiSelectorTerm,
    BlockDeviceMapping,
    CapacityReservation,
    CapacityReservationSelectorTerm,
    ConnectionTracking,
    CpuOptions,
    Ebs,
    Kubelet,
    MetadataOptions,
    NetworkInterface,
    PlacementGroupSelector,
    SecurityGroup,
    SecurityGroupSelectorTerm,
    Subnet,
    SubnetSelectorTerm,
)
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_fields import Budget, Disruption, NodeClassRef
from cutlist.api.operators import Constraint, DoesNotExist, Exists, Gt, Gte, In, Lt, Lte, NotIn
from cutlist.api.read import Objects, check_references, read_objects
from cutlist.api.written import WrittenPool

__all__ = [
    "DISCOVERY_TAG",
    "Ami",
    "AmiSelectorTerm",
    "BlockDeviceMapping",
    "Budget",
    "CapacityReservation",
    "CapacityReservationSelectorTerm",
    "Condition",
    "ConnectionTracking",
    "Constraint",
    "CpuOptions",
    "Disruption",
    "DoesNotExist",
    "EC2NodeClass",
    "Ebs",
    "Exists",
    "Gt",
    "Gte",
    "In",
    "Kubelet",
    "Lt",
    "Lte",
    "MetadataOptions",
    "NetworkInterface",
    "NodeClassRef",
    "NodePool",
    "NotIn",
    "Objects",
    "PlacementGroupSelector",
    "SecurityGroup",
    "SecurityGroupSelectorTerm",
    "Subnet",
    "SubnetSelectorTerm",
    "WrittenPool",
    "check_references",
    "read_objects",
]
