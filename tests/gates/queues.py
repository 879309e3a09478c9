"""Warnings that are dropped, delayed, rewritten, redirected or taken by others on their way through the queue."""

from __future__ import annotations

import json
from typing import Any, Final

from cutlist.infrastructure.interruption import EVENT_RULES
from cutlist.policy.rules import UNKNOWN, Resource
from cutlist.policy.rules import tokens as t
from tests.gates.escalation import of_role, role
from tests.gates.network import NO_TLS, SEND, queue_policy
from tests.gates.principals import ACCOUNT, OWNED, allow
from tests.gates.trick import Trick, Wanted, output, registered
from tests.unit.policy.rules import subjects as s

OTHER_QUEUE = f"arn:aws:sqs:us-west-2:{ACCOUNT}:dead"
WARNING = "EC2 Spot Instance Interruption Warning"
RULE = Resource(t.EVENT_RULE, "spot", {"name": "spot", "eventPattern": s.event_rule(WARNING).data["eventPattern"]})
TARGET = registered("aws:cloudwatch/eventTarget:EventTarget", rule="spot", arn=s.QUEUE_ARN)
NATIVE: Final = registered("aws-native:sqs:Queue", queueName="demo", sqsManagedSseEnabled=True)
ORDERS: Final = registered("aws:sqs/queue:Queue", "orders", name="orders", sqsManagedSseEnabled=True)
MAPPING: Final = "aws:lambda/eventSourceMapping:EventSourceMapping"


def queue(**inputs: Any) -> tuple[Resource, ...]:
    """Return a queue that Karpenter's chart names, with more inputs."""
    return (Resource(t.QUEUE, "demo", {**s.QUEUE.data, **inputs}), s.RELEASE)


def native(**inputs: Any) -> tuple[Resource, ...]:
    """Return the same queue of Cloud Control."""
    return (Resource(NATIVE.type, "demo", {**NATIVE.data, **inputs}), s.RELEASE)


def redrive(times: Any, target: str = OTHER_QUEUE) -> str:
    """Return a redrive policy."""
    return json.dumps({"deadLetterTargetArn": target, "maxReceiveCount": times})


def rules(change: dict[str, Any], **inputs: Any) -> tuple[Resource, ...]:
    """Return a stack that buys spot, with a changed pattern in the rule about its warnings, or other inputs of that rule."""
    others = [s.event_rule(rule.detail_type) for rule in EVENT_RULES if rule.detail_type != WARNING]
    pattern = {"source": ["aws.ec2"], "detail-type": [WARNING], **change}
    spot = Resource(t.EVENT_RULE, "spot", {"eventPattern": json.dumps({k: v for k, v in pattern.items() if v}), **inputs})
    return (s.SPOT_POOL, s.RELEASE, *others, spot)


