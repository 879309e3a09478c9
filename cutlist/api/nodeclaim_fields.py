"""The structure of a NodeClaim, `karpenter.sh/v1`: its fields, their types, ranges, defaults (spec: api-objects 2)."""

from __future__ import annotations

from typing import Annotated, Any, Final

from cutlist.api.fields import Field
from cutlist.api.model import Amount, Condition, Items, Metadata, Model, Observed, help_text, stored
from cutlist.api.nodepool_fields import (
    DEFAULT_EXPIRE_AFTER,
    ExpireAfter,
    NodeClassRefField,
    RequirementList,
    StartupTaints,
    Taints,
    TerminationGracePeriod,
)

API_VERSION: Final = "karpenter.sh/v1"
KIND: Final = "NodeClaim"


class Resources(Model):
    """The amounts that a node must have room for."""

    requests: Annotated[dict[str, Amount], help_text("What the pods of the node ask for together.")] = Field(
        default_factory=dict
    )


class NodeClaimSpec(Model):
    """The requirements on a node."""

    node_class_ref: NodeClassRefField
    requirements: RequirementList
    resources: Resources = Field(default_factory=Resources)
    taints: Taints = ()
    startup_taints: StartupTaints = ()
    expire_after: ExpireAfter = stored(DEFAULT_EXPIRE_AFTER)
    termination_grace_period: TerminationGracePeriod = None


class NodeClaimStatus(Observed):
    """The observed state of the node."""

    node_name: str = ""
    provider_id: str = ""
    image_id: str = ""
    capacity: dict[str, Any] = Field(default_factory=dict)
    allocatable: dict[str, Any] = Field(default_factory=dict)
    last_pod_event_time: str | None = None
    conditions: Items[Condition] = ()


class NodeClaimFields(Model):
    """A whole NodeClaim as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: NodeClaimSpec
    status: NodeClaimStatus = Field(default_factory=NodeClaimStatus)
