"""What is wrong in objects, by the rules of a version of Karpenter and of Kubernetes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from cutlist.api.account_limits import account_findings
from cutlist.api.current_objects import converted_only
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.old_objects import is_old
from cutlist.api.read import Objects, read_objects
from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.core.karpenter.baselines import Baseline, chosen_gates
from cutlist.core.notes import Note
from cutlist.documents.document import Document
from cutlist.infrastructure import versions
from cutlist.infrastructure.fitting import image_problems
from cutlist.planning.services import RulesByService
from cutlist.settings.planning import FEATURE_GATES
from cutlist.settings.validate import KUBERNETES
from cutlist.state.checks import check_cluster
from cutlist.workloads.read import Workloads, read_workloads
from cutlist.workloads.validation.kinds import check_object


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of which Karpenter apply to which object, its gates that are on, the cluster's Kubernetes, empty if it is not
    known, and notes on this choice."""

    by_service: RulesByService
    gates: frozenset[str]
    kubernetes: str
    notes: tuple[Note, ...]

    @property
    def karpenter(self) -> Baseline:
        """Return the Karpenter whose rules apply to objects for no service."""
        return self.by_service.karpenter

    @staticmethod
    def check(karpenter: str | None, feature_gates: Collection[str]) -> None:
        """Raise InputError for an unknown Karpenter or gate."""
        Rules.chosen(karpenter, feature_gates, "", ())

    @staticmethod
    def chosen(karpenter: str | None, feature_gates: Collection[str], kubernetes: str, documents: Sequence[Document]) -> Rules:
        """Return the rules of versions, by default those of the service that the objects are for. Raises InputError for an
        unknown Karpenter or gate."""
        unknown = Problems()
        by_service, notes = RulesByService.chosen(karpenter, documents, unknown)
        gates = chosen_gates(feature_gates, by_service.karpenter, Place.of(FEATURE_GATES), unknown)
        unknown.raise_if_any()
        return Rules(by_service, gates, kubernetes, (*notes, *by_service.notes(documents)))

    def read(self, documents: Iterable[Document], problems: Problems) -> Objects:
        """Return Karpenter's objects, and add what these rules refuse."""
        return read_objects(documents, problems, gates=self.gates, rules_of=self.by_service.of)

    def with_converted(self, objects: Objects, documents: Sequence[Document]) -> Objects:
        """Return the objects of documents with those of old versions as `cutlist convert` writes them, so that what refers to
        what is the same as in a plan. That they are old is a mistake by itself."""
        converted = converted_only(documents)
        if not converted:
            return objects
        return self.read((*(document for document in documents if not is_old(document)), *converted), Problems())


def checked_objects(documents: Sequence[Document], rules: Rules, problems: Problems) -> tuple[Objects, Workloads]:
    """Return Karpenter's objects and the workloads, and add every mistake in them and in nodes. Workloads with mistakes are
    left out. Raises InputError for an unknown version of Kubernetes."""
    if rules.kubernetes:
        _check_images(documents, rules.kubernetes, problems)
    objects = rules.read(documents, problems)
    workloads = _checked_workloads(objects.rest, rules.kubernetes, problems)
    check_cluster(documents, problems)
    for node_class in objects.node_classes:
        findings = account_findings(node_class.KIND, node_class.manifest().get("spec") or {})
        problems.extend(finding.problem(node_class.at(finding.path)) for finding in findings)
    return objects, workloads


def _checked_workloads(documents: Sequence[Document], kubernetes: str, problems: Problems) -> Workloads:
    """Return the workloads, none if any has a mistake, and add what the API server refuses, and what else plans cannot read,
    each mistake once."""
    refused, unread = Problems(), Problems()
    minor = int(kubernetes.removeprefix("v").split(".")[1]) if kubernetes else None
    for document in documents:
        check_object(document, minor, refused)
    workloads = read_workloads(documents, unread)
    problems.extend(refused.found)
    paths: dict[tuple[str, int], list[str]] = {}
    for problem in refused.found:
        paths.setdefault((problem.place.source, problem.place.document), []).append(_members(problem.place.path))
    for problem in unread.found:
        here, known = _members(problem.place.path), paths.get((problem.place.source, problem.place.document), ())
        if not any(here.startswith(path) or path.startswith(here) for path in known):
            problems.extend([problem])
    return Workloads() if refused or unread else workloads


def _members(path: str) -> str:
    """Return the members of a path, each followed by a dot, so that a path begins with the text of whatever contains it."""
    return path.replace("[", ".").replace("]", "") + "."


def _check_images(documents: Iterable[Document], kubernetes: str, problems: Problems) -> None:
    """Add aliases without an image for a version of Kubernetes. Raises InputError for an unknown version."""
    unknown = [
        Problem(Place.of(KUBERNETES), problem.message, problem.allowed, problem.nearest)
        for problem in versions.problems(kubernetes, versions.BASELINE)
    ]
    if unknown:
        raise InputError(unknown)
    for document in documents:
        if document.kind == EC2NodeClass.KIND:
            problems.extend(image_problems(document.data, kubernetes, document.at))
