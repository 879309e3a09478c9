"""The EC2NodeClass: how Karpenter launches instances on AWS (spec: api-objects 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from cutlist.api._model import present
from cutlist.api._objects import SpecObject, terms_or_tag
from cutlist.api._reading import Source
from cutlist.api.ami_alias import AmiAlias
from cutlist.api.ec2nodeclass_fields import (
    API_VERSION,
    KIND,
    AmiFamily,
    AmiSelectorTerm,
    BlockDeviceMapping,
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
from cutlist.api.ec2nodeclass_kind import EC2_NODE_CLASS
from cutlist.api.ec2nodeclass_status import Ami, CapacityReservation, EC2NodeClassStatus, SecurityGroup, Subnet


@dataclass(frozen=True, slots=True, init=False)
class EC2NodeClass(SpecObject):
    """How instances are launched: image, network, identity, disks, kubelet. What is absent has the API server's default.

    `ami_family` is as written and None when absent; `resolved_ami_family` follows the alias. `subnets`, `amis` and
    `capacity_reservations` are what the controller found, and empty for a class that no cluster has seen. Two classes are equal
    when these values are, however they were written.
    """

    API_VERSION: ClassVar = API_VERSION
    KIND: ClassVar = KIND
    _EXAMINED_AS: ClassVar = EC2_NODE_CLASS

    name: str
    labels: dict[str, str]
    annotations: dict[str, str]
    ami_family: AmiFamily | None
    ami_selector_terms: tuple[AmiSelectorTerm, ...]
    subnet_selector_terms: tuple[SubnetSelectorTerm, ...]
    security_group_selector_terms: tuple[SecurityGroupSelectorTerm, ...]
    capacity_reservation_selector_terms: tuple[CapacityReservationSelectorTerm, ...]
    placement_group_selector: PlacementGroupSelector | None
    associate_public_ip_address: bool | None
    ip_prefix_count: int | None
    role: str | None
    instance_profile: str | None
    user_data: str | None
    tags: dict[str, str]
    kubelet: Kubelet | None
    block_device_mappings: tuple[BlockDeviceMapping, ...]
    instance_store_policy: str | None
    network_interfaces: tuple[NetworkInterface, ...]
    detailed_monitoring: bool | None
    metadata_options: MetadataOptions
    connection_tracking: ConnectionTracking | None
    context: str | None
    cpu_options: CpuOptions | None
    deleting: bool
    status: EC2NodeClassStatus
    source: Source = field(compare=False, repr=False)
    _written: dict[str, Any] = field(compare=False, repr=False)

    def __init__(
        self,
        *,
        name: str,
        role: str | None = None,
        instance_profile: str | None = None,
        ami: str | None = None,
        discovery: str | None = None,
        ami_family: AmiFamily | None = None,
        ami_selector_terms: Sequence[AmiSelectorTerm] | None = None,
        subnet_selector_terms: Sequence[SubnetSelectorTerm] | None = None,
        security_group_selector_terms: Sequence[SecurityGroupSelectorTerm] | None = None,
        capacity_reservation_selector_terms: Sequence[CapacityReservationSelectorTerm] | None = None,
        placement_group_selector: PlacementGroupSelector | None = None,
        associate_public_ip_address: bool | None = None,
        ip_prefix_count: int | None = None,
        user_data: str | None = None,
        tags: Mapping[str, str] | None = None,
        kubelet: Kubelet | None = None,
        block_device_mappings: Sequence[BlockDeviceMapping] | None = None,
        instance_store_policy: str | None = None,
        network_interfaces: Sequence[NetworkInterface] | None = None,
        detailed_monitoring: bool | None = None,
        metadata_options: MetadataOptions | None = None,
        connection_tracking: ConnectionTracking | None = None,
        context: str | None = None,
        cpu_options: CpuOptions | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
    ) -> None:
        """Build a class. Raises InputError with everything that the API server or Karpenter would refuse.

        - `role` (a bare name) or `instance_profile`: the identity of the nodes, exactly one of them.
        - `ami`: an alias such as `al2023@v20250228`, short for one entry of `ami_selector_terms`.
        - `discovery`: the value of the tag `karpenter.sh/discovery` on subnets and security groups, short for one entry of
          `subnet_selector_terms` and of `security_group_selector_terms`, where those are not given.
        """
        spec = present(
            ami_family=ami_family,
            ami_selector_terms=ami_selector_terms if ami is None else [{"alias": ami}, *(ami_selector_terms or ())],
            subnet_selector_terms=terms_or_tag(subnet_selector_terms, discovery),
            security_group_selector_terms=terms_or_tag(security_group_selector_terms, discovery),
            capacity_reservation_selector_terms=capacity_reservation_selector_terms,
            placement_group_selector=placement_group_selector,
            associate_public_ip_address=associate_public_ip_address,
            ip_prefix_count=ip_prefix_count,
            role=role,
            instance_profile=instance_profile,
            user_data=user_data,
            tags=tags,
            kubelet=kubelet,
            block_device_mappings=block_device_mappings,
            instance_store_policy=instance_store_policy,
            network_interfaces=network_interfaces,
            detailed_monitoring=detailed_monitoring,
            metadata_options=metadata_options,
            connection_tracking=connection_tracking,
            context=context,
            cpu_options=cpu_options,
        )
        self._build(name, labels, annotations, spec)

    @property
    def alias(self) -> str | None:
        """The image alias, such as `al2023@v20250228`; None when images are found in another way."""
        return next((term.alias for term in self.ami_selector_terms if term.alias is not None), None)

    @property
    def resolved_ami_family(self) -> str:
        """The family that decides on defaults: the one written, else the alias's, else Custom."""
        if self.ami_family is not None:
            return self.ami_family
        return AmiAlias.read(self.alias or "").ami_family

    @property
    def subnets(self) -> tuple[Subnet, ...]:
        """The subnets that the controller found."""
        return self.status.subnets

    @property
    def security_groups(self) -> tuple[SecurityGroup, ...]:
        """The security groups that the controller found."""
        return self.status.security_groups

    @property
    def amis(self) -> tuple[Ami, ...]:
        """The images that the controller found."""
        return self.status.amis

    @property
    def capacity_reservations(self) -> tuple[CapacityReservation, ...]:
        """The capacity reservations that the controller found."""
        return self.status.capacity_reservations
