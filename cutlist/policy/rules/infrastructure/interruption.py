"""The queue of warnings, and spot capacity without it (spec: aws-infrastructure 4, 6, 11.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cutlist.core.labels import AWS_GROUP
from cutlist.core.unknown import UNKNOWN
from cutlist.infrastructure.iam.documents import Effect
from cutlist.infrastructure.iam.grants import Grant, texts
from cutlist.infrastructure.iam.limits import could_reach, fixed_part, is_exact, limits, names
from cutlist.infrastructure.interruption import without_rule
from cutlist.policy.rules import tokens
from cutlist.policy.rules.access.iam_documents import Written, written_documents
from cutlist.policy.rules.event_patterns import RULES_OF_EVENTS, sent_by
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.infrastructure.charts import charts_named, minor_of
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.pool_parts import allows_spot, template_of
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, object_rule, stack_rule

_QUEUES: Final = (tokens.QUEUE, tokens.NATIVE_QUEUE)
_POLICIES: Final = (tokens.QUEUE_POLICY, *tokens.NATIVE_QUEUE_POLICIES)
_POLICY: Final[Mapping[str, str]] = {tokens.QUEUE: "policy", tokens.QUEUE_POLICY: "policy"}
"""The member that has the policy, by type; those of Cloud Control have `policyDocument`."""
_SEND: Final = "sqs:SendMessage"
_ACCOUNTS: Final = ("aws:SourceAccount", "aws:PrincipalAccount")
_ORGANISATION: Final = ("aws:PrincipalOrgID",)
_CALLER: Final = re.compile(r"arn:aws[a-z-]*:iam::[0-9]{12}:(root|(role|user)/[^*?$]+)")
TAKING: Final = tuple(
    f"sqs:{action}" for action in ("ReceiveMessage", "DeleteMessage", "PurgeQueue", "DeleteQueue", "ChangeMessageVisibility")
)
"""Actions by which messages are taken out of a queue, or hidden from others."""
_ARN_PARTS: Final = 6
SPOT_ROLE: Final = "cutlist:index:SpotServiceLinkedRole"


@object_rule(
    "IF-04",
    "The interruption queue is encrypted, and only the account's rules write to it",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="forged warnings that drain a cluster",
    looks_at=(*_QUEUES, *_POLICIES),
    source="aws-infrastructure IF-04, 4.1, H7",
)
def queue(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that the queue is encrypted, and that its policy refuses plain text and accepts messages only from named
    sources."""
    if resource.type in _QUEUES:
        managed, key = resource.at("sqsManagedSseEnabled"), resource.at("kmsMasterKeyId")
        if key.data in (None, "") and not managed.is_on:
            yield managed.violation("not encrypted", "sqsManagedSseEnabled, or a key", "write sqsManagedSseEnabled: true")
    written = resource.at(_POLICY.get(resource.type, "policyDocument"))
    if resource.type not in _QUEUES or (written.is_there and written.value != ""):
        findings: dict[Finding, None] = {}
        for document in written_documents(written):
            findings |= dict.fromkeys(_of_policy(document))
        yield from findings


