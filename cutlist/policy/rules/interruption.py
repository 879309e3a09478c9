"""The queue of warnings, and spot capacity without it (spec: aws-infrastructure 4, 6, 11.2)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from cutlist.core.labels import AWS_GROUP
from cutlist.infrastructure.interruption import unheard
from cutlist.policy.rules.charts import charts_named, minor_of
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.iam_documents import written_document
from cutlist.policy.rules.parts import UNKNOWN, NotKnownError, Part, Resource
from cutlist.policy.rules.pool_parts import allows_spot, template_of
from cutlist.policy.rules.rule import Resources, Settings, Severity, object_rule, stack_rule
from cutlist.policy.rules.tokens import CHART, EVENT_RULE, NODE_POOL, QUEUE, QUEUE_POLICY, RELEASE

SPOT_ROLE: Final = "cutlist:index:SpotServiceLinkedRole"


@object_rule(
    "IF-04",
    "The queue of warnings is encrypted, and only rules of the account write to it",
    Severity.MANDATORY,
    protects="forged warnings that drain a cluster",
    looks_at=(QUEUE, QUEUE_POLICY),
    source="aws-infrastructure IF-04, 4.1, H7",
)
def queue(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that the queue is encrypted, and that its policy refuses plain text and accepts messages only from named
    sources."""
    del settings
    if resource.type == QUEUE:
        managed, key = resource.at("sqsManagedSseEnabled"), resource.at("kmsMasterKeyId")
        if not key.is_there and managed.value is not True:
            yield managed.violation("not encrypted", "sqsManagedSseEnabled, or a key", "write sqsManagedSseEnabled: true")
        return
    document = written_document(resource.at("policy"))
    if document.statements is None:
        yield document.part.violation("no IAM document", "JSON with a list of statements", "write Version and Statement")
        return
    if not any(_refuses_plain_text(statement) for statement in document.statements):
        advice = "add a Deny of sqs:* on condition that aws:SecureTransport is false"
        yield document.part.violation("messages without TLS", "TLS alone", advice)
    for statement in document.statements:
        if statement.at("Effect").text == "Allow" and not _sources(statement):
            advice = "add a condition on aws:SourceArn with the ARNs of the rules"
            yield statement.violation("senders at large", "the event rules of the account", advice)


@stack_rule(
    "IF-05",
    "Whoever buys spot hears of interruptions",
    Severity.MANDATORY,
    protects="the two minutes' warning is lost, and pods die with their node",
    hurt=("aws#3005",),
    looks_at=(NODE_POOL, RELEASE, CHART, EVENT_RULE, SPOT_ROLE),
    source="aws-infrastructure IF-05, 4.2, 6",
)
def warned(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that, if a pool allows spot, the controller has a queue, all event rules feed it, and the role for spot is made."""
    del settings
    buying = [pool for pool in resources.of_type(NODE_POOL) if _may_buy_spot(pool)]
    if not buying:
        return
    controllers = list(charts_named(resources, "karpenter"))
    if not controllers:
        yield buying[0].root.cannot_tell("whether the controller has a queue: its chart is not among the resources")
    for chart in controllers:
        name = chart.at("values", "settings", "interruptionQueue")
        if name.data is not UNKNOWN and not name.text:
            advice = "write settings.interruptionQueue, the queue's name"
            yield name.violation(f"no queue, while {buying[0].label} allows spot", "the queue's name", advice)
        else:
            yield from _missing_rules(chart, resources)
    for role in resources.of_type(SPOT_ROLE):
        if role.at("mode").data == "skip":
            advice = "use mode ensure, unless the account has the role"
            yield role.at("mode").violation(f"skip, while {buying[0].label} allows spot", "ensure or create", advice)


def _may_buy_spot(pool: Resource) -> bool:
    """Tell whether a pool of a controller that listens to a queue may buy spot; if unknown, it may. Azure has no queue."""
    try:
        return template_of(pool).at("nodeClassRef", "group").text == AWS_GROUP and allows_spot(pool)
    except NotKnownError:
        return True


def _missing_rules(chart: Resource, resources: Resources) -> Iterator[Finding]:
    try:
        sent = {text for rule in resources.of_type(EVENT_RULE) for text in _detail_types(rule.at("eventPattern"))}
    except NotKnownError as unknown:
        yield chart.at("values", "settings", "interruptionQueue").cannot_tell(str(unknown))
        return
    missing = unheard(sent, minor_of(chart))
    if missing:
        part = chart.at("values", "settings", "interruptionQueue")
        yield part.violation(f"no rule for {', '.join(missing)}", "a rule for each", "add the rules of Interruption")


def _detail_types(pattern: Part) -> tuple[str, ...]:
    try:
        data = json.loads(pattern.text) if pattern.text else pattern.value
    except ValueError:
        return ()
    listed = data.get("detail-type") if isinstance(data, dict) else None
    return tuple(detail_type for detail_type in listed if isinstance(detail_type, str)) if isinstance(listed, list) else ()


def _refuses_plain_text(statement: Part) -> bool:
    tests = statement.at("Condition", "Bool").members()
    secure = next((part for key, part in tests.items() if key.casefold() == "aws:securetransport"), None)
    return statement.at("Effect").text == "Deny" and secure is not None and secure.value in (False, "false")


def _sources(statement: Part) -> tuple[str, ...]:
    """Return the sources that a statement is limited to; none for a pattern that matches all sources."""
    tests = (part for operator in statement.at("Condition").members().values() for part in (operator,))
    conditions = [part for test in tests for key, part in test.members().items() if key.casefold() == "aws:sourcearn"]
    named = tuple(text for part in conditions for text in part.texts())
    return named if "*" not in named else ()


RULES = (queue, warned)
