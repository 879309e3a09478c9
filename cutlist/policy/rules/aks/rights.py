"""What identities around an AKS cluster may do, and who may use them (spec: azure 1.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final

from cutlist.policy.rules.aks.built_in_roles import BY_NAME, GRANTING, OF_CLUSTERS, OF_DIRECTORY, OF_GRAPH, WIDE
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parts import Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Settings, object_rule

ASSIGNMENT: Final = "azure-native:authorization:RoleAssignment"
DEFINITION: Final = "azure-native:authorization:RoleDefinition"
_ASSIGNMENTS: Final = (
    ASSIGNMENT,
    "azure:authorization/assignment:Assignment",
    "azure:pim/activeRoleAssignment:ActiveRoleAssignment",
    "azure:pim/eligibleRoleAssignment:EligibleRoleAssignment",
    "azure-native:authorization:RoleAssignmentScheduleRequest",
    "azure-native:authorization:RoleEligibilityScheduleRequest",
    "azure-native:authorization:PimRoleEligibilitySchedule",
)
"""What gives a role, at once or whenever its holder asks for it."""
_DEFINITIONS: Final = (DEFINITION, "azure:authorization/roleDefinition:RoleDefinition")
FEDERATION: Final = "azure-native:managedidentity:FederatedIdentityCredential"
_FEDERATIONS: Final = (
    FEDERATION,
    "azure:armmsi/federatedIdentityCredential:FederatedIdentityCredential",
    "azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential",
)
_DIRECTORY: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "azuread:index/directoryRoleAssignment:DirectoryRoleAssignment": ("roleId", OF_DIRECTORY),
    "azuread:index/directoryRoleEligibilityScheduleRequest:DirectoryRoleEligibilityScheduleRequest": (
        "roleDefinitionId",
        OF_DIRECTORY,
    ),
    "azuread:index/directoryRoleMember:DirectoryRoleMember": ("roleObjectId", OF_DIRECTORY),
    "azuread:index/appRoleAssignment:AppRoleAssignment": ("appRoleId", OF_GRAPH),
}
"""The member that names a role of the directory, and the roles that are too strong, by type."""
_CONTRIBUTOR: Final = "Contributor"
_PEOPLE: Final = ("user", "group")
_SUBSCRIPTION_LEVEL: Final = ("scope", "assignableScopes")

_GUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SUBSCRIPTION: Final = re.compile(r"/?|/subscriptions/[^/]*/?|/providers/microsoft\.management/managementgroups/[^/]*/?")
_CONDITION: Final = re.compile(r"roledefinitionid\]\s*foranyofanyvalues:guidequals\s*\{([^}]*)\}")
_CONDITIONS: Final = re.compile(r"roledefinitionid\]")
_DANGEROUS: Final = (
    *("microsoft.authorization/roleassignments/write", "microsoft.authorization/roledefinitions/write"),
    *("microsoft.authorization/elevateaccess/action", "microsoft.authorization/denyassignments/delete"),
    *("microsoft.authorization/policyassignments/delete", "microsoft.containerservice/managedclusters/write"),
    *("microsoft.containerservice/managedclusters/listclusteradmincredential/action",),
    *("microsoft.containerservice/managedclusters/runcommand/action",),
    *("microsoft.managedidentity/userassignedidentities/federatedidentitycredentials/write",),
    *("microsoft.keyvault/vaults/accesspolicies/write", "microsoft.insights/diagnosticsettings/delete"),
)
_DANGEROUS_EVERYWHERE: Final = (
    "microsoft.compute/virtualmachines/runcommand/action",
    "microsoft.compute/virtualmachines/runcommands/write",
    "microsoft.compute/virtualmachines/extensions/write",
    "microsoft.compute/virtualmachinescalesets/virtualmachines/runcommand/action",
    "microsoft.compute/virtualmachinescalesets/extensions/write",
    "microsoft.managedidentity/userassignedidentities/*/assign/action",
)
"""What runs code on every machine or as every identity of a subscription. Karpenter needs all actions on machines, so this is
found only where it is named."""
_DANGEROUS_DATA: Final = (
    "microsoft.keyvault/vaults/secrets/getsecret/action",
    "microsoft.containerservice/managedclusters/secrets/read",
    "microsoft.containerservice/managedclusters/rbac.authorization.k8s.io/clusterrolebindings/write",
)
_AUDIENCE: Final = "api://AzureADTokenExchange"
_AUDIENCES: Final = (_AUDIENCE, "api://AzureADTokenExchangeUSGov", "api://AzureADTokenExchangeChina")
_SERVICE_ACCOUNT: Final = re.compile(r"system:serviceaccount:[^:*?]+:[^:*?]+")


@object_rule(
    "AK-08",
    "No identity around the cluster can take over the subscription",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="a pod that gets an identity with which it can give itself any permission",
    graded=True,
    looks_at=(*_ASSIGNMENTS, *_DEFINITIONS, *_DIRECTORY),
    source="azure 1.5, aws-infrastructure 3.5",
)
def azure_rights(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that no assignment gives a role that gives roles, at once or on request, or for a whole subscription one such as
    Contributor, nor makes a workload an administrator of the cluster or the directory.

    Nor may a role of your own allow to give roles, to be the cluster's administrator, to read every secret, or to run code on
    every machine of a subscription.
    """
    if resource.type in _ASSIGNMENTS:
        yield from _assignment(resource)
    elif resource.type in _DIRECTORY:
        yield from _of_directory(resource)
    else:
        yield from _definition(resource)


