"""The documents of a run, checked and sorted by kind. Those that have mistakes, are misspelt or not understood are kept
apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.core.shapes import Report, fields
from cutlist.documents.account.placeholders import open_placing
from cutlist.documents.account.wrappers import wrapped_in
from cutlist.documents.delivery.releases import command_of, why_no_command
from cutlist.documents.document import Document, note_unknown
from cutlist.documents.terraform.opentofu import OPENTOFU, TERRAFORM
from cutlist.workloads import autoscalers, check, controllers
from cutlist.workloads.controllers import Controller
from cutlist.workloads.gangs.declared import GANG_KINDS
from cutlist.workloads.groups import NotUnderstood
from cutlist.workloads.kinds import (
    OF_NODES,
    OWN_GROUP,
    READ,
    WHY_NOT_COUNTED,
    Kind,
    is_built_in,
    kind_of,
    misspelt,
    places_pods_by_other_means,
)
from cutlist.workloads.owners import Key, key_of
from cutlist.workloads.pod_kind_table import pod_kinds
from cutlist.workloads.pod_kinds import PodKind
from cutlist.workloads.pod_sets import controllers_of, value_at
from cutlist.workloads.ruled_kinds import RULED_KINDS
from cutlist.workloads.ruled_pods import ruled_controllers
from cutlist.workloads.spark import GROUP as SPARK
from cutlist.workloads.spark import KINDS as SPARK_KINDS
from cutlist.workloads.spark import spark_controllers
from cutlist.workloads.train_jobs import REMARK, RUNTIMES, TRAIN_JOB, runtime_of, runtimes_of, train_controllers

_NO_OBJECTS: Final = (OWN_GROUP, OPENTOFU, TERRAFORM)
"""Groups of documents that do not represent an object of a cluster."""
_FILLED_LATER: Final = "argoproj.io"
"""The group whose objects have places that their own controller fills in when they run."""


@dataclass(frozen=True, slots=True)
class PodSetsOf:
    """An object with its sets of pods, each with whether every node gets one, a remark on their number, and its runtime, if it
    is a TrainJob."""

    document: Document
    sets: tuple[tuple[Controller, bool], ...]
    remark: str = ""
    runtime: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Inventory:
    """Documents by kind, each valid for its kind and with a unique combination of kind, namespace and name.

    `pod_sets` are the sets of pods of other kinds, whose numbers the table of kinds determines. `scaled_down` are Deployments
    that a Rollout replaces. `passed_over` counts the ignored objects by kind, with the group if that is not one of Kubernetes
    itself. `gangs` are the objects that declare gangs.
    """

    by_kind: Mapping[str, list[Document]] = field(default_factory=dict)
    not_understood: tuple[NotUnderstood, ...] = ()
    pod_sets: tuple[PodSetsOf, ...] = ()
    passed_over: Mapping[str, int] = field(default_factory=dict)
    scaled_down: frozenset[Key] = frozenset()
    gangs: tuple[Document, ...] = ()

    @staticmethod
    def take(documents: Iterable[Document], problems: Problems) -> Inventory:
        """Return the documents sorted by kind. Mistakes are added to `problems`, and documents with mistakes are left out."""
        by_kind: dict[str, list[Document]] = {kind: [] for _, kind in READ}
        others: list[Document] = []
        places: dict[Key, Place] = {}
        for document in documents:
            kind = kind_of(document.data)
            if kind in READ:
                if _valid(document, problems) and _first(document, places, problems):
                    by_kind[kind[1]].append(document)
            elif (meant := misspelt(kind)) is not None:
                problems.add(document.at("kind"), f"{document.api_version} has no kind {document.kind}", nearest=meant)
            else:
                others.append(document)
        return _with_others(by_kind, others, problems)

    def manifests(self, *kinds: str) -> list[Mapping[str, Any]]:
        """Return the manifests of some kinds, in the order given."""
        return [document.data for kind in kinds for document in self.by_kind.get(kind, ())]


def _with_others(by_kind: Mapping[str, list[Document]], others: Sequence[Document], problems: Problems) -> Inventory:
    """Return the inventory with the objects of all other kinds: counted by the table, named, or ignored."""
    rows, runtimes = pod_kinds(others, problems), runtimes_of(others)
    used = [runtimes[key] for key in map(runtime_of, others) if key in runtimes]
    templates = {key_of(d.data): d.data for kind in controllers.KINDS for d in by_kind[kind]}
    sets: list[PodSetsOf] = []
    not_understood: list[NotUnderstood] = []
    gangs: list[Document] = []
    passed_over: Counter[str] = Counter()
    places: dict[tuple[str, Key], Place] = {}
    for document in others:
        group, name = kind_of(document.data)
        is_ruled = (group, name) in (*RULED_KINDS, TRAIN_JOB) or (group == SPARK and name in SPARK_KINDS)
        is_counted = (group, name) in rows or is_ruled
        if is_counted and _is_object(document, problems):
            if not _is_first(document, group, places, problems):
                continue
            if group != _FILLED_LATER and (why := open_placing(document)):
                not_understood.append(NotUnderstood(document.kind, _shown_name(document), document.place, why=why))
                continue
            before = len(problems.found)
            row = rows.get((group, name))
            report = Report(document, problems)
            if row is None and (group, name) == TRAIN_JOB:
                counted = tuple((controller, False) for controller in train_controllers(document, runtimes, report))
            else:
                counted = _pod_sets(document, row, templates, report)
            if counted:
                sets.append(PodSetsOf(document, counted, _remark(row, (group, name)), runtimes.get(runtime_of(document))))
            elif len(problems.found) == before:
                why = WHY_NOT_COUNTED.get((group, name), "")
                not_understood.append(NotUnderstood(document.kind, _shown_name(document), document.place, why=why))
        elif (group, name) in GANG_KINDS:
            gangs += [document] if _is_object(document, problems) and _is_first(document, group, places, problems) else []
        elif wrapped_in(document):  # what is inside is open by itself
            continue
        elif not is_counted and (group, name) not in RUNTIMES and places_pods_by_other_means(document.data):
            command = command_of(document, others)
            unrendered = "" if document.unrendered is None else document.unrendered.why
            why = WHY_NOT_COUNTED.get((group, name), "") or why_no_command(document)
            not_understood.append(NotUnderstood(document.kind, _shown_name(document), document.place, command, why, unrendered))
        elif not is_counted and group not in _NO_OBJECTS and (group, name) not in OF_NODES and document.data not in used:
            passed_over[name if is_built_in(group) else f"{name} ({group})"] += 1
    scaled_down = frozenset(filter(None, (_scaled_down(of.document.data) for of in sets)))
    passed = dict(sorted(passed_over.items()))
    return Inventory(by_kind, tuple(not_understood), tuple(sets), passed, scaled_down, tuple(gangs))


def _remark(row: PodKind | None, kind: Kind) -> str:
    """Return the remark on the number of pods of a kind."""
    if row is None and kind == TRAIN_JOB:
        return REMARK
    remarks = row or RULED_KINDS.get(kind)
    return remarks.remark if remarks else ""


def _shown_name(document: Document) -> str:
    """Return the name of an object, or the beginning of its generated one."""
    return document.name or str(value_at(document.data, "metadata.generateName") or "")


def _scaled_down(manifest: Mapping[str, Any]) -> Key | None:
    """Return the workload that a Rollout refers to and scales down."""
    reference = value_at(manifest, "spec.workloadRef")
    if value_at(reference, "scaleDown") not in ("onsuccess", "progressively"):
        return None
    return key_of(manifest)[0], str(reference.get("kind")), str(reference.get("name"))


def _pod_sets(
    document: Document, row: PodKind | None, templates: Mapping[Key, Mapping[str, Any]], report: Report
) -> tuple[tuple[Controller, bool], ...]:
    if row is None:
        ruled = RULED_KINDS.get(kind_of(document.data))
        controllers = ruled_controllers(document, ruled, report) if ruled else spark_controllers(document, report)
        return tuple((controller, False) for controller in controllers)

    def lookup(kind: str, namespace: str, name: str) -> Mapping[str, Any] | None:
        return templates.get((namespace, kind, name))

    return tuple((controller, pods.is_daemon) for controller, pods in controllers_of(document, row, lookup, report))


def _is_object(document: Document, problems: Problems) -> bool:
    """Tell whether an object of a counted kind has metadata and a name; mistakes are added to `problems`."""
    before, report = len(problems.found), Report(document, problems)
    fields({"metadata": check.metadata})(document.data, "", report)
    if len(problems.found) == before and not key_of(document.data)[2]:
        report.add("metadata.name", "is missing")
    return len(problems.found) == before


def _is_first(document: Document, group: str, places: dict[tuple[str, Key], Place], problems: Problems) -> bool:
    own: dict[Key, Place] = {key: place for (other, key), place in places.items() if other == group}
    is_first = _first(document, own, problems)
    places.setdefault((group, key_of(document.data)), document.place)
    return is_first


def _valid(document: Document, problems: Problems) -> bool:
    kind = document.kind
    if kind in ("Kustomization", "Component"):
        folder = document.place.source.rpartition("/")[0] or "."
        problems.add(document.place, "a kustomization must be rendered first", f"kustomize build {folder} | cutlist plan -f -")
        return False
    if note_unknown(document, problems):
        return False
    before, report = len(problems.found), Report(document, problems)
    check.fields_shape(kind)(document.data, "", report)
    if len(problems.found) == before and kind in autoscalers.BOUNDS:
        autoscalers.check_bounds(document.data, report)
    if len(problems.found) == before and not key_of(document.data)[2]:
        report.add("metadata.name", "is missing")
    return len(problems.found) == before


def _first(document: Document, places: dict[Key, Place], problems: Problems) -> bool:
    if "name" not in document.data["metadata"]:
        return True  # generateName: each of them is a different object
    key = key_of(document.data)
    earlier = places.setdefault(key, document.place)
    if earlier is document.place:
        return True
    namespace, kind, name = key
    where = "" if namespace == "default" else f" of namespace {namespace}"
    problems.add(document.at("metadata.name"), f"{kind} {name}{where} is in the input twice, first in {earlier}")
    return False
