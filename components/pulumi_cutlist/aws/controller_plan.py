"""What a ControllerIdentity is going to make, and everything that is wrong with its inputs, before any of it is registered."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.infrastructure.controller_access import Credentials, credentials_of
from cutlist.infrastructure.iam.calls import known_calls, refused_calls
from cutlist.infrastructure.iam.choices import STRICT, USUAL, CallerResource, Choices, Discovery, Feature
from cutlist.infrastructure.iam.controller import controller_documents, inline_size_problems, managed_size_problems
from cutlist.infrastructure.iam.dangers import dangers
from cutlist.infrastructure.iam.documents import Document
from cutlist.infrastructure.iam.reading import read_document
from cutlist.infrastructure.iam.rows import ROWS
from cutlist.infrastructure.iam.table import Part
from cutlist.infrastructure.inputs import Places, camel_case, chosen, one_of
from cutlist.infrastructure.karpenter_versions import Minor, known_minor
from cutlist.infrastructure.names import ClusterFacts, check_role_path
from pulumi_cutlist.aws.facts import cluster_facts
from pulumi_cutlist.aws.service_accounts import requested_credentials

LATER: Final = object()
"""Stands for an input that another part hands on."""
_INPUTS: Final = {
    "node_role_arns": CallerResource.NODE_ROLES,
    "queue_arn": CallerResource.QUEUE,
    "queue_key_arn": CallerResource.QUEUE_KEY,
}


class PolicyForm(StrEnum):
    """How the documents are given to the role."""

    MANAGED = "managed"
    INLINE = "inline"


@dataclass(frozen=True, slots=True)
class ControllerPlan:
    """The checked inputs. `choices` has stand-ins for ARNs that are known only after an update; `parts` does not depend on
    them."""

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
        """The document of a part with the ARNs of its inputs as they are. Raises InputError when it is too long with them."""
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


def controller_plan(args: Mapping[str, Any], at: Places, links: Collection[str], problems: Problems) -> ControllerPlan:
    """Return what the inputs of a ControllerIdentity ask for, which are written `at` these places.

    Other parts supply the `links` later. Raises InputError with every mistake found, and those noted before.
    """
    facts = cluster_facts(args, problems, at)
    version = known_minor(args["karpenter_version"], at.member("karpenterVersion"), problems)
    features = _features(args, version, at, problems)
    choices = _choices({**dict.fromkeys(links, LATER), **args}, facts, features, at, problems)
    credentials = credentials_of(requested_credentials(args, links), problems, at)
    path, managed, own = args.get("path", "/"), PolicyForm.MANAGED, at.member("extraStatements")
    check_role_path(path, at.member("path").path, problems)
    form = chosen(args.get("policy_form", managed), managed, at.member("policyForm"), problems)
    extra = read_document(args.get("extra_statements", []), own, problems)
    problems.extend(danger.problem for danger in dangers(extra, facts, own))
    problems.extend(_denied(args, facts, choices, at.member("boundaryStatements")))
    documents = _documents(facts, version, choices, extra)
    sizes = _size_problems(form, documents)
    problems.extend(replace(problem, place=at.member(problem.place.path)) for problem in sizes)
    problems.raise_if_any()
    return ControllerPlan(facts, version, choices, credentials, form, path, extra, tuple(documents))


def _documents(facts: ClusterFacts, version: Minor, choices: Choices, extra: Document) -> dict[Part, Document]:
    documents = controller_documents(facts, version, choices)
    return {**documents, Part.EXTRA: extra} if extra.statements else documents


def _size_problems(form: PolicyForm, documents: Mapping[Part, Document]) -> Iterator[Problem]:
    return inline_size_problems(documents) if form is PolicyForm.INLINE else managed_size_problems(documents)


def _features(args: Mapping[str, Any], version: Minor, at: Places, problems: Problems) -> frozenset[Feature]:
    dropped = _named(args.get("without", []), USUAL, at.member("without"), problems)
    strict = _named(args.get("strict", []), STRICT, at.member("strict"), problems)
    if not args.get("zonal_shift", False):
        return USUAL - dropped | strict
    since = max(row.when.since for row in ROWS if row.when.needs is Feature.ZONAL_SHIFT)
    if version < since:
        problems.add(at.member("zonalShift"), f"controller {version} knows nothing of zonal shifts", f"{since} or later")
    return USUAL - dropped | strict | {Feature.ZONAL_SHIFT}


def _named(names: Sequence[str], known: frozenset[Feature], place: Place, problems: Problems) -> frozenset[Feature]:
    for name in names:
        problems.extend(one_of(name, sorted(known), place))
    return frozenset(Feature(name) for name in names if name in known)


def _choices(
    args: Mapping[str, Any], facts: ClusterFacts, features: frozenset[Feature], at: Places, problems: Problems
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
            volume_keys=tuple(args.get("volume_key_arns", [])),
            image_parameters=tuple(args.get("image_parameter_arns", [])),
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


def _denied(args: Mapping[str, Any], facts: ClusterFacts, choices: Choices, place: Place) -> Iterator[Problem]:
    statements, problems = args.get("boundary_statements"), Problems()
    if statements is None:
        return
    boundary = read_document(statements, place, problems)
    unknown = frozenset(_stand_ins(facts).values())  # whether it allows these is not known yet
    yield from problems.found or refused_calls((boundary,), known_calls(facts, choices, unknown), place)
