"""Whom policies of keys, buckets, secrets, topics, queues and repositories let in (spec: aws-infrastructure IF-23)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cutlist.infrastructure.iam.grants import Grant, Test, texts
from cutlist.infrastructure.iam.limits import is_exact, limits, names
from cutlist.policy.rules.access.addresses import is_open
from cutlist.policy.rules.access.callers import ACCOUNTS, NAMING_ACCOUNTS, THIS_ACCOUNT, admissions, own_accounts, strangers
from cutlist.policy.rules.access.iam_documents import written_document, written_documents
from cutlist.policy.rules.access.principals import ROLES
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.infrastructure.role_trust import TRUST, is_of_nodes
from cutlist.policy.rules.parameters import texts as list_of_texts
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, stack_rule
from cutlist.policy.rules.tokens import NATIVE_QUEUE_POLICIES, QUEUE, QUEUE_POLICY

_POLICIES: Final[Mapping[str, str]] = {
    "aws:kms/key:Key": "policy",
    "aws:kms/keyPolicy:KeyPolicy": "policy",
    "aws:kms/replicaKey:ReplicaKey": "policy",
    "aws:kms/externalKey:ExternalKey": "policy",
    "aws-native:kms:Key": "keyPolicy",
    "aws-native:kms:ReplicaKey": "keyPolicy",
    "aws:s3/bucketPolicy:BucketPolicy": "policy",
    "aws:s3/bucket:Bucket": "policy",
    "aws:s3/bucketV2:BucketV2": "policy",
    "aws-native:s3:BucketPolicy": "policyDocument",
    "aws:secretsmanager/secretPolicy:SecretPolicy": "policy",
    "aws:secretsmanager/secret:Secret": "policy",
    "aws-native:secretsmanager:ResourcePolicy": "resourcePolicy",
    "aws:sns/topicPolicy:TopicPolicy": "policy",
    "aws:sns/topic:Topic": "policy",
    "aws-native:sns:TopicPolicy": "policyDocument",
    "aws-native:sns:TopicInlinePolicy": "policyDocument",
    "aws:ecr/repositoryPolicy:RepositoryPolicy": "policy",
    "aws:ecr/registryPolicy:RegistryPolicy": "policy",
    "aws-native:ecr:Repository": "repositoryPolicyText",
    "aws-native:ecr:RegistryPolicy": "policyText",
    QUEUE: "policy",
    QUEUE_POLICY: "policy",
    **dict.fromkeys(NATIVE_QUEUE_POLICIES, "policyDocument"),
}
"""The member that has the policy, by type."""
_GRANT: Final = "aws:kms/grant:Grant"
_GRANTEE: Final = "granteePrincipal"
_ACL: Final = "aws:s3/bucketAcl:BucketAcl"
_WITH_LIST: Final = ("aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2", _ACL, "aws:s3/bucketAclV2:BucketAclV2")
_OPEN_LISTS: Final = ("public-read", "public-read-write", "authenticated-read")
_PUBLIC: Final = list_of_texts("publicBuckets", (), "Buckets, by their name in reports, whose objects everybody may read.")
_READING: Final = ("s3:getobject", "s3:getobjectversion", "s3:getobjecttagging", "s3:listbucket")
_PLACES: Final = ("aws:SourceOrgID", "aws:SourceOrgPaths", "aws:SourceVpce", "aws:SourceVpc")
_OF_ACCOUNTS: Final = (
    "aws:SourceAccount",
    "aws:SourceOwner",
    "kms:CallerAccount",
    "aws:ResourceAccount",
    "s3:DataAccessPointAccount",
)
_SOURCE: Final = "aws:SourceArn"
_ADDRESS: Final = "aws:SourceIp"
_BUCKETS: Final = "arn:aws:s3:::"
_ARN_PARTS: Final = 6
_ROOT: Final = re.compile(r"arn:aws[a-z-]*:iam::([0-9]{12}):root")
_NOT_FOR_NODES: Final = (
    *("kms:PutKeyPolicy", "kms:ScheduleKeyDeletion", "kms:DisableKey", "s3:PutBucketPolicy", "s3:DeleteBucketPolicy"),
    *("secretsmanager:GetSecretValue", "secretsmanager:PutResourcePolicy", "sqs:AddPermission", "sqs:SetQueueAttributes"),
    *("ecr:PutImage", "ecr:SetRepositoryPolicy"),
)
"""What every pod of a node could do if its role might: pods have roles of their own for their secrets and keys."""
_LOAD_BALANCERS: Final = frozenset(
    (
        *("127311923021", "033677994240", "027434742980", "797873946194", "098369216593", "985666609251", "054676820928"),
        *("156460612806", "652711504416", "635631232127", "009996457667", "897822967062", "754344448648", "582318560864"),
        *("600734575887", "383597477331", "114774131450", "783225319266", "589379963580", "718504428378", "076674570225"),
        *("507241528517", "048591011584", "190560391635", "638102146993", "037604701340"),
    )
)
"""Accounts of AWS's own from which load balancers write their logs, from AWS's page on access logs of Application Load
Balancers, November 2026."""


@stack_rule(
    "IF-23",
    "Policies of keys, buckets, secrets and queues admit no strangers",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="strangers who read secrets, decrypt volumes or write to the queue, and pods that do so with their node's role",
    looks_at=tuple(dict.fromkeys((*_POLICIES, *_WITH_LIST, _GRANT, *TRUST, *NAMING_ACCOUNTS))),
    source="aws-infrastructure IF-23, 3.5",
    parameters=(ACCOUNTS, _PUBLIC),
)
def resource_policy(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that a policy lets in everybody only under a condition that says who or from where, other accounts only if they are
    your own, and the role of nodes not to secrets, and not to change keys, buckets and queues."""
    own = {*settings[ACCOUNTS.name], *own_accounts(resources)} or _owners_of_keys(resources)
    nodes = {name for role in resources.of_type(*ROLES) for name in _names_of_nodes(role)}
    for resource in resources.of_type(*dict.fromkeys((*_POLICIES, *_WITH_LIST))):
        try:
            part = resource.at(_POLICIES.get(resource.type, "policy"))
            findings: dict[Finding, None] = {}
            for written in written_documents(part):
                for statement, grant in admissions(written):
                    if not _is_public(resource, grant, settings[_PUBLIC.name]):
                        findings |= dict.fromkeys(_admitted(statement, grant, own))
                        findings |= dict.fromkeys(_for_nodes(statement, grant, nodes))
            yield from findings
            yield from _by_list(resource, settings[_PUBLIC.name])
        except NotKnownError as unknown:
            yield unknown.finding
    for grant_of_key in resources.of_type(_GRANT):
        yield from strangers(grant_of_key.root.at(_GRANTEE), (), own)


