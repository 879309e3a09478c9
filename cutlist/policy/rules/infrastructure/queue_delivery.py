"""Warnings on their way through the queue: kept, delayed, redirected or taken by others (spec: aws-infrastructure IF-25, 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.durations import seconds
from cutlist.core.unknown import UNKNOWN
from cutlist.infrastructure.iam.documents import Effect
from cutlist.infrastructure.iam.grants import Grant
from cutlist.infrastructure.iam.limits import could_reach
from cutlist.policy.rules.access.iam_documents import GRANTING, documents_in, written_documents
from cutlist.policy.rules.access.principals import RIGHTS, Principals
from cutlist.policy.rules.event_patterns import RULES_OF_EVENTS, events_of, sent_by
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.infrastructure.charts import charts_named
from cutlist.policy.rules.infrastructure.interruption import TAKING
from cutlist.policy.rules.parameters import count, duration
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, stack_rule
from cutlist.policy.rules.tokens import CHART, NATIVE_EVENT_RULE, NATIVE_QUEUE, QUEUE, RELEASE

_TARGET: Final = "aws:cloudwatch/eventTarget:EventTarget"
_REDRIVE: Final = "aws:sqs/redrivePolicy:RedrivePolicy"
_READERS: Final[Mapping[str, str]] = {
    "aws:lambda/eventSourceMapping:EventSourceMapping": "eventSourceArn",
    "aws-native:lambda:EventSourceMapping": "eventSourceArn",
    "aws:pipes/pipe:Pipe": "source",
    "aws-native:pipes:Pipe": "source",
}
"""The member that names what is read and emptied, by type."""
_RETENTION: Final[Mapping[str, str]] = {QUEUE: "messageRetentionSeconds", NATIVE_QUEUE: "messageRetentionPeriod"}
_SIZE: Final[Mapping[str, str]] = {QUEUE: "maxMessageSize", NATIVE_QUEUE: "maximumMessageSize"}
_SMALLEST: Final = 2048
"""Bytes that the longest of Karpenter's events may need; one about health has a text in words."""
_KEY_OF_SQS: Final = "alias/aws/sqs"
"""Nobody can change this key's policy, and it does not admit EventBridge: AWS's page "Amazon SQS Key management" in the SQS
guide, November 2026 (spec: aws-infrastructure 4.1)."""
_OF_WARNINGS: Final = ("karpenter", "interruption")
_SHAPING: Final = ("input", "inputPath", "inputTransformer")
_LAUNCH: Final = "ec2:RunInstances"
_WARNING_LASTS: Final = "the two minutes that a warning lasts"
_KEPT: Final = duration("shortest", "2m", "The shortest time for which the queue keeps a message.")
_DELAY: Final = duration("delay", "10s", "The longest time by which the queue may delay a message.")
_RECEIVES: Final = count("receives", 2, "The fewest times that a message is delivered before it moves to a dead-letter queue.")


