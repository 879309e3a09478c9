"""Karpenter's objects, typed: read from manifests or built in Python, both giving the same value (spec: api-objects)."""

from __future__ import annotations

from cutlist.api._model import Condition
from cutlist.api._objects import DISCOVERY_TAG
from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.autonodeclass_fields import (
    AdvancedNetworking,
    AdvancedSecurity,
    AutoNetworkInterface,
    AutoReservationTerm,
    CertificateBundle,
    EphemeralStorage,
)
from cutlist.api.ec2nodeclass import EC2NodeClass
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
from cutlist.api.read import NodeClass, Objects, check_references, kind_of, read_objects
from cutlist.api.written import WrittenPool

__all__ = [
    "DISCOVERY_TAG",
    "AdvancedNetworking",
    "AdvancedSecurity",
    "Ami",
    "AmiSelectorTerm",
    "AutoNetworkInterface",
    "AutoNodeClass",
    "AutoReservationTerm",
    "BlockDeviceMapping",
    "Budget",
    "CapacityReservation",
    "CapacityReservationSelectorTerm",
    "CertificateBundle",
    "Condition",
    "ConnectionTracking",
    "Constraint",
    "CpuOptions",
    "Disruption",
    "DoesNotExist",
    "EC2NodeClass",
    "Ebs",
    "EphemeralStorage",
    "Exists",
    "Gt",
    "Gte",
    "In",
    "Kubelet",
    "Lt",
    "Lte",
    "MetadataOptions",
    "NetworkInterface",
    "NodeClass",
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
    "kind_of",
    "read_objects",
]
