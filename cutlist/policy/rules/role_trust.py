"""Whom roles trust (spec: aws-infrastructure 3.2, IF-03)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.infrastructure.iam.grants import Test, tests_of, texts
from cutlist.infrastructure.iam.limits import fixed_part, is_exact, limits, names
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.iam_documents import DOCUMENTS, written_documents
from cutlist.policy.rules.parameters import texts as list_of_texts
from cutlist.policy.rules.parts import NotKnownError, Part
from cutlist.policy.rules.rule import Resources, Settings, Severity, stack_rule
from cutlist.policy.rules.tokens import EKS_CLUSTER, IAM_ROLE, NATIVE_IAM_ROLE, QUEUE_POLICY

TRUST: Final[Mapping[str, str]] = {IAM_ROLE: "assumeRolePolicy", NATIVE_IAM_ROLE: "assumeRolePolicyDocument"}
"""The member that has the trust document, by type."""
_ACCOUNTS: Final = list_of_texts("accounts", (), "Accounts that are your own, beside those that the stack's ARNs name.")
_POD_IDENTITY: Final = "pods.eks.amazonaws.com"
_ACCOUNT: Final = "aws:SourceAccount"
_SOURCE: Final = "aws:SourceArn"
_CLUSTER_TAGS: Final = ("aws:RequestTag/eks-cluster-arn", "aws:RequestTag/eks-cluster-name")
_ASSOCIATION: Final = ":podidentityassociation/"
_CALLERS: Final = (
    "aws:PrincipalOrgID",
    "aws:PrincipalOrgPaths",
    "aws:PrincipalAccount",
    "aws:PrincipalArn",
    "aws:PrincipalTag/",
)
_SECRET_OF_CALLER: Final = ("sts:ExternalId",)
_OWN: Final = re.compile(r"arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:([0-9]{12}):")
_ACCOUNT_OF: Final = re.compile(r"(?:arn:aws[a-z-]*:(?:iam|sts)::)?(?P<account>[0-9]{12})(?P<rest>:\S+)?")
_PROVIDER: Final = re.compile(r"arn:aws[a-z-]*:iam::[0-9]*:oidc-provider/(?P<host>\S+)")
_SAML: Final = re.compile(r"arn:aws[a-z-]*:iam::[0-9]*:saml-provider/\S+")
_REPOSITORY: Final = re.compile(r"[a-z_]+:[^*?/:$]+/[^*?:$]+:")
_SERVICE_ACCOUNT: Final = "system:serviceaccount:"


@stack_rule(
    "IF-03",
    "Roles trust this cluster, not a whole service",
    Severity.MANDATORY,
    protects="another cluster, or another service account, takes on the controller's role",
    looks_at=(*TRUST, *DOCUMENTS, QUEUE_POLICY, EKS_CLUSTER),
    source="aws-infrastructure IF-03, 3.2, H14",
    parameters=(_ACCOUNTS,),
)
def trust(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that Pod Identity has SourceAccount and names the cluster, by a tag of the session or SourceArn, that a web
    identity has exact `sub` and `aud` of its own provider, and that nobody else is trusted: not everybody, no other account."""
    own = {*settings[_ACCOUNTS.name], *own_accounts(resources)}
    for role in resources.of_type(*TRUST):
        try:
            findings: dict[Finding, None] = {}
            for written in written_documents(role.at(TRUST[role.type])):
                if written.statements is None:
                    yield written.part.violation(
                        "no IAM document", "JSON with a list of statements", "write Version and Statement"
                    )
                for statement in written.statements or ():
                    if statement.at("Effect").text.casefold() != "deny":
                        findings |= dict.fromkeys(_trusted(statement, own))
            yield from findings
        except NotKnownError as unknown:
            yield unknown.finding


def own_accounts(resources: Resources) -> frozenset[str]:
    """Return the accounts that ARNs in a stack's policies, queues and clusters name: those it works in. Trust documents do not
    count, for they name others."""
    stated = resources.of_type(*DOCUMENTS, QUEUE_POLICY, EKS_CLUSTER)
    return frozenset(account for resource in stated for account in _accounts_in(resource.data))


