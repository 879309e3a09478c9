"""The inputs of a ControllerIdentity, and the plan of what it makes, with everything that is wrong with them."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, NotRequired, TypedDict, cast

import pulumi

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.core.karpenter.versions import Minor, known_minor
from cutlist.core.wording import camel_case
from cutlist.infrastructure.arns import KEY, PARAMETER, QUEUE, ROLE, check_arn
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.iam.calls import known_calls, refused_calls
from cutlist.infrastructure.iam.choices import STRICT, USUAL, CallerResource, Choices, Discovery, Feature
from cutlist.infrastructure.iam.controller import controller_documents, inline_size_problems, managed_size_problems
from cutlist.infrastructure.iam.dangers import dangers
from cutlist.infrastructure.iam.documents import Document
from cutlist.infrastructure.iam.reading import read_document
from cutlist.infrastructure.iam.rows import ROWS
from cutlist.infrastructure.iam.table import Part
from cutlist.infrastructure.inputs import HERE, Places, chosen, one_of
from cutlist.infrastructure.name_checks import check_role_path
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from pulumi_cutlist.aws.facts import cluster_facts
from pulumi_cutlist.aws.identity.service_accounts import plan_credentials
from pulumi_cutlist.inputs.known import texts_of
from pulumi_cutlist.inputs.late import all_as_planned
from pulumi_cutlist.inputs.lists import ListOf, MapOf
from pulumi_cutlist.inputs.shapes import LATER, later_inputs, section, shaped

_INPUTS: Final = {
    "node_role_arns": CallerResource.NODE_ROLES,
    "queue_arn": CallerResource.QUEUE,
    "queue_key_arn": CallerResource.QUEUE_KEY,
}
_LISTED_ARNS: Final = (("node_role_arns", ROLE), ("volume_key_arns", KEY), ("image_parameter_arns", PARAMETER))
_ARNS: Final = (("queue_arn", QUEUE), ("queue_key_arn", KEY))
_SWITCHES: Final = (
    ("zonal_shift", Feature.ZONAL_SHIFT, "zonal shifts"),
    ("reboot_for_repair", Feature.REBOOT_FOR_REPAIR, "reboots"),
)


class PolicyForm(StrEnum):
    """How the documents are given to the role."""

    MANAGED = "managed"
    INLINE = "inline"


@section
class ControllerIdentitySection(TypedDict):
    """Further inputs of ControllerIdentity, as a section of a call for a whole cluster has them."""

    cluster: NotRequired[pulumi.Input[str]]
    """Output with the cluster's name, so that the association waits for the cluster. Defaults to cluster_name."""
    queue_arn: NotRequired[pulumi.Input[str]]
    """ARN of the interruption queue. Without it there are no permissions for one."""
    queue_key_arn: NotRequired[pulumi.Input[str]]
    """ARN of your key that encrypts the queue. Leave it out if SQS encrypts the queue itself."""
    volume_key_arns: NotRequired[ListOf[pulumi.Input[str]]]
    """ARNs of your keys that encrypt volumes of nodes."""
    image_parameter_arns: NotRequired[ListOf[pulumi.Input[str]]]
    """ARNs of your own SSM parameters that hold image ids."""
    credentials: NotRequired[str]
    """pod-identity or irsa. Defaults to pod-identity."""
    trust_source_arn: NotRequired[bool]
    """With pod-identity: whether the role's trust also names the cluster as aws:SourceArn, in addition to the tags of each
    session. AWS's page on this role shows only tags, so try it first in a cluster that you can afford to lose. Defaults to
    false."""
    oidc_provider_arn: NotRequired[pulumi.Input[str]]
    """With irsa: ARN of the cluster's OIDC provider."""
    oidc_issuer: NotRequired[pulumi.Input[str]]
    """With irsa: URL of the cluster's issuer."""
    service_account_annotations: NotRequired[dict[str, str]]
    """Annotations of the controller's service account, in addition to those that the component sets."""
    namespace: NotRequired[str]
    """Namespace of the controller. Defaults to kube-system."""
    service_account: NotRequired[str]
    """Service account of the controller. Defaults to karpenter."""
    target_role_arn: NotRequired[pulumi.Input[str]]
    """With pod-identity, for a cluster of another account: the role there that this one assumes."""
    without: NotRequired[list[str]]
    """Features that the cluster does not use, so that they need no permission: instance-profiles (NodeClasses name a static
    one), image-aliases, capacity-reservations, placement-groups, price-list (no internet access). Defaults to none."""
    zonal_shift: NotRequired[bool]
    """Whether the controller avoids zones that traffic was shifted away from. Needs 1.12, and the cluster's and the
    controller's own settings. Defaults to false."""
    reboot_for_repair: NotRequired[bool]
    """Whether node repair may reboot nodes: the feature gate of that name, which the charts turn on. Needs 1.15. Defaults to
    false."""
    strict: NotRequired[list[str]]
    """Narrower permissions that are not proven in every account: strict-network, strict-images, strict-metadata,
    strict-profiles. With each of them, check that a NodeClass becomes Ready. Defaults to none."""
    discovery_tag: NotRequired[dict[str, str]]
    """With strict-network: key and value of the tag, when it is not karpenter.sh/discovery with the cluster's name."""
    extra_statements: NotRequired[list[dict[str, Any]]]
    """Your own IAM statements, in a separate document. Statements that grant too much are refused."""
    policy_form: NotRequired[str]
    """managed: a policy for each document. inline: all of them in the role, for accounts that forbid managed policies. Defaults
    to managed."""
    path: NotRequired[str]
    """Path of the role and its policies. Defaults to /."""
    boundary_statements: NotRequired[list[dict[str, Any]]]
    """Statements of that boundary, if you know them: the component then reports what they would deny the controller, before it
    creates anything."""


