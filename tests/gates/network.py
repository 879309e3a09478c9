"""Queues, address ranges, security groups and clusters as Cloud Control has them."""

from __future__ import annotations

import json
from typing import Any

from cutlist.policy.rules import Resource
from tests.gates.principals import ACCOUNT, deny, document
from tests.gates.trick import Trick, Wanted, registered
from tests.unit.policy.rules import subjects as s

RULE = f"arn:aws:events:us-west-2:{ACCOUNT}:rule/demo"
PLAIN = {"Bool": {"aws:SecureTransport": "false"}}
NO_TLS = deny("sqs:*", s.QUEUE_ARN, PLAIN, Principal="*")
SEND = {
    "Effect": "Allow",
    "Principal": {"Service": "events.amazonaws.com"},
    "Action": "sqs:SendMessage",
    "Resource": s.QUEUE_ARN,
    "Condition": {"ArnEquals": {"aws:SourceArn": RULE}},
}


def queue_policy(*statements: Any) -> tuple[Resource, ...]:
    """Return a queue's policy of these statements."""
    return (s.QUEUE, registered("aws:sqs/queuePolicy:QueuePolicy", policy=document(*statements)))


SENDERS: dict[str, Any] = {
    "arn:*": {"ArnLike": {"aws:SourceArn": "arn:*"}},
    "arn:aws:*": {"ArnLike": {"aws:SourceArn": "arn:aws:*"}},
    "any ARN of events": {"ArnLike": {"aws:SourceArn": "arn:aws:events:*:*:rule/*"}},
    "question marks": {"ArnLike": {"aws:SourceArn": "arn:aws:events:us-west-2:????????????:rule/demo"}},
    "a source if it exists": {"ArnEqualsIfExists": {"aws:SourceArn": RULE}},
    "all of none": {"ForAllValues:ArnEquals": {"aws:SourceArn": RULE}},
    "another source than one": {"ArnNotEquals": {"aws:SourceArn": RULE}},
    "a source that is there": {"Null": {"aws:SourceArn": "false"}},
    "a variable": {"StringEquals": {"aws:SourceArn": "${aws:SourceArn}"}},
    "one right and one loose": {"ArnLike": {"aws:SourceArn": [RULE, "arn:*"]}},
    "any account": {"StringLike": {"aws:SourceAccount": "*"}},
    "another account": {"StringEquals": {"aws:SourceAccount": "999988887777"}},
    "another account's source": {"ArnEquals": {"aws:SourceArn": "arn:aws:events:us-west-2:999988887777:rule/demo"}},
    "an account that is there": {"Null": {"aws:SourceAccount": "false"}},
    "services of AWS": {"Bool": {"aws:PrincipalIsAWSService": "true"}},
}
DENIALS: dict[str, Any] = {
    "true": {**NO_TLS, "Condition": {"Bool": {"aws:SecureTransport": "true"}}},
    "another action": {**NO_TLS, "Action": "sqs:DeleteQueue"},
    "another queue": {**NO_TLS, "Resource": f"arn:aws:sqs:us-west-2:{ACCOUNT}:other"},
    "one principal": {**NO_TLS, "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:role/ci"}},
    "all but": {k: v for k, v in NO_TLS.items() if k != "Principal"} | {"NotPrincipal": {"AWS": "*"}},
    "a second condition": {**NO_TLS, "Condition": {**PLAIN, "StringEquals": {"aws:SourceAccount": "1"}}},
    "a text": {**NO_TLS, "Condition": {"StringEquals": {"aws:SecureTransport": "no"}}},
    "an Allow": {**NO_TLS, "Effect": "Allow"},
}


def cluster(*ranges: str) -> tuple[Resource, ...]:
    """Return a cluster whose API these ranges reach."""
    return (s.put(s.CLUSTER, "vpcConfig.publicAccessCidrs", list(ranges)),)


OPEN: dict[str, tuple[str, ...]] = {
    "everything": ("0.0.0.0/0",),
    "halves": ("0.0.0.0/1", "128.0.0.0/1"),
    "every other /8": tuple(f"{n}.0.0.0/8" for n in range(1, 224, 2) if n != 127),
    "halves of /8": tuple(f"{n}.{half}.0.0/9" for n in range(20, 60) for half in (0, 128) if (n + half) % 3),
    "quarters": tuple(f"{n}.64.0.0/10" for n in range(1, 100)),
    "everything of IPv6": ("::/0",),
    "halves of IPv6": ("::/1", "8000::/1"),
    "no range": ("anything",),
    "no range beside one": ("203.0.113.0/24", "0.0.0.0/0/0"),
    "octal": ("00.0.0.0/0",),
    "a mask": ("0.0.0.0/0.0.0.0",),
}
SHUT: dict[str, tuple[str, ...]] = {
    "an office": ("203.0.113.0/24",),
    "two offices and a runner": ("203.0.113.0/24", "198.51.100.7/32", "2001:db8::/48"),
    "private ranges": ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
    "a large provider": tuple(f"{n}.0.0.0/12" for n in range(20, 30)),
}
GROUP = "aws:ec2/securityGroup:SecurityGroup"


def group(ports: tuple[int, int], *ranges: str, protocol: str = "tcp", **more: Any) -> tuple[Resource, ...]:
    """Return a security group with one rule."""
    rule = {"protocol": protocol, "fromPort": ports[0], "toPort": ports[1], "cidrBlocks": list(ranges), **more}
    return (registered(GROUP, ingress=[rule]),)


