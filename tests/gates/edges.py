"""Conditions of rules at their edges: what just keeps a rule, and what just breaks it. Found by `tests.gates.mutations`."""

from __future__ import annotations

import json
from typing import Any, Final

from cutlist.policy.rules import UNKNOWN, Options, Resource
from tests.gates.azure import joined, network, rule
from tests.gates.network import GROUP
from tests.gates.queues import MAPPING, native, queue
from tests.gates.strangers import NODE_ROLE, NODES, ROOT, key, let_in
from tests.gates.trick import Trick, Wanted, manifest, output, registered
from tests.unit.policy.rules import subjects as s

OWN: Final = "111122223333"
START: Final = {"profile": "start"}
RECOMMENDED: Final = {"profile": "recommended"}
PREFIXES: Final = registered("aws:ec2/managedPrefixList:ManagedPrefixList", "world", entries=[{"cidr": "0.0.0.0/0"}])
OTHERS: Final = registered("aws:ec2/managedPrefixList:ManagedPrefixList", "office", entries=[{"cidr": "203.0.113.0/24"}])
NEW: Final = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
ENTRY: Final = "aws:ec2/managedPrefixListEntry:ManagedPrefixListEntry"
ANYBODY: Final = {"Principal": "*"}
SUBNET: Final = registered("aws:ec2/subnet:Subnet", "public", mapPublicIpOnLaunch=True)
TAGGED: Final = registered("aws:ec2/subnet:Subnet", "public", mapPublicIpOnLaunch=True, tags={"a": "b"})


def group(protocol: Any = "tcp", first: Any = 22, last: Any = 22, **more: Any) -> tuple[Resource, ...]:
    """Return a security group with one rule for everybody."""
    entry = {"protocol": protocol, "fromPort": first, "toPort": last, "cidrBlocks": ["0.0.0.0/0"], **more}
    return (registered(GROUP, ingress=[entry]),)


def by_list(value: Any, *others: Resource) -> tuple[Resource, ...]:
    """Return a rule for a list of prefixes."""
    return (registered(NEW, ipProtocol="tcp", fromPort=22, toPort=22, prefixListId=value), *others)


def conditioned(condition: dict[str, Any]) -> tuple[Resource, ...]:
    """Return a key that everybody may use under a condition, in a stack of a known account."""
    return key(let_in(ROOT, "kms:*"), let_in("*", "kms:Decrypt", condition))


def planned_pool(**measures: Any) -> tuple[Resource, ...]:
    """Return a plan whose only pool has some measures."""
    return (s.put(s.PLAN, s.GENERAL, {**s.PLAN.data["measures"]["pools"]["general"], **measures}),)


def living(expire_after: str) -> tuple[Resource, ...]:
    return (s.put(s.POOL, "spec.template.spec.expireAfter", expire_after),)


NEEDED: Final = (
    *("ec2:CreateFleet", "ec2:CreateLaunchTemplate", "ec2:CreateTags", "ec2:DeleteLaunchTemplate", "ec2:DescribeImages"),
    *("ec2:DescribeInstanceTypeOfferings", "ec2:DescribeInstanceTypes", "ec2:DescribeInstances", "iam:PassRole"),
    *("ec2:DescribeLaunchTemplates", "ec2:DescribeSecurityGroups", "ec2:DescribeSpotPriceHistory", "ec2:DescribeSubnets"),
    *("ec2:RunInstances", "ec2:TerminateInstances", "eks:DescribeCluster", "iam:GetInstanceProfile"),
)
"""What every controller of Karpenter needs, as docs/spec says (aws-infrastructure 3.3)."""
LATER: Final = ("ec2:DescribeInstanceStatus", "iam:ListInstanceProfiles")
"""What newer ones need as well."""


def controller(version: str, *actions: str) -> tuple[Resource, ...]:
    """Return a chart of Karpenter and the only policy of its controller."""
    return (s.put(s.RELEASE, "version", version), registered("aws:iam/policy:Policy", policy=allowing(*actions)))


