"""The structure of an EC2NodeClass, `karpenter.k8s.aws/v1`: all fields, their types, ranges, defaults (spec: api-objects 3)."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from cutlist.api.block_device_fields import BlockDeviceMapping
from cutlist.api.ec2nodeclass_status import EC2NodeClassStatus
from cutlist.api.fields import Field, StringConstraints, WithJsonSchema
from cutlist.api.model import (
    REQUIRED_HERE,
    Count,
    GoDuration,
    Int32,
    Items,
    Metadata,
    Model,
    TextQuantity,
    Texts,
    help_text,
    required_unless_shorthand,
    stored,
)

API_VERSION: Final = "karpenter.k8s.aws/v1"
KIND: Final = "EC2NodeClass"


_EVICTION: Final = (
    r"^((\d{1,2}(\.\d{1,2})?|100(\.0{1,2})?)%|(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]"
    r"|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?)$"
)
_EVICTION_OF_CRD: Final = _EVICTION.replace("%|", "%||", 1)  # the empty alternative lets an empty text through
_AMI_ID: Final = r"^ami-[0-9a-z]+$"
_SUBNET_ID: Final = r"^subnet-[0-9a-z]+$"
_GROUP_ID: Final = r"^sg-[0-9a-z]+$"
RESERVATION_ID: Final = r"^cr-[0-9a-z]+$"
_PLACEMENT_ID: Final = r"^pg-[0-9a-z]+$"
_ACCOUNT: Final = r"^[0-9]{12}$"

PATTERNS_IN_WORDS: Final = {
    _EVICTION: "a percentage such as 5% or 7.5%, or a quantity such as 200Mi",
    _AMI_ID: "an AMI id such as ami-0123456789abcdef0",
    _SUBNET_ID: "a subnet id such as subnet-0123456789abcdef0",
    _GROUP_ID: "a security group id such as sg-0123456789abcdef0",
    RESERVATION_ID: "a capacity reservation id such as cr-0123456789abcdef0",
    _PLACEMENT_ID: "a placement group id such as pg-0123456789abcdef0",
    _ACCOUNT: "an account number of twelve digits, quoted",
}

AmiFamily = Literal["AL2", "AL2023", "Bottlerocket", "Custom", "Windows2019", "Windows2022", "Windows2025"]
Switch = Literal["enabled", "disabled"]


SelectorTags = Annotated[dict[str, str], Field(max_length=20)]
EvictionSignals = dict[
    str, Annotated[str, StringConstraints(pattern=_EVICTION), WithJsonSchema({"type": "string", "pattern": _EVICTION_OF_CRD})]
]
Percent = Annotated[Int32, Field(ge=0, le=100)]


def _unanchored(pattern: str) -> WithJsonSchema:
    """Return the CRD's view of an id: it matches when the pattern occurs anywhere in the text."""
    return WithJsonSchema({"type": "string", "pattern": pattern.removeprefix("^").removesuffix("$")})


AmiId = Annotated[str, StringConstraints(pattern=_AMI_ID), _unanchored(_AMI_ID)]
SubnetId = Annotated[str, StringConstraints(pattern=_SUBNET_ID), _unanchored(_SUBNET_ID)]
GroupId = Annotated[str, StringConstraints(pattern=_GROUP_ID), _unanchored(_GROUP_ID)]


class AmiSelectorTerm(Model):
    """A way to find machine images. Terms are alternatives; all fields of a term must match."""

    alias: Annotated[
        Annotated[str, StringConstraints(max_length=30)] | None,
        help_text("family@version. With @latest nodes are replaced whenever an image is published."),
    ] = None
    id: AmiId | None = None
    name: Annotated[str | None, help_text("A name filter of EC2, in which * and ? work; not the tag Name.")] = None
    owner: Annotated[str | None, help_text("An account, self or amazon; narrows name and tags.")] = None
    tags: SelectorTags | None = None
    ssm_parameter: Annotated[str | None, help_text("A parameter that holds the id of an image.")] = None


class SubnetSelectorTerm(Model):
    """A way to find subnets."""

    id: SubnetId | None = None
    tags: SelectorTags | None = None