def _owners_of_keys(resources: Resources) -> set[str]:
    """Return the account to which every key of a stack delegates its policy; empty if they differ."""
    accounts: set[str] = set()
    for resource in resources.of_type(*(type_ for type_ in _POLICIES if ":kms" in type_)):
        try:
            statements = written_document(resource.at(_POLICIES[resource.type])).statements or ()
            roots = [_ROOT.fullmatch(s.at("Principal", "AWS").text) for s in statements if s.at("Action").texts() == ("kms:*",)]
            accounts |= {match[1] for match in roots if match}
        except NotKnownError:
            continue
    return accounts if len(accounts) == 1 else set()


def _by_list(resource: Resource, public: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding if a bucket's list of rights lets everybody in."""
    written = resource.at("acl")
    is_to_read = written.data == _OPEN_LISTS[0] and resource.name in public
    if resource.type in _WITH_LIST and written.data in _OPEN_LISTS and not is_to_read:
        yield written.violation(f"{written.data}, for everybody", "private", "leave acl out, and write a policy")


def _admitted(statement: Part, grant: Grant, own: set[str]) -> Iterator[Finding]:
    if any(_is_from_a_place(test, own) for test in grant.tests):
        return
    if statement.at("NotPrincipal").is_there:
        yield statement.at("NotPrincipal").violation("everybody but some", "one principal", "write Principal instead")
        return
    logs = _LOAD_BALANCERS if all(action.casefold() == "s3:putobject" for action in grant.actions) else frozenset[str]()
    yield from strangers(statement.at("Principal"), grant.tests, own | logs if own else own)


def _is_from_a_place(test: Test, own: set[str]) -> bool:
    """Tell whether a test lets in only requests of named accounts, networks, addresses or sources. An account, or that of a
    source, is one of the stack's own, where these are known."""
    if names(test, (_ADDRESS,)):
        return test.operator.casefold() == "ipaddress" and bool(test.values) and not is_open(test.values)
    if names(test, (_SOURCE,)):
        return limits(test) and all(_names_source(value, own) for value in test.values)
    if names(test, _OF_ACCOUNTS) and own and not set(test.values) <= {*own, THIS_ACCOUNT}:
        return False
    return names(test, (*_PLACES, *_OF_ACCOUNTS)) and is_exact(test)


def _names_source(value: str, own: set[str]) -> bool:
    """Tell whether an ARN names the account of a source, one of the stack's own where these are known, or a bucket, which has
    none in its ARN."""
    parts = value.split(":", _ARN_PARTS - 1)
    if value.startswith(_BUCKETS) and not set("*?$") & set(value):
        return True
    is_account = len(parts) == _ARN_PARTS and len(parts[4]) == 12 and parts[4].isdigit()
    return is_account and (not own or parts[4] in (*own, THIS_ACCOUNT))


def _is_public(resource: Resource, grant: Grant, public: Sequence[str]) -> bool:
    is_reading = not grant.all_but_actions and all(action.casefold() in _READING for action in grant.actions)
    return is_reading and resource.name in public


def _for_nodes(statement: Part, grant: Grant, nodes: set[str]) -> Iterator[Finding]:
    principal = statement.at("Principal")
    named = (name for kind, part in principal.members().items() if kind.casefold() == "aws" for name in texts(part.data))
    actions = [action for action in _NOT_FOR_NODES if grant.action_for(action) is not None]
    for name in named if actions else ():
        if ":role/" in name and name.rpartition("/")[2] in nodes:
            text = f"the role of nodes may {', '.join(actions[:2])}"
            yield principal.violation(
                text, "its own role for each workload that needs it", "name the role of a service account"
            )


def _names_of_nodes(role: Resource) -> Iterator[str]:
    """Yield the names of a role that machines of EC2 assume; none of another."""
    try:
        yield from (role.at(key).text for key in ("name", "roleName") if is_of_nodes(role) and role.at(key).text)
    except NotKnownError:
        return


RULES = (resource_policy,)