DROPPING: dict[str, dict[str, Any]] = {
    "a minute": {"messageRetentionSeconds": 60},
    "less than a warning lasts": {"messageRetentionSeconds": 119},
    "a delay": {"delaySeconds": 900},
    "a minute as text": {"messageRetentionSeconds": "60"},
    "a delay as text": {"delaySeconds": "900"},
    "a delay of two minutes": {"delaySeconds": 120},
    "small messages": {"maxMessageSize": 1024},
    "SQS's own key": {"kmsMasterKeyId": "alias/aws/sqs"},
    "SQS's own key by its ARN": {"kmsMasterKeyId": f"arn:aws:kms:us-west-2:{ACCOUNT}:alias/aws/sqs"},
    "one try": {"redrivePolicy": redrive(1)},
    "one try as a text": {"redrivePolicy": redrive("1")},
}
KEEPING: dict[str, dict[str, Any]] = {
    "five minutes": {"messageRetentionSeconds": 300},
    "two weeks": {"messageRetentionSeconds": 1209600},
    "a second's delay": {"delaySeconds": 1},
    "any visibility, for Karpenter asks for its own": {"visibilityTimeoutSeconds": 43200},
    "five tries": {"redrivePolicy": redrive(5)},
    "a key of one's own": {"kmsMasterKeyId": "alias/warnings"},
    "a key's ARN": {"kmsMasterKeyId": f"arn:aws:kms:us-west-2:{ACCOUNT}:key/00000000-0000-0000-0000-000000000001"},
}
NATIVE_DROPPING: dict[str, dict[str, Any]] = {
    "a minute": {"messageRetentionPeriod": 60},
    "small messages": {"maximumMessageSize": 1024},
    "one try": {"redrivePolicy": json.loads(redrive(1))},
    "SQS's own key": {"kmsMasterKeyId": "alias/aws/sqs"},
}
TAKERS: dict[str, tuple[str, dict[str, Any]]] = {
    "a function": (MAPPING, {"eventSourceArn": s.QUEUE_ARN}),
    "a function of Cloud Control": ("aws-native:lambda:EventSourceMapping", {"eventSourceArn": s.QUEUE_ARN}),
    "a pipe": ("aws:pipes/pipe:Pipe", {"source": s.QUEUE_ARN}),
}
NARROW: dict[str, dict[str, Any]] = {
    "one machine": {"detail": {"instance-id": ["i-0123456789abcdef0"]}},
    "named resources": {"resources": ["arn:aws:ec2:us-west-2:1:instance/i-1"]},
    "another source": {"source": ["my.app"]},
    "another prefix": {"source": [{"prefix": "my."}]},
    "hibernation alone": {"detail": {"instance-action": ["hibernate"]}},
}
WIDE: dict[str, dict[str, Any]] = {
    "the account": {"account": [ACCOUNT]},
    "all of EC2": {"detail-type": None},
    "a prefix": {"source": [{"prefix": "aws.ec2"}]},
    "what ends machines": {"detail": {"instance-action": ["terminate"]}},
}
RESHAPED: dict[str, dict[str, Any]] = {
    "a fixed text": {"input": "{}"},
    "a part": {"inputPath": "$.detail"},
    "a template": {"inputTransformer": {"inputTemplate": '"<x>"', "inputPaths": {"x": "$.id"}}},
    "one attempt": {"retryPolicy": {"maximumRetryAttempts": 0}},
}
READING: dict[str, Any] = {
    "everybody": "*",
    "Lambda": {"Service": "lambda.amazonaws.com"},
}
TAKING: dict[str, tuple[dict[str, Any], ...]] = {
    "name": (allow("sqs:ReceiveMessage", s.QUEUE_ARN),),
    "a wildcard": (allow("sqs:Purge*", "arn:aws:sqs:*:*:de*"),),
    "every queue": (allow(["sqs:DeleteMessage", "sqs:GetQueueUrl"]),),
}


def rights(name: str, *statements: dict[str, Any]) -> tuple[Resource, ...]:
    """Return a role, and a document for each statement."""
    documents = (of_role(f"{name}-{number}", statement, role=name) for number, statement in enumerate(statements))
    return (role(name), *documents)


OWNERS = {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}

CONTROLLER = rights("karpenter", allow("ec2:RunInstances", condition=OWNED), allow("sqs:*Message", s.QUEUE_ARN))