class SecurityGroupSelectorTerm(Model):
    """A way to find security groups."""

    id: GroupId | None = None
    name: str | None = None
    tags: SelectorTags | None = None


class CapacityReservationSelectorTerm(Model):
    """A way to find capacity reservations."""

    id: Annotated[str, StringConstraints(pattern=RESERVATION_ID)] | None = None
    owner_id: Annotated[str, StringConstraints(pattern=_ACCOUNT)] | None = None
    tags: SelectorTags | None = None
    instance_match_criteria: Literal["open", "targeted"] | None = None


class PlacementGroupSelector(Model):
    """The placement group that instances start in, by name or id."""

    id: Annotated[str, StringConstraints(pattern=_PLACEMENT_ID)] | None = None
    name: Annotated[str, StringConstraints(min_length=1)] | None = None


class Kubelet(Model):
    """Settings of the kubelet. Reserved amounts are quantities; eviction thresholds are text: a quantity or a percentage."""

    cluster_dns: Items[str] | None = None
    max_pods: Annotated[Count | None, help_text("Pods a node can hold, in place of the number that its interfaces allow.")] = (
        None
    )
    pods_per_core: Annotated[Count | None, help_text("Pods a node can hold for each of its cores, within maxPods.")] = None
    system_reserved: Annotated[
        dict[str, TextQuantity] | None, help_text("Kept for the operating system: cpu, memory, ephemeral-storage, pid.")
    ] = None
    kube_reserved: Annotated[
        dict[str, TextQuantity] | None, help_text("Kept for Kubernetes' own parts: cpu, memory, ephemeral-storage, pid.")
    ] = None
    eviction_hard: Annotated[
        EvictionSignals | None,
        help_text("Below so much of a signal pods are evicted at once; counts against what pods may use."),
    ] = None
    eviction_soft: Annotated[
        EvictionSignals | None, help_text("Below so much of a signal pods are evicted after their grace period.")
    ] = None
    eviction_soft_grace_period: dict[str, GoDuration] | None = None
    eviction_max_pod_grace_period: Int32 | None = None
    image_gc_high_threshold_percent: Percent | None = None
    image_gc_low_threshold_percent: Percent | None = None
    cpu_cfs_quota: bool | None = None


class NetworkInterface(Model):
    """A network interface that instances get at launch."""

    network_card_index: Count
    device_index: Count
    interface_type: Literal["interface", "efa-only"]


METADATA_DEFAULTS: Final = {
    "httpEndpoint": "enabled",
    "httpProtocolIPv6": "disabled",
    "httpPutResponseHopLimit": 1,
    "httpTokens": "required",
}


class MetadataOptions(Model):
    """How instances reach their metadata service."""

    http_endpoint: Switch = stored("enabled")
    http_protocol_ipv6: Switch = stored("disabled")
    http_put_response_hop_limit: Annotated[
        int, Field(ge=1, le=64), help_text("1 keeps pods away from the metadata service; 2 lets them reach it.")
    ] = stored(1)
    http_tokens: Annotated[Literal["required", "optional"], help_text("required for IMDSv2 alone.")] = stored("required")


class ConnectionTracking(Model):
    """Idle timeouts of tracked connections, in seconds."""

    tcp_established_timeout: Annotated[Int32, Field(ge=60, le=432_000)] | None = None
    udp_stream_timeout: Annotated[Int32, Field(ge=60, le=180)] | None = None
    udp_timeout: Annotated[Int32, Field(ge=30, le=60)] | None = None


class CpuOptions(Model):
    """Options of the processor."""

    nested_virtualization: Annotated[
        Switch | None, help_text("enabled keeps only machines that can run virtual machines themselves.")
    ] = None


class EnclaveOptions(Model):
    """Whether instances may run Nitro Enclaves, since Karpenter 1.15."""

    enabled: Annotated[bool, help_text("true keeps only machines that support Nitro Enclaves.")]