NATIVE = registered(
    "aws-native:eks:Cluster",
    resourcesVpcConfig={"endpointPublicAccess": False},
    accessConfig={"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": False},
    logging={"clusterLogging": {"enabledTypes": [{"type": "audit"}, {"type": "authenticator"}]}},
    encryptionConfig=[{"resources": ["secrets"], "provider": {"keyArn": "arn:aws:kms:us-west-2:1:key/a"}}],
    deletionProtection=True,
)
NATIVE_POLICY = "aws-native:sqs:QueuePolicy"

TRICKS = (
    *(Trick(f"senders by {name}", queue_policy({**SEND, "Condition": c}, NO_TLS), "IF-04") for name, c in SENDERS.items()),
    *(Trick(f"TLS denied by {name}", queue_policy(SEND, statement), "IF-04") for name, statement in DENIALS.items()),
    Trick("a policy of the queue's own", (s.put(s.QUEUE, "policy", document({**SEND, "Condition": {}}, NO_TLS)),), "IF-04"),
    Trick("a queue with an empty key", (registered("aws:sqs/queue:Queue", kmsMasterKeyId=""),), "IF-04"),
    Trick("a queue of Cloud Control", (registered("aws-native:sqs:Queue", sqsManagedSseEnabled=False),), "IF-04"),
    Trick(
        "a policy of Cloud Control",
        (registered(NATIVE_POLICY, policyDocument=json.loads(document({**SEND, "Condition": {}}, NO_TLS))),),
        "IF-04",
    ),
    Trick(
        "everybody in small letters",
        (
            registered(
                "aws:sqs/queuePolicy:QueuePolicy",
                policy='{"statement":[{"effect":"Allow","principal":"*","action":"sqs:*","resource":"*"}]}',
            ),
        ),
        "IF-04",
    ),
    Trick(
        "everybody by all but some actions",
        queue_policy({"Effect": "Allow", "Principal": "*", "NotAction": "sqs:Get*", "Resource": "*"}, NO_TLS),
        "IF-04",
    ),
    *(Trick(f"an API for {name}", cluster(*ranges), "IF-07") for name, ranges in OPEN.items()),
    *(Trick(f"an API for {name}", cluster(*ranges), "IF-07", Wanted.PASSES) for name, ranges in SHUT.items()),
    Trick("an API of Cloud Control", (s.put(NATIVE, "resourcesVpcConfig", {"endpointPublicAccess": True}),), "IF-07"),
    Trick("access in Cloud Control", (s.drop(NATIVE, "accessConfig"),), "IF-08"),
    Trick("a cluster of Cloud Control", (NATIVE,), wanted=Wanted.PASSES),
    Trick("a shell for everybody", group((22, 22), "0.0.0.0/0"), "IF-22"),
    Trick("the kubelet for everybody", group((10250, 10250), "0.0.0.0/0"), "IF-22"),
    Trick("every port", group((0, 65535), "0.0.0.0/1", "128.0.0.0/1"), "IF-22"),
    Trick("every protocol", group((0, 0), "0.0.0.0/0", protocol="-1"), "IF-22"),
    Trick("more than the web", group((443, 10250), "0.0.0.0/0"), "IF-22"),
    Trick("IPv6 alone", group((22, 22), ipv6CidrBlocks=["::/0"]), "IF-22"),
    Trick("a text that is not a range", group((22, 22), "everywhere"), "IF-22"),
    Trick(
        "a rule of its own",
        (
            registered(
                "aws:ec2/securityGroupRule:SecurityGroupRule",
                type="ingress",
                protocol="tcp",
                fromPort=22,
                toPort=22,
                cidrBlocks=["0.0.0.0/0"],
            ),
        ),
        "IF-22",
    ),
    Trick(
        "a newer rule of its own",
        (registered("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", ipProtocol="-1", cidrIpv4="0.0.0.0/0"),),
        "IF-22",
    ),
    Trick(
        "a group of Cloud Control",
        (
            registered(
                "aws-native:ec2:SecurityGroup",
                securityGroupIngress=[{"ipProtocol": "tcp", "fromPort": 22, "toPort": 22, "cidrIp": "0.0.0.0/0"}],
            ),
        ),
        "IF-22",
    ),
    Trick("a balancer", group((443, 443), "0.0.0.0/0"), wanted=Wanted.PASSES),
    Trick("an office", group((22, 22), "203.0.113.0/24"), wanted=Wanted.PASSES),
    Trick("its own network", group((0, 65535), "10.0.0.0/8"), wanted=Wanted.PASSES),
    Trick("ping", group((-1, -1), "0.0.0.0/0", protocol="icmp"), wanted=Wanted.PASSES),
    Trick(
        "what goes out",
        (
            registered(
                "aws:ec2/securityGroupRule:SecurityGroupRule",
                type="egress",
                protocol="-1",
                fromPort=0,
                toPort=0,
                cidrBlocks=["0.0.0.0/0"],
            ),
        ),
        wanted=Wanted.PASSES,
    ),
    Trick("a queue and its policy", (s.QUEUE, s.QUEUE_POLICY), wanted=Wanted.PASSES),
    Trick(
        "a queue for named roles",
        queue_policy({**SEND, "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:role/karpenter"}, "Condition": {}}, NO_TLS),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "a queue for the account",
        queue_policy({**SEND, "Condition": {"StringEquals": {"aws:SourceAccount": ACCOUNT}}}, NO_TLS),
        wanted=Wanted.PASSES,
    ),
    Trick("a queue with its policy inside", (s.put(s.QUEUE, "policy", s.QUEUE_POLICY.data["policy"]),), wanted=Wanted.PASSES),
)
