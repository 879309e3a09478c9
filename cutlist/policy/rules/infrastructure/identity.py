"""Who may do what: documents of the controller, and what node roles carry (spec: aws-infrastructure 2, 3, 11.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from cutlist.core.karpenter.versions import Minor
from cutlist.infrastructure.iam.abilities import CONTROLLER, PASSING
from cutlist.infrastructure.iam.choices import CallerResource
from cutlist.infrastructure.iam.dangers import Danger
from cutlist.infrastructure.iam.documents import MANAGED_POLICY_LIMIT, Effect
from cutlist.infrastructure.iam.grants import Grant
from cutlist.infrastructure.iam.rows import ROWS
from cutlist.policy.rules.access import iam_documents
from cutlist.policy.rules.access.principals import RIGHTS, Principals
from cutlist.policy.rules.findings import CannotTell, Finding, Violation
from cutlist.policy.rules.infrastructure.charts import charts_named, minor_of
from cutlist.policy.rules.infrastructure.role_trust import is_of_nodes
from cutlist.policy.rules.parameters import flag
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, stack_rule
from cutlist.policy.rules.tokens import CHART, RELEASE

_INVERTED: Final = ("NotAction", "NotResource")
_SHELLS: Final = flag("shells", True, "Whether people may open shells on nodes through SSM, as AWS attaches it by default.")
_CNI: Final = "AmazonEKS_CNI_Policy"
_SSM: Final = "AmazonSSMManagedInstanceCore"
_LAUNCH: Final = "ec2:RunInstances"


@stack_rule(
    "IF-01",
    "Roles are passed by name, and only to EC2",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="principals that can act as any role, because they may pass any role",
    looks_at=RIGHTS,
    source="aws-infrastructure IF-01, H4",
)
def pass_role(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that iam:PassRole names its roles, with a condition on the service that gets them."""
    yield from _written_dangers(resources, lambda danger: danger.concerns(PASSING))


