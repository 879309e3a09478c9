"""All that is wrong in manifests, found without a region, a catalogue or a plan."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cutlist.api import Objects, check_references, read_objects
from cutlist.api.kinds import kind_of_manifest
from cutlist.api.validation import refused_changes
from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.notes import Notes
from cutlist.disruption.drifted_nodes import DriftedNode, drifted_nodes
from cutlist.disruption.edits import Edit, Edited, edits
from cutlist.documents import Document, collect_documents, sources
from cutlist.state.checks import check_cluster
from cutlist.workloads.kustomization import resolve_kustomizations
from cutlist.workloads.read import read_workloads


@dataclass(frozen=True, slots=True)
class Validation:
    """What was looked at, as numbers of objects by kind, and every mistake by file and line.

    `edits` are the NodePools and node classes that differ from what they were, with the nodes that this has replaced;
    `drifted` the NodeClaims among the objects that drift.
    """

    kinds: Mapping[str, int]
    problems: tuple[Problem, ...]
    edits: tuple[Edit, ...] = ()
    drifted: tuple[DriftedNode, ...] = ()


Paths = Sequence[str | os.PathLike[str]]


def validate(paths: Paths, stdin: str | bytes | None = None, before: Paths = ()) -> Validation:
    """Return every mistake in the objects of files, folders and `-` for standard input; no object at all is one.

    Nothing is raised.

    Karpenter's objects are held against everything that can refuse them, and each other; workloads and nodes against what
    plans read of them. `before` has the objects as they are now: with them, changes that are not allowed are mistakes as well.

    >>> from cutlist import validate
    >>> validate(["docs/examples"]).problems
    ()
    """
    problems, notes = Problems(), Notes()
    documents = resolve_kustomizations(collect_documents(paths, problems, stdin), problems, notes)
    objects = read_objects(documents, problems)
    read_workloads(objects.rest, problems, notes)
    check_references(objects, problems)
    check_cluster(documents, problems)
    if not documents and not problems:
        problems.add(Place(sources(paths)), "no object is in the input", "manifests that are to be checked")
    old = collect_documents(before, problems)
    problems.extend(_changes(documents, old))
    kinds = Counter(document.kind for document in documents)
    return Validation(
        dict(sorted(kinds.items())),
        tuple(problems.ordered()),
        tuple(edits(_edited(read_objects(old, Problems())), _edited(objects))),
        tuple(drifted_nodes(objects.node_pools, _claims((*old, *documents)))),
    )


def _claims(documents: Iterable[Document]) -> list[Mapping[str, Any]]:
    """Return the NodeClaims, each once."""
    by_name = {document.name: document.data for document in documents if document.kind == "NodeClaim"}
    return list(by_name.values())


def _edited(objects: Objects) -> Iterator[Edited]:
    """Yield what nodes are made from; objects that are refused are left out, for their mistakes come first."""
    yield from objects.node_pools
    yield from objects.node_classes
    yield from objects.aks_node_classes


def _changes(documents: Iterable[Document], before: Iterable[Document]) -> Iterator[Problem]:
    """Yield what cannot become of objects of the same kind and name."""
    known = {(document.kind, document.name): document.data for document in before}
    for document in documents:
        kind, old = kind_of_manifest(document.data), known.get((document.kind, document.name))
        if kind is not None and old is not None:
            for finding in refused_changes(kind, document.data, old):
                yield finding.problem(document.at(finding.path))
