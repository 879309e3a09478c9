"""All that is wrong in manifests, found without a region, a catalogue or a plan."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cutlist.api import check_references, read_objects
from cutlist.cluster_check import check_cluster
from cutlist.documents import collect_documents
from cutlist.errors import Problem, Problems
from cutlist.workloads.kustomization import resolve_kustomizations
from cutlist.workloads.notes import Notes
from cutlist.workloads.read import read_workloads


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at, as numbers of objects by kind, and every mistake by file and line."""

    kinds: Mapping[str, int]
    problems: tuple[Problem, ...]


def check(paths: Sequence[str | os.PathLike[str]], stdin: str | bytes | None = None) -> Checked:
    """Every mistake in the objects of files, folders and `-` for standard input; it raises nothing.

    Karpenter's objects are held against everything that can refuse them, and each other; workloads and nodes against what
    plans read of them.
    """
    problems, notes = Problems(), Notes()
    documents = resolve_kustomizations(collect_documents(paths, problems, stdin), problems, notes)
    objects = read_objects(documents, problems)
    read_workloads(objects.rest, problems, notes)
    check_references(objects, problems)
    check_cluster(documents, problems)
    kinds = Counter(document.kind for document in documents)
    return Checked(dict(sorted(kinds.items())), tuple(problems.ordered()))
