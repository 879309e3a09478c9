"""Compare what Cutlist reads of a case with the recorded answer: which workloads, where, how many pods, with which requests."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents
from cutlist.documents.delivery.releases import NOT_RENDERED
from tests.conformance.gitops.cases import Case

SAME: Final = "same"
BOTH_STOP: Final = "both stop"
NAMED: Final = "left out and named"
SILENT: Final = "left out without a note"
REFUSED: Final = "refused"
WRONG: Final = "wrong"

_DELIVERED: Final = frozenset(
    {
        *("Kustomization", "HelmRelease", "HelmChart", "HelmRepository", "OCIRepository", "GitRepository"),
        *("Application", "ApplicationSet", "AppProject"),
    }
)
_WORKLOADS: Final = frozenset({"Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "Pod", "ReplicaSet"})
_AUTOSCALER: Final = "HorizontalPodAutoscaler"
_COUNTED_HOOKS: Final = frozenset({"pre-install", "post-install", "pre-upgrade", "post-upgrade", "crd-install"})
_NOT_APPLIED: Final = frozenset({"failed", "waiting", "suspended", "elsewhere", "no-chart"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an answer compares: in a word, the workloads that are missing or too many, and what Cutlist says."""

    word: str
    missing: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    says: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [*(f"missing  {line}" for line in self.missing), *(f"too many {line}" for line in self.surplus)]
        return "\n         ".join((self.word, *lines, *(f"says     {' '.join(line.split())}" for line in self.says)))


def judge(case: Case, folder: Path) -> Verdict:
    """Read a case with Cutlist and compare it with the recorded answer; `folder` is an empty one to write the checkout to."""
    problems, notes = Problems(), Notes()
    with chdir(case.checkout(folder)):
        documents = collect_documents(case.paths, problems, None, case.reading, notes)
    objects = [document.data for document in documents if _is_counted(document.data)]
    return compared(case.answer, objects, list(map(str, problems.found)), [f"{note.code}: {note.text}" for note in notes.all()])


def compared(answer: Mapping[str, Any], objects: Iterable[Mapping[str, Any]], problems: list[str], notes: list[str]) -> Verdict:
    """Return the verdict on objects, problems and notes; a chart alone may be as Helm 3 or Helm 4 renders it."""
    got = sorted(_line(reduced) for reduced in map(_reduced, objects) if _is_compared(reduced))
    older = sorted(_line(o) for o in answer.get("helm3", answer)["objects"] if _is_compared(o))
    wanted = sorted(_line(o) for o in answer["objects"] if _is_compared(o))
    wanted = older if got == older else wanted
    said = "\n".join((*problems, *notes))
    missing, surplus = tuple(sorted(set(wanted) - set(got))), tuple(sorted(set(got) - set(wanted)))
    if problems:
        word = BOTH_STOP if _has_failed(answer) else REFUSED
    elif wanted == got and not answer.get("error"):
        word = SAME if all(name in said for name in _left_out(answer)) else SILENT
    else:
        word = NAMED if not surplus and NOT_RENDERED in said else WRONG
    return Verdict(word, missing, surplus, (*problems, *notes))


def _parts(answer: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for member in ("kustomizations", "releases", "applications", "sets"):
        yield from answer.get(member, ())


def _left_out(answer: Mapping[str, Any]) -> list[str]:
    """Return the names of what is not applied, which an answer has to name."""
    parts = (part for part in _parts(answer) if part.get("error") or part.get("result") in _NOT_APPLIED)
    return [os.path.basename(part["name"]) for part in parts]


def _has_failed(answer: Mapping[str, Any]) -> bool:
    sets = (s for s in answer.get("sets", ()) if s.get("error"))
    failed = (part for part in _parts(answer) if part.get("result") == "failed")
    return bool(answer.get("error")) or any(sets) or any(failed)


def _is_counted(data: Mapping[str, Any]) -> bool:
    """Tell whether a plan counts an object: workloads leave out hooks that run neither at an installation nor an upgrade."""
    annotations = _at(data, "metadata", "annotations") or {}
    hooks = {word.strip() for word in str(annotations.get("helm.sh/hook") or "").split(",")} - {""}
    return not hooks or bool(hooks & _COUNTED_HOOKS)


def _is_compared(reduced: Mapping[str, Any]) -> bool:
    if reduced["kind"] in _DELIVERED:
        return False
    has_pods = reduced.get("pods") or reduced.get("requests") or reduced.get("limits")
    return bool(has_pods) or reduced["kind"] in _WORKLOADS or reduced["kind"] == _AUTOSCALER


def _reduced(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object in the form of an answer."""
    kind, spec = data.get("kind"), data.get("spec")
    pod = spec if kind == "Pod" else _at(spec, "template", "spec")
    count = _at(spec, "parallelism") if kind == "Job" else _at(spec, "replicas")
    if kind == "CronJob":
        pod, count = _at(spec, "jobTemplate", "spec", "template", "spec"), _at(spec, "jobTemplate", "spec", "parallelism")
    if kind == _AUTOSCALER:
        count = {"min": _at(spec, "minReplicas"), "max": _at(spec, "maxReplicas")}
    containers = [c for member in ("initContainers", "containers") for c in _at(pod, member) or []]
    requests = {c.get("name"): _at(c, "resources", "requests") for c in containers}
    return {
        "kind": kind,
        "namespace": _at(data, "metadata", "namespace"),
        "name": _at(data, "metadata", "name"),
        "replicas": count,
        "requests": {name: amounts for name, amounts in requests.items() if amounts is not None},
        "pods": pod is not None,
    }


def _line(reduced: Mapping[str, Any]) -> str:
    count, namespace = reduced.get("replicas"), reduced.get("namespace") or "default"
    if isinstance(count, Mapping):
        count = f"{count.get('min')}..{count.get('max')}"
    requests = (
        f"{name} {','.join(f'{resource}={amount}' for resource, amount in sorted((amounts or {}).items()))}"
        for name, amounts in sorted((reduced.get("requests") or {}).items())
    )
    return f"{reduced['kind']} {namespace}/{reduced['name']} x{count} [{'; '.join(requests)}]"


def _at(value: Any, *path: str) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
