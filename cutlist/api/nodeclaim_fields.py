"""The structure of a NodeClaim, `karpenter.sh/v1`: its fields, their types, ranges, defaults (spec: api-objects 2)."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import Field

from cutlist.api._model import Amount, Condition, Duration, DurationOrNever, Items, Metadata, Model, Observed, stored
from cutlist.api.nodepool_fields import DEFAULT_EXPIRE_AFTER, NodeClassRef, RequirementFields, TaintFields

API_VERSION: Final = "karpenter.sh/v1"
KIND: Final = "NodeClaim"


class Resources(Model):
    """What a node must have room for."""

    requests: dict[str, Amount] = Field(default_factory=dict)


class NodeClaimSpec(Model):
    """What a node is asked to be."""

    node_class_ref: NodeClassRef
    requirements: Annotated[Items[RequirementFields], Field(max_length=100)]
    resources: Resources = Field(default_factory=Resources)
    taints: Items[TaintFields] = ()
    startup_taints: Items[TaintFields] = ()
    expire_after: DurationOrNever = stored(DEFAULT_EXPIRE_AFTER)
    termination_grace_period: Duration | None = None


class NodeClaimStatus(Observed):
    """What became of the node."""

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
