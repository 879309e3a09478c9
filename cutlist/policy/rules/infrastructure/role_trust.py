"""Whom roles trust (spec: aws-infrastructure 3.2, IF-03)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cutlist.infrastructure.iam.grants import Grant, Test, texts
from cutlist.infrastructure.iam.limits import is_exact, limits, names
from cutlist.policy.rules.access.callers import ACCOUNTS, EVERYBODY, NAMING_ACCOUNTS, admissions, own_accounts, strangers
from cutlist.policy.rules.access.iam_documents import written_document, written_documents
from cutlist.policy.rules.findings import Finding, Violation
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, stack_rule
from cutlist.policy.rules.tokens import IAM_ROLE, NATIVE_IAM_ROLE

TRUST: Final[Mapping[str, str]] = {IAM_ROLE: "assumeRolePolicy", NATIVE_IAM_ROLE: "assumeRolePolicyDocument"}
"""The member that has the trust document, by type."""
_MACHINES: Final = "ec2."
_POD_IDENTITY: Final = "pods.eks.amazonaws.com"
_ACCOUNT: Final = "aws:SourceAccount"
_SOURCE: Final = "aws:SourceArn"
_CLUSTER_TAGS: Final = ("aws:RequestTag/eks-cluster-arn", "aws:RequestTag/eks-cluster-name")
_ASSOCIATION: Final = ":podidentityassociation/"
_SECRET_OF_CALLER: Final = ("sts:ExternalId",)
_PROVIDER: Final = re.compile(r"arn:aws[a-z-]*:iam::[0-9]*:oidc-provider/(?P<host>\S+)")
_SAML: Final = re.compile(r"arn:aws[a-z-]*:iam::[0-9]*:saml-provider/\S+")
_COGNITO: Final = "cognito-identity.amazonaws.com"
_NAME: Final = r"[^*?:/$]+"
_PROJECTS: Final = tuple(
    re.compile(form)
    for form in (
        rf"repo:{_NAME}/{_NAME}:",  # GitHub
        rf"project_path:{_NAME}(?:/{_NAME})+:",  # GitLab
        rf"organization:{_NAME}:project:[^:$]+:workspace:{_NAME}:",  # HCP Terraform
        rf"organization:{_NAME}:pipeline:{_NAME}:",  # Buildkite
        rf"pulumi:deploy:org:{_NAME}:project:{_NAME}:",  # Pulumi Cloud
        rf"org/{_NAME}/project/{_NAME}/",  # CircleCI
        r"\{[0-9a-f-]{36}\}:",  # Bitbucket
        rf"owner:{_NAME}:project:{_NAME}:",  # Vercel
    )
)
"""What the subjects of services that run jobs begin with where they name a project, from the documentation of each, November
2026."""


@stack_rule(
    "IF-03",
    "Roles trust this cluster, not a whole service",
    Severity.MANDATORY,
    profile=Profile.START,
    graded=True,
    protects="another cluster, or another service account, that assumes the controller's role",
    looks_at=(*TRUST, *NAMING_ACCOUNTS),
    source="aws-infrastructure IF-03, 3.2, H14",
    parameters=(ACCOUNTS,),
)
def trust(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that Pod Identity has SourceAccount and names the cluster, by a tag of the session or SourceArn, that a web
    identity has exact `sub` and `aud` of its own provider, and that nobody else is trusted: not everybody, no other account."""
    own = {*settings[ACCOUNTS.name], *own_accounts(resources)}
    for role in resources.of_type(*TRUST):
        try:
            findings: dict[Finding, None] = {}
            for written in written_documents(role.at(TRUST[role.type])):
                if written.statements is None:
                    yield written.part.violation(
                        "not an IAM document", "JSON with a list of statements", "write Version and Statement"
                    )
                for statement, grant in admissions(written):
                    findings |= dict.fromkeys(_trusted(statement, grant, own))
            yield from map(_graded, findings)
        except NotKnownError as unknown:
            yield unknown.finding


def _graded(finding: Finding) -> Finding:
    """Return a finding as grave as it is: a role that everybody assumes is for nobody, others may be for somebody."""
    if isinstance(finding, Violation) and finding.found != EVERYBODY:
        return replace(finding, grade=Profile.RECOMMENDED)
    return finding