@object_rule(
    "AK-10",
    "Federated credentials are for one workload",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="every pod of a namespace, or a job elsewhere, that authenticates as the identity",
    looks_at=_FEDERATIONS,
    source="azure 1.5, aws-infrastructure H14",
)
def federation(credential: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that a credential names one subject, not the account that pods have by default, and Azure's own audience."""
    subject, issuer = credential.at("subject"), credential.at("issuer")
    if subject.data is None or (isinstance(subject.data, str) and re.search(r"[*?]", subject.data)):
        yield subject.violation(subject.text or "no subject", "one subject, spelt out", "name one service account")
    elif isinstance(subject.data, str):
        yield from _of_subject(subject)
    if isinstance(issuer.data, str) and not issuer.data.startswith("https://"):
        yield issuer.violation(issuer.data, "the issuer of the cluster, by https", "write the cluster's oidcIssuerProfile")
    audiences = next((part for name in ("audiences", "audience") if (part := credential.at(name)).is_there), credential.root)
    others = [text for text in audiences.texts() if text not in _AUDIENCES]
    if others:
        yield audiences.violation(f"the audience {others[0]}", _AUDIENCE, f"write {_AUDIENCE}")


def _of_subject(subject: Part) -> Iterator[Finding]:
    text = subject.text
    if text.startswith("system:serviceaccount:"):
        if not _SERVICE_ACCOUNT.fullmatch(text):
            yield subject.violation(text, "one service account", "write system:serviceaccount:NAMESPACE:NAME")
        elif text.endswith(":default"):
            yield subject.violation(
                f"every pod without its own service account: {text}", "a service account with a purpose", "name one"
            )


def _assignment(assignment: Resource) -> Iterator[Finding]:
    named, definition = assignment.at("roleDefinitionName"), assignment.at("roleDefinitionId")
    if named.is_there:
        definition, guid = named, BY_NAME.get(named.text.casefold(), "")
    else:
        # The id of the subscription, which may come before it, is a GUID too.
        guid = next(iter(reversed(_GUID.findall(definition.text.casefold()))), "")
    if guid in GRANTING and not _is_constrained(assignment):
        text = f"{GRANTING[guid]}, which may give anybody any role"
        yield definition.violation(text, "the role that is needed, where it is needed", "give a narrower role")
    elif guid in WIDE and _SUBSCRIPTION.fullmatch(assignment.at("scope").text.casefold()):
        text = f"{WIDE[guid]} of {assignment.at('scope').text or 'everything'}"
        grade = None if WIDE[guid] == _CONTRIBUTOR else Profile.RECOMMENDED
        yield definition.violation(
            text, "the role that is needed, on a group of resources", "give a narrower role", grade=grade
        )
    elif guid in OF_CLUSTERS and assignment.at("principalType").text.casefold() not in _PEOPLE:
        text = f"{OF_CLUSTERS[guid]}, which owns every object of the cluster"
        advice = "give it to a group of people, and workloads the namespace that they need"
        yield definition.violation(text, "a role of one namespace", advice, grade=Profile.RECOMMENDED)


def _of_directory(assignment: Resource) -> Iterator[Finding]:
    member, roles = _DIRECTORY[assignment.type]
    role = assignment.at(member)
    match = _GUID.search(role.text.casefold())
    if match is not None and match[0] in roles:
        text = f"{roles[match[0]]}, which may become anybody in the directory"
        yield role.violation(text, "no role of the directory", "remove it")


def _is_constrained(assignment: Resource) -> bool:
    """Tell whether an assignment's condition lets its holder give only roles that are named, and that give none themselves."""
    condition = assignment.at("condition").text.casefold()
    named = _CONDITION.findall(condition)
    guids = [guid for text in named for guid in _GUID.findall(text)]
    is_write = "roleassignments/write" in condition
    is_whole = len(named) == len(_CONDITIONS.findall(condition)) and all(_GUID.search(text) for text in named)
    return is_write and bool(named) and is_whole and not any(guid in (*GRANTING, *WIDE) for guid in guids)


def _definition(definition: Resource) -> Iterator[Finding]:
    yield from _over_every_machine(definition)
    for permission in definition.at("permissions").items():
        for member, excluded, dangerous in (
            ("actions", "notActions", _DANGEROUS),
            ("dataActions", "notDataActions", _DANGEROUS_DATA),
        ):
            but = permission.at(excluded).texts()
            for action in permission.at(member).items():
                granted = [d for d in dangerous if _covers(action.text, d) and not any(_covers(other, d) for other in but)]
                if granted:
                    is_exact = action.text.casefold() == granted[0]
                    text = action.text if is_exact else f"{action.text!r}, which grants {granted[0]}"
                    yield action.violation(text, "the actions that are needed, one by one", f"remove {action.text!r}")


def _over_every_machine(definition: Resource) -> Iterator[Finding]:
    scopes = [text for name in _SUBSCRIPTION_LEVEL for text in definition.at(name).texts()]
    if scopes and not any(_SUBSCRIPTION.fullmatch(scope.casefold()) for scope in scopes):
        return
    for permission in definition.at("permissions").items():
        for action in permission.at("actions").items():
            if action.text.casefold() in _DANGEROUS_EVERYWHERE:
                advice = "limit the role to the group of the nodes, or name the identity"
                text = f"{action.text} in a whole subscription"
                yield action.violation(text, "a role for a group of resources", advice, grade=Profile.RECOMMENDED)


def _covers(pattern: str, action: str) -> bool:
    return fnmatchcase(action, pattern.casefold().replace("[", "[[]"))


RULES = (azure_rights, federation)