TRICKS = (
    *(
        Trick(f"another role that takes messages by {name}", (*queue(), *CONTROLLER, *rights("apps", *statements)), "IF-25")
        for name, statements in TAKING.items()
    ),
    Trick(
        "a role with a queue of its own",
        (*queue(), *CONTROLLER, *rights("apps", allow("sqs:ReceiveMessage", OTHER_QUEUE))),
        "IF-25",
        Wanted.PASSES,
    ),
    Trick(
        "a role that counts messages",
        (*queue(), *CONTROLLER, *rights("apps", allow("sqs:GetQueueAttributes", s.QUEUE_ARN))),
        "IF-25",
        Wanted.PASSES,
    ),
    Trick("the controller's rights in two documents", (*queue(), *CONTROLLER), "IF-25", Wanted.PASSES),
    *(Trick(f"a queue with {name}", queue(**inputs), "IF-25") for name, inputs in DROPPING.items()),
    *(Trick(f"a queue with {name}", queue(**inputs), "IF-25", Wanted.PASSES) for name, inputs in KEEPING.items()),
    *(Trick(f"a queue of Cloud Control with {name}", native(**inputs), "IF-25") for name, inputs in NATIVE_DROPPING.items()),
    *(Trick(f"{name} that reads the queue", (*queue(), registered(k, **v)), "IF-25") for name, (k, v) in TAKERS.items()),
    Trick(
        "a function that reads a queue which is not known",
        (*queue(), output(registered(MAPPING), "eventSourceArn", s.QUEUE, 0)),
        "IF-25",
    ),
    Trick(
        "one try in a policy of its own",
        (*queue(), registered("aws:sqs/redrivePolicy:RedrivePolicy", queueUrl="https://sqs/1/demo", redrivePolicy=redrive(1))),
        "IF-25",
    ),
    Trick(
        "another queue's failures",
        (*queue(), s.put(ORDERS, "redrivePolicy", redrive(5, s.QUEUE_ARN))),
        "IF-25",
    ),
    Trick(
        "a queue that only its target shows",
        (s.put(s.QUEUE, "delaySeconds", 900), RULE, TARGET),
        "IF-25",
    ),
    Trick(
        "a queue that only its name shows",
        (registered("aws:sqs/queue:Queue", "warnings", name="Karpenter-warnings", delaySeconds=900),),
        "IF-25",
    ),
    *(
        Trick(f"{name} instead of the event", (*queue(), RULE, Resource(TARGET.type, "spot", {**TARGET.data, **more})), "IF-25")
        for name, more in RESHAPED.items()
    ),
    Trick(
        "a part instead of the event, in Cloud Control",
        (
            *queue(),
            registered(
                t.NATIVE_EVENT_RULE,
                eventPattern=json.loads(RULE.data["eventPattern"]),
                targets=[{"id": "queue", "arn": s.QUEUE_ARN, "inputPath": "$.detail"}],
            ),
        ),
        "IF-25",
    ),
    *(Trick(f"a rule about {name}", rules(change), "IF-05") for name, change in NARROW.items()),
    *(Trick(f"a rule about {name}", rules(change), "IF-05", Wanted.PASSES) for name, change in WIDE.items()),
    Trick("a rule that is off", rules({}, state="DISABLED"), "IF-05"),
    Trick("a rule that is off in the old way", rules({}, isEnabled=False), "IF-05"),
    Trick("a rule of another bus", rules({}, eventBusName="orders"), "IF-05"),
    Trick("a rule of the default bus", rules({}, eventBusName="default", state="ENABLED"), "IF-05", Wanted.PASSES),
    *(
        Trick(
            f"{name} who may empty the queue",
            queue_policy(SEND, NO_TLS, {**SEND, "Principal": who, "Action": ["sqs:ReceiveMessage", "sqs:DeleteMessage"]}),
            "IF-04",
        )
        for name, who in READING.items()
    ),
    Trick(
        "a queue that the account governs",
        queue_policy(SEND, NO_TLS, {"Effect": "Allow", "Principal": OWNERS, "Action": "sqs:*", "Resource": s.QUEUE_ARN}),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "a minute, beside a policy that only an update knows",
        (
            *queue(messageRetentionSeconds=60, redrivePolicy=UNKNOWN),
            registered("aws:sqs/redrivePolicy:RedrivePolicy", queueUrl="https://sqs/1/demo", redrivePolicy=UNKNOWN),
            registered(MAPPING, eventSourceArn=UNKNOWN),
        ),
        "IF-25",
    ),
    Trick(
        "a minute, beside values that only an update knows",
        (*queue(messageRetentionSeconds=60)[:1], output(s.put(s.RELEASE, "values", UNKNOWN), "values", s.QUEUE, 0)),
        "IF-25",
    ),
    *(
        Trick(
            f"a key that only an update knows, by {rule}",
            (Resource(t.QUEUE, "demo", {"name": "demo", "kmsMasterKeyId": UNKNOWN}), s.RELEASE),
            rule,
            Wanted.PASSES,
        )
        for rule in ("IF-04", "IF-25")
    ),
    Trick("warnings to another queue", (*queue(), RULE, s.put(TARGET, "arn", OTHER_QUEUE)), "IF-25"),
    Trick("warnings to a function", (*queue(), RULE, s.put(TARGET, "arn", "arn:aws:lambda:us-west-2:1:function:f")), "IF-25"),
    Trick(
        "warnings to another queue of the stack",
        (*queue(), RULE, output(TARGET, "arn", ORDERS, 4), ORDERS),
        "IF-25",
    ),
    Trick(
        "warnings to two queues",
        (*queue(), RULE, TARGET, registered(TARGET.type, "more", rule="spot", arn=OTHER_QUEUE)),
        "IF-25",
        Wanted.PASSES,
    ),
    Trick("warnings to what only an update knows", (*queue(), RULE, s.put(TARGET, "arn", UNKNOWN)), "IF-25", Wanted.PASSES),
    Trick("a queue, its rule and its target", (*queue(), RULE, TARGET), wanted=Wanted.PASSES),
    Trick(
        "a function that is off",
        (*queue(), registered(MAPPING, eventSourceArn=s.QUEUE_ARN, enabled=False)),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "another queue with a function, a delay, SQS's own key and one try",
        (
            *queue(),
            Resource(
                t.QUEUE,
                "orders",
                {"name": "orders", "delaySeconds": 900, "kmsMasterKeyId": "alias/aws/sqs", "redrivePolicy": redrive(1)},
            ),
            registered(MAPPING, eventSourceArn=f"arn:aws:sqs:us-west-2:{ACCOUNT}:orders"),
            registered("aws:cloudwatch/eventTarget:EventTarget", rule="nightly", arn=OTHER_QUEUE, input="{}"),
        ),
        wanted=Wanted.PASSES,
    ),
)
