"""The NodeClass of EKS Auto Mode: what of a node's launch Auto Mode leaves to the user (spec: api-objects 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from cutlist.api._model import present
from cutlist.api._objects import SpecObject, terms_or_tag
from cutlist.api._reading import Source
from cutlist.api.autonodeclass_fields import (
    API_VERSION,
    KIND,
    AdvancedNetworking,
    AdvancedSecurity,
    AutoNodeClassStatus,
    AutoReservationTerm,
    CertificateBundle,
    EphemeralStorage,
)
from cutlist.api.autonodeclass_kind import AUTO_NODE_CLASS
from cutlist.api.autonodeclass_rules import MANAGED_BY_EKS
from cutlist.api.ec2nodeclass_fields import PlacementGroupSelector, SecurityGroupSelectorTerm, SubnetSelectorTerm
from cutlist.api.ec2nodeclass_status import SecurityGroup, Subnet
from cutlist.core.labels import MANAGED_BY


@dataclass(frozen=True, slots=True, init=False)
class AutoNodeClass(SpecObject):
    """A NodeClass of EKS Auto Mode: network, identity, storage of the nodes. What is absent has the default of Auto Mode.

    `subnets` are what the controller found, empty for a class that no cluster has seen. Two classes are equal when these values
    are, however they were written.
    """

    API_VERSION: ClassVar = API_VERSION
    KIND: ClassVar = KIND
    _EXAMINED_AS: ClassVar = AUTO_NODE_CLASS

    name: str
    labels: dict[str, str]
    annotations: dict[str, str]
    role: str | None
    instance_profile: str | None
    subnet_selector_terms: tuple[SubnetSelectorTerm, ...]
    security_group_selector_terms: tuple[SecurityGroupSelectorTerm, ...]
    pod_subnet_selector_terms: tuple[SubnetSelectorTerm, ...]
    pod_security_group_selector_terms: tuple[SecurityGroupSelectorTerm, ...]
    snat_policy: str
    network_policy: str
    network_policy_event_logs: str
    ephemeral_storage: EphemeralStorage
    advanced_networking: AdvancedNetworking
    certificate_bundles: tuple[CertificateBundle, ...]
    capacity_reservation_selector_terms: tuple[AutoReservationTerm, ...]
    placement_group_selector: PlacementGroupSelector | None
    advanced_security: AdvancedSecurity
    tags: dict[str, str]
    deleting: bool
    status: AutoNodeClassStatus
    _source: Source = field(compare=False, repr=False)
    _written: dict[str, Any] = field(compare=False, repr=False)

    def __init__(
        self,
        *,
        name: str,
        role: str | None = None,
        instance_profile: str | None = None,
        discovery: str | None = None,
        subnet_selector_terms: Sequence[SubnetSelectorTerm] | None = None,
        security_group_selector_terms: Sequence[SecurityGroupSelectorTerm] | None = None,
        pod_subnet_selector_terms: Sequence[SubnetSelectorTerm] | None = None,
        pod_security_group_selector_terms: Sequence[SecurityGroupSelectorTerm] | None = None,
        snat_policy: str | None = None,
        network_policy: str | None = None,
        network_policy_event_logs: str | None = None,
        ephemeral_storage: EphemeralStorage | None = None,
        advanced_networking: AdvancedNetworking | None = None,
        certificate_bundles: Sequence[CertificateBundle] | None = None,
        capacity_reservation_selector_terms: Sequence[AutoReservationTerm] | None = None,
        placement_group_selector: PlacementGroupSelector | None = None,
        advanced_security: AdvancedSecurity | None = None,
        tags: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
    ) -> None:
        """Build a class. Raises InputError with everything that would be refused.

        - `role` (a bare name) or `instance_profile`: the identity of the nodes, exactly one of them. A role of your own needs
          an EKS access entry of type EC2 with the policy AmazonEKSAutoNodePolicy, else its nodes never register.
        - `discovery`: the value of the tag `karpenter.sh/discovery` on subnets and security groups, short for one entry of
          `subnet_selector_terms` and of `security_group_selector_terms`, where those are not given.
        - `pod_subnet_selector_terms` put pods into subnets of their own, which costs the node its first interface.
        """
        spec = present(
            role=role,
            instance_profile=instance_profile,
            subnet_selector_terms=terms_or_tag(subnet_selector_terms, discovery),
            security_group_selector_terms=terms_or_tag(security_group_selector_terms, discovery),
            pod_subnet_selector_terms=pod_subnet_selector_terms,
            pod_security_group_selector_terms=pod_security_group_selector_terms,
            snat_policy=snat_policy,
            network_policy=network_policy,
            network_policy_event_logs=network_policy_event_logs,
            ephemeral_storage=ephemeral_storage,
            advanced_networking=advanced_networking,
            certificate_bundles=certificate_bundles,
            capacity_reservation_selector_terms=capacity_reservation_selector_terms,
            placement_group_selector=placement_group_selector,
            advanced_security=advanced_security,
            tags=tags,
        )
        self._build(name, labels, annotations, spec)

    @property
    def is_managed(self) -> bool:
        """Whether EKS made the class, together with its built-in NodePools."""
        return self.labels.get(MANAGED_BY) == MANAGED_BY_EKS

    @property
    def has_pod_subnets(self) -> bool:
        """Whether pods have subnets of their own and so leave the node's first interface unused."""
        return bool(self.pod_subnet_selector_terms)

    @property
    def subnets(self) -> Sequence[Subnet]:
        """The subnets that the controller found."""
        return self.status.subnets

    @property
    def security_groups(self) -> Sequence[SecurityGroup]:
        """The security groups that the controller found."""
        return self.status.security_groups
