"""What Karpenter says of pods when it looks at them: of do-not-disrupt on nodes, and of waiting pods that it ignores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from cutlist.api.durations import is_readable, nanoseconds
from cutlist.core.instants import instant_text
from cutlist.core.labels import NODEPOOL
from cutlist.core.requirement import Operator
from cutlist.disruption.candidates import DisruptionClass
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.disruptable import blocking_pod
from cutlist.disruption.evaluation import MethodInputs
from cutlist.disruption.simulation import SimulatedPass, Simulator
from cutlist.scheduling.inputs import full_requirements, ignored_because
from cutlist.scheduling.queue import PodBatch
from cutlist.state.pods import RunningPod, tolerates_disruption
from cutlist.state.statenode import StateNode
from tests.conformance.go_durations import parse_error

ELAPSED: Final = "The karpenter.sh/do-not-disrupt grace period has elapsed, pod is now disruptable"


class WatchedSimulator(Simulator):
    """A simulator that remembers whether it simulated, and the nodes whose pods Karpenter looked at in doing so."""

    def __init__(self, cluster: ClusterState) -> None:
        super().__init__(cluster)
        self.has_simulated = False
        self.looked_at: dict[str, StateNode] = {}

    def without(self, removed: Iterable[StateNode], *, blocked_too: bool = False, **kwargs: Any) -> SimulatedPass:
        nodes = tuple(removed)
        self.has_simulated = True
        leaving = [n for n in self.cluster.nodes if n.state.removed]
        self.looked_at |= {n.name: n for n in (*leaving, *(() if blocked_too else nodes))}
        return super().without(nodes, blocked_too=blocked_too, **kwargs)


def watched(inputs: MethodInputs) -> MethodInputs:
    """Return the inputs with simulators that remember what they did."""
    simulator = WatchedSimulator(inputs.cluster)
    is_same = inputs.later is inputs.simulator
    return replace(inputs, simulator=simulator, later=simulator if is_same else WatchedSimulator(inputs.later.cluster))


def pod_events(inputs: MethodInputs) -> dict[str, list[str]]:
    """Return the events on pods, after the methods were asked."""
    events: dict[str, dict[str, None]] = {}
    for name, text in (*_of_nodes(inputs), *_of_simulations(inputs)):
        events.setdefault(name, {})[text] = None
    return {name: list(texts) for name, texts in events.items()}


def _of_nodes(inputs: MethodInputs) -> Iterator[tuple[str, str]]:
    """Yield the events on pods of nodes that may be candidates, up to the first pod that protects its node."""
    cluster = inputs.cluster
    for node in cluster.nodes:
        texts = [
            inputs.of_class(of).blocked.get(node.name) for of in DisruptionClass if of.value != "repair" or cluster.repairs
        ]
        blocker = blocking_pod(node.pods, cluster.evictions, cluster.now)
        if not any(text is None or (text and text == blocker) for text in texts):
            continue
        for pod in node.pods:
            yield from _of_pod(pod, cluster.now)
            if pod.active and pod.held(cluster.now):
                break


def _of_simulations(inputs: MethodInputs) -> Iterator[tuple[str, str]]:
    """Yield the events on pods that simulations looked at, and on waiting pods that they ignored."""
    simulators = [inputs.simulator] if inputs.later is inputs.simulator else [inputs.simulator, inputs.later]
    for simulator in simulators:
        if not isinstance(simulator, WatchedSimulator) or not simulator.has_simulated:
            continue
        cluster = simulator.cluster
        for node in simulator.looked_at.values():
            for pod in node.pods:
                if pod.reschedulable or not (tolerates_disruption(pod) or "Node" in pod.owners):
                    yield from _of_pod(pod, cluster.now)
        for batch in cluster.pending:
            problem = _problem(batch, cluster)
            if problem:
                text = f"FailedScheduling: Failed to schedule pod, {problem}"
                names = [batch.name] if batch.count == 1 else [f"{batch.name}-{i}" for i in range(batch.count)]
                yield from ((f"{batch.pod.namespace}/{name}", text) for name in names)


def _problem(batch: PodBatch, cluster: ClusterState) -> str | None:
    """Return why a waiting pod is ignored; Karpenter says nothing of pods that do not want its nodes."""
    nodepool = full_requirements(batch.pod, cluster.registry).get(NODEPOOL)
    if nodepool is not None and nodepool.operator is Operator.DOES_NOT_EXIST:
        return None
    volumes = cluster.storage.of_pod(batch.pod, batch.name, cluster.registry)
    problems = (ignored_because(batch.pod, cluster.registry), volumes.problem)
    return "; ".join(filter(None, problems))


def _of_pod(pod: RunningPod, now: float) -> Iterator[tuple[str, str]]:
    event = pod_event(pod, now) if pod.active else None
    if event is not None:
        yield f"{pod.pod.namespace}/{pod.name}", ": ".join(event)


def pod_event(pod: RunningPod, now: float) -> tuple[str, str] | None:
    """Return the reason and text of the event on a pod, or None without one."""
    text = pod.do_not_disrupt
    if not text or text == "true":
        return None
    error = duration_error(text)
    if error:
        return "InvalidDoNotDisruptAnnotation", f"Invalid karpenter.sh/do-not-disrupt annotation: {error}, ignoring annotation"
    if pod.started is None:
        return None
    end = pod.started + nanoseconds(text) / 1e9
    if now < end:
        return "DoNotDisruptUntil", f"The karpenter.sh/do-not-disrupt grace period will elapse at {instant_text(end)}"
    return "DoNotDisruptGracePeriodElapsed", ELAPSED


def duration_error(text: str) -> str:
    if not is_readable(text):
        return f'failed to parse "{text}" as a duration: {parse_error(text)}'
    return f'duration "{text}" must be positive' if nanoseconds(text) <= 0 else ""
