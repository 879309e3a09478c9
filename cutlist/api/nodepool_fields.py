"""The structure of a NodePool (spec: api-objects 1): every field of `karpenter.sh/v1`, its type, range and default."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from cutlist.api.fields import Field, StringConstraints
from cutlist.api.model import (
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
    help_text,
    required_in_manifests,
    stored,
)
from cutlist.api.patterns import BUDGET_DURATION, BUDGET_NODES, BUDGET_SCHEDULE, LABEL_VALUE, NO_SLASH

API_VERSION: Final = "karpenter.sh/v1"
KIND: Final = "NodePool"
DEFAULT_EXPIRE_AFTER: Final = "720h"
AUTO_EXPIRE_AFTER: Final = "336h"  # the defaults of EKS Auto Mode (spec 4.4)
AUTO_TERMINATION_GRACE_PERIOD: Final = "24h"
DEFAULT_CONSOLIDATE_AFTER: Final = "0s"
_SET: Final = {"x-kubernetes-list-type": "set"}

ConsolidationPolicy = Literal["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"]
BudgetReason = Literal["Underutilized", "Empty", "Drifted", "Unhealthy"]
REASONS_BEFORE_UNHEALTHY: Final = ("Underutilized", "Empty", "Drifted")
TaintEffect = Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]


class NodeClassRef(Model):
    """The node class of a pool's nodes."""

    group: Annotated[
        str,
        StringConstraints(pattern=NO_SLASH),
        help_text(
            "karpenter.k8s.aws, eks.amazonaws.com or karpenter.azure.com, without a version. It cannot be changed later."
        ),
    ]
    kind: Annotated[str, help_text("EC2NodeClass, NodeClass (EKS Auto Mode) or AKSNodeClass. It cannot be changed later.")]
    name: Annotated[str, help_text("The name of the class. When it changes, all nodes of the pool are replaced.")]


class Budget(Model):
    """How many nodes may be disrupted at a time: a count or a percentage, optionally in a window and for some reasons."""

    nodes: Annotated[
        str,
        StringConstraints(pattern=BUDGET_NODES),
        help_text("A number such as 5, or a percentage of the pool's nodes such as 10%, rounded up."),
    ] = required_in_manifests("10%", **{STORED_DEFAULT: "10%"})
    reasons: Annotated[
        Annotated[Items[BudgetReason], Field(max_length=50, json_schema_extra=_SET)] | None,
        help_text("Why nodes go that this budget is for; absent for every reason."),
    ] = None
    schedule: Annotated[
        Annotated[str, StringConstraints(pattern=BUDGET_SCHEDULE)] | None,
        help_text("When the window opens: five cron fields in UTC, or @daily and the like. Needs duration."),
    ] = None
    duration: Annotated[
        Annotated[str, StringConstraints(pattern=BUDGET_DURATION), READ_AS_DURATION] | None,
        help_text("How long the window stays open, in hours and minutes such as 8h. Needs schedule."),
    ] = None


class Disruption(Model):
    """When and how fast a pool's nodes may be replaced.

    `consolidate_after` is required in a manifest that has this object; an object built in Python gets `0s`.
    """

    consolidate_after: Annotated[
        DurationOrNever, help_text("How long a node must be quiet before it may be consolidated: 0s, 30s, 1h30m or Never.")
    ] = required_in_manifests(DEFAULT_CONSOLIDATE_AFTER)
    consolidation_policy: Annotated[
        ConsolidationPolicy, help_text("Which nodes may be consolidated: empty ones alone, or also those with room to spare.")
    ] = stored("WhenEmptyOrUnderutilized")
    budgets: Annotated[
        Items[Budget],
        Field(max_length=50),
        help_text("How many nodes may be disrupted at a time. Absent is 10%, an empty list is no limit."),
    ] = stored([{"nodes": "10%"}], lambda: (Budget(),))


