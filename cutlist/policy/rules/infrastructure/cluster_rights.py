"""Who may write Karpenter's objects, and what everybody in a cluster may do (spec: aws-infrastructure 11.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.api.versions import GROUPS
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import texts
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, object_rule, stack_rule
from cutlist.policy.rules.tokens import CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE_BINDING

_WRITING: Final = frozenset(("*", "create", "update", "patch", "delete", "deletecollection"))
_ADMINS: Final = texts("admins", ("system:masters",), "Users, groups and service accounts that may write Karpenter's objects.")
_AGGREGATED: Final = ("edit", "view")
_EVERYBODY: Final = ("system:authenticated", "system:unauthenticated", "system:anonymous", "system:serviceaccounts")
_NODES: Final = ("system:nodes", "system:bootstrappers")
_A_NODE: Final = "system:node:"
_ACCOUNT: Final = "system:serviceaccount:"
_HARMLESS: Final = ("system:basic-user", "system:discovery", "system:public-info-viewer")
ADMINISTRATORS: Final = ("cluster-admin", "admin", "edit")


@stack_rule(
    "IF-13",
    "Only administrators can write Karpenter's objects",
    Severity.ADVISORY,
    protects="developers who spend money by writing NodePools, or decide what nodes may do by writing node classes",
    looks_at=(CLUSTER_ROLE, CLUSTER_ROLE_BINDING),
    source="aws-infrastructure IF-13, H9",
    parameters=(_ADMINS,),
)
def writers(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that cluster roles with write access are bound only to administrators, and are not aggregated into `edit` and
    `view`."""
    for role in resources.of_type(CLUSTER_ROLE):
        try:
            if any(_writes_karpenters(rule) for rule in role.at("rules").items()):
                yield from _bound_to_others(role, resources.of_type(CLUSTER_ROLE_BINDING), settings[_ADMINS.name])
        except NotKnownError as unknown:
            yield role.root.cannot_tell(str(unknown))


@object_rule(
    "IF-20",
    "No binding gives everybody rights",
    Severity.MANDATORY,
    profile=Profile.START,
    graded=True,
    protects="a binding that makes every user, every pod or the whole internet an administrator",
    looks_at=(CLUSTER_ROLE_BINDING, ROLE_BINDING),
    source="aws-infrastructure H9",
)
def for_everybody(binding: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that groups of everybody are bound to nothing but the API's discovery, and nodes or service accounts by default to
    no administrator's role. An administrator's role for everybody is graver than the rest."""
    role = binding.at("roleRef", "name").text
    for subject in binding.at("subjects").items():
        name = subject.at("name").text
        is_account = subject.at("kind").text == "ServiceAccount"
        is_default = name == "default" if is_account else name.startswith(_ACCOUNT) and name.endswith(":default")
        is_broad = name.startswith(_EVERYBODY) and role not in _HARMLESS
        if is_broad or (role in ADMINISTRATORS and (is_default or name.startswith((*_NODES, _A_NODE)))):
            who = f"the service account {name}" if is_default else name
            grade = None if is_broad and role in ADMINISTRATORS else Profile.RECOMMENDED
            allowed = "users, groups or service accounts with a purpose"
            yield subject.violation(f"{who} has the role {role}", allowed, "name them", grade=grade)


def _writes_karpenters(rule: Part) -> bool:
    groups, verbs = rule.at("apiGroups").texts(), rule.at("verbs").texts()
    return bool(_WRITING & set(verbs)) and any(group == "*" or group in GROUPS for group in groups)


def _bound_to_others(role: Resource, bindings: tuple[Resource, ...], admins: list[str]) -> Iterator[Finding]:
    for into in _AGGREGATED:
        label = role.at("metadata", "labels", f"rbac.authorization.k8s.io/aggregate-to-{into}")
        if label.is_on:
            yield label.violation(f"part of the role {into}", "a role of administrators", "remove the label")
    own_bindings = [binding for binding in bindings if binding.at("roleRef", "name").text == role.name]
    if not own_bindings:
        yield role.at("rules").cannot_tell("who has the role: no binding of it is among the objects")
    for subject in (part for binding in own_bindings for part in binding.at("subjects").items()):
        name = subject.at("name").text
        if name not in admins:
            yield subject.violation(f"{name} may write Karpenter's objects", ", ".join(admins), "bind a role that only reads")


RULES = (writers, for_everybody)