@stack_rule(
    "IF-25",
    "Warnings reach Karpenter in time, and nobody else reads them",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a warning that is dropped, delayed, rewritten or read by somebody else, and does not arrive within its two "
    "minutes",
    looks_at=(QUEUE, NATIVE_QUEUE, _REDRIVE, *_READERS, _TARGET, *RULES_OF_EVENTS, RELEASE, CHART, *RIGHTS),
    source="aws-infrastructure IF-25, 4.1, 4.2",
    parameters=(_KEPT, _DELAY, _RECEIVES),
)
def delivered(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check each queue that Karpenter's chart names, that rules about its events feed, or that is named after it, and what
    reads from it or redirects into it.

    How long a message is invisible once it is received does not matter: Karpenter asks for 20 seconds each time.
    """
    queues = list(_queues_of_warnings(resources))
    checks = [check(queue, settings) for queue in queues for check in (_kept, _sent, _redriven)]
    own = [policy for policy in resources.of_type(_REDRIVE) if _named_among(queues, policy, "queueUrl")]
    checks += [_redriven(policy, settings) for policy in own]
    checks += [_taken(resource, queues) for resource in resources.of_type(*_READERS)]
    checks += [_foreign(resource, queues) for resource in resources.of_type(_REDRIVE, *_RETENTION)]
    checks += [_reshaped(target) for target in _targets_of(resources) if any(_feeds(target, queue) for queue in queues)]
    for check in (*checks, _permitted(resources, queues), _unfed(resources)):
        try:
            yield from check
        except NotKnownError as unknown:  # of one resource, which says nothing of the others
            yield unknown.finding


def _queues_of_warnings(resources: Resources) -> Iterator[Resource]:
    named = list(_named_by_charts(resources))
    fed = [target for target in _targets_of(resources) if _is_of_warnings(target, resources)]
    for queue in resources.of_type(*_RETENTION):
        is_after_karpenter = any(word in _name(queue).casefold() for word in _OF_WARNINGS)
        if queue in named or is_after_karpenter or any(_feeds(target, queue) for target in fed):
            yield queue


def _named_by_charts(resources: Resources) -> Iterator[Resource]:
    """Yield the queues of the stack that Karpenter's charts name, by their names or by outputs."""
    texts, urns = set[str](), set[str]()
    for chart in charts_named(resources, "karpenter"):
        try:
            texts.add(chart.at("values", "settings", "interruptionQueue").text)
        except NotKnownError:
            urns |= set(chart.references.get("values", ()))
    yield from (queue for queue in resources.of_type(*_RETENTION) if _name(queue) in texts or queue.urn in urns)


def _unfed(resources: Resources) -> Iterator[Finding]:
    """Yield the events that rules of the stack send somewhere, but not to a queue that Karpenter listens to."""
    queues, targets = list(_named_by_charts(resources)), list(_targets_of(resources))
    sent: dict[str, Resource] = {}
    fed: set[str] = set()
    for rule in resources.of_type(*RULES_OF_EVENTS) if queues else ():
        own = [target for target in targets if _is_target_of(target, rule)]
        try:
            events = tuple(sent_by(rule)) if own else ()
        except NotKnownError:
            return  # it may be any
        sent = dict.fromkeys(events, rule) | sent
        if any(_feeds(target, queue) or _is_anywhere(target) for target in own for queue in queues):
            fed |= set(events)
    for event, rule in sent.items():
        if event not in fed:
            advice = f"add a target with the ARN of {queues[0].label}"
            yield rule.root.violation(f"no target of {event} is {queues[0].label}", "Karpenter's queue", advice)


def _is_anywhere(target: Part) -> bool:
    """Tell whether the target is unknown."""
    member = "targets" if target.path else "arn"
    return target.data.get("arn") is UNKNOWN and not target.resource.references.get(member)


def _targets_of(resources: Resources) -> Iterator[Part]:
    """Yield the targets of event rules, in resources of their own or inside a rule."""
    yield from (target.root for target in resources.of_type(_TARGET))
    for rule in resources.of_type(NATIVE_EVENT_RULE):
        listed = rule.at("targets")
        yield from (item for item in (listed.items() if listed.data is not UNKNOWN else ()) if isinstance(item.data, Mapping))


def _feeds(target: Part, queue: Resource) -> bool:
    """Tell whether the target of an event rule is a queue."""
    return _names(target.resource, "targets" if target.path else "arn", target.data.get("arn"), queue)


def _named_among(queues: list[Resource], resource: Resource, member: str) -> bool:
    return any(_names(resource, member, resource.data.get(member), queue) for queue in queues)


def _is_of_warnings(target: Part, resources: Resources) -> bool:
    """Tell whether a target belongs to a rule about an event that Karpenter acts on."""
    return any(_is_target_of(target, rule) and _is_about_events(rule) for rule in resources.of_type(*RULES_OF_EVENTS))


def _is_target_of(target: Part, rule: Resource) -> bool:
    if target.path:
        return target.resource == rule
    named = target.data.get("rule")
    is_named = isinstance(named, str) and named in (rule.data.get("name"), rule.name)
    return is_named or (bool(rule.urn) and rule.urn in target.resource.references.get("rule", ()))


def _is_about_events(rule: Resource) -> bool:
    try:
        return any(events_of(rule))
    except NotKnownError:
        return False


def _name(queue: Resource) -> str:
    written = queue.data.get("name" if queue.type == QUEUE else "queueName")
    return written if isinstance(written, str) else queue.name


def _names(resource: Resource, member: str, value: Any, queue: Resource) -> bool:
    """Tell whether a value of a resource, an ARN or URL, names a queue; one that is not known does by its reference."""
    if isinstance(value, str):
        return _name(queue) in (value.rpartition(":")[2], value.rpartition("/")[2])
    return value is UNKNOWN and bool(queue.urn) and queue.urn in resource.references.get(member, ())


def _kept(queue: Resource, settings: Settings) -> Iterator[Finding]:
    """Yield a finding if a queue drops, delays or refuses messages."""
    shortest, kept = seconds(settings[_KEPT.name]) or 0, queue.at(_RETENTION[queue.type])
    if kept.number is not None and kept.number < shortest:
        advice = f"write {kept.path}: 300"
        yield kept.violation(f"messages are dropped after {kept.number:g} seconds", f"at least {settings[_KEPT.name]}", advice)
    most, late = seconds(settings[_DELAY.name]) or 0, queue.at("delaySeconds")
    if late.number is not None and late.number > most:
        text = f"each message is delayed by {late.number:g} seconds, of {_WARNING_LASTS}"
        yield late.violation(text, f"at most {settings[_DELAY.name]}", "leave delaySeconds out")
    size = queue.at(_SIZE[queue.type])
    if size.number is not None and size.number < _SMALLEST:
        text = f"messages of more than {size.number:g} bytes are refused"
        yield size.violation(text, f"at least {_SMALLEST}", f"leave {size.path} out")


def _sent(queue: Resource, settings: Settings) -> Iterator[Finding]:
    """Yield a finding if EventBridge cannot encrypt messages for a queue."""
    key = queue.at("kmsMasterKeyId")
    if isinstance(key.data, str) and key.data.endswith(_KEY_OF_SQS):  # what only an update knows is a key of the stack's
        text = f"{key.text}, AWS's own key, by which EventBridge can send nothing"
        yield key.violation(text, "sqsManagedSseEnabled, or your own key", "write sqsManagedSseEnabled: true instead")


def _redriven(queue: Resource, settings: Settings) -> Iterator[Finding]:
    """Yield a finding if a message moves to a dead-letter queue before Karpenter has had a second try at it."""
    written = queue.at("redrivePolicy")
    times, least = written.document().get("maxReceiveCount"), settings[_RECEIVES.name]
    if str(times).isdigit() and int(str(times)) < least:
        text = f"a message that is received {times} time{'' if str(times) == '1' else 's'} moves to another queue"
        advice = "write maxReceiveCount: 5, or leave it out: Karpenter deletes what it cannot read"
        yield written.violation(text, f"maxReceiveCount of at least {least}", advice)


def _foreign(resource: Resource, queues: list[Resource]) -> Iterator[Finding]:
    """Yield a finding if undelivered messages of another queue may move to a queue of warnings."""
    written = resource.at("redrivePolicy")
    target = UNKNOWN if written.data is UNKNOWN else written.document().get("deadLetterTargetArn")
    for queue in queues:
        if queue is not resource and _names(resource, "redrivePolicy", target, queue):
            text = f"what it cannot deliver moves to {queue.label}, where Karpenter takes it for a warning"
            yield written.violation(text, "its own dead-letter queue", "name another queue")


def _taken(resource: Resource, queues: list[Resource]) -> Iterator[Finding]:
    """Yield a finding if a resource reads, and so empties, a queue of warnings."""
    read = resource.at(_READERS[resource.type])
    if resource.data.get("enabled") is False or resource.data.get("desiredState") == "STOPPED":
        return
    for queue in queues:
        if _names(resource, read.path, read.data, queue):
            text = f"it receives and deletes the messages of {queue.label}, which Karpenter then never sees"
            yield read.violation(text, "Karpenter alone", "add a second target to the event rules instead")


def _permitted(resources: Resources, queues: list[Resource]) -> Iterator[Finding]:
    """Yield who besides the controller may receive messages. The controller is the principal that may launch machines."""
    allowed = list(_allowed(resources)) if queues else []
    launching = [resource for resource, _, grant in allowed if grant.action_for(_LAUNCH)]
    if not launching:
        return
    principals = Principals.among(resources)
    controllers = {holder for resource in launching for holder in principals.holders(resource)}
    # Without a known controller, whoever takes messages may be the controller.
    for resource, part, grant in allowed if controllers - {None} else ():
        taking = [action for action in TAKING if grant.action_for(action)]
        others = [holder for holder in principals.holders(resource) if holder is not None and holder not in controllers]
        for queue in queues if taking and others else ():
            if any(could_reach(pattern, f"arn:*:sqs:*:*:{_name(queue)}") for pattern in grant.resources):
                text = f"{others[0].label} may {taking[0]} on {queue.label}"
                yield part.violation(text, "the controller alone", "name the queues that it is for")


def _allowed(resources: Resources) -> Iterator[tuple[Resource, Part, Grant]]:
    """Yield the statements of known documents that allow anything."""
    for resource in resources.of_type(*GRANTING):
        try:
            documents = [written for part in documents_in(resource) for written in written_documents(part)]
        except NotKnownError:
            continue
        for written in documents:
            yield from ((resource, written.part, grant) for grant in written.grants if grant.effect is Effect.ALLOW)


def _reshaped(target: Part) -> Iterator[Finding]:
    """Yield a finding if a target rewrites events, or does not retry."""
    for name in _SHAPING:
        if target.at(name).is_there:
            yield target.at(name).violation("another text than the event's own", "the event as it is", f"leave {name} out")
    tries = target.at("retryPolicy", "maximumRetryAttempts")
    if tries.data is not UNKNOWN and tries.number == 0:
        yield tries.violation("an event is sent once, and dropped if that fails", "some attempts", "write 10")


RULES = (delivered,)
