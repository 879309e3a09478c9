"""Find every mistake in manifests, without a plan; a region is not needed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal

from cutlist.api.external_classes import MissingClass, missing_classes
from cutlist.api.kinds import kind_of_manifest
from cutlist.api.read import Objects
from cutlist.api.validation import refused_changes
from cutlist.api.versions import is_karpenters
from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.ledger import Inputs
from cutlist.core.notes import Note, Notes
from cutlist.core.records import After, Counts, Key, TextOrNull, about, computed, form_of
from cutlist.core.wording import counted
from cutlist.core.written_problems import WrittenPlace, WrittenProblem
from cutlist.disruption.drifted_nodes import DriftedNode, drifted_nodes
from cutlist.disruption.edits import Edited, ObjectEdit, Reach, edits
from cutlist.documents.collecting import collect_documents
from cutlist.documents.delivery.releases import rendering_commands
from cutlist.documents.document import Document
from cutlist.documents.files import sources
from cutlist.documents.folders import PLAIN, Reading
from cutlist.documents.terraform.opentofu import TERRAFORM
from cutlist.planning.absences import not_read
from cutlist.planning.advice import advice_in, warnings_in
from cutlist.planning.document_inputs import require_one_environment
from cutlist.planning.traps import traps_without_plan
from cutlist.state.statuses import with_readable_statuses
from cutlist.verbs.validate.checks import Rules, checked_objects
from cutlist.verbs.validate.setup import Sold, setup_of
from cutlist.verbs.validate.warnings import object_warnings
from cutlist.workloads.kinds import READ, kind_of
from cutlist.workloads.validation.kinds import KINDS

_CHECKED: Final = "objects of Karpenter, workloads, nodes, and what else plans read"
_OF_KUBERNETES: Final = READ | KINDS.keys()


@dataclass(frozen=True, slots=True)
class _Member:
    path: str
    reach: Annotated[Reach, Key("drifts")]
    which: TextOrNull


@dataclass(frozen=True, slots=True)
class _Edit:
    kind: str
    name: str
    place: WrittenPlace
    reach: Annotated[Reach, Key("drifts"), about("Which nodes of the object are replaced.")]
    members: tuple[_Member, ...]


@dataclass(frozen=True, slots=True)
class Validation:
    """What is wrong in manifests, and which nodes their edits replace.

    `kinds` and `passed_over` are the numbers of checked and of unchecked objects. `edits` are the NodePools and node classes
    that changed, with the nodes that this causes to be replaced; `drifted` are the NodeClaims among the objects that drift.
    `missing_classes` are node classes that NodePools refer to and that are not in the input, which is not a mistake, since they
    may be elsewhere. `notes` say what of the folders was not read, and which objects were not compared. `warnings` are values
    of NodePools that nothing known has, kinds of node classes that are not known, and classes that are not ready under this
    Karpenter or a later one. `inputs` is the account.
    """

    kinds: Annotated[Counts, about("How many objects of each kind were looked at."), Key("checked")]
    problems: tuple[WrittenProblem, ...]
    edits: Annotated[
        tuple[ObjectEdit, ...], form_of(tuple[_Edit, ...]), about("What differs from the objects as they were.")
    ] = ()
    drifted: tuple[DriftedNode, ...] = ()
    passed_over: Annotated[
        Counts, about("How many objects of other kinds there are: nothing was looked at in them."), After("kinds")
    ] = field(default_factory=dict)
    missing_classes: Annotated[
        tuple[MissingClass, ...], about("Node classes that NodePools refer to and that are elsewhere."), After("problems")
    ] = ()
    notes: Annotated[tuple[Note, ...], about("What of the folders was not read.")] = ()
    warnings: Annotated[
        tuple[Note, ...], about("Values that no known type or zone has, and classes that are not ready, now or later.")
    ] = ()
    inputs: Annotated[Inputs | None, about("What of the files was read, passed over and left open.")] = None

    @property
    @computed(after="")
    def version(self) -> Literal[1]:
        """Return the version of the JSON."""
        return 1

    @property
    def verdict(self) -> str:
        """Return in words how many mistakes there are, or else how many warnings."""
        if self.problems:
            return counted(len(self.problems), "mistake")
        return f"No mistake, but {counted(len(self.warnings), 'warning')}" if self.warnings else "Nothing is wrong"


Paths = Sequence[str | os.PathLike[str]]


def validate(
    paths: Paths,
    stdin: str | bytes | None = None,
    before: Paths = (),
    *,
    allow_empty: bool = False,
    reading: Reading = PLAIN,
    kubernetes: str = "",
    region: str = "",
    catalog: str | os.PathLike[str] | None = None,
    karpenter: str | None = None,
    feature_gates: Collection[str] = (),
    external_classes: Collection[str] = (),
) -> Validation:
    """Return every mistake in the objects of files, folders and `-` for standard input.

    Karpenter's objects are checked against everything that can refuse them, and against each other; workloads, and the kinds
    that shape them, as an API server checks them when they are created; nodes and other kinds against what plans read from
    them.

    `before` are the objects in their present state: forbidden changes are mistakes as well. `kubernetes` is the cluster's
    version: fields of other versions and aliases without any image for it are mistakes. `karpenter` is the version whose rules
    apply, such as 1.15, by default that of the service that runs Karpenter for an object, and `feature_gates` are those of its
    AWS provider that are on. A node class that is not ready under a later version is a warning, and so are values of NodePools
    that no machine of `region` has, or of any region without one.
    Node classes named by `external_classes` are elsewhere and not reported as missing.

    Raises InputError when a file cannot be opened, and, unless `allow_empty` is set, when there is nothing to check.

    >>> from cutlist import validate
    >>> validate(["examples/shop/pools.yaml", "examples/shop/workloads.yaml"]).problems
    ()
    """
    Rules.check(karpenter, feature_gates)
    read = _Read.of(paths, stdin, before, reading, Problems(allow_empty=allow_empty))
    rules = Rules.chosen(karpenter, feature_gates, kubernetes, read.documents)
    return _validation(read, rules, Sold(region, catalog), external_classes)


@dataclass(frozen=True, slots=True)
class _Read:
    """The documents that are checked, and the `old` ones that they are compared with; `problems` and `notes` grow while they
    are looked at."""

    documents: Sequence[Document]
    old: Sequence[Document]
    problems: Problems
    notes: Notes

    @staticmethod
    def of(paths: Paths, stdin: str | bytes | None, before: Paths, reading: Reading, problems: Problems) -> _Read:
        """Return what files have. Raises InputError when one cannot be opened, when there is nothing to check, and when the
        files are those of several clusters."""
        notes = Notes()
        documents = with_readable_statuses(collect_documents(paths, problems, stdin, reading, notes), notes)
        require_one_environment(notes)
        old = with_readable_statuses(collect_documents(before, problems, None, reading))
        _require_checked(paths, documents, problems)
        _require_checked(before, old, problems)
        if not documents and not problems and notes.ledger.open:
            text = "nothing in it is read, so nothing is checked"
            problems.add_absence(Place(sources(paths)), text, _CHECKED, not_read(notes.all(), notes.ledger.open))
        problems.raise_if_empty()
        problems.raise_if_unread()
        return _Read(documents, old, problems, notes)


def _validation(read: _Read, rules: Rules, sold: Sold, external_classes: Collection[str]) -> Validation:
    """Return everything that is said about documents, by rules and by what is sold somewhere."""
    documents, problems = read.documents, read.problems
    objects, workloads = checked_objects(documents, rules, problems)
    problems.extend(_changes(documents, read.old, rules))
    changed = tuple(edits(_edited(_present(read.old, rules, read.notes)), _edited(objects)))
    current = rules.with_converted(objects, documents)
    missing = [each for each in missing_classes(current) if not each.is_named(external_classes)]
    warnings = object_warnings(current, missing, sold, rules.karpenter, rules.gates, problems)
    odd = traps_without_plan(setup_of(current, workloads, documents, sold))
    return Validation(
        kinds=kinds_of(filter(_is_checked, documents)),
        problems=tuple(problems.ordered()),
        edits=changed,
        drifted=tuple(drifted_nodes(objects.node_pools, _claims((*read.old, *documents)))),
        passed_over=kinds_of(d for d in documents if not _is_checked(d) and not d.api_version.startswith(f"{TERRAFORM}/")),
        missing_classes=tuple(each for each in missing if not each.nearest),
        notes=(*read.notes.all(), *rules.notes, *advice_in(odd)),
        warnings=(*warnings, *warnings_in(odd)),
        inputs=read.notes.ledger.closed(),
    )


def _require_checked(paths: Paths, documents: Sequence[Document], problems: Problems) -> None:
    """Add an absence if no document is of a kind that is checked."""
    if documents and not any(map(_is_checked, documents)):
        text = f"nothing in it is checked: {listed_kinds(kinds_of(documents))}{rendering_commands(documents)}"
        problems.add_absence(Place(sources(paths)), text, _CHECKED)


def _present(old: Iterable[Document], rules: Rules, notes: Notes) -> Objects:
    """Return the objects in their present state; those that cannot be read are noted, since they are not compared."""
    unread = Problems()
    objects = rules.read(old, unread)
    for problem in unread.ordered():
        notes.add(
            "not-compared", f"the earlier state is not compared, because it cannot be read: {problem.place}: {problem.message}"
        )
    return objects


def _is_checked(document: Document) -> bool:
    """Tell whether mistakes in an object are found here: whether it is Karpenter's, or plans read its kind."""
    return is_karpenters(document.api_version, document.kind) or kind_of(document.data) in _OF_KUBERNETES


