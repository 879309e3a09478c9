"""The EC2NodeClass: how Karpenter launches instances on AWS (spec: api-objects 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import InitVar
from typing import TYPE_CHECKING, Any, ClassVar

from cutlist.api.ami_alias import AmiAlias
from cutlist.api.ec2nodeclass_fields import API_VERSION, KIND, EC2NodeClassSpec
from cutlist.api.ec2nodeclass_rules import EC2_NODE_CLASS
from cutlist.api.ec2nodeclass_status import Ami, CapacityReservation, EC2NodeClassStatus, SecurityGroup, Subnet
from cutlist.api.fields import Field
from cutlist.api.kubelet_rules import static_kubelet
from cutlist.api.model import Model
from cutlist.api.objects import NodeClassObject, discovered
from cutlist.api.validation import ObjectKind


class EC2NodeClass(NodeClassObject, EC2NodeClassSpec):
    """How instances are launched: image, network, identity, disks, kubelet. Absent fields have the API server's defaults.

    `ami_family` is as written and None when absent; `resolved_ami_family` follows the alias. `subnets`, `amis` and
    `capacity_reservations` are what the controller found, and empty for a class that no cluster has seen. Two classes are equal
    when their fields are, however they were written.

    Building one raises InputError with every reason for which the API server or Karpenter would refuse it.

    - `role` (a bare name) or `instance_profile`: the identity of the nodes, exactly one of them.
    - `ami`: an alias such as `al2023@v20260625`, short for one entry of `ami_selector_terms`.
    - `discovery`: the value of the tag `karpenter.sh/discovery` on subnets and security groups, short for one entry of
      `subnet_selector_terms` and of `security_group_selector_terms`, where those are not given.
    """

    API_VERSION: ClassVar[str] = API_VERSION
    KIND: ClassVar[str] = KIND
    _VALIDATED_AS: ClassVar[ObjectKind] = EC2_NODE_CLASS
    _SPEC: ClassVar[type[Model]] = EC2NodeClassSpec
    _SHORTHANDS: ClassVar[tuple[str, ...]] = ("ami", "discovery")

    status: EC2NodeClassStatus = Field(default_factory=EC2NodeClassStatus, init=False)
    if TYPE_CHECKING:  # arguments that are not fields, which the model cannot express
        ami: InitVar[str | None] = None
        discovery: InitVar[str | None] = None

    @classmethod
    def _spelled_out(cls, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        terms, ami = arguments.get("ami_selector_terms"), arguments.get("ami")
        images = terms if ami is None else [{"alias": ami}, *(terms or ())]
        return {**arguments, "ami_selector_terms": images, **discovered(arguments)}

    def _attributes(self, fields: Any) -> dict[str, Any]:
        attributes = super()._attributes(fields)
        if isinstance(attributes["kubelet"], dict):
            attributes["kubelet"] = static_kubelet(attributes["kubelet"])
        return attributes

    @property
    def kubelet_as_written(self) -> Mapping[str, Any]:
        """Return the settings of the kubelet as plain data, including expressions and fields that Karpenter does not read."""
        spec = self._written.get("spec")
        settings: Mapping[str, Any] = (spec.get("kubelet") if isinstance(spec, dict) else None) or {}
        return settings

    @property
    def alias(self) -> str | None:
        """Return the image alias, such as `al2023@v20260625`, or None if images are found in another way."""
        return next((term.alias for term in self.ami_selector_terms if term.alias is not None), None)

    @property
    def resolved_ami_family(self) -> str:
        """Return the family that decides defaults: the written one, else the alias's, else Custom."""
        if self.ami_family is not None:
            return self.ami_family
        return AmiAlias.read(self.alias or "").ami_family

    @property
    def subnets(self) -> Sequence[Subnet]:
        """Return the subnets that the controller found."""
        return self.status.subnets

    @property
    def security_groups(self) -> Sequence[SecurityGroup]:
        """Return the security groups that the controller found."""
        return self.status.security_groups

    @property
    def amis(self) -> Sequence[Ami]:
        """Return the images that the controller found."""
        return self.status.amis

    @property
    def capacity_reservations(self) -> Sequence[CapacityReservation]:
        """Return the capacity reservations that the controller found."""
        return self.status.capacity_reservations