@stack_rule(
    "IF-02",
    "The controller makes, tags and deletes only its own resources",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a controller that terminates another cluster's machines; whoever writes ownership tags decides what it owns",
    looks_at=RIGHTS,
    source="aws-infrastructure IF-02, 3.3, H5, H6",
)
def scoped(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that creation has conditions on request tags and deletion on resource tags, and that no action covers a whole
    service."""
    yield from _written_dangers(resources, lambda danger: danger.guard != PASSING and danger.ability in ("", *CONTROLLER))


@stack_rule(
    "IF-06",
    "The controller has every permission that its version needs",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a call that is denied in the middle of a launch, and a document that IAM refuses",
    hurt=("tf-eks#2733", "tf-eks#3064", "tf-eks#3370"),
    looks_at=(*iam_documents.GRANTING, RELEASE, CHART),
    source="aws-infrastructure IF-06, 3.3, 3.4",
)
def complete(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that no document is too long, and that the controller's documents grant what the table has for the chart's
    version."""
    granted: list[Grant] = []
    unknown: list[CannotTell] = []
    for policy in resources.of_type(*iam_documents.GRANTING):
        try:
            for part in iam_documents.documents_in(policy):
                written = iam_documents.written_document(part)
                if policy.type in iam_documents.MANAGED and written.size > MANAGED_POLICY_LIMIT:
                    text, allowed = f"{written.size:,} characters", f"at most {MANAGED_POLICY_LIMIT:,} without whitespace"
                    yield written.part.violation(text, allowed, "split it")
                granted += written.grants
        except NotKnownError as error:
            unknown.append(policy.root.cannot_tell(str(error)))
    controllers = list(charts_named(resources, "karpenter"))
    is_ours = _grants(granted, _LAUNCH)
    for chart in controllers if is_ours or unknown else ():
        missing = [action for action in needed_actions(minor_of(chart)) if not _grants(granted, action)]
        if missing and unknown:
            yield from unknown
        elif missing:
            text = f"nothing grants {', '.join(missing)}"
            yield chart.root.violation(text, "every permission of its version", "use the documents of ControllerIdentity")


@stack_rule(
    "IF-11",
    "The role of nodes has only what nodes need",
    Severity.ADVISORY,
    protects="pods that change the network or open shells with their node's credentials",
    looks_at=RIGHTS,
    source="aws-infrastructure IF-11, 2.2, H16",
    parameters=(_SHELLS,),
)
def node_role(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that node roles carry neither the CNI's policy nor, where no shells are wanted, that of SSM."""
    refused = {_CNI: "give it to the CNI's own service account", _SSM: f"remove it, or allow {_SHELLS.name}"}
    if settings[_SHELLS.name]:
        del refused[_SSM]
    principals = Principals.among(resources)
    for resource in resources.of_type(*iam_documents.ATTACHED):
        try:
            yield from _refused_on_nodes(resource, principals, refused)
        except NotKnownError as unknown:
            yield unknown.finding


def needed_actions(version: Minor) -> list[str]:
    """Return the actions that a controller of a version needs for any use."""
    optional = frozenset(CallerResource) - {CallerResource.NODE_ROLES}
    actions = []
    for row in ROWS:
        if row.when.needs is None and row.when.applies(version, ()) and any(r.what not in optional for r in row.reach):
            actions += [a.name for a in row.actions if a.when.needs is None and a.when.applies(version, ())]
    return sorted(set(actions))


def _refused_on_nodes(resource: Resource, principals: Principals, refused: Mapping[str, str]) -> Iterator[Finding]:
    """Yield each refused policy that a resource attaches to a role of nodes. The holders of other policies are not even looked
    up."""
    for part in iam_documents.attached_policies(resource):
        name = part.text.rpartition("/")[2]
        if name not in refused:
            continue
        holders = principals.holders(resource)
        if any(holder is not None and is_of_nodes(holder) for holder in holders):
            yield part.violation(f"{name} on the role of nodes", "not there", refused[name])
        elif None in holders:
            yield part.cannot_tell("what the role is for: it is not among the resources")


def _written_dangers(resources: Resources, is_ours: Callable[[Danger], bool]) -> Iterator[Finding]:
    """Yield what the documents of principals grant too much, as far as it is the rule's own concern."""
    principals = Principals.among(resources)
    for resource in resources.of_type(*iam_documents.GRANTING):
        try:
            violations: dict[Finding, None] = {}
            for part in iam_documents.documents_in(resource) if not principals.is_boundary_alone(resource) else ():
                denials = principals.denials(part)
                for written in iam_documents.written_documents(part):
                    of_document = _dangers(written, denials, is_ours)
                    violations |= dict.fromkeys(
                        violation
                        for violation, subjects in of_document
                        if not subjects or any(principals.lets_through(resource, subject) for subject in subjects)
                    )
            yield from violations
        except NotKnownError as unknown:
            yield unknown.finding


def _dangers(
    written: iam_documents.Written, denials: Sequence[Grant], is_ours: Callable[[Danger], bool]
) -> Iterator[tuple[Violation, tuple[str, ...]]]:
    """Yield the violations of a document, each with the actions that are granted. What is not a document of IAM is a violation
    without actions."""
    if written.statements is None:
        yield written.part.violation("not an IAM document", "JSON with a list of statements", "write Version and Statement"), ()
        return
    for statement in written.statements:
        if statement.at("NotPrincipal").is_there:
            yield _inverted(statement, "NotPrincipal"), ()
    for danger in filter(is_ours, iam_documents.dangers_in(written, denials)):
        statement, problem = written.statements[danger.statement], danger.problem
        inverted = next((key for key in _INVERTED if statement.at(key).is_there), "")
        part = Part(written.part.resource, problem.place.path, None)
        plain = part.violation(problem.message, problem.allowed, f"write {problem.allowed}")
        yield _inverted(statement, inverted) if inverted else plain, danger.subjects


def _inverted(statement: Part, key: str) -> Violation:
    text = f"Allow with {key}, which grants all but what it names"
    return statement.at(key).violation(text, "granted actions by name", f"write {key[3:]} instead")


def _grants(granted: Sequence[Grant], action: str) -> bool:
    return any(grant.effect is Effect.ALLOW and grant.action_for(action) is not None for grant in granted)


RULES = (pass_role, scoped, complete, node_role)
