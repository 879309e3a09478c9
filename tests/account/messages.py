"""Rows of queues, event rules, logs and alarms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from cutlist.infrastructure.control_plane import RETENTIONS
from tests.account.checks import Check, arn, at_most, between, in_region, matches, one_of, text
from tests.account.documents import fits_a_queue, resource_policy
from tests.account.identity import ACCOUNT, KEY
from tests.account.rows import Limit, Row
from tests.account.sources import ALARM_API, EVENTS_API, LOGS_API, SQS_API, SQS_POLICIES
from tests.account.tags import tags

_NEW_NAME: Final = frozenset({"name", "namePrefix"})
_RULE: Final = matches(r"[\w.-]+", "letters, digits and . - _", 64)
_QUEUE: Final = arn("sqs", r"[\w-]{1,80}(\.fifo)?", "the ARN of a queue")
_DAY: Final = 86_400
_OPERATORS: Final = ("GreaterThanOrEqualToThreshold", "GreaterThanThreshold", "LessThanThreshold", "LessThanOrEqualToThreshold")


def _is_one_encryption(inputs: Mapping[str, Any]) -> bool:
    return not (inputs.get("sqsManagedSseEnabled") is True and inputs.get("kmsMasterKeyId"))


def _is_fifo(inputs: Mapping[str, Any]) -> bool:
    name = inputs.get("name")
    return not isinstance(name, str) or name.endswith(".fifo") == (inputs.get("fifoQueue") is True)


def _has_trigger(inputs: Mapping[str, Any]) -> bool:
    return inputs.get("eventPattern") is not None or inputs.get("scheduleExpression") is not None


def _is_period_of_days(inputs: Mapping[str, Any]) -> bool:
    period, count = inputs.get("period"), inputs.get("evaluationPeriods")
    if not isinstance(period, int) or not isinstance(count, int):
        return True
    return period * count <= (7 * _DAY if period >= 3_600 else _DAY)


def _is_pattern(value: Any) -> bool:
    try:
        pattern = json.loads(value)
    except ValueError:
        return False
    return len(value) <= 4_096 and isinstance(pattern, dict) and bool(pattern) and all(map(_has_lists, pattern.values()))


def _has_lists(member: Any) -> bool:
    return all(map(_has_lists, member.values())) if isinstance(member, dict) else isinstance(member, list) and bool(member)


def _is_period(value: Any) -> bool:
    return value in (10, 20, 30) or value % 60 == 0


ROWS: Final = (
    Row(
        "aws:sqs/queue:Queue",
        (
            Limit("name", matches(r"[\w-]+(\.fifo)?", "letters, digits, - and _", 80), SQS_API),
            Limit("messageRetentionSeconds", between(60, 1_209_600), SQS_API),
            Limit("visibilityTimeoutSeconds", between(0, 43_200), SQS_API),
            Limit("delaySeconds", between(0, 900), SQS_API),
            Limit("receiveWaitTimeSeconds", between(0, 20), SQS_API),
            Limit("kmsDataKeyReusePeriodSeconds", between(60, 86_400), SQS_API),
            Limit("maxMessageSize", between(1_024, 1_048_576), SQS_API),
            Limit("", Check("a name that ends in .fifo for a FIFO queue alone", _is_fifo), SQS_API),
            Limit("", Check("encryption by SQS or by a key, not both", _is_one_encryption), SQS_API),
            *tags(),
        ),
        _NEW_NAME | {"fifoQueue"},
        id=f"https://sqs.{{region}}.amazonaws.com/{ACCOUNT}/{{named}}",
        computed={
            "arn": f"arn:aws:sqs:{{region}}:{ACCOUNT}:{{named}}",
            "url": f"https://sqs.{{region}}.amazonaws.com/{ACCOUNT}/{{named}}",
        },
        autonamed=("name", 80),
    ),
    Row(
        "aws:sqs/queuePolicy:QueuePolicy",
        (
            Limit("queueUrl", matches(r"https://\S+/[0-9]{12}/[\w-]+(\.fifo)?", "the URL of a queue"), SQS_API),
            Limit("policy", resource_policy(8_192), SQS_API),
            Limit("policy", Check("at most 20 statements, 50 principals, 7 actions in one", fits_a_queue), SQS_POLICIES),
        ),
        frozenset({"queueUrl"}),
        id="{queueUrl}",
    ),
    Row(
        "aws:cloudwatch/eventRule:EventRule",
        (
            Limit("name", _RULE, EVENTS_API),
            Limit("description", text(512), EVENTS_API),
            Limit("eventPattern", Check("a JSON object of lists, at most 4,096 characters", _is_pattern), EVENTS_API),
            Limit("", Check("a pattern or a schedule", _has_trigger), EVENTS_API),
            Limit("state", one_of("ENABLED", "DISABLED", "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"), EVENTS_API),
            *tags(),
        ),
        _NEW_NAME | {"eventBusName"},
        id="{named}",
        computed={"arn": f"arn:aws:events:{{region}}:{ACCOUNT}:rule/{{named}}"},
        autonamed=("name", 64),
    ),
    Row(
        "aws:cloudwatch/eventTarget:EventTarget",
        (
            Limit("rule", _RULE, EVENTS_API),
            Limit("targetId", matches(r"[\w.-]+", "letters, digits and . - _", 64), EVENTS_API),
            Limit("arn", _QUEUE, EVENTS_API),
            Limit("", in_region("arn"), EVENTS_API),
            Limit("deadLetterConfig.arn", _QUEUE, EVENTS_API),
            Limit("retryPolicy.maximumRetryAttempts", between(0, 185), EVENTS_API),
            Limit("retryPolicy.maximumEventAgeInSeconds", between(60, 86_400), EVENTS_API),
        ),
        frozenset({"rule", "targetId", "eventBusName"}),
        id="{rule}-{targetId}",
    ),
    Row(
        "aws:cloudwatch/logGroup:LogGroup",
        (
            Limit("name", matches(r"(?!aws/)[\w./#-]+", "letters, digits and . - _ / #", 512), LOGS_API),
            Limit("retentionInDays", one_of(*RETENTIONS), LOGS_API),
            Limit("kmsKeyId", KEY, LOGS_API),
            Limit("", in_region("kmsKeyId"), LOGS_API),
            *tags(),
        ),
        _NEW_NAME,
        id="{named}",
        computed={"arn": f"arn:aws:logs:{{region}}:{ACCOUNT}:log-group:{{named}}"},
        autonamed=("name", 512),
    ),
    Row(
        "aws:cloudwatch/metricAlarm:MetricAlarm",
        (
            Limit("name", text(255, 1), ALARM_API),
            Limit("alarmDescription", text(1_024), ALARM_API),
            Limit("alarmActions", at_most(5, "actions"), ALARM_API),
            Limit("alarmActions[]", matches(r"arn:aws[a-z-]*:[a-z0-9-]+:\S+", "an ARN", 1_024), ALARM_API),
            Limit("", in_region("alarmActions"), ALARM_API),
            Limit("metricName", text(255, 1), ALARM_API),
            Limit("namespace", matches(r"[^:].*", "not beginning with :", 255), ALARM_API),
            Limit("statistic", one_of("SampleCount", "Average", "Sum", "Minimum", "Maximum"), ALARM_API),
            Limit("period", Check("10, 20, 30 or a multiple of 60 seconds", _is_period), ALARM_API),
            Limit("evaluationPeriods", between(1, 1_000_000), ALARM_API),
            Limit("", Check("a day at most together, a week with periods of an hour", _is_period_of_days), ALARM_API),
            Limit("comparisonOperator", one_of(*_OPERATORS), ALARM_API),
            Limit("treatMissingData", one_of("breaching", "notBreaching", "ignore", "missing"), ALARM_API),
            *tags(),
        ),
        frozenset({"name"}),
        id="{named}",
        computed={"arn": f"arn:aws:cloudwatch:{{region}}:{ACCOUNT}:alarm:{{named}}"},
        autonamed=("name", 255),
    ),
)
