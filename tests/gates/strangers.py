"""Whom policies of keys, buckets, secrets, topics, queues and repositories let in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cutlist.policy.rules import UNKNOWN, Resource
from tests.gates.principals import ACCOUNT, document
from tests.gates.trick import Trick, Wanted, registered
from tests.unit.policy.rules import subjects as s

OTHER = "arn:aws:iam::999988887777"
ROOT = {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}
NODES = f"arn:aws:iam::{ACCOUNT}:role/KarpenterNodeRole-demo"
NODE_ROLE = registered(
    "aws:iam/role:Role",
    name="KarpenterNodeRole-demo",
    assumeRolePolicy=document({"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}),
)
KEY, BUCKET, SECRET = "aws:kms/key:Key", "aws:s3/bucketPolicy:BucketPolicy", "aws:secretsmanager/secretPolicy:SecretPolicy"
TYPES: dict[str, tuple[str, str, str]] = {
    "a key": (KEY, "policy", "kms:Decrypt"),
    "a key's own policy": ("aws:kms/keyPolicy:KeyPolicy", "policy", "kms:*"),
    "aws-native's key": ("aws-native:kms:Key", "keyPolicy", "kms:CreateGrant"),
    "a bucket": (BUCKET, "policy", "s3:*"),
    "a bucket's own policy": ("aws:s3/bucket:Bucket", "policy", "s3:PutObject"),
    "aws-native's bucket": ("aws-native:s3:BucketPolicy", "policyDocument", "s3:GetObject"),
    "a secret": (SECRET, "policy", "secretsmanager:GetSecretValue"),
    "a secret's own policy": ("aws:secretsmanager/secret:Secret", "policy", "secretsmanager:*"),
    "aws-native's secret": ("aws-native:secretsmanager:ResourcePolicy", "resourcePolicy", "secretsmanager:GetSecretValue"),
    "a topic": ("aws:sns/topicPolicy:TopicPolicy", "policy", "sns:Subscribe"),
    "a repository": ("aws:ecr/repositoryPolicy:RepositoryPolicy", "policy", "ecr:PutImage"),
    "aws-native's repository": ("aws-native:ecr:Repository", "repositoryPolicyText", "ecr:*"),
    "a queue": ("aws:sqs/queuePolicy:QueuePolicy", "policy", "sqs:ReceiveMessage"),
}


def let_in(principal: Any, action: Any, condition: Any = None, **more: Any) -> dict[str, Any]:
    """Return a statement of a resource's policy."""
    conditions = {} if condition is None else {"Condition": condition}
    return {"Effect": "Allow", "Principal": principal, "Action": action, "Resource": "*", **conditions, **more}


def held(type_: str, member: str, *statements: Mapping[str, Any]) -> tuple[Resource, ...]:
    """Return a resource with a policy, beside one that names the stack's account and the role of nodes."""
    text = document(*statements)
    return (registered(type_, **{member: json.loads(text) if "native" in type_ else text}), NODE_ROLE, s.POLICY)


def key(*statements: Mapping[str, Any]) -> tuple[Resource, ...]:
    """Return a key with a policy that leaves it to the account."""
    return held(KEY, "policy", let_in(ROOT, "kms:*"), *statements)