def _accounts_in(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield from _OWN.findall(data)
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _accounts_in(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _accounts_in(item)


def _trusted(statement: Part, own: set[str]) -> Iterator[Finding]:
    tests = list(tests_of(statement.at("Condition").data))
    if statement.at("NotPrincipal").is_there:
        yield statement.at("NotPrincipal").violation("everybody but some", "one principal", "write Principal instead")
        return
    principal = statement.at("Principal")
    if isinstance(principal.data, str):
        yield from _caller(principal, principal.data, tests, own)
    for kind, part in principal.members().items():
        for name in texts(part.data):
            match kind.casefold():
                case "aws":
                    yield from _caller(principal, name, tests, own)
                case "service" if name == _POD_IDENTITY:
                    yield from _pod_identity(statement, tests)
                case "service" | "federated" if "*" in name or "?" in name:
                    yield principal.violation(f"every {kind.casefold()}", "one principal", "name the service or provider")
                case "federated":
                    yield from _web_identity(statement, name, tests)
                case _:
                    continue


def _caller(principal: Part, name: str, tests: Sequence[Test], own: set[str]) -> Iterator[Finding]:
    """Yield what is wrong with a principal of AWS: everybody without a test of who they are, or another account."""
    is_tested = any(names(test, _CALLERS) and limits(test) for test in tests)
    if "*" in name or "?" in name:
        if not is_tested:
            yield principal.violation("everybody", "one principal", "name the service, provider or account")
        return
    match = _ACCOUNT_OF.fullmatch(name)
    if match is None or match["account"] in own or is_tested or any(names(t, _SECRET_OF_CALLER) and limits(t) for t in tests):
        return
    if own:
        advice = f"add a condition on sts:ExternalId, or name the account in the rule's {_ACCOUNTS.name}"
        yield principal.violation(f"the account {match['account']}", f"the stack's own, {', '.join(sorted(own))}", advice)
    elif match["rest"] in (None, ":root"):
        yield principal.cannot_tell(f"whether {match['account']} is your own account: no ARN of the stack names one")


def _pod_identity(statement: Part, tests: Sequence[Test]) -> Iterator[Finding]:
    if not any(names(test, (_ACCOUNT,)) and is_exact(test) for test in tests):
        advice = f"add a condition on {_ACCOUNT}"
        yield statement.violation(f"Pod Identity without {_ACCOUNT}", "this account and cluster alone", advice)
    sources = [test for test in tests if names(test, (_SOURCE,))]
    is_named = any(_names_cluster(test) for test in sources) or any(names(t, _CLUSTER_TAGS) and is_exact(t) for t in tests)
    is_of_association = any(_ASSOCIATION in arn for test in sources for arn in test.values)
    if not is_named and not is_of_association:
        text, advice = "Pod Identity for every cluster of the account", f"add a condition on {_CLUSTER_TAGS[0]}"
        yield statement.violation(text, "this account and cluster alone", advice)
    if is_of_association:
        text = f"{_SOURCE} of an association, which no request has"
        yield statement.violation(text, "the cluster's ARN, or tags of the session", f"add a condition on {_CLUSTER_TAGS[0]}")


def _names_cluster(test: Test) -> bool:
    """Tell whether a test of the source names clusters: a region may be any, the cluster's name not."""
    tails = [value.split(":", 5)[-1] for value in test.values]
    return limits(test) and all(re.fullmatch(r"cluster/[^*?$]+", tail) for tail in tails)


def _web_identity(statement: Part, provider: str, tests: Sequence[Test]) -> Iterator[Finding]:
    if _SAML.fullmatch(provider):
        wanted: tuple[str, ...] = ("SAML:aud",)
    else:
        match = _PROVIDER.fullmatch(provider)
        host = match["host"] if match else provider
        wanted = (f"{host}:sub", f"{host}:aud")
    for key in wanted:
        of_key = [test for test in tests if names(test, (key,))]
        if any(is_exact(test) or (key.endswith(":sub") and _is_of_repository(test)) for test in of_key):
            continue
        end = key.rpartition(":")[2]
        fault = f"{end} by pattern" if of_key else f"a web identity without {end}"
        yield statement.violation(fault, "one service account, exactly", f"add StringEquals on the provider's {end}")


def _is_of_repository(test: Test) -> bool:
    """Tell whether a test lets in the jobs of named repositories alone, as the providers of GitHub and GitLab name them."""
    return limits(test) and all(
        _REPOSITORY.match(value) and not fixed_part(value).startswith(_SERVICE_ACCOUNT) for value in test.values
    )


RULES = (trust,)
