"""The structure of a CapacityBuffer, `autoscaling.x-k8s.io/v1beta1` (spec: api-objects 6.2)."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field, StringConstraints

from cutlist.api._model import Amount, Condition, Count, Items, Metadata, Model, Observed, stored

API_VERSION: Final = "autoscaling.x-k8s.io/v1beta1"
KIND: Final = "CapacityBuffer"
ACTIVE_CAPACITY: Final = "buffer.x-k8s.io/active-capacity"

_Filled = Annotated[str, StringConstraints(min_length=1)]


class PodTemplateRef(Model):
    """A PodTemplate of the buffer's namespace."""

    name: _Filled


class ScalableRef(Model):
    """The workload whose pods the buffer is made of."""

    kind: _Filled
    name: _Filled
    api_group: str = ""


class CapacityBufferSpec(Model):
    """How much room is kept free, and for which pods."""

    provisioning_strategy: str = stored(ACTIVE_CAPACITY)
    pod_template_ref: PodTemplateRef | None = None
    scalable_ref: ScalableRef | None = None
    replicas: Count | None = None
    percentage: Count | None = None
    limits: dict[str, Amount] | None = None


class CapacityBufferStatus(Observed):
    """What the controller found; None for a buffer that no controller has seen."""

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