LOOSE: dict[str, Any] = {
    "any organisation": {"StringLike": {"aws:PrincipalOrgID": "*"}},
    "organisations by the letter of all": {"StringLike": {"aws:PrincipalOrgID": "o-*"}},
    "an organisation if it exists": {"StringEqualsIfExists": {"aws:PrincipalOrgID": "o-abcdefghij"}},
    "another account's callers": {"StringEquals": {"aws:PrincipalAccount": "999988887777"}},
    "roles of any account": {"ArnLike": {"aws:PrincipalArn": "arn:aws:iam::*:role/ci"}},
    "another account's roles": {"ArnLike": {"aws:PrincipalArn": f"{OTHER}:role/*"}},
    "units of any organisation": {"ForAnyValue:StringLike": {"aws:PrincipalOrgPaths": "o-*/r-*/*"}},
    "a tag of the caller": {"StringEquals": {"aws:PrincipalTag/team": "shop"}},
    "a service in between": {"StringEquals": {"kms:ViaService": "ec2.us-west-2.amazonaws.com"}},
    "any account": {"StringLike": {"kms:CallerAccount": "*"}},
    "TLS": {"Bool": {"aws:SecureTransport": "true"}},
    "every address": {"IpAddress": {"aws:SourceIp": "0.0.0.0/0"}},
    "halves of all addresses": {"IpAddress": {"aws:SourceIp": ["0.0.0.0/1", "128.0.0.0/1"]}},
    "not one address": {"NotIpAddress": {"aws:SourceIp": "203.0.113.0/24"}},
    "an address if it exists": {"IpAddressIfExists": {"aws:SourceIp": "203.0.113.0/24"}},
    "all sources but one": {"ArnNotLike": {"aws:SourceArn": f"arn:aws:events:us-west-2:{ACCOUNT}:rule/demo"}},
    "a source if it exists": {"ArnLikeIfExists": {"aws:SourceArn": f"arn:aws:events:us-west-2:{ACCOUNT}:rule/demo"}},
    "all of no source": {"ForAllValues:ArnLike": {"aws:SourceArn": f"arn:aws:events:us-west-2:{ACCOUNT}:rule/demo"}},
    "a source that is there": {"Null": {"aws:SourceArn": "false"}},
    "another account's source": {"ArnLike": {"aws:SourceArn": "arn:aws:events:us-west-2:999988887777:rule/demo"}},
    "another account by its number": {"StringEquals": {"kms:CallerAccount": "999988887777"}},
    "an account that is there": {"Null": {"aws:PrincipalAccount": "false"}},
    "no service of AWS": {"Bool": {"aws:PrincipalIsAWSService": "false"}},
    "an endpoint if it exists": {"StringEqualsIfExists": {"aws:SourceVpce": "vpce-0123456789abcdef0"}},
    "all networks but one": {"StringNotEquals": {"aws:SourceVpc": "vpc-0123456789abcdef0"}},
    "any source": {"ArnLike": {"aws:SourceArn": "arn:aws:*"}},
    "sources of any account": {"ArnLike": {"aws:SourceArn": "arn:aws:events:us-west-2:*:rule/demo"}},
    "any bucket": {"ArnLike": {"aws:SourceArn": "arn:aws:s3:::*"}},
    "a network by pattern": {"StringLike": {"aws:SourceVpc": "vpc-*"}},
    "another region": {"StringEquals": {"aws:RequestedRegion": "us-west-2"}},
}
NARROW: dict[str, Any] = {
    "the organisation": {"StringEquals": {"aws:PrincipalOrgID": "o-abcdefghij"}},
    "an organisation's unit": {"ForAnyValue:StringLike": {"aws:PrincipalOrgPaths": "o-abcdefghij/r-ab12/ou-ab12-11111111/*"}},
    "the account": {"StringEquals": {"aws:PrincipalAccount": ACCOUNT}},
    "the caller's account and a service": {
        "StringEquals": {"kms:CallerAccount": ACCOUNT, "kms:ViaService": "secretsmanager.us-west-2.amazonaws.com"}
    },
    "an endpoint": {"StringEquals": {"aws:SourceVpce": "vpce-0123456789abcdef0"}},
    "the account as owner of the source": {"StringEquals": {"AWS:SourceOwner": ACCOUNT}},
    "an office": {"IpAddress": {"aws:SourceIp": ["203.0.113.0/24", "2001:db8::/48"]}},
    "a rule": {"ArnEquals": {"aws:SourceArn": f"arn:aws:events:us-west-2:{ACCOUNT}:rule/demo"}},
    "roles by name": {"ArnLike": {"aws:PrincipalArn": f"arn:aws:iam::{ACCOUNT}:role/shop-*"}},
}
OUTSIDE = {
    "Effect": "Deny",
    "Principal": "*",
    "Action": "s3:*",
    "Resource": "*",
    "Condition": {"StringNotEquals": {"aws:PrincipalOrgID": "o-abcdefghij"}},
}
FOR_NODES: dict[str, tuple[str, Any]] = {
    "a secret's value": (SECRET, "secretsmanager:GetSecretValue"),
    "every action on a secret": (SECRET, "secretsmanager:*"),
    "a key's policy": (KEY, "kms:PutKeyPolicy"),
    "every action on a key": (KEY, "kms:*"),
    "a key's deletion": (KEY, ["kms:Decrypt", "kms:Schedule*"]),
    "a bucket's policy": (BUCKET, "s3:*"),
    "images": ("aws:ecr/repositoryPolicy:RepositoryPolicy", "ecr:*"),
}

