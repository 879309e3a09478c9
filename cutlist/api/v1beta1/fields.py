"""The structure of the v1beta1 objects: their own parts where they differ from v1, and v1's elsewhere (spec: api-objects 7)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

from cutlist.api import ec2nodeclass_fields, nodeclaim_fields, nodepool_fields
from cutlist.api.block_device_fields import VolumeSize, VolumeType
from cutlist.api.ec2nodeclass_fields import (
    METADATA_DEFAULTS,
    AmiId,
    Kubelet,
    SecurityGroupSelectorTerm,
    SelectorTags,
    SubnetSelectorTerm,
)
from cutlist.api.ec2nodeclass_status import EC2NodeClassStatus
from cutlist.api.fields import Field, StringConstraints
from cutlist.api.model import (
    READ_AS_DURATION,
    REQUIRED_HERE,
    STORED_DEFAULT,
    Amount,
    Int32,
    Items,
    Metadata,
    Model,
    required_in_manifests,
    stored,
)
from cutlist.api.nodepool_fields import DEFAULT_EXPIRE_AFTER, NodePoolStatus, TaintFields, TemplateMetadata
from cutlist.api.patterns import BUDGET_DURATION, BUDGET_NODES, BUDGET_SCHEDULE

DURATION_OR_NEVER: Final = r"^(([0-9]+(s|m|h))+)|(Never)$"
"""The pattern of v1beta1: texts that begin with a duration or end with Never pass, even if its controller could not read
them."""

PATTERNS_IN_WORDS: Final = {
    **ec2nodeclass_fields.PATTERNS_IN_WORDS,
    DURATION_OR_NEVER: "whole numbers with s, m or h, such as 30s, 10m or 1h30m; or Never",
}
DEFAULT_POLICY: Final = "WhenUnderutilized"
HOP_LIMIT_OF_ABSENT_FIELD: Final = 2  # a class without metadataOptions got 1 (V-128)

DurationOrNever = Annotated[str, StringConstraints(pattern=DURATION_OR_NEVER), READ_AS_DURATION]
AmiFamily = Literal["AL2", "AL2023", "Bottlerocket", "Ubuntu", "Custom", "Windows2019", "Windows2022"]


class NodeClassRef(Model):
    """Names the node class of the nodes. Unlike v1, it has an API version in place of a group."""

    api_version: str = ""
    kind: str = ""
    name: str


class Budget(Model):
    """How many nodes may be disrupted at a time. Reasons came with v1."""

    nodes: Annotated[str, StringConstraints(pattern=BUDGET_NODES)] = required_in_manifests("10%", **{STORED_DEFAULT: "10%"})
    schedule: Annotated[str, StringConstraints(pattern=BUDGET_SCHEDULE)] | None = None
    duration: Annotated[str, StringConstraints(pattern=BUDGET_DURATION), READ_AS_DURATION] | None = None


class Disruption(Model):
    """When nodes may be replaced, and how long they live."""

    consolidate_after: DurationOrNever | None = None
    consolidation_policy: Literal["WhenEmpty", "WhenUnderutilized"] = stored(DEFAULT_POLICY)
    expire_after: DurationOrNever = stored(DEFAULT_EXPIRE_AFTER)
    budgets: Annotated[Items[Budget], Field(max_length=50)] = stored([{"nodes": "10%"}], lambda: (Budget(),))


class RequirementFields(nodepool_fields.RequirementFields):
    """One entry of `requirements`. Gte and Lte came later."""

    operator: Literal["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]


class _NodeSpec(Model):
    node_class_ref: NodeClassRef
    requirements: Annotated[Items[RequirementFields], Field(max_length=100)]
    kubelet: Kubelet | None = None
    taints: Items[TaintFields] = ()
    startup_taints: Items[TaintFields] = ()


class NoResources(Model):
    """A block of a pool's template that cannot contain anything."""

    SCHEMA: ClassVar = {"maxProperties": 0}

    requests: dict[str, Amount] = Field(default_factory=dict)


class TemplateSpec(_NodeSpec):
    """The contents of a pool's NodeClaims."""

    resources: NoResources | None = None


class Template(Model):
    """The template of a pool's NodeClaims."""

    metadata: TemplateMetadata = Field(default_factory=TemplateMetadata)
    spec: TemplateSpec


class NodePoolSpec(Model):
    """The desired pool."""

    template: Template
    disruption: Disruption = stored({"consolidationPolicy": DEFAULT_POLICY, "expireAfter": DEFAULT_EXPIRE_AFTER}, Disruption)
    limits: dict[str, Amount] = Field(default_factory=dict)
    weight: Annotated[Int32, Field(ge=1, le=100)] | None = None


class NodePoolFields(Model):
    """A whole NodePool as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: NodePoolSpec
    status: NodePoolStatus = Field(default_factory=NodePoolStatus)


class NodeClaimSpec(_NodeSpec):
    """The requirements on a node."""

    resources: nodeclaim_fields.Resources | None = None


class NodeClaimFields(Model):
    """A whole NodeClaim as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: NodeClaimSpec
    status: nodeclaim_fields.NodeClaimStatus = Field(default_factory=nodeclaim_fields.NodeClaimStatus)


class AmiSelectorTerm(Model):
    """A way to find machine images. Aliases came with v1."""

    id: AmiId | None = None
    name: str | None = None
    owner: str | None = None
    tags: SelectorTags | None = None


class Ebs(Model):
    """A volume."""

    volume_size: VolumeSize | None = None
    volume_type: VolumeType | None = None
    iops: int | None = None
    throughput: int | None = None
    encrypted: bool | None = None
    delete_on_termination: bool | None = None
    kms_key_id: str | None = None
    snapshot_id: str | None = None


class BlockDeviceMapping(Model):
    """A volume and the device that it appears as."""

    device_name: Annotated[str, REQUIRED_HERE]
    root_volume: bool = False
    ebs: Annotated[Ebs, REQUIRED_HERE]


class MetadataOptions(ec2nodeclass_fields.MetadataOptions):
    """How instances reach their metadata service."""

    http_put_response_hop_limit: Annotated[int, Field(ge=1, le=64)] = stored(HOP_LIMIT_OF_ABSENT_FIELD)


class EC2NodeClassSpec(Model):
    """How instances are launched."""

    ami_family: AmiFamily
    ami_selector_terms: Annotated[Items[AmiSelectorTerm], Field(max_length=30)] | None = None
    subnet_selector_terms: Annotated[Items[SubnetSelectorTerm], Field(max_length=30)]
    security_group_selector_terms: Annotated[Items[SecurityGroupSelectorTerm], Field(max_length=30)]
    associate_public_ip_address: bool | None = None
    role: str | None = None
    instance_profile: str | None = None
    user_data: str | None = None
    tags: dict[str, str] = Field(default_factory=dict)
    block_device_mappings: Annotated[Items[BlockDeviceMapping], Field(max_length=50)] = ()
    instance_store_policy: Literal["RAID0"] | None = None
    detailed_monitoring: bool | None = None
    metadata_options: MetadataOptions = stored(METADATA_DEFAULTS, MetadataOptions)
    context: str | None = None


class EC2NodeClassFields(Model):
    """A whole EC2NodeClass as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: Annotated[EC2NodeClassSpec, REQUIRED_HERE]
    status: EC2NodeClassStatus = Field(default_factory=EC2NodeClassStatus)