class ControllerIdentityArgs(ControllerIdentitySection):
    """Inputs of ControllerIdentity."""

    cluster_name: str
    """Name of the cluster. A plain value, because names and permissions contain it."""
    region: str
    """Region of the cluster. The partition follows from it."""
    account_id: pulumi.Input[str]
    """Id of the account, twelve digits."""
    karpenter_version: str
    """Exact version of Karpenter, such as 1.15.1. The controller gets what this version needs."""
    node_role_arns: pulumi.Input[ListOf[pulumi.Input[str]]]
    """ARNs, with paths, of the roles that nodes may have."""
    permissions_boundary: NotRequired[pulumi.Input[str]]
    """ARN of the role's permissions boundary."""
    name_style: NotRequired[str]
    """How resources are named: karpenter, regional or auto. Defaults to karpenter."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags for every child."""


@dataclass(frozen=True, slots=True)
class ControllerIdentityPlan:
    """A role for the controller that can be made. `choices` has stand-ins for ARNs that are known only after an update; `parts`
    does not depend on them."""

    args: ControllerIdentityArgs
    facts: ClusterFacts
    version: Minor
    choices: Choices
    credentials: Credentials
    form: PolicyForm
    path: str
    extra: Document
    parts: tuple[Part, ...]

    def inputs_of(self, part: Part) -> tuple[str, ...]:
        """Return the inputs whose ARNs the document of a part contains: no other document waits for them."""
        named = {
            reach.what for row in ROWS if row.part is part for reach in row.reach if isinstance(reach.what, CallerResource)
        }
        return tuple(key for key, args in _INPUTS.items() if args in named)

    def document(self, part: Part, arns: Mapping[str, Any]) -> Document:
        """Return the document of a part with the real ARNs of its inputs. Raises InputError if that makes it too long."""
        roles = arns.get("node_role_arns")
        choices = replace(
            self.choices,
            node_roles=tuple(roles) if roles else self.choices.node_roles,
            queue=arns.get("queue_arn") or "",
            queue_key=arns.get("queue_key_arn") or "",
        )
        document = _documents(self.facts, self.version, choices, self.extra).get(part)
        if document is None:
            args = " or ".join(map(camel_case, self.inputs_of(part)))
            raise InputError.one(Place(path=args), "turned out to be empty", "an ARN, or no input at all")
        problems = Problems()
        problems.extend(_size_problems(self.form, {part: document}))
        problems.raise_if_any()
        return document


def plan_controller_identity(args: ControllerIdentityArgs, at: Places = HERE) -> ControllerIdentityPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems, later = Problems(), later_inputs(args)
    args = shaped(args, ControllerIdentityArgs, problems, at)
    facts = cluster_facts(
        args,
        problems,
        at,
        name_style=args.get("name_style", NameStyle.KARPENTER),
        namespace=args.get("namespace"),
        service_account=args.get("service_account"),
    )
    for key, kind in _LISTED_ARNS:
        for path, arn in texts_of(args.get(key), at.member(camel_case(key))):
            check_arn(arn, kind, facts.region, Place(path=path), problems)
    for key, kind in _ARNS:
        check_arn(args.get(key), kind, facts.region, at.member(camel_case(key)), problems)
    version = known_minor(args["karpenter_version"], at.member("karpenterVersion"), problems)
    features = _features(args, version, at, problems)
    with_later = cast("ControllerIdentityArgs", {**dict.fromkeys(later, LATER), **args})
    choices = _choices(with_later, facts, features, at, problems)
    credentials = plan_credentials(args, later, at, problems, args.get("service_account_annotations"))
    path, managed, own = args.get("path", "/"), PolicyForm.MANAGED, at.member("extraStatements")
    check_role_path(path, at.member("path").path, problems)
    form = chosen(args.get("policy_form", managed), managed, at.member("policyForm"), problems)
    extra = read_document(args.get("extra_statements", []), own, problems)
    problems.extend(danger.problem for danger in dangers(extra, own))
    problems.extend(_denied(args, facts, choices, at.member("boundaryStatements")))
    documents = _documents(facts, version, choices, extra)
    sizes = _size_problems(form, documents)
    problems.extend(replace(problem, place=at.member(problem.place.path)) for problem in sizes)
    problems.raise_if_any()
    return ControllerIdentityPlan(args, facts, version, choices, credentials, form, path, extra, tuple(documents))