DENIED = {"Effect": "Deny", "Principal": "*", "Action": "kms:*", "Resource": "*"}
WEAK: dict[str, Any] = {
    "callers without an organisation": {**DENIED, "Condition": {"Null": {"aws:PrincipalOrgID": "true"}}},
    "callers without TLS": {**DENIED, "Condition": {"Bool": {"aws:SecureTransport": "false"}}},
    "services": {**DENIED, "Condition": {"Bool": {"aws:PrincipalIsAWSService": "true"}}},
    "callers with a key that is never there": {**DENIED, "Condition": {"Null": {"aws:RequestTag/none": "false"}}},
}
LISTS: dict[str, tuple[Resource, ...]] = {
    "a bucket that everybody writes": (registered("aws:s3/bucket:Bucket", acl="public-read-write"),),
    "a bucket that everybody reads": (registered("aws:s3/bucketAcl:BucketAcl", acl="public-read"),),
    "a bucket for everybody with an account": (registered("aws:s3/bucketAcl:BucketAcl", acl="authenticated-read"),),
    "a key that is given to another account": (registered("aws:kms/grant:Grant", granteePrincipal=f"{OTHER}:root"), s.POLICY),
}
SHUT_LISTS: dict[str, tuple[Resource, ...]] = {
    "a private bucket": (registered("aws:s3/bucketAcl:BucketAcl", acl="private"),),
    "a bucket for logs": (registered("aws:s3/bucketAcl:BucketAcl", acl="log-delivery-write"),),
    "a key for a role": (registered("aws:kms/grant:Grant", granteePrincipal=f"arn:aws:iam::{ACCOUNT}:role/shop"), s.POLICY),
}