def kinds_of(documents: Iterable[Document]) -> Mapping[str, int]:
    """Return how many objects of each kind there are, by kind."""
    return dict(sorted(Counter(document.kind for document in documents).items()))


def listed_kinds(kinds: Mapping[str, int]) -> str:
    """Return how many objects of each kind there are: `1 NodePool, 2 Deployment`."""
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items())


def _claims(documents: Iterable[Document]) -> list[Mapping[str, Any]]:
    """Return the NodeClaims, each once."""
    by_name = {document.name: document.data for document in documents if document.kind == "NodeClaim"}
    return list(by_name.values())


def _edited(objects: Objects) -> Iterator[Edited]:
    """Yield what nodes are made from; refused objects are left out, since their mistakes come first."""
    yield from objects.node_pools
    yield from objects.node_classes
    yield from objects.aks_node_classes


def _changes(documents: Iterable[Document], before: Iterable[Document], rules: Rules) -> Iterator[Problem]:
    """Yield the forbidden changes of objects of the same kind and name."""
    known = {(document.kind, document.name): document.data for document in before}
    for document in documents:
        kind, old = kind_of_manifest(document.data, rules.by_service.of(document)), known.get((document.kind, document.name))
        if kind is not None and old is not None:
            for finding in refused_changes(kind, document.data, old):
                yield finding.problem(document.at(finding.path))