# The CRD puts a bound on the list that was meant for its elements. It only affects a text in the list's place.
_OF_ELEMENTS: Final[dict[str, Any]] = {"maxLength": 63, "pattern": LABEL_VALUE}
RequirementKey = Annotated[
    QualifiedName,
    StringConstraints(max_length=316),
    help_text("A label key that the machine has, such as karpenter.k8s.aws/instance-category or kubernetes.io/arch."),
]
RequirementOperator = Annotated[
    Literal["Gte", "Lte", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"],
    help_text("In, NotIn, Exists, DoesNotExist; Gt, Lt, Gte, Lte take one whole number, as text."),
]
RequirementValues = Annotated[
    Items[str], Field(json_schema_extra=_OF_ELEMENTS), help_text("Texts: quote numbers and true or false.")
]


class RequirementFields(Model):
    """One entry of `requirements`."""

    key: RequirementKey
    operator: RequirementOperator
    values: RequirementValues = ()
    min_values: Annotated[
        Annotated[int, Field(ge=1, le=50)] | None, help_text("So many different values must stay possible at launch, 1 to 50.")
    ] = None


class TaintFields(Model):
    """One entry of `taints` or `startupTaints`."""

    key: Annotated[QualifiedName, StringConstraints(min_length=1)]
    effect: TaintEffect
    value: QualifiedName | None = None
    time_added: DateTime | None = None


NodeClassRefField = Annotated[NodeClassRef, help_text("The node class that makes the machines: group, kind and name.")]
RequirementList = Annotated[
    Items[RequirementFields], Field(max_length=100), help_text("What a machine must be; all of them hold together.")
]
Taints = Annotated[Items[TaintFields], help_text("Keep pods away that do not tolerate them.")]
StartupTaints = Annotated[
    Items[TaintFields], help_text("Taints that something removes while the node starts; pods need not tolerate them.")
]
ExpireAfter = Annotated[
    DurationOrNever, help_text("The longest life of a node, such as 720h, or Never. Expiry does not wait for budgets.")
]
TerminationGracePeriod = Annotated[
    Duration | None, help_text("After this time a node that is being deleted is removed, whatever blocks it.")
]
"""Fields that the template of a NodePool and a NodeClaim have in common."""


class TemplateMetadata(Model):
    """Labels and annotations that a pool puts on its nodes."""

    labels: Annotated[
        dict[str, LabelValue],
        Field(max_length=100),
        help_text("Labels of the nodes. Pods that select one of your own labels need a pool that has it."),
    ] = Field(default_factory=dict)
    annotations: Annotated[dict[str, str], help_text("Annotations of the nodes.")] = Field(default_factory=dict)


class TemplateSpec(Model):
    """The contents of a pool's NodeClaims."""

    node_class_ref: NodeClassRefField
    requirements: RequirementList
    taints: Taints = ()
    startup_taints: StartupTaints = ()
    expire_after: ExpireAfter = stored(DEFAULT_EXPIRE_AFTER)
    termination_grace_period: TerminationGracePeriod = None


class Template(Model):
    """The template of a pool's NodeClaims."""

    metadata: TemplateMetadata = Field(default_factory=TemplateMetadata)
    spec: TemplateSpec


class NodePoolSpec(Model):
    """The desired settings."""

    template: Annotated[Template, help_text("What the nodes of the pool are made from.")]
    disruption: Annotated[
        Disruption, help_text("When and how fast nodes may be replaced. Written at all, it needs consolidateAfter.")
    ] = stored({"consolidateAfter": DEFAULT_CONSOLIDATE_AFTER}, Disruption)
    limits: Annotated[
        dict[str, Amount], help_text("At most so much of a resource in all nodes together: cpu, memory, nodes, or any other.")
    ] = Field(default_factory=dict)
    weight: Annotated[
        Annotated[Int32, Field(ge=1, le=100)] | None,
        help_text("Pools of higher weight are tried first, 1 to 100; absent counts as 0."),
    ] = None
    replicas: Annotated[
        Annotated[int, Field(ge=0)] | None,
        help_text("Makes the pool static: it keeps this many nodes, whatever pods there are."),
    ] = None


class NodePoolStatus(Observed):
    """The state that the controller observed."""

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
