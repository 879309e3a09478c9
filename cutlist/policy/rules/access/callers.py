"""Whom a role's trust or a resource's own policy lets in: everybody, another account, or principals of the stack's accounts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, Final

from cutlist.infrastructure.iam.documents import Effect
from cutlist.infrastructure.iam.grants import Grant, Test, texts
from cutlist.infrastructure.iam.limits import fixed_part, is_exact, left_by, limits, names
from cutlist.policy.rules.access.iam_documents import DOCUMENTS, Written, documents_in, written_documents
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import texts as list_of_texts
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.rule import Resources
from cutlist.policy.rules.tokens import EKS_CLUSTER, NATIVE_EKS_CLUSTER, QUEUE_POLICY

ACCOUNTS: Final = list_of_texts("accounts", (), "Your own accounts, besides those that the stack's ARNs name.")
NAMING_ACCOUNTS: Final = (*DOCUMENTS, QUEUE_POLICY, EKS_CLUSTER, NATIVE_EKS_CLUSTER)
"""The types whose ARNs name the accounts that a stack works in."""
THIS_ACCOUNT: Final = "000000000000"
"""Stands for the account that a template is applied in, which it does not name. No account has this number."""
_ACCOUNT_KEYS: Final = ("aws:PrincipalAccount",)
_ORGANISATION_KEYS: Final = ("aws:PrincipalOrgID",)
_PATH_KEYS: Final = ("aws:PrincipalOrgPaths",)
_ARN_KEYS: Final = ("aws:PrincipalArn",)
_PATH: Final = re.compile(r"o-[a-z0-9]+/\S+")
_ANYBODY: Final = "*"
EVERYBODY: Final = "everybody"
_OWN: Final = re.compile(r"arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:([0-9]{12}):")
_ACCOUNT_OF: Final = re.compile(r"(?:arn:aws[a-z-]*:(?:iam|sts)::)?(?P<account>[0-9]{12})(?P<rest>:\S+)?")


def own_accounts(resources: Resources) -> frozenset[str]:
    """Return the accounts that ARNs in a stack's policies, queues and clusters name: the accounts that the stack works in.
    Trust documents and roles to assume do not count, since they name others.
    """
    stated = resources.of_type(*NAMING_ACCOUNTS)
    accounts = {account for resource in stated for data in _stated(resource) for account in _accounts_in(data)}
    return frozenset(accounts - {THIS_ACCOUNT})


def _stated(resource: Resource) -> Iterator[Any]:
    if resource.type in (EKS_CLUSTER, NATIVE_EKS_CLUSTER):
        yield resource.data
        return
    parts = (resource.at("policy"),) if resource.type == QUEUE_POLICY else documents_in(resource)
    try:
        documents = [written for part in parts for written in written_documents(part)]
    except NotKnownError:
        return
    for written in documents:
        yield from (g.resources for g in written.grants if not all(a.casefold().startswith("sts:") for a in g.actions))


def _accounts_in(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield from _OWN.findall(data)
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _accounts_in(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _accounts_in(item)


def admissions(written: Written) -> Iterator[tuple[Part, Grant]]:
    """Yield each statement of a policy that lets somebody in, reduced by the statements that deny everybody."""
    statements = written.statements or ()
    grants = [grant if grant.resources else replace(grant, resources=(_ANYBODY,)) for grant in written.grants]
    denies = [g for g in grants if g.effect is Effect.DENY and _ANYBODY in callers_of(statements[g.index].at("Principal"))]
    for grant in grants:
        if grant.effect is Effect.ALLOW:
            action = next((action for action in grant.actions if not grant.all_but_actions), _ANYBODY)
            yield from ((statements[grant.index], part) for part in left_by(denies, grant, action))


def callers_of(principal: Part) -> tuple[str, ...]:
    """Return the principals of AWS that a statement names."""
    if isinstance(principal.data, str):
        return (principal.data,)
    return tuple(name for kind, part in principal.members().items() if kind.casefold() == "aws" for name in texts(part.data))


def strangers(principal: Part, tests: Sequence[Test], own: Set[str]) -> Iterator[Finding]:
    """Yield what is wrong with the principals of AWS that a statement names: everybody, or another account.

    A test may say who they are. Without an ARN of the stack that names an account, another one is undetermined.
    """
    for name in callers_of(principal) if not any(_says_who(test, own) for test in tests) else ():
        match = _ACCOUNT_OF.fullmatch(name)
        if "*" in name or "?" in name:
            yield principal.violation(EVERYBODY, "one principal", "name the service, provider or account")
        elif match is not None and match["account"] not in (*own, THIS_ACCOUNT):
            yield from _of_account(principal, match["account"], match["rest"], own)


def _says_who(test: Test, own: Set[str]) -> bool:
    """Tell whether a test lets in only callers of an organisation, or of accounts that are the stack's own.

    A tag of the principal does not: anybody can tag principals of their own account.
    """
    if names(test, _ORGANISATION_KEYS):
        return is_exact(test)
    if names(test, _PATH_KEYS):
        return limits(test) and all(_PATH.fullmatch(fixed_part(value)) for value in test.values)
    if names(test, _ACCOUNT_KEYS):
        return is_exact(test) and (not own or own >= set(test.values) - {THIS_ACCOUNT})
    if not names(test, _ARN_KEYS) or not limits(test):
        return False
    accounts = {match["account"] if (match := _ACCOUNT_OF.match(value)) else "" for value in test.values}
    return "" not in accounts and (not own or own >= accounts - {THIS_ACCOUNT})


def _of_account(principal: Part, account: str, rest: str | None, own: Set[str]) -> Iterator[Finding]:
    if own:
        advice = f"add a condition on aws:PrincipalOrgID, or name the account in the rule's {ACCOUNTS.name}"
        yield principal.violation(f"the account {account}", f"the stack's own, {', '.join(sorted(own))}", advice)
    elif rest in (None, ":root"):
        yield principal.cannot_tell(f"whether {account} is your own account: no ARN of the stack names one")