@stack_rule(
    "IF-05",
    "Spot pools come with interruption warnings",
    Severity.MANDATORY,
    profile=Profile.STRICT,
    protects="spot interruptions without the two minutes of warning: pods end together with their node",
    hurt=("aws#3005",),
    looks_at=(tokens.NODE_POOL, tokens.RELEASE, tokens.CHART, *RULES_OF_EVENTS, SPOT_ROLE),
    source="aws-infrastructure IF-05, 4.2, 6",
)
def warned(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that, if a pool allows spot, the controller has a queue, all event rules feed it, and no spot role is skipped."""
    buying = [pool for pool in resources.of_type(tokens.NODE_POOL) if _may_buy_spot(pool)]
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
        rules = resources.of_type(*RULES_OF_EVENTS)
        sent = {detail_type for rule in rules for detail_type in sent_by(rule)}
    except NotKnownError as unknown:
        yield chart.at("values", "settings", "interruptionQueue").cannot_tell(str(unknown))
        return
    missing = without_rule(sent, minor_of(chart))
    if missing:
        part = chart.at("values", "settings", "interruptionQueue")
        yield part.violation(
            f"no rule sends every {', '.join(missing)}", "a rule for each", "add the event rules that Interruption makes"
        )


def _of_policy(document: Written) -> Iterator[Finding]:
    if document.statements is None:
        yield document.part.violation("not an IAM document", "JSON with a list of statements", "write Version and Statement")
        return
    if not any(_refuses_plain_text(document.statements[grant.index], grant, document.grants) for grant in document.grants):
        advice = "add a Deny of sqs:* on condition that aws:SecureTransport is false"
        yield document.part.violation("messages without TLS", "TLS alone", advice)
    for grant in document.grants:
        statement = document.statements[grant.index]
        if grant.effect is Effect.ALLOW and _sends(grant) and not _is_from_named_sources(statement, grant):
            advice = "add a condition on aws:SourceArn with the ARNs of the rules"
            yield statement.violation("any sender", "the event rules of the account", advice)
        elif grant.effect is Effect.ALLOW and _takes(grant) and not _is_for_named_callers(statement):
            advice = "name the receiving role by its ARN; a role of the same account needs no statement here"
            yield statement.violation("anybody may take warnings out of the queue", "roles by their ARN", advice)


def _refuses_plain_text(statement: Part, grant: Grant, others: Sequence[Grant]) -> bool:
    """Tell whether a statement denies everybody to send without TLS to the queue that others let people send to."""
    queues = [resource for other in others if other.effect is Effect.ALLOW for resource in other.resources]
    everybody = statement.at("Principal")
    named = everybody.at("AWS").texts() if isinstance(everybody.data, Mapping) else (everybody.text,)
    return (
        grant.effect is Effect.DENY
        and "*" in named
        and grant.action_for(_SEND) is not None
        and not grant.all_but_resources
        and all(any(could_reach(own, queue) for own in grant.resources) for queue in queues)
        and [
            (t.operator.casefold().removesuffix("ifexists"), t.key.casefold(), tuple(v.casefold() for v in t.values))
            for t in grant.tests
        ]
        == [("bool", "aws:securetransport", ("false",))]
    )


def _sends(grant: Grant) -> bool:
    return any(grant.action_for(action) is not None for action in (_SEND, "sqs:AddPermission", "sqs:SetQueueAttributes"))


def _is_from_named_sources(statement: Part, grant: Grant) -> bool:
    """Tell whether a statement lets in named rules of the queue's account, or named principals that are nobody else's."""
    own = {parts[4] for resource in grant.resources if len(parts := resource.split(":", 5)) == _ARN_PARTS}
    for test in grant.tests:
        if names(test, ("aws:SourceArn",)) and limits(test) and all(_is_source(value, own) for value in test.values):
            return True
        if names(test, _ORGANISATION) and is_exact(test):
            return True
        if names(test, _ACCOUNTS) and is_exact(test) and all(_may_be_own(value, own) for value in test.values):
            return True
    return _is_for_named_callers(statement)


def _may_be_own(account: str, own: set[str]) -> bool:
    """Tell whether an account is that of the queue, as far as its ARN names one."""
    return account in own or not any(number.isdigit() for number in own)


def _takes(grant: Grant) -> bool:
    return any(grant.action_for(action) is not None for action in TAKING)


def _is_for_named_callers(statement: Part) -> bool:
    """Tell whether a statement is for roles and users by name, or leaves the rest to the IAM of an account."""
    kinds = statement.at("Principal").members()
    callers = texts(kinds["AWS"].data) if "AWS" in kinds else ()
    return set(kinds) == {"AWS"} and bool(callers) and all(_CALLER.fullmatch(caller) for caller in callers)


def _is_source(value: str, own: set[str]) -> bool:
    """Tell whether a pattern of sources names the account and begins to name the source."""
    parts = value.split(":", 5)
    is_named = len(parts) == _ARN_PARTS and re.fullmatch("[0-9]{12}", parts[4]) is not None and bool(fixed_part(parts[5]))
    return is_named and _may_be_own(parts[4], own)


RULES = (queue, warned)
