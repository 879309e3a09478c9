"""Provisioner and AWSNodeTemplate, the objects before v1beta1: their fields (spec: api-objects 7.5).

No release since 0.33 serves them. They are only read for conversion; unknown fields are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from cutlist.api import ec2nodeclass_fields
from cutlist.api.fields import Field
from cutlist.api.findings import Finding, Hints
from cutlist.api.model import Amount, Items, LabelValue, Metadata, Model, Observed
from cutlist.api.nodepool_fields import TaintFields
from cutlist.api.v1beta1.fields import PATTERNS_IN_WORDS, Ebs, RequirementFields
from cutlist.api.validation import ObjectKind, validate

PROVISIONER: Final = "Provisioner"
NODE_TEMPLATE: Final = "AWSNodeTemplate"
MACHINE: Final = "Machine"
API_VERSIONS: Final = {
    PROVISIONER: "karpenter.sh/v1alpha5",
    MACHINE: "karpenter.sh/v1alpha5",
    NODE_TEMPLATE: "karpenter.k8s.aws/v1alpha1",
}


class Kubelet(ec2nodeclass_fields.Kubelet):
    """Settings of the kubelet, including the former choice of a container runtime."""

    container_runtime: str | None = None


class ProviderRef(Model):
    """The AWSNodeTemplate of the nodes."""

    api_version: str = ""
    kind: str = NODE_TEMPLATE
    name: str


class Limits(Model):
    """The most of a resource that all nodes may have together."""

    resources: dict[str, Amount] = Field(default_factory=dict)


class Consolidation(Model):
    """Whether nodes are replaced by fewer or cheaper ones."""

    enabled: bool = False


class ProvisionerSpec(Model):
    """The desired pool of nodes."""

    annotations: dict[str, str] = Field(default_factory=dict)
    labels: dict[str, LabelValue] = Field(default_factory=dict)
    taints: Items[TaintFields] = ()
    startup_taints: Items[TaintFields] = ()
    requirements: Items[RequirementFields] = ()
    kubelet_configuration: Kubelet | None = None
    provider: dict[str, Any] | None = None
    provider_ref: ProviderRef | None = None
    ttl_seconds_after_empty: Annotated[int, Field(ge=0)] | None = None
    ttl_seconds_until_expired: Annotated[int, Field(ge=0)] | None = None
    limits: Limits = Field(default_factory=Limits)
    weight: Annotated[int, Field(ge=1, le=100)] | None = None
    consolidation: Consolidation = Field(default_factory=Consolidation)


class BlockDeviceMapping(Model):
    """A volume and the device that it appears as."""

    device_name: str | None = None
    ebs: Ebs | None = None


class NodeTemplateSpec(Model):
    """How instances are launched."""

    ami_family: str | None = None
    ami_selector: dict[str, str] = Field(default_factory=dict)
    subnet_selector: dict[str, str] = Field(default_factory=dict)
    security_group_selector: dict[str, str] = Field(default_factory=dict)
    instance_profile: str | None = None
    launch_template: str | None = None
    user_data: str | None = None
    tags: dict[str, str] = Field(default_factory=dict)
    block_device_mappings: Items[BlockDeviceMapping] = ()
    metadata_options: ec2nodeclass_fields.MetadataOptions | None = None
    detailed_monitoring: bool | None = None
    context: str | None = None


class ProvisionerFields(Model):
    """A whole Provisioner as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: ProvisionerSpec = Field(default_factory=ProvisionerSpec)
    status: Observed = Field(default_factory=Observed)


class NodeTemplateFields(Model):
    """A whole AWSNodeTemplate as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: NodeTemplateSpec = Field(default_factory=NodeTemplateSpec)
    status: Observed = Field(default_factory=Observed)


_HINTS: Final = Hints(patterns=PATTERNS_IN_WORDS)
_KINDS: Final = {
    PROVISIONER: ObjectKind(ProvisionerFields, _HINTS, lambda _: ()),
    NODE_TEMPLATE: ObjectKind(NodeTemplateFields, _HINTS, lambda _: ()),
}


def is_older(api_version: str, kind: str) -> bool:
    """Tell whether an object is one of these, or a Machine."""
    return API_VERSIONS.get(kind) == api_version


def findings(manifest: Mapping[str, Any]) -> list[Finding]:
    """Return the findings on parts of a Provisioner or an AWSNodeTemplate that cannot be read, or an empty list."""
    return validate(_KINDS[str(manifest.get("kind"))], manifest).findings
