"""The interruption queue: which events reach it, and who may send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cutlist.core.errors import Place
from cutlist.core.karpenter.versions import Minor
from cutlist.infrastructure.iam.evaluator import Request, decide
from cutlist.infrastructure.interruption import (
    Breadth,
    NoticeKind,
    event_rules,
    key_policy,
    queue_name_problems,
    queue_policy,
    without_rule,
)
from tests.unit.infrastructure.iam.clusters import REGIONS, V1_14, cluster

DETAIL_TYPES = [
    ("aws.health", "AWS Health Event"),
    ("aws.ec2", "EC2 Spot Instance Interruption Warning"),
    ("aws.ec2", "EC2 Instance Rebalance Recommendation"),
    ("aws.ec2", "EC2 Instance State-change Notification"),
    ("aws.ec2", "EC2 Capacity Reservation Instance Interruption Warning"),
]


def test_the_texts_are_aws_own():  # I-38
    """Byte for byte: a rule with another spelling never fires."""
    assert [(rule.source, rule.detail_type) for rule in event_rules(V1_14)] == DETAIL_TYPES
    for rule in event_rules(V1_14):
        pattern = rule.pattern(Breadth.BROAD)
        assert pattern == {"source": [rule.source], "detail-type": [rule.detail_type]}


@pytest.mark.parametrize(("minor", "count"), [(9, 4), (10, 5), (14, 5)])
def test_the_fifth_rule_came_later(minor, count):  # I-38
    rules = event_rules(Minor(1, minor))
    assert len(rules) == count
    assert (NoticeKind.RESERVATION_INTERRUPTION in {rule.kind for rule in rules}) == (count == 5)


def test_recommendations_can_be_left_out():
    assert len(event_rules(V1_14, without=(NoticeKind.REBALANCE,))) == 4


def change(state: str, source: str = "aws.ec2") -> dict[str, object]:
    return {"source": source, "detail-type": "EC2 Instance State-change Notification", "detail": {"state": state}}


def health(service: str, category: str) -> dict[str, object]:
    detail = {"service": service, "eventTypeCategory": category, "eventScopeCode": "ACCOUNT_SPECIFIC"}
    return {"source": "aws.health", "detail-type": "AWS Health Event", "detail": detail}


EVENTS = [
    (health("EC2", "scheduledChange"), True, True),
    (health("EC2", "issue"), False, True),
    (health("RDS", "scheduledChange"), False, True),
    *((change(state), True, True) for state in ("stopping", "stopped", "shutting-down", "terminated")),
    *((change(state), False, True) for state in ("pending", "running")),
    (change("stopped", source="aws.rds"), False, False),
    ({"source": "aws.ec2", "detail-type": "EC2 Spot Instance Interruption Warning", "detail": {}}, True, True),
    ({"source": "aws.ec2", "detail-type": "EC2 Instance Rebalance Recommendation"}, True, True),
    ({"source": "aws.ec2", "detail-type": "EC2 Capacity Reservation Instance Interruption Warning"}, True, True),
    ({"source": "aws.ec2", "detail-type": "EC2 Spot Instance Request Fulfillment"}, False, False),
    ({"source": "aws.health", "detail-type": "AWS Health Event"}, False, True),
    ({}, False, False),
]


def pattern_matches(pattern: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    """Tell whether an event of the bus matches a pattern: of every key in the pattern the event has one of the values."""
    for key, wanted in pattern.items():
        value = event.get(key)
        if isinstance(wanted, Mapping):
            if not isinstance(value, Mapping) or not pattern_matches(wanted, value):
                return False
        elif value not in wanted:
            return False
    return True


@pytest.mark.parametrize(("event", "narrow", "broad"), EVENTS)
def test_what_the_controller_acts_on_reaches_the_queue(event, narrow, broad):  # I-39
    """An event is sent when one rule matches; the narrow form leaves out what the controller would drop."""
    for breadth, expected in ((Breadth.NARROW, narrow), (Breadth.BROAD, broad)):
        assert any(pattern_matches(rule.pattern(breadth), event) for rule in event_rules(V1_14)) is expected


def policy(region: str):
    facts = cluster(region=region)
    rules = [facts.arn("events", f"rule/{facts.event_rule(rule.kind)}") for rule in event_rules(V1_14)]
    queue = facts.arn("sqs", "shop")
    return facts, queue, rules, queue_policy(queue, rules, facts.account)


def sends(queue: str, rule: str, **context: str) -> Request:
    reported = {"aws:SourceArn": rule, "aws:SourceAccount": "111122223333", "aws:SecureTransport": "true", **context}
    return Request("sqs:SendMessage", queue, reported, "events.amazonaws.com")


@pytest.mark.parametrize("region", REGIONS)
def test_only_our_rules_send_and_only_with_tls(region):  # I-37 I-40
    """In every partition the sender is `events.amazonaws.com`."""
    facts, queue, rules, document = policy(region)
    assert all(decide((document,), sends(queue, rule)).allowed for rule in rules)
    stranger = facts.arn("events", "rule/another")
    refused = [
        sends(queue, stranger),
        sends(queue, rules[0] + "-2"),
        sends(queue, rules[0], **{"aws:SourceAccount": "999999999999"}),
        sends(queue, rules[0], **{"aws:SecureTransport": "false"}),
        Request("sqs:SendMessage", queue, sends(queue, rules[0]).context, "arn:aws:iam::999999999999:root"),
        Request("sqs:ReceiveMessage", queue, sends(queue, rules[0]).context, "events.amazonaws.com"),
    ]
    assert [request for request in refused if decide((document,), request).allowed] == []
    allow, deny = document.as_data()["Statement"]
    assert allow["Condition"]["ArnEquals"] == {"aws:SourceArn": rules}
    assert allow["Principal"] == {"Service": "events.amazonaws.com"}
    assert (deny["Effect"], deny["Principal"], deny["Action"]) == ("Deny", "*", "sqs:*")


def test_a_key_of_our_own_lets_rules_encrypt():
    facts, _, rules, _ = policy("cn-north-1")
    document = key_policy(facts)
    reported = {"aws:SourceArn": rules[0], "aws:SourceAccount": facts.account}
    for action in ("kms:GenerateDataKey", "kms:Decrypt"):
        assert decide((document,), Request(action, "*", reported, "events.amazonaws.com")).allowed
        assert not decide((document,), Request(action, "*", {}, "events.amazonaws.com")).allowed
    assert decide((document,), Request("kms:PutKeyPolicy", "*", {}, "arn:aws-cn:iam::111122223333:root")).allowed


@pytest.mark.parametrize(
    "text", ["arn:aws:sqs:us-west-2:111122223333:shop", "https://sqs.us-west-2.amazonaws.com/111122223333/shop"]
)
def test_the_controller_is_given_the_queues_name(text):  # I-41
    (problem,) = queue_name_problems(text, Place(path="settings.interruptionQueue"))
    assert problem.nearest == "shop"
    assert list(queue_name_problems("shop", Place())) == []


def test_a_rule_that_is_missing_is_reported():  # I-42
    """A misspelt text counts as missing; recommendations are not needed, and older controllers need one rule less."""
    assert without_rule([text for _, text in DETAIL_TYPES], V1_14) == ()
    misspelt = [text.replace("Interruption Warning", "Interuption Warning") for _, text in DETAIL_TYPES]
    assert without_rule(misspelt, V1_14) == (DETAIL_TYPES[1][1], DETAIL_TYPES[4][1])
    three = [DETAIL_TYPES[n][1] for n in (0, 1, 3)]
    assert without_rule(three, Minor(1, 9)) == ()
    assert without_rule(three, V1_14) == (DETAIL_TYPES[4][1],)
