"""The structure of a NodePool (spec: api-objects 1): every field of `karpenter.sh/v1`, its type, range and default."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field, StringConstraints

from cutlist.api._model import (
    BUDGET_DURATION,
    BUDGET_NODES,
    BUDGET_SCHEDULE,
    LABEL_VALUE,
    NO_SLASH,
    READ_AS_DURATION,
    STORED_DEFAULT,
    Amount,
    Condition,
    DateTime,
    Duration,
    DurationOrNever,
    Int32,
    Items,
    LabelValue,
    Metadata,
    Model,
    Observed,
    QualifiedName,
    asked_for,
    stored,
)

API_VERSION: Final = "karpenter.sh/v1"
KIND: Final = "NodePool"
DEFAULT_EXPIRE_AFTER: Final = "720h"
AUTO_EXPIRE_AFTER: Final = "336h"  # the defaults of EKS Auto Mode (spec 4.4)
AUTO_TERMINATION_GRACE_PERIOD: Final = "24h"
DEFAULT_CONSOLIDATE_AFTER: Final = "0s"
_SET: Final = {"x-kubernetes-list-type": "set"}

ConsolidationPolicy = Literal["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"]
BudgetReason = Literal["Underutilized", "Empty", "Drifted"]
RequirementOperator = Literal["Gte", "Lte", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]
TaintEffect = Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]


class NodeClassRef(Model):
    """Which node class a pool's nodes are made by."""

    group: Annotated[str, StringConstraints(pattern=NO_SLASH)]
    kind: str
    name: str


class Budget(Model):
    """How many nodes may be disrupted at a time: a count or a percentage, optionally in a window and for some reasons."""

    nodes: Annotated[str, StringConstraints(pattern=BUDGET_NODES)] = asked_for("10%", **{STORED_DEFAULT: "10%"})
    reasons: Annotated[Items[BudgetReason], Field(max_length=50, json_schema_extra=_SET)] | None = None
    schedule: Annotated[str, StringConstraints(pattern=BUDGET_SCHEDULE)] | None = None
    duration: Annotated[str, StringConstraints(pattern=BUDGET_DURATION), READ_AS_DURATION] | None = None


class Disruption(Model):
    """When and how fast a pool's nodes may be replaced.

    `consolidate_after` is required in a manifest that has this object at all; built in Python it is written as `0s`.
    """

    consolidate_after: DurationOrNever = asked_for(DEFAULT_CONSOLIDATE_AFTER)
    consolidation_policy: ConsolidationPolicy = stored("WhenEmptyOrUnderutilized")
    budgets: Annotated[Items[Budget], Field(max_length=50)] = stored([{"nodes": "10%"}], lambda: (Budget(),))


# The CRD bounds the list where its elements were meant, which has an effect on a text in its place alone.
_OF_ELEMENTS: Final[dict[str, Any]] = {"maxLength": 63, "pattern": LABEL_VALUE}
TextList = Annotated[Items[str], Field(json_schema_extra=_OF_ELEMENTS)]


class RequirementFields(Model):
    """One entry of `requirements`."""

    key: Annotated[QualifiedName, StringConstraints(max_length=316)]
    operator: RequirementOperator
    values: TextList = ()
    min_values: Annotated[int, Field(ge=1, le=50)] | None = None


class TaintFields(Model):
    """One entry of `taints` or `startupTaints`."""

    key: Annotated[QualifiedName, StringConstraints(min_length=1)]
    effect: TaintEffect
    value: QualifiedName | None = None
    time_added: DateTime | None = None


class TemplateMetadata(Model):
    """What a pool puts on its nodes."""

    labels: Annotated[dict[str, LabelValue], Field(max_length=100)] = Field(default_factory=dict)
    annotations: dict[str, str] = Field(default_factory=dict)


class TemplateSpec(Model):
    """What a pool's NodeClaims are made from."""

    node_class_ref: NodeClassRef
    requirements: Annotated[Items[RequirementFields], Field(max_length=100)]
    taints: Items[TaintFields] = ()
    startup_taints: Items[TaintFields] = ()
    expire_after: DurationOrNever = stored(DEFAULT_EXPIRE_AFTER)
    termination_grace_period: Duration | None = None


class Template(Model):
    """The template of a pool's NodeClaims."""

    metadata: TemplateMetadata = Field(default_factory=TemplateMetadata)
    spec: TemplateSpec


class NodePoolSpec(Model):
    """What the user wants."""

    template: Template
    disruption: Disruption = stored({"consolidateAfter": DEFAULT_CONSOLIDATE_AFTER}, Disruption)
    limits: dict[str, Amount] = Field(default_factory=dict)
    weight: Annotated[Int32, Field(ge=1, le=100)] | None = None
    replicas: Annotated[int, Field(ge=0)] | None = None


class NodePoolStatus(Observed):
    """What the controller saw."""

    conditions: Items[Condition] = ()
    resources: dict[str, Any] = Field(default_factory=dict)
    nodes: int = 0


class NodePoolFields(Model):
    """A whole NodePool as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: NodePoolSpec
    status: NodePoolStatus = Field(default_factory=NodePoolStatus)