class EC2NodeClassSpec(Model):
    """The desired settings."""

    ami_family: Annotated[AmiFamily | None, help_text("Decides on user data and disks. An alias contains it already.")] = None
    ami_selector_terms: Annotated[
        Items[AmiSelectorTerm],
        Field(min_length=1, max_length=30),
        help_text("Which images: an alias such as al2023@v20260625 alone, or ids, names, tags, parameters."),
    ] = required_unless_shorthand()
    subnet_selector_terms: Annotated[
        Items[SubnetSelectorTerm], Field(max_length=30), help_text("Which subnets, by tags or id; terms are alternatives.")
    ] = required_unless_shorthand()
    security_group_selector_terms: Annotated[
        Items[SecurityGroupSelectorTerm],
        Field(max_length=30),
        help_text("Which security groups, by tags, id or name; all that are found are attached."),
    ] = required_unless_shorthand()
    capacity_reservation_selector_terms: Annotated[
        Items[CapacityReservationSelectorTerm],
        Field(max_length=30),
        help_text("Which capacity reservations; pools must allow the capacity type reserved."),
    ] = ()
    placement_group_selector: Annotated[
        PlacementGroupSelector | None, help_text("The placement group that instances start in, by name or id.")
    ] = None
    associate_public_ip_address: Annotated[
        bool | None, help_text("Whether nodes get public addresses; absent, the subnet decides.")
    ] = None
    ip_prefix_count: Annotated[Count | None, help_text("Address prefixes (/28) that the first interface gets at launch.")] = (
        None
    )
    role: Annotated[str | None, help_text("The name of the nodes' IAM role. Either this or instanceProfile.")] = None
    instance_profile: Annotated[str | None, help_text("Your own instance profile. Either this or role.")] = None
    user_data: Annotated[str | None, help_text("Merged with what the family needs; for Custom used as it is.")] = None
    tags: Annotated[Texts, help_text("Tags of instances, volumes and network interfaces.")] = Field(default_factory=dict)
    kubelet: Annotated[Kubelet | None, help_text("Settings of the kubelet.")] = None
    block_device_mappings: Annotated[
        Items[BlockDeviceMapping], Field(max_length=50), help_text("Volumes in place of the family's own.")
    ] = ()
    instance_store_policy: Annotated[
        Literal["RAID0"] | None, help_text("RAID0 joins the machine's own disks into the node's ephemeral storage.")
    ] = None
    network_interfaces: Annotated[Items[NetworkInterface], Field(max_length=150)] = ()
    detailed_monitoring: Annotated[bool | None, help_text("Metrics every minute, at a price.")] = None
    metadata_options: Annotated[MetadataOptions, help_text("How instances reach their metadata service.")] = stored(
        METADATA_DEFAULTS, MetadataOptions
    )
    connection_tracking: Annotated[
        ConnectionTracking | None, help_text("Idle timeouts of tracked connections, in seconds; Nitro machines only.")
    ] = None
    context: str | None = None
    cpu_options: CpuOptions | None = None
    enclave_options: Annotated[EnclaveOptions | None, help_text("Nitro Enclaves; since Karpenter 1.15.")] = None


class EC2NodeClassFields(Model):
    """A whole EC2NodeClass as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: Annotated[EC2NodeClassSpec, REQUIRED_HERE]
    status: EC2NodeClassStatus = Field(default_factory=EC2NodeClassStatus)


_ANYTHING: Final[dict[str, Any]] = {"x-kubernetes-preserve-unknown-fields": True}
OpenKubelet = Annotated[
    Any,
    help_text("Any field of the kubelet's own configuration. The controller checks it: a faulty class launches nothing."),
    WithJsonSchema({"type": "object", "additionalProperties": _ANYTHING, **_ANYTHING}),
]


class OpenEC2NodeClassSpec(EC2NodeClassSpec):
    """The desired settings, with the kubelet's settings as an object with any members, as since Karpenter 1.15."""

    kubelet: OpenKubelet = None


class OpenEC2NodeClassFields(EC2NodeClassFields):
    """A whole EC2NodeClass as a manifest has it since Karpenter 1.15."""

    spec: Annotated[OpenEC2NodeClassSpec, REQUIRED_HERE]