def is_of_nodes(resource: Resource) -> bool:
    """Tell whether a resource is a role that machines of EC2 assume. Raises NotKnownError when its trust is not known."""
    if resource.type not in TRUST:
        return False
    statements = written_document(resource.at(TRUST[resource.type])).statements or ()
    services = {name for statement in statements for name in statement.at("Principal", "Service").texts()}
    return any(service.startswith(_MACHINES) for service in services)


def _trusted(statement: Part, grant: Grant, own: set[str]) -> Iterator[Finding]:
    tests = grant.tests
    if statement.at("NotPrincipal").is_there:
        yield statement.at("NotPrincipal").violation("everybody but some", "one principal", "write Principal instead")
        return
    principal = statement.at("Principal")
    has_secret = any(names(test, _SECRET_OF_CALLER) and limits(test) for test in tests)
    for finding in strangers(principal, tests, own):
        if not has_secret or (isinstance(finding, Violation) and finding.found == EVERYBODY):
            yield finding
    for kind, part in principal.members().items():
        for name in texts(part.data):
            match kind.casefold():
                case "service" if name == _POD_IDENTITY:
                    yield from _pod_identity(statement, tests)
                case "service" | "federated" if "*" in name or "?" in name:
                    yield principal.violation(f"every {kind.casefold()}", "one principal", "name the service or provider")
                case "federated":
                    yield from _web_identity(statement, name, tests)
                case _:
                    continue


def _pod_identity(statement: Part, tests: Sequence[Test]) -> Iterator[Finding]:
    accounts = [test for test in tests if names(test, (_ACCOUNT,))]
    sources = [test for test in tests if names(test, (_SOURCE,))]
    of_cluster = [test for test in sources if _names_cluster(test)]
    of_cluster += [test for test in tests if names(test, _CLUSTER_TAGS) and is_exact(test)]
    has_account = any(map(is_exact, accounts)) or (not accounts and any(_names_account(test) for test in of_cluster))
    if not has_account:
        advice = f"add a condition on {_ACCOUNT}"
        yield statement.violation(f"Pod Identity without {_ACCOUNT}", "this account and cluster alone", advice)
    is_of_association = any(_ASSOCIATION in arn for test in sources for arn in test.values)
    if not of_cluster and not is_of_association:
        text, advice = "Pod Identity for every cluster of the account", f"add a condition on {_CLUSTER_TAGS[0]}"
        yield statement.violation(text, "this account and cluster alone", advice)
    if is_of_association:
        text = f"{_SOURCE} of an association, which no request has"
        yield statement.violation(text, "the cluster's ARN, or tags of the session", f"add a condition on {_CLUSTER_TAGS[0]}")


def _names_cluster(test: Test) -> bool:
    """Tell whether a test of the source names clusters: the region may be any, but not the cluster's name."""
    tails = [value.split(":", 5)[-1] for value in test.values]
    return limits(test) and all(re.fullmatch(r"cluster/[^*?$]+", tail) for tail in tails)


def _names_account(test: Test) -> bool:
    """Tell whether every value of a test is an ARN of one account."""
    return all(re.fullmatch(r"arn:[^:]+:eks:[^:]*:[0-9]{12}:cluster/.+", value) for value in test.values)


def _web_identity(statement: Part, provider: str, tests: Sequence[Test]) -> Iterator[Finding]:
    match = _PROVIDER.fullmatch(provider)
    host = match["host"] if match else provider
    keys = ("SAML:aud",) if _SAML.fullmatch(provider) else (f"{host}:sub", f"{host}:aud")
    if provider == _COGNITO:
        keys = (f"{host}:aud", f"{host}:amr")
    for key in keys:
        of_key = [test for test in tests if names(test, (key,))]
        if any(_is_one_identity(test, key, host) for test in of_key):
            continue
        end = key.rpartition(":")[2]
        fault = f"{end} by pattern" if of_key else f"a web identity without {end}"
        yield statement.violation(fault, "one service account, exactly", f"add StringEquals on the provider's {end}")


def _is_one_identity(test: Test, key: str, host: str) -> bool:
    if key.endswith(":amr"):
        return limits(test) and all(value == "authenticated" for value in test.values)
    return is_exact(test) or (key.endswith(":sub") and "oidc.eks." not in host and _is_of_project(test))


def _is_of_project(test: Test) -> bool:
    """Tell whether a test lets in only the jobs of named projects, as services that run jobs name them."""
    return limits(test) and all(any(form.match(value) for form in _PROJECTS) for value in test.values)


RULES = (trust,)
