"""The structure of EKS Auto Mode's NodeClass, `eks.amazonaws.com/v1`: types, ranges, defaults (spec: api-objects 4.1)."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from cutlist.api.block_device_fields import VolumeSize
from cutlist.api.ec2nodeclass_fields import (
    RESERVATION_ID,
    PlacementGroupSelector,
    SecurityGroupSelectorTerm,
    SelectorTags,
    SubnetSelectorTerm,
)
from cutlist.api.ec2nodeclass_status import SecurityGroup, Subnet
from cutlist.api.fields import Field, StringConstraints, WithJsonSchema
from cutlist.api.model import Condition, Count, Items, Metadata, Model, Observed, Texts, help_text, required_unless_shorthand
from cutlist.core.quantity import Quantity

API_VERSION: Final = "eks.amazonaws.com/v1"
KIND: Final = "NodeClass"
DEFAULT_SIZE: Final = Quantity.parse("80Gi")

Text255 = Annotated[str, StringConstraints(max_length=255)]


class EphemeralStorage(Model):
    """The volume that pods write to; `throughput` is in MiB/s. The operating system has a volume of its own."""

    size: VolumeSize = DEFAULT_SIZE
    iops: Annotated[int, Field(ge=3000, le=16_000)] = 3000
    throughput: Annotated[int, Field(ge=125, le=1000)] = 125
    kms_key_id: str | None = None


class AutoNetworkInterface(Model):
    """A network interface that instances get at launch; on card 0 with a number of addresses or of address prefixes."""

    network_card_index: Count
    device_index: Count
    interface_type: Literal["interface", "efa-only"]
    secondary_ipv4_count: Count | None = None
    secondary_ipv4_prefix_count: Count | None = None


class AdvancedNetworking(Model):
    """How nodes are connected, beyond subnets and security groups."""

    associate_public_ip_address: bool | None = None
    https_proxy: Text255 | None = None
    no_proxy: Annotated[Items[Text255], Field(max_length=50)] = ()
    ipv4_prefix_size: Literal["Auto", "32"] = "Auto"
    enable_v4_egress: bool | None = None
    network_interfaces: Items[AutoNetworkInterface] = ()


class CertificateBundle(Model):
    """Certificates that nodes trust, as PEM in base64."""

    name: str
    data: str


class AutoReservationTerm(Model):
    """One way to find capacity reservations; the account is `owner` here, not `ownerID`."""

    id: Annotated[str, StringConstraints(pattern=RESERVATION_ID)] | None = None
    owner: str | None = None
    tags: SelectorTags | None = None


class AdvancedSecurity(Model):
    """FIPS images, and the kernel's lockdown mode, whose spelling differs between sources."""

    fips: bool = False
    kernel_lockdown: str | None = None


OPEN_COMPUTE: Final[dict[str, Any]] = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
AdvancedCompute = Annotated[
    Any,
    help_text("Settings of kubelet and kernel, and huge pages, applied when a node boots. The schema is not published."),
    WithJsonSchema({**OPEN_COMPUTE, "additionalProperties": {"x-kubernetes-preserve-unknown-fields": True}}),
]


class AutoNodeClassSpec(Model):
    """The desired settings."""

    role: Annotated[str, StringConstraints(max_length=64)] | None = None
    instance_profile: str | None = None
    subnet_selector_terms: Items[SubnetSelectorTerm] = required_unless_shorthand()
    security_group_selector_terms: Items[SecurityGroupSelectorTerm] = required_unless_shorthand()
    pod_subnet_selector_terms: Items[SubnetSelectorTerm] = ()
    pod_security_group_selector_terms: Items[SecurityGroupSelectorTerm] = ()
    snat_policy: Literal["Random", "Disabled"] = "Random"
    network_policy: Literal["DefaultAllow", "DefaultDeny"] = "DefaultAllow"
    network_policy_event_logs: Literal["Disabled", "Enabled"] = "Disabled"
    ephemeral_storage: EphemeralStorage = Field(default_factory=EphemeralStorage)
    advanced_networking: AdvancedNetworking = Field(default_factory=AdvancedNetworking)
    certificate_bundles: Items[CertificateBundle] = ()
    capacity_reservation_selector_terms: Items[AutoReservationTerm] = ()
    placement_group_selector: PlacementGroupSelector | None = None
    advanced_security: AdvancedSecurity = Field(default_factory=AdvancedSecurity)
    advanced_compute: AdvancedCompute = None
    tags: Texts = Field(default_factory=dict)


class AutoNodeClassStatus(Observed):
    """The state that the controller observed."""

    subnets: Items[Subnet] = ()
    security_groups: Items[SecurityGroup] = ()
    instance_profile: str = ""
    conditions: Items[Condition] = ()


class AutoNodeClassFields(Model):
    """A whole NodeClass as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: AutoNodeClassSpec
    status: AutoNodeClassStatus = Field(default_factory=AutoNodeClassStatus)
