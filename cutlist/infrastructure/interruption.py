"""Interruption warnings, which reach the controller through a queue: the events, the rules, and who may send (spec:
aws-infrastructure 4)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from cutlist.core.errors import Place, Problem
from cutlist.core.karpenter.versions import FIRST, Minor
from cutlist.infrastructure.iam.documents import EVERYTHING, Condition, Document, Effect, Operator, Principal, Statement
from cutlist.infrastructure.iam.table import equals
from cutlist.infrastructure.iam.trust import account_decides
from cutlist.infrastructure.names import ClusterFacts

RETENTION_SECONDS: Final = 300
# The suffix is the same in every partition: with the partition's own suffix no rule of China could send.
_EVENTS: Final = "events.amazonaws.com"


class NoticeKind(StrEnum):
    """What an event warns about."""

    SCHEDULED_CHANGE = "ScheduledChange"
    SPOT_INTERRUPTION = "SpotInterruption"
    REBALANCE = "Rebalance"
    STATE_CHANGE = "InstanceStateChange"
    RESERVATION_INTERRUPTION = "CapacityReservationInterruption"


class Breadth(StrEnum):
    """The events of a kind that are sent: those that the controller acts on, or all of the account."""

    NARROW = "narrow"
    BROAD = "broad"


@dataclass(frozen=True, slots=True)
class EventRule:
    """A rule of the default event bus. `narrowed` is the part of the event's detail that the controller acts on; empty for all.
    `detail_type` is exactly AWS's text: a rule with another spelling never fires, and reports no error.
    """

    kind: NoticeKind
    source: str
    detail_type: str
    effect: str
    narrowed: Mapping[str, tuple[str, ...]]
    since: Minor = FIRST

    def pattern(self, breadth: Breadth) -> dict[str, Any]:
        """Return the event pattern."""
        pattern: dict[str, Any] = {"source": [self.source], "detail-type": [self.detail_type]}
        if self.narrowed and breadth is Breadth.NARROW:
            pattern["detail"] = {key: list(values) for key, values in self.narrowed.items()}
        return pattern

    def pattern_text(self, breadth: Breadth) -> str:
        """Return the event pattern as JSON."""
        return json.dumps(self.pattern(breadth), separators=(",", ":"))


_DRAINS: Final = "the node is drained"
EVENT_RULES: Final = (
    EventRule(
        NoticeKind.SCHEDULED_CHANGE,
        "aws.health",
        "AWS Health Event",
        _DRAINS,
        {"service": ("EC2",), "eventTypeCategory": ("scheduledChange",)},
    ),
    EventRule(
        NoticeKind.SPOT_INTERRUPTION,
        "aws.ec2",
        "EC2 Spot Instance Interruption Warning",
        "the node is drained, and its offering is not used for a while",
        {},
    ),
    EventRule(
        NoticeKind.REBALANCE,
        "aws.ec2",
        "EC2 Instance Rebalance Recommendation",
        "an event in the cluster, no more",
        {},
    ),
    EventRule(
        NoticeKind.STATE_CHANGE,
        "aws.ec2",
        "EC2 Instance State-change Notification",
        "the NodeClaim is deleted",
        {"state": ("stopping", "stopped", "shutting-down", "terminated")},
    ),
    EventRule(
        NoticeKind.RESERVATION_INTERRUPTION,
        "aws.ec2",
        "EC2 Capacity Reservation Instance Interruption Warning",
        _DRAINS,
        {},
        Minor(1, 10),
    ),
)


def event_rules(version: Minor, without: Collection[NoticeKind] = ()) -> tuple[EventRule, ...]:
    """Return the rules that a controller of a version understands."""
    return tuple(rule for rule in EVENT_RULES if rule.since <= version and rule.kind not in without)


def queue_policy(queue_arn: str, rule_arns: Iterable[str], account: str) -> Document:
    """Return the queue's policy: these rules may send, and requests without TLS are denied (spec: aws-infrastructure 4.1)."""
    conditions = (
        Condition(Operator.ARN_EQUALS, "aws:SourceArn", tuple(rule_arns)),
        equals("aws:SourceAccount", account),
    )
    return Document(
        (
            Statement("AllowEventBridge", ("sqs:SendMessage",), (queue_arn,), conditions, (Principal("Service", (_EVENTS,)),)),
            Statement(
                "DenyHTTP",
                ("sqs:*",),
                (queue_arn,),
                (Condition(Operator.BOOL, "aws:SecureTransport", ("false",)),),
                (Principal("AWS", EVERYTHING),),
                Effect.DENY,
            ),
        )
    )


def key_policy(facts: ClusterFacts) -> Document:
    """Return the policy of the queue's own key: the account governs it, and rules may encrypt their messages."""
    rules = facts.arn("events", "rule/*")
    from_here = (Condition(Operator.ARN_LIKE, "aws:SourceArn", (rules,)), equals("aws:SourceAccount", facts.account))
    sender = (Principal("Service", (_EVENTS,)),)
    return Document(
        (
            account_decides(facts),
            Statement("AllowEventBridge", ("kms:GenerateDataKey*", "kms:Decrypt"), EVERYTHING, from_here, sender),
        )
    )


def queue_name_problems(name: str, place: Place) -> Iterator[Problem]:
    """Yield the mistakes in a queue's name as the controller's setting: it finds the queue only by its bare name (spec:
    4.1)."""
    last = name.rpartition("/")[2].rpartition(":")[2]
    if last != name:
        yield Problem(place, f"{name!r} is not a queue's name", "the name alone, neither ARN nor URL", last)


def without_rule(detail_types: Collection[str], version: Minor) -> tuple[str, ...]:
    """Return the events that a controller of a version acts on but that no rule sends (spec: aws-infrastructure IF-05).

    `detail_types` are those that rules send. Recommendations to rebalance are not needed.
    """
    needed = event_rules(version, without=(NoticeKind.REBALANCE,))
    return tuple(rule.detail_type for rule in needed if rule.detail_type not in detail_types)
