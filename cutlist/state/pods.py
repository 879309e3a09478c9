"""Pods of a cluster, and which of them move when their node is removed (spec: scheduling 4.3, 4.4; disruption 1.4, 1.5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from cutlist.api.durations import is_go_duration
from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.core.go_sums import sum_in_turn
from cutlist.core.instants import instant
from cutlist.core.labels import REGION, ZONE
from cutlist.core.taints import NO_SCHEDULE, Taint, untolerated
from cutlist.workloads.default_selectors import PodController
from cutlist.workloads.objects import EvictionBudgets, PodDisruptionBudget
from cutlist.workloads.pods import DEFAULT_GRACE, DELETION_COST, FrozenDict, Pod
from cutlist.workloads.read_pod import grace_period, read_pod

Manifest = Mapping[str, Any]

DISRUPTION_COST: Final = "karpenter.sh/disruption-cost"
DISRUPTED: Final = Taint("karpenter.sh/disrupted", NO_SCHEDULE)
RUNNING: Final = "Running"
_ENDED: Final = frozenset(("Succeeded", "Failed"))
_COPIED: Final = (ZONE, REGION)
_SECONDS: Final = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART: Final = re.compile(r"([0-9.]+)(ns|us|µs|ms|s|m|h)", re.ASCII)


@dataclass(frozen=True, slots=True)
class RunningPod:
    """A pod of a cluster. `node` is empty until it is bound; times are seconds since 1970; `owners` are kinds.

    `deletion_cost` and `disruption_cost` are annotations as written, the latter None without the annotation. A terminating pod
    ends at its `deletion_timestamp` at the latest; `grace` is in seconds.
    """

    name: str
    pod: Pod
    node: str = ""
    uid: str = ""
    created: float = 0
    phase: str = ""
    terminating: bool = False
    owners: frozenset[str] = frozenset()
    do_not_disrupt: str = ""
    started: float | None = None
    unready: bool = False
    deletion_cost: str = ""
    disruption_cost: str | None = None
    priority_class: str = ""
    grace: int = DEFAULT_GRACE
    deletion_timestamp: float | None = None
    controller: PodController | None = None

    @staticmethod
    def read(manifest: Manifest, pod: Pod | None = None) -> RunningPod:
        """Return the pod that an object describes; `pod` is what scheduling sees of it, if that was read before."""
        metadata, spec, status = manifest["metadata"], manifest.get("spec") or {}, manifest.get("status") or {}
        owners, annotations = metadata.get("ownerReferences") or (), metadata.get("annotations") or {}
        return RunningPod(
            name=metadata["name"],
            pod=read_pod(manifest) if pod is None else pod,
            node=spec.get("nodeName") or "",
            uid=metadata.get("uid") or "",
            created=instant(metadata.get("creationTimestamp")) or 0,
            phase=status.get("phase") or "",
            terminating=bool(metadata.get("deletionTimestamp")),
            owners=frozenset(o.get("kind") or "" for o in owners),
            do_not_disrupt=annotations.get(DO_NOT_DISRUPT) or "",
            started=instant(status.get("startTime")),
            unready=any(c.get("type") == "Ready" and c.get("status") == "False" for c in status.get("conditions") or ()),
            deletion_cost=annotations.get(DELETION_COST) or "",
            disruption_cost=annotations.get(DISRUPTION_COST),
            priority_class=spec.get("priorityClassName") or "",
            grace=grace_period(spec),
            deletion_timestamp=instant(metadata.get("deletionTimestamp")),
            controller=PodController.of(manifest),
        )

    def restarted(self, node: str, at: float) -> RunningPod:
        """Return the pod as it runs on another node since an instant (seconds since 1970)."""
        return replace(self, node=node, created=at, started=at, unready=False, phase=RUNNING)

    def labelled_by(self, node_labels: Mapping[str, str]) -> RunningPod:
        """Return the pod with the zone and region of a node with these labels, if the pod carries such labels (W-83)."""
        pod = with_copied_labels(self.pod, node_labels)
        return self if pod is self.pod else replace(self, pod=pod)

    @property
    def ended(self) -> bool:
        """Tell whether it has run to completion and no longer uses anything."""
        return self.phase in _ENDED

    @property
    def runs(self) -> bool:
        """Tell whether it has been started, not just assigned to its node."""
        return self.phase != "Pending"

    @property
    def active(self) -> bool:
        """Tell whether it has neither ended nor is about to end."""
        return not self.ended and not self.terminating

    @property
    def reschedulable(self) -> bool:
        """Tell whether it needs another node when its own is removed: a StatefulSet's pod does even while it terminates."""
        needs_place = self.active or (self.terminating and "StatefulSet" in self.owners)
        return needs_place and not self.owners & {"DaemonSet", "Node"}

    def held(self, now: float) -> bool:
        """Tell whether it must not be disrupted at this instant: never, or not for some time after its start (disruption
        1.5)."""
        if self.do_not_disrupt == "true":
            return True
        length = go_seconds(self.do_not_disrupt)
        return length > 0 and (self.started is None or now - self.started < length)

    @property
    def held_until(self) -> float | None:
        """Return when the annotation that protects the pod expires, or None if it never does, or if the pod has none."""
        length = 0.0 if self.do_not_disrupt == "true" else go_seconds(self.do_not_disrupt)
        return self.started + length if length > 0 and self.started is not None else None


