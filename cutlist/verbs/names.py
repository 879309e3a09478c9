"""Which thing of the inputs a name means, written as kubectl prints it or as plans do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import InputError, Place, names_near, nearest
from cutlist.verbs.subjects import Subject, SubjectKind
from cutlist.workloads.owners import HASH_LETTERS, TEMPLATE_HASH

_KINDS: Final = {
    **dict.fromkeys(("po", "pod", "pods"), "pod"),
    **dict.fromkeys(("deploy", "deployment", "deployments"), "deployment"),
    **dict.fromkeys(("sts", "statefulset", "statefulsets"), "statefulset"),
    **dict.fromkeys(("ds", "daemonset", "daemonsets"), "daemonset"),
    **dict.fromkeys(("rs", "replicaset", "replicasets"), "replicaset"),
    **dict.fromkeys(("rc", "replicationcontroller", "replicationcontrollers"), "replicationcontroller"),
    **dict.fromkeys(("job", "jobs"), "job"),
    **dict.fromkeys(("cj", "cronjob", "cronjobs"), "cronjob"),
    **dict.fromkeys(("rollout", "rollouts"), "rollout"),
    **dict.fromkeys(("no", "node", "nodes"), "node"),
    **dict.fromkeys(("nodeclaim", "nodeclaims"), "nodeclaim"),
    **dict.fromkeys(("nodepool", "nodepools"), "nodepool"),
    **dict.fromkeys(("podgroup", "podgroups", "pg"), "podgroup"),
    **dict.fromkeys(("workload", "workloads", "wl"), "workload"),
}
_POD: Final = f"[{HASH_LETTERS}]{{5}}"
_ENDS: Final = {
    **dict.fromkeys(("deployment", "rollout"), f"{TEMPLATE_HASH}(-{_POD})?"),
    **dict.fromkeys(("replicaset", "replicationcontroller", "daemonset", "job"), _POD),
    "statefulset": r"\d+",
    "cronjob": rf"\d+(-{_POD})?",
}
"""What Kubernetes appends to the name of a workload for its pods, and for a ReplicaSet or Job between the two."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it was written, in its parts; `kind` and `namespace` are empty where it has none."""

    written: str
    name: str
    kind: str = ""
    namespace: str = ""

    @staticmethod
    def read(text: str, namespace: str = "") -> Name:
        """Return the parts of `api`, `pod/api-x`, `pod api-x`, `shop/api`, `shop/deployment/api`. `namespace` is given besides.

        Raises InputError for an empty name, for more than three parts and for two different namespaces.
        """
        words = text.split()
        # As kubectl takes it: the kind and the name, apart.
        joined = "/".join(words) if len(words) == 2 and _kind(words[0]) else text
        parts = [part for part in joined.strip().strip("/").split("/") if part]
        if not parts or len(parts) > 3:
            forms = (
                "api-6b7f5c9d4-x2x7q, pod/NAME, NAMESPACE/NAME, deployment/NAME, node/NAME, nodepool/NAME, or an event's text"
            )
            raise InputError.one(Place(path="NAME"), f"{text!r} is not a name", forms)
        *before, name = parts
        kind = _kind(before[-1]) if before else ""
        spaces = {space for space in (namespace, before[0] if len(before) > (1 if kind else 0) else "") if space}
        if len(spaces) > 1:
            raise InputError.one(Place(text), f"is in another namespace than {namespace}", "one namespace")
        return Name(text.strip(), name, kind, next(iter(spaces), ""))

    def fits(self, subject: Subject) -> bool:
        """Tell whether a thing has this name."""
        if self.kind and self.kind != subject.kind and not (self.kind == "nodeclaim" and subject.of is SubjectKind.NODE):
            return False
        if self.namespace and self.namespace != subject.namespace:
            return False
        return self.name.lower() in (subject.name.lower(), subject.claim.lower())

    def is_pod_of(self, workload: Subject) -> bool:
        """Tell whether the name is one that Kubernetes gives to pods, or to the ReplicaSet, of a workload."""
        if self.kind not in ("", "pod", "replicaset", "job") or (self.namespace and self.namespace != workload.namespace):
            return False
        end = _ENDS.get(workload.kind)
        begins = self.name.startswith(f"{workload.name}-")
        return end is not None and begins and re.fullmatch(end, self.name[len(workload.name) + 1 :], re.ASCII) is not None

    def is_above(self, workload: Subject) -> bool:
        """Tell whether the name is that of the Deployment of a ReplicaSet."""
        stem, _, rest = workload.name.rpartition("-")
        of_kind = workload.kind == "replicaset" and self.kind in ("", "deployment", "rollout")
        fits = not self.namespace or self.namespace == workload.namespace
        return of_kind and fits and stem == self.name and re.fullmatch(TEMPLATE_HASH, rest, re.ASCII) is not None


def _kind(written: str) -> str:
    """Return the kind that a part of a name is, also as kubectl prints it (`deployment.apps`), or an empty string."""
    return _KINDS.get(written.lower().partition(".")[0], "")


def subjects_named(name: Name, known: Sequence[Subject]) -> list[Subject]:
    """Return all things that a name may mean; a pod that is not among the known things stands for its workload, and a name
    without a kind for a gang only where nothing else has it."""
    fitting = [subject for subject in known if name.fits(subject)]
    if fitting:
        return [subject for subject in fitting if name.kind or subject.of is not SubjectKind.GANG] or fitting
    workloads = [subject for subject in known if subject.of is SubjectKind.WORKLOAD]
    of_pod = _longest(subject for subject in workloads if name.is_pod_of(subject))
    return of_pod or [subject for subject in workloads if name.is_above(subject)]


def subject_named(name: Name, known: Sequence[Subject]) -> Subject:
    """Return the one thing that a name means. Raises InputError with the nearest names, or with all that fit."""
    fitting = subjects_named(name, known)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise InputError.one(Place(name.written), f"is one of {len(fitting)} names", ", ".join(s.full_name for s in fitting))
    names = list(dict.fromkeys(subject.full_name for subject in known))
    short = {subject.name: subject.full_name for subject in known}
    close = nearest(name.written, names) or short.get(nearest(name.name, list(short)), "")
    text = "no pod, workload, gang, node or NodePool of the input has this name"
    raise InputError.one(Place(name.written), text, names_near(name.name, names) if names else "", close)


def _longest(subjects: Iterable[Subject]) -> list[Subject]:
    """Return the workloads with the longest name: `api-web-x2x7q` is a pod of api-web and not of api."""
    of = list(subjects)
    longest = max((len(subject.name) for subject in of), default=0)
    return [subject for subject in of if len(subject.name) == longest]
