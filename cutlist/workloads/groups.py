"""Workloads as groups of identical pods, each with a count, the starting point of planning.

A million replicas are one `PodGroup` with a count of a million; nothing here exists once per pod.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from cutlist.core.errors import Place
from cutlist.core.ledger import OpenInput
from cutlist.documents.delivery.releases import DELIVERED, planned_by
from cutlist.workloads.default_selectors import PodController
from cutlist.workloads.gangs.gang import GangId
from cutlist.workloads.pods import DEFAULT_GRACE, NO_LABELS, Pod

NOWHERE: Final = Place()
OPEN_OBJECT: Final = "object"
"""The form of open inputs that are objects with pods, not files that may hold NodePools."""
_BARE: Final = "Pod"
_OWNERS: Final = {"Deployment": "ReplicaSet", "CronJob": "Job"}
_JOBS: Final = {"CronJob": "Job"}


def workload_name(kind: str, namespace: str, name: str) -> str:
    """Return the name of a workload in plans: `deployment/web`, or `other/deployment/web` outside the namespace `default`."""
    short = f"{kind.lower()}/{name}"
    return short if namespace == "default" else f"{namespace}/{short}"


def workload_parts(workload: str) -> tuple[str, str, str]:
    """Return namespace, kind in lower case and name of a workload by its name in plans; a name alone has no kind."""
    parts = workload.split("/", 2)
    return parts[0] if len(parts) > 2 else "default", parts[-2] if len(parts) > 1 else "", parts[-1]


@dataclass(frozen=True, slots=True)
class PodGroup:
    """A number of equal pods that have to be placed.

    `range` is the autoscaler's range of the count. `bound` pods of the same workload already run on given nodes. Pods are
    numbered from `first`, like those of a StatefulSet. `grace` is the termination grace period in seconds. `gang` is the gang
    that they belong to.
    """

    name: str
    namespace: str
    kind: str
    count: int
    pod: Pod
    place: Place = NOWHERE
    range: tuple[int, int] | None = None
    bound: int = 0
    first: int = 0
    annotations: Mapping[str, str] = NO_LABELS
    grace: int = DEFAULT_GRACE
    gang: GangId | None = None

    @property
    def workload(self) -> str:
        """Return `deployment/web` or `other/deployment/web`."""
        return workload_name(self.kind, self.namespace, self.name)

    @property
    def controller(self) -> PodController | None:
        """Return the object that controls its pods, None for a bare pod. A Deployment represents its ReplicaSets."""
        kind = _JOBS.get(self.kind, self.kind)
        return None if kind == _BARE else PodController.of_workload(kind, self.name)

    @property
    def owner_kinds(self) -> frozenset[str]:
        """Return the kinds of the objects that own its pods."""
        return frozenset() if self.kind == _BARE else frozenset((_OWNERS.get(self.kind, self.kind),))

    def pod_name(self, index: int) -> str:
        """Return a name for the pod with this index (from 0); the real name for StatefulSets and single pods."""
        return self.name if self.kind == _BARE else f"{self.name}-{self.first + index}"


@dataclass(frozen=True, slots=True)
class DaemonSet:
    """A pod that runs on every node whose labels and taints it accepts. `grace` is its termination grace period in seconds."""

    name: str
    namespace: str
    pod: Pod
    place: Place = NOWHERE
    grace: int = DEFAULT_GRACE

    @property
    def workload(self) -> str:
        """Return `daemonset/agent` or `kube-system/daemonset/agent`."""
        return workload_name("DaemonSet", self.namespace, self.name)


@dataclass(frozen=True, slots=True)
class BoundPod:
    """A pod that already has its node. `owner` is kind and name of its controller, empty for a pod without one.

    `grace` is its termination grace period in seconds. `gang` is its gang, None also if its controller counts for it.
    """

    name: str
    namespace: str
    node: str
    pod: Pod
    owner: tuple[str, str] = ("", "")
    annotations: Mapping[str, str] = NO_LABELS
    place: Place = NOWHERE
    grace: int = DEFAULT_GRACE
    gang: GangId | None = None

    @property
    def is_daemon(self) -> bool:
        """Tell whether the pod belongs to its node and ends with it."""
        return self.owner[0] in ("DaemonSet", "Node")

    @property
    def workload(self) -> str:
        """Return `replicaset/web-5d9`, or the pod itself if it has no controller: `pod/migrate`."""
        kind, name = self.owner if self.owner[0] else ("Pod", self.name)
        return workload_name(kind, self.namespace, name)


class NotUnderstood(NamedTuple):
    """An object that places pods in a way that Cutlist does not know.

    `command` renders the manifests that it represents, if there is one; `why` says why its pods are not counted, for some
    kinds. `unrendered` is why these manifests are not rendered although that was asked for, which a note says.
    """

    kind: str
    name: str
    place: Place
    command: str = ""
    why: str = ""
    unrendered: str = ""

    @property
    def opened(self) -> OpenInput:
        """Return it as an input that bears on an answer and is not in it."""
        return OpenInput(f"{self.kind} {self.name} ({self.place})", OPEN_OBJECT, self.open_because, self.open_command)

    @property
    def is_delivered(self) -> bool:
        """Tell whether it stands for objects that Flux or Argo CD applies."""
        return self.kind in DELIVERED

    @property
    def open_because(self) -> str:
        """Return why its pods are not counted."""
        if self.unrendered:
            return f"not rendered: {self.unrendered}"
        if self.command:
            return "not rendered: it stands for objects that another tool renders"
        return f"not counted: {self.why}" if self.why else "not counted: it creates pods that cannot be predicted"

    @property
    def open_command(self) -> str:
        """Return the command that renders and plans what it represents; empty if there is none."""
        return planned_by(self.command) if self.command else ""