def with_copied_labels(pod: Pod, node_labels: Mapping[str, str]) -> Pod:
    """Return a pod that ran before with the zone and region of a node with these labels, if the pod carries such labels
    (W-83)."""
    carried = [key for key in _COPIED if key in pod.labels]
    if all(pod.labels[key] == node_labels.get(key) for key in carried):
        return pod
    copied = {key: node_labels[key] for key in carried if key in node_labels}
    own = {key: value for key, value in pod.labels.items() if key not in carried}
    return replace(pod, labels=FrozenDict({**own, **copied}))


def moves(running: RunningPod, budgets: EvictionBudgets, now: float) -> bool:
    """Tell whether a pod of a node that is being removed is placed again at this instant (S-66)."""
    if not running.reschedulable:
        return False
    return not (running.active and running.held(now)) and not _fully_blocked(running, budgets)


def tolerates_disruption(running: RunningPod) -> bool:
    """Tell whether the pod is exempt from eviction: it tolerates the taint of nodes that are being disrupted."""
    return not untolerated((DISRUPTED,), running.pod.tolerations)


def _fully_blocked(running: RunningPod, budgets: EvictionBudgets) -> bool:
    """Tell whether budgets never let the pod be evicted; they do not concern pods that are never evicted."""
    if not budgets.by_namespace or not running.active or tolerates_disruption(running):
        return False
    bearing = budgets.covering(running.pod)
    if len(bearing) > 1:
        return True  # the API server does not evict a pod with two budgets
    return any(_never_allows(b) and not (running.unready and b.spares_only_ready) for b in bearing)


def _never_allows(budget: PodDisruptionBudget) -> bool:
    return budget.max_unavailable in (0, "0%") or budget.min_available == "100%"


@lru_cache(maxsize=1024)
def go_seconds(text: str) -> float:
    """Return a duration as Go writes it, in seconds, or 0 for a text that is not a duration."""
    if not is_go_duration(text) or text.startswith("-"):
        return 0
    return sum_in_turn(float(number) * _SECONDS[unit] for number, unit in _PART.findall(text))


@dataclass(frozen=True, slots=True)
class TopologyPods:
    """Equal pods that already run on one node, as topology sees them. `node` is the node's name.

    One that is about to end (`counted` is False) no longer counts in any domain, but still repels others.
    """

    pod: Pod
    node: str
    counted: bool = True
    pods: int = 1
