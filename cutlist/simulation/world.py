"""What all parts of a simulation share: the present instant, the cluster, the events to come, the ledger."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

from cutlist.simulation.event_queue import EventQueue
from cutlist.simulation.events import SECOND, Event, PodReady, PodStopped
from cutlist.simulation.ledger import Ledger, NodeLife
from cutlist.simulation.pods import key_of
from cutlist.simulation.recording.recorder import Recorder
from cutlist.simulation.settings import SimulationSettings
from cutlist.simulation.state import SimulatedCluster
from cutlist.state.pods import RunningPod


@dataclass(slots=True)
class World:
    """A simulation at its present instant `now`, in milliseconds since its start.

    `ready` are the pods that are ready, `starts` how often pods have been bound, by `namespace/name`; `ready_of` is how many of
    a workload are ready, and `pods_made` how many pods have been made in all. `noticed` are the waiting pods that Karpenter
    knows of. `planned_lives` are nodes whose instances are being launched, by name, and `own_drift` the cloud's reasons why
    nodes have drifted. The `recorder` is given each pass and each round, whose number so far is `decisions`.
    """

    NOT_SAVED: ClassVar[frozenset[str]] = frozenset(("settings",))

    settings: SimulationSettings
    cluster: SimulatedCluster
    queue: EventQueue
    ledger: Ledger
    now: int = 0
    pods_made: int = 0
    ready: set[str] = field(default_factory=set)
    ready_of: Counter[str] = field(default_factory=Counter)
    starts: dict[str, int] = field(default_factory=dict)
    noticed: set[str] = field(default_factory=set)
    planned_lives: dict[str, NodeLife] = field(default_factory=dict)
    own_drift: dict[str, str] = field(default_factory=dict)
    decisions: int = 0
    recorder: Recorder = field(default_factory=Recorder)

    @property
    def instant(self) -> float:
        """Return the present instant in seconds since 1970."""
        return self.settings.instant(self.now)

    def next_decision(self) -> int:
        """Return the number of a pass or of a round that begins, from 1; a resumed run continues to count."""
        self.decisions += 1
        return self.decisions

    def advance(self, at: int) -> None:
        """Advance to a later instant."""
        self.now = at
        self.cluster.now = self.instant

    def push(self, event: Event) -> None:
        """Schedule an event, now or later."""
        self.queue.push(event)

    def create_pod(self, pod: RunningPod, workload: str) -> str:
        """Add a pod that waits for a node, and return its `namespace/name`."""
        key = key_of(pod)
        self.cluster.add_pending(pod, workload)
        self.ledger.pod_waits(key, self.now)
        return key

    def bind_pod(self, key: str, node: str) -> None:
        """Bind a pod to a node now; it becomes ready after the time that pods take to start."""
        pod = self.cluster.bind(key, node)
        self.ledger.pod_bound(key, self.cluster.workload_of.get(key, ""), self.now)
        self.ledger.room(pod.pod.requests.get("cpu", 0), 0)
        self.starts[key] = self.starts.get(key, 0) + 1
        self.push(PodReady(self.now + self.settings.pod_start, key, self.starts[key]))

    def delete_pod(self, key: str, longest: int | None = None) -> None:
        """Delete a pod: at once if it waits, else once its containers have stopped, in `longest` milliseconds at most."""
        pod = self.cluster.pods[key]
        if key in self.cluster.pending:
            self.forget_pod(key)
            self.remove_pod(key)
            return
        if pod.terminating:
            return
        # Most programs end well before their grace period does.
        grace = min(pod.grace * SECOND, self.settings.pod_stop)
        takes = grace if longest is None else min(grace, longest)
        self.not_ready(key)
        self.cluster.terminate(key, self.cluster.stamp + pod.grace)
        self.push(PodStopped(self.now + takes, key))

    def remove_pod(self, key: str) -> RunningPod:
        """Remove a pod that no longer exists, and return it as it was."""
        pod = self.cluster.remove_pod(key)
        if pod.node:
            self.ledger.room(-pod.pod.requests.get("cpu", 0), 0)
        return pod

    def now_ready(self, key: str) -> None:
        """Count a pod as healthy."""
        self.ready.add(key)
        self.ready_of[self.cluster.workload_of.get(key, "")] += 1
        self.cluster.budgets.count_healthy(self.cluster.pods[key].pod, 1)

    def not_ready(self, key: str) -> None:
        """Stop counting a pod as healthy."""
        if key in self.ready:
            self.ready.remove(key)
            self.ready_of[self.cluster.workload_of.get(key, "")] -= 1
            self.cluster.budgets.count_healthy(self.cluster.pods[key].pod, -1)

    def forget_pod(self, key: str) -> None:
        """Forget what is known about a pod outside the cluster."""
        self.not_ready(key)
        self.ledger.pod_ended(key, self.cluster.workload_of.get(key, ""), self.now)
        self.starts.pop(key, None)
