"""The structure of a CapacityBuffer, `autoscaling.x-k8s.io/v1beta1` (spec: api-objects 6.2)."""

from __future__ import annotations

from typing import Annotated, Final

from cutlist.api.fields import Field, StringConstraints
from cutlist.api.model import Amount, Condition, Count, Items, Metadata, Model, Observed, help_text, stored

API_VERSION: Final = "autoscaling.x-k8s.io/v1beta1"
KIND: Final = "CapacityBuffer"
ACTIVE_CAPACITY: Final = "buffer.x-k8s.io/active-capacity"

_Filled = Annotated[str, StringConstraints(min_length=1)]


class PodTemplateRef(Model):
    """A PodTemplate of the buffer's namespace."""

    name: _Filled


class ScalableRef(Model):
    """The workload whose pods the buffer copies."""

    kind: _Filled
    name: _Filled
    api_group: str = ""


class CapacityBufferSpec(Model):
    """The capacity that is kept free, and its pods."""

    provisioning_strategy: str = stored(ACTIVE_CAPACITY)
    pod_template_ref: Annotated[
        PodTemplateRef | None, help_text("A PodTemplate of the same namespace; with replicas or limits.")
    ] = None
    scalable_ref: Annotated[ScalableRef | None, help_text("A Deployment, StatefulSet or ReplicaSet whose pods are meant.")] = (
        None
    )
    replicas: Annotated[Count | None, help_text("Room for this many pods.")] = None
    percentage: Annotated[
        Count | None, help_text("Room for this share of the workload's replicas, rounded up, at least 1.")
    ] = None
    limits: Annotated[dict[str, Amount] | None, help_text("Caps the sum of what the pods ask for.")] = None


class CapacityBufferStatus(Observed):
    """The state that the controller observed; None for a buffer that no controller has seen."""

    pod_template_ref: PodTemplateRef | None = None
    replicas: int | None = None
    provisioning_strategy: str = ""
    conditions: Items[Condition] = ()


class CapacityBufferFields(Model):
    """A whole CapacityBuffer as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: CapacityBufferSpec
    status: CapacityBufferStatus = Field(default_factory=CapacityBufferStatus)