def _documents(facts: ClusterFacts, version: Minor, choices: Choices, extra: Document) -> dict[Part, Document]:
    documents = controller_documents(facts, version, choices)
    return {**documents, Part.EXTRA: extra} if extra.statements else documents


def _size_problems(form: PolicyForm, documents: Mapping[Part, Document]) -> Iterator[Problem]:
    return inline_size_problems(documents) if form is PolicyForm.INLINE else managed_size_problems(documents)


def _features(args: ControllerIdentityArgs, version: Minor, at: Places, problems: Problems) -> frozenset[Feature]:
    dropped = _named(args.get("without", []), USUAL, at.member("without"), problems)
    strict = _named(args.get("strict", []), STRICT, at.member("strict"), problems)
    switched_on: set[Feature] = set()
    for name, feature, what in _SWITCHES:
        if args.get(name, False):
            switched_on.add(feature)
            since = max(row.when.since for row in ROWS if row.when.needs is feature)
            if version < since:
                message = f"controller {version} does not support {what}"
                problems.add(at.member(camel_case(name)), message, f"{since} or later")
    return USUAL - dropped | strict | switched_on


def _named(names: Sequence[str], known: frozenset[Feature], place: Place, problems: Problems) -> frozenset[Feature]:
    for name in names:
        problems.extend(one_of(name, sorted(known), place))
    return frozenset(Feature(name) for name in names if name in known)


def _choices(
    args: ControllerIdentityArgs, facts: ClusterFacts, features: frozenset[Feature], at: Places, problems: Problems
) -> Choices:
    tag, roles = args.get("discovery_tag"), args["node_role_arns"]
    if tag is not None and set(tag) != {"key", "value"}:
        problems.add(at.member("discoveryTag"), f"found {', '.join(sorted(tag)) or 'nothing'}", "key and value")
        tag = None
    stand_in = _stand_ins(facts)
    try:
        return Choices(
            node_roles=tuple(
                _plain(role, stand_in[CallerResource.NODE_ROLES]) for role in (roles if isinstance(roles, list) else [roles])
            ),
            queue=_plain(args.get("queue_arn"), stand_in[CallerResource.QUEUE]),
            queue_key=_plain(args.get("queue_key_arn"), stand_in[CallerResource.QUEUE_KEY]),
            volume_keys=tuple(all_as_planned(args.get("volume_key_arns", []))),
            image_parameters=tuple(all_as_planned(args.get("image_parameter_arns", []))),
            features=features,
            discovery=Discovery(**tag) if tag else None,
        )
    except InputError as error:
        problems.extend(replace(problem, place=at.member(problem.place.path)) for problem in error.problems)
        return Choices((stand_in[CallerResource.NODE_ROLES],), features=features)


def _stand_ins(facts: ClusterFacts) -> dict[CallerResource, str]:
    """Return stand-ins of the maximum length, so that sizes can be checked before an update provides the ARNs."""
    return {
        CallerResource.NODE_ROLES: facts.role_arn("x" * 64),
        CallerResource.QUEUE: facts.arn("sqs", "x" * 80),
        CallerResource.QUEUE_KEY: facts.arn("kms", "key/00000000-0000-0000-0000-000000000000"),
    }


def _plain(value: Any, stand_in: str) -> str:
    """Return a value that is known already, or its stand-in until an update; empty for None."""
    if value is None:
        return ""
    return value if isinstance(value, str) else stand_in


def _denied(args: ControllerIdentityArgs, facts: ClusterFacts, choices: Choices, place: Place) -> Iterator[Problem]:
    statements, problems = args.get("boundary_statements"), Problems()
    if statements is None:
        return
    boundary = read_document(statements, place, problems)
    unknown = frozenset(_stand_ins(facts).values())  # whether it allows these is not known yet
    yield from problems.found or refused_calls((boundary,), known_calls(facts, choices, unknown), place)