TRICKS = (
    *(Trick(name, resources, "IF-23") for name, resources in LISTS.items()),
    *(Trick(name, resources, "IF-23", Wanted.PASSES) for name, resources in SHUT_LISTS.items()),
    *(Trick(f"a key for all but for {name}", key(let_in("*", "kms:Decrypt"), test), "IF-23") for name, test in WEAK.items()),
    *(Trick(f"{name} for everybody", held(t, m, let_in("*", action)), "IF-23") for name, (t, m, action) in TYPES.items()),
    *(
        Trick(f"{name} for another account", held(t, m, let_in({"AWS": f"{OTHER}:root"}, action)), "IF-23")
        for name, (t, m, action) in TYPES.items()
    ),
    *(Trick(f"a key for all under {name}", key(let_in("*", "kms:Decrypt", test)), "IF-23") for name, test in LOOSE.items()),
    Trick("a key for another account's role", key(let_in({"AWS": f"{OTHER}:role/ci"}, "kms:Decrypt")), "IF-23"),
    Trick("a key for an account by number", key(let_in({"AWS": "999988887777"}, "kms:Decrypt")), "IF-23"),
    Trick("a key for one right and one wrong", key(let_in({"AWS": [NODES, f"{OTHER}:root"]}, "kms:Decrypt")), "IF-23"),
    Trick("a key for everybody of AWS", key(let_in({"AWS": ["*"]}, "kms:Decrypt")), "IF-23"),
    Trick(
        "a key for everybody but one",
        key({"Effect": "Allow", "NotPrincipal": ROOT, "Action": "kms:Decrypt", "Resource": "*"}),
        "IF-23",
    ),
    Trick(
        "a key in small letters",
        (
            registered(KEY, policy='{"statement":{"effect":"Allow","principal":"*","action":"kms:*","resource":"*"}}'),
            s.POLICY,
        ),
        "IF-23",
    ),
    Trick(
        "a stranger whom a document names as a role to assume",
        (
            registered(KEY, policy=document(let_in({"AWS": f"{OTHER}:root"}, "kms:Decrypt"))),
            s.POLICY,
            registered(
                "aws:iam/policy:Policy",
                policy=document({"Effect": "Allow", "Action": "sts:AssumeRole", "Resource": f"{OTHER}:role/dns"}),
            ),
        ),
        "IF-23",
    ),
    Trick("objects for everybody", held(BUCKET, "policy", let_in("*", "s3:GetObject")), "IF-23"),
    Trick(
        "a public bucket that is written to",
        held(BUCKET, "policy", let_in("*", ["s3:GetObject", "s3:PutObject"])),
        "IF-23",
        gates={"rules": {"IF-23": {"publicBuckets": ["trick"]}}},
    ),
    Trick(
        "a denial that everybody escapes",
        held(
            BUCKET,
            "policy",
            let_in("*", "s3:PutObject"),
            {**OUTSIDE, "Condition": {"StringNotLike": {"aws:PrincipalOrgID": "*"}}},
        ),
        "IF-23",
    ),
    Trick(
        "a denial of other actions",
        held(BUCKET, "policy", let_in("*", "s3:PutObject"), {**OUTSIDE, "Action": "s3:Get*"}),
        "IF-23",
    ),
    Trick(
        "a denial of one principal",
        held(BUCKET, "policy", let_in("*", "s3:PutObject"), {**OUTSIDE, "Principal": ROOT}),
        "IF-23",
    ),
    Trick("logs of load balancers that are read", held(BUCKET, "policy", let_in({"AWS": "127311923021"}, "s3:*")), "IF-23"),
    *(
        Trick(f"{name} for nodes", held(type_, "policy", let_in({"AWS": NODES}, action)), "IF-23")
        for name, (type_, action) in FOR_NODES.items()
    ),
    Trick("a policy that is not known", (registered(KEY, policy=UNKNOWN), s.POLICY), "IF-23", Wanted.OPEN),
    Trick(
        "a bucket of one account that may be any",
        (registered(BUCKET, policy=document(let_in({"AWS": f"{OTHER}:root"}, "s3:PutObject"))),),
        "IF-23",
        Wanted.OPEN,
    ),
    *(Trick(f"a key for {name}", key(let_in("*", "kms:Decrypt", test)), wanted=Wanted.PASSES) for name, test in NARROW.items()),
    Trick("a key for its account", key(), wanted=Wanted.PASSES),
    Trick("a key without a policy", (registered(KEY, enableKeyRotation=True),), wanted=Wanted.PASSES),
    Trick(
        "a key of a stack that names nothing else",
        (registered(KEY, policy=document(let_in(ROOT, "kms:*"))),),
        "IF-23",
        Wanted.PASSES,
    ),
    Trick("a key for volumes", key(let_in({"AWS": NODES}, ["kms:Decrypt", "kms:CreateGrant"])), wanted=Wanted.PASSES),
    Trick("a key for events", key(let_in({"Service": "events.amazonaws.com"}, "kms:GenerateDataKey*")), wanted=Wanted.PASSES),
    Trick(
        "a key for another account that is named",
        key(let_in({"AWS": f"{OTHER}:root"}, "kms:Decrypt")),
        wanted=Wanted.PASSES,
        gates={"rules": {"IF-23": {"accounts": ["999988887777"]}}},
    ),
    Trick(
        "a bucket for TLS alone",
        held(
            BUCKET,
            "policy",
            {
                "Effect": "Deny",
                "Principal": "*",
                "Action": "s3:*",
                "Resource": "*",
                "Condition": {"Bool": {"aws:SecureTransport": "false"}},
            },
        ),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "a bucket for logs of load balancers",
        held(BUCKET, "policy", let_in({"AWS": "arn:aws:iam::797873946194:root"}, "s3:PutObject")),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "a bucket for logs by service",
        held(BUCKET, "policy", let_in({"Service": "logdelivery.elasticloadbalancing.amazonaws.com"}, "s3:PutObject")),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "a bucket behind CloudFront",
        held(
            BUCKET,
            "policy",
            let_in(
                {"Service": "cloudfront.amazonaws.com"},
                "s3:GetObject",
                {"StringEquals": {"aws:SourceArn": f"arn:aws:cloudfront::{ACCOUNT}:distribution/E1"}},
            ),
        ),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "a bucket for an origin's identity",
        held(
            BUCKET,
            "policy",
            let_in({"AWS": "arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity E1"}, "s3:GetObject"),
        ),
        wanted=Wanted.PASSES,
    ),
    Trick("everybody but outsiders", held(BUCKET, "policy", let_in("*", "s3:GetObject"), OUTSIDE), wanted=Wanted.PASSES),
    Trick(
        "a bucket that is public on purpose",
        held(BUCKET, "policy", let_in("*", "s3:GetObject")),
        wanted=Wanted.PASSES,
        gates={"rules": {"IF-23": {"publicBuckets": ["trick"]}}},
    ),
    Trick(
        "a topic for alarms",
        held(
            "aws:sns/topicPolicy:TopicPolicy",
            "policy",
            let_in({"Service": "cloudwatch.amazonaws.com"}, "sns:Publish"),
            let_in({"AWS": "*"}, "sns:Subscribe", {"StringEquals": {"aws:SourceAccount": ACCOUNT}}),
        ),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "a repository for the account",
        held("aws:ecr/repositoryPolicy:RepositoryPolicy", "policy", let_in(ROOT, "ecr:BatchGetImage")),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "a secret for a role of pods",
        held(SECRET, "policy", let_in({"AWS": f"arn:aws:iam::{ACCOUNT}:role/shop"}, "secretsmanager:GetSecretValue")),
        wanted=Wanted.PASSES,
    ),
)