def allowing(*actions: str) -> str:
    statement = {"Effect": "Allow", "Action": list(actions), "Resource": "*"}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]}, separators=(",", ":"))


def long(characters: int) -> tuple[Resource, ...]:
    """Return a policy of a length, in characters."""
    text = allowing("s3:GetObject")
    statement = allowing("s3:GetObject").replace('"*"', f'"{"a" * (characters - len(text) + 1)}"')
    return (registered("aws:iam/policy:Policy", policy=statement),)


def bound(role: str, group: str) -> tuple[Resource, ...]:
    """Return a binding of a role to a group."""
    text = json.dumps(
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": "bound"},
            "roleRef": {"kind": "ClusterRole", "name": role},
            "subjects": [{"kind": "Group", "name": group}],
        }
    )
    return (manifest(text),)


def azure_rule(name: Any, **more: Any) -> tuple[Resource, ...]:
    """Return an open group of a resource group, and a Deny of its own that names one."""
    deny = rule(access="Deny", priority=100)
    return (
        registered("azure-native:network:NetworkSecurityGroup", "g", securityRules=[rule()], networkSecurityGroupName="nodes"),
        registered("azure-native:network:SecurityRule", "r", networkSecurityGroupName=name, **deny, **more),
    )


STOPPED: Final[dict[str, tuple[str, tuple[Resource, ...]]]] = {
    "every protocol with the ports of the web": ("IF-22", group("-1", 443, 443)),
    "a number of a protocol": ("IF-22", group("6")),
    "ports as texts": ("IF-22", group(first="22", last="22")),
    "ports that are no numbers": ("IF-22", group(first="ssh", last="ssh")),
    "a protocol without ports": ("IF-22", group("50", None, None)),
    "a list of prefixes by its output": ("IF-22", (output(by_list("")[0], "prefixListId", PREFIXES, 1), PREFIXES)),
    "an entry of a list by its id": ("IF-22", by_list("pl-1", registered(ENTRY, prefixListId="pl-1", cidr="0.0.0.0/0"))),
    "a rule of no ranges beside one of all": ("IF-22", group(ipv6CidrBlocks=[])),
    "every address of one source": ("IF-23", conditioned({"IpAddress": {"aws:SourceIp": ["0.0.0.0/0"]}})),
    "all but an address": ("IF-23", conditioned({"NotIpAddress": {"aws:SourceIp": "203.0.113.0/24"}})),
    "a source of another account": (
        "IF-23",
        conditioned({"ArnLike": {"aws:SourceArn": "arn:aws:sns:us-west-2:999988887777:topic"}}),
    ),
    "a source without an account": ("IF-23", conditioned({"ArnLike": {"aws:SourceArn": "arn:aws:sns:us-west-2:*:topic"}})),
    "another account as a source": ("IF-23", conditioned({"StringEquals": {"aws:SourceAccount": "999988887777"}})),
    "a pattern of accounts as a source": ("IF-23", conditioned({"StringLike": {"aws:SourceAccount": f"{OWN[:11]}*"}})),
    "the role of nodes and a policy of keys": (
        "IF-23",
        (NODE_ROLE, *key(let_in({"AWS": NODES}, "kms:PutKeyPolicy"))),
    ),
    "a queue that refuses one byte too many": ("IF-25", queue(maxMessageSize=2047)),
    "a reader that is on": ("IF-25", (*queue(), registered(MAPPING, eventSourceArn=s.QUEUE_ARN, enabled=True))),
    "a component without a key": ("IF-18", (registered("eks:index:Cluster", "demo"),)),
    "a component with an empty key": ("IF-18", (registered("eks:index:Cluster", "demo", encryptionConfigKeyArn=""),)),
    "a Deny of equal priority": ("AK-09", network(rule(priority=100), rule(access="Deny", priority=100))),
    "a Deny of all ports but the first": (
        "AK-09",
        network(rule(ports="22-23"), rule(access="Deny", priority=100, ports="23-24")),
    ),
    "a Deny of all ports but the last": (
        "AK-09",
        network(rule(ports="22-23"), rule(access="Deny", priority=100, ports="21-22")),
    ),
    "a Deny of another group": ("AK-09", azure_rule("other")),
    "a Deny of a group in another resource group": (
        "AK-09",
        joined(rule(), inline=(rule(access="Deny", priority=100),), resourceGroupName="elsewhere"),
    ),
    "a port that is a word": ("AK-09", network(rule(ports="ssh"))),
    "a claim of a pool without a name": (
        "NP-17",
        (
            s.put(
                s.CLAIM_OF_POOL,
                "metadata.ownerReferences",
                [{"kind": "NodePool", "apiVersion": "karpenter.sh/v1", "uid": "1"}],
            ),
        ),
    ),
    "a pool that is never consolidated": ("NP-09", (s.put(s.POOL, "spec.disruption.consolidateAfter", "Never"),)),
    "a controller of today without what is new": ("IF-06", controller("1.15.0", *NEEDED)),
    "a controller without a right that it always had": ("IF-06", controller("1.5.0", *NEEDED[1:])),
    "a policy of one character too many": ("IF-06", long(6145)),
    "an annotation that is no text": ("OB-01", (s.put(s.POOL, "metadata.annotations", {"example.com/x": True}),)),
    "an older object with annotations": (
        "OB-01",
        (manifest("apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: {name: old}\nspec: {}\n"),),
    ),
}
"""What breaks a rule, by the profile `strict`."""
PASSED: Final[dict[str, tuple[str, tuple[Resource, ...]]]] = {
    "a controller of today": ("IF-06", controller("1.15.0", *NEEDED, *LATER)),
    "an older controller without what is new": ("IF-06", controller("1.5.0", *NEEDED)),
    "a policy as long as may be": ("IF-06", long(6144)),
    "a port of the web": ("IF-22", group(first=443, last=443)),
    "ping": ("IF-22", group("icmp", -1, -1)),
    "ping of IPv6 by its number": ("IF-22", group("58", -1, -1)),
    "an entry of another list": ("IF-22", (*by_list(UNKNOWN), registered(ENTRY, prefixListId=None, cidr="0.0.0.0/0"))[1:]),
    "a Deny with all the ports": ("AK-09", network(rule(ports="22-23"), rule(access="Deny", priority=100, ports="22-23"))),
    "a Deny of the group by its name": ("AK-09", azure_rule("nodes")),
    "a Deny of the group in a resource group in capitals": (
        "AK-09",
        joined(rule(access="Deny", priority=100), inline=(rule(),), resourceGroupName="SHOP"),
    ),
    "an office as a source": ("IF-23", conditioned({"IpAddress": {"aws:SourceIp": "203.0.113.0/24"}})),
    "a source of the account": (
        "IF-23",
        conditioned({"ArnLike": {"aws:SourceArn": f"arn:aws:sns:us-west-2:{OWN}:topic"}}),
    ),
    "a bucket as a source": ("IF-23", conditioned({"ArnEquals": {"aws:SourceArn": "arn:aws:s3:::logs"}})),
    "the account as a source": ("IF-23", conditioned({"StringEquals": {"aws:SourceAccount": OWN}})),
    "the role of nodes and reading": ("IF-23", (NODE_ROLE, *key(let_in({"AWS": NODES}, "kms:Decrypt")))),
    "a user of the name of nodes' role": (
        "IF-23",
        (NODE_ROLE, *key(let_in({"AWS": NODES.replace(":role/", ":user/")}, "kms:PutKeyPolicy"))),
    ),
    "an empty policy": ("IF-23", (registered("aws:kms/key:Key", policy=""),)),
    "a queue with room enough": ("IF-25", queue(maxMessageSize=2048)),
    "a native queue with room enough": ("IF-25", native(maximumMessageSize=2048)),
    "a reader that is off": ("IF-25", (*queue(), registered(MAPPING, eventSourceArn=s.QUEUE_ARN, enabled=False))),
    "a pipe that is stopped": (
        "IF-25",
        (*queue(), registered("aws:pipes/pipe:Pipe", source=s.QUEUE_ARN, desiredState="STOPPED")),
    ),
    "a component with a key": ("IF-18", (registered("eks:index:Cluster", "demo", encryptionConfigKeyArn="arn:aws:kms:x"),)),
    "CRDs of others that are kept": (
        "IF-16",
        (
            registered(
                "kubernetes:helm.sh/v3:Release",
                options=Options(retain_on_delete=True),
                name="karpenter-crd",
                takeOwnership=True,
            ),
        ),
    ),
    "a single pool": ("NP-11", (s.POOL,)),
    "one architecture": ("NP-13", planned_pool(architectures=["arm64"], choosesArchitecture=False)),
    "architectures that are chosen": ("NP-13", planned_pool(architectures=["amd64", "arm64"], choosesArchitecture=True)),
    "an annotation of Pulumi's": (
        "OB-01",
        (s.put(s.POOL, "metadata.annotations", {"pulumi.com/skipAwait": True}),),
    ),
}
"""What keeps a rule."""
GRADED: Final[tuple[tuple[str, str, tuple[Resource, ...], dict[str, Any], Wanted], ...]] = (
    ("two types on spot, at once", "NP-05", planned_pool(types=9, spotTypes=2), START, Wanted.STOPS),
    ("three types on spot, later", "NP-05", planned_pool(types=9, spotTypes=3), START, Wanted.REPORTED),
    ("no type, at once", "NP-05", planned_pool(types=0, spotTypes=0), START, Wanted.STOPS),
    ("one type, later", "NP-05", planned_pool(types=1, spotTypes=0), START, Wanted.REPORTED),
    ("a short life, at once", "NP-03", living("1m"), START, Wanted.STOPS),
    ("an endless life, later", "NP-03", living("Never"), START, Wanted.REPORTED),
    ("an endless life, in recommended", "NP-03", living("Never"), RECOMMENDED, Wanted.REPORTED),
    (
        "an endless life in Auto Mode, at once",
        "NP-03",
        (s.put(living("Never")[0], "spec.template.spec.nodeClassRef.group", "eks.amazonaws.com"),),
        START,
        Wanted.STOPS,
    ),
    ("everybody as administrator, at once", "IF-20", bound("cluster-admin", "system:authenticated"), START, Wanted.STOPS),
    ("everybody as reader, later", "IF-20", bound("view", "system:authenticated"), START, Wanted.REPORTED),
    ("nodes as administrators, later", "IF-20", bound("cluster-admin", "system:nodes"), START, Wanted.REPORTED),
    (
        "a role that everybody assumes, at once",
        "IF-03",
        (registered("aws:iam/role:Role", assumeRolePolicy=json.dumps({"Statement": [{"Effect": "Allow", **ANYBODY}]})),),
        START,
        Wanted.STOPS,
    ),
    (
        "a role of another account, later",
        "IF-03",
        (
            registered("aws:sqs/queuePolicy:QueuePolicy", policy=s.QUEUE_POLICY.data["policy"]),
            registered(
                "aws:iam/role:Role",
                assumeRolePolicy=json.dumps(
                    {
                        "Statement": [
                            {
                                "Effect": "Allow",
                                "Action": "sts:AssumeRole",
                                "Principal": {"AWS": "arn:aws:iam::999988887777:root"},
                            }
                        ]
                    }
                ),
            ),
        ),
        START,
        Wanted.REPORTED,
    ),
)

TRICKS = (
    *(
        Trick(name, resources, rule_, Wanted.REPORTED if rule_ == "IF-18" else Wanted.STOPS)
        for name, (rule_, resources) in STOPPED.items()
    ),
    *(Trick(f"not: {name}", resources, rule_, Wanted.PASSES) for name, (rule_, resources) in PASSED.items()),
    *(Trick(name, resources, rule_, wanted, gates) for name, rule_, resources, gates, wanted in GRADED),
)
