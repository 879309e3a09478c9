"""Karpenter's objects as typed values, read from manifests or built in Python with equal results (spec: api-objects)."""

from __future__ import annotations

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.aksnodeclass_fields import (
    AksKubelet,
    ArtifactStreaming,
    DnsOverride,
    Gpu,
    LinuxOsConfig,
    LocalDns,
    Security,
    Sysctls,
)
from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.autonodeclass_fields import (
    AdvancedNetworking,
    AdvancedSecurity,
    AutoNetworkInterface,
    AutoReservationTerm,
    CertificateBundle,
    EphemeralStorage,
)
from cutlist.api.block_device_fields import BlockDeviceMapping, Ebs
from cutlist.api.capacitybuffer import CapacityBuffer
from cutlist.api.capacitybuffer_fields import ScalableRef
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.ec2nodeclass_fields import (
    AmiSelectorTerm,
    CapacityReservationSelectorTerm,
    ConnectionTracking,
    CpuOptions,
    Kubelet,
    MetadataOptions,
    NetworkInterface,
    PlacementGroupSelector,
    SecurityGroupSelectorTerm,
    SubnetSelectorTerm,
)
from cutlist.api.ec2nodeclass_status import Ami, CapacityReservation, SecurityGroup, Subnet
from cutlist.api.external_classes import (
    MissingClass,
    check_references,
    is_known_class,
    missing_classes,
    unknown_class_problems,
    with_external_classes,
)
from cutlist.api.model import Condition
from cutlist.api.nodeclaim import NodeClaim
from cutlist.api.nodeoverlay import NodeOverlay
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_fields import Budget, Disruption, NodeClassRef
from cutlist.api.objects import DISCOVERY_TAG
from cutlist.api.operators import Constraint, DoesNotExist, Exists, Gt, Gte, In, Lt, Lte, NotIn
from cutlist.api.read import NodeClass, Objects, kind_of, read_objects
from cutlist.api.written import WrittenPool

__all__ = [
    "DISCOVERY_TAG",
    "AKSNodeClass",
    "AdvancedNetworking",
    "AdvancedSecurity",
    "AksKubelet",
    "Ami",
    "AmiSelectorTerm",
    "ArtifactStreaming",
    "AutoNetworkInterface",
    "AutoNodeClass",
    "AutoReservationTerm",
    "BlockDeviceMapping",
    "Budget",
    "CapacityBuffer",
    "CapacityReservation",
    "CapacityReservationSelectorTerm",
    "CertificateBundle",
    "Condition",
    "ConnectionTracking",
    "Constraint",
    "CpuOptions",
    "Disruption",
    "DnsOverride",
    "DoesNotExist",
    "EC2NodeClass",
    "Ebs",
    "EphemeralStorage",
    "Exists",
    "Gpu",
    "Gt",
    "Gte",
    "In",
    "Kubelet",
    "LinuxOsConfig",
    "LocalDns",
    "Lt",
    "Lte",
    "MetadataOptions",
    "MissingClass",
    "NetworkInterface",
    "NodeClaim",
    "NodeClass",
    "NodeClassRef",
    "NodeOverlay",
    "NodePool",
    "NotIn",
    "Objects",
    "PlacementGroupSelector",
    "ScalableRef",
    "Security",
    "SecurityGroup",
    "SecurityGroupSelectorTerm",
    "Subnet",
    "SubnetSelectorTerm",
    "Sysctls",
    "WrittenPool",
    "check_references",
    "is_known_class",
    "kind_of",
    "missing_classes",
    "read_objects",
    "unknown_class_problems",
    "with_external_classes",
]
