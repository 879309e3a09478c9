"""A recorder of simulations: it hands over each pass and each round of disruption as a scenario with the answer of the run."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.identity import SameObject
from cutlist.core.labels import LabelRegistry
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.evaluation import MethodOutcome
from cutlist.disruption.methods import Method
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.inputs import takes_part
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.refusals import NOTHING_LEFT
from cutlist.scheduling.results import Results
from cutlist.simulation.recording.answers import (
    NO_POOLS,
    Form,
    commands_form,
    full_name,
    outcome_form,
    pass_form,
    virtual_names,
)
from cutlist.simulation.recording.pod_manifests import (
    Manifest,
    amounts_text,
    expressions_manifest,
    present,
    running_pod_manifest,
)
from cutlist.simulation.recording.scenario import (
    PROVIDER,
    disruption_settings,
    marked_nodes,
    objects_of,
    scenario_form,
)
from cutlist.state.pods import RunningPod

SCHEDULE: Final = "schedule"
DISRUPT: Final = "disrupt"
"""The kinds of recordings, named after the programs of the oracle that answer them."""
_PROVIDERS: Final = "providers.json"
_DIGITS: Final = 12
Group = tuple[PodBatch, list[RunningPod]]
_REMOVED: Final = ("Pod", "Node", "NodeClaim")
"""The kinds of objects that a scenario can remove. Of others that end with a node nothing depends."""
_WAITS: Final = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
Instant = tuple[ClusterState, Iterable[RunningPod]]
"""A cluster and its pods without a node."""
_Identity = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Recording:
    """A pass or a round: its scenario, the run's own answer, and the other files that the scenario names, by their path.

    Files of the same path are the same in all recordings of a run.
    """

    name: str
    kind: str
    scenario: Mapping[str, Any]
    answer: Mapping[str, Any]
    files: Mapping[str, Any]


Sink = Callable[[Recording], object]
"""What takes each recording."""


@dataclass(slots=True)
class WaitingRound:
    """A round of disruption that is going on: its number, its cluster, the pods that wait, and the answers of its methods.

    `during` is what changes until a command is validated, if that is known.
    """

    number: int
    state: ClusterState
    waiting: Sequence[Group]
    answers: dict[str, Form] = field(default_factory=dict)
    during: Mapping[str, Any] | None = None

    @property
    def pending(self) -> list[RunningPod]:
        """Return the pods that wait."""
        return [pod for _, pods in self.waiting for pod in pods]

    @property
    def names(self) -> list[list[str]]:
        """Return the names of the pods that wait, by batch."""
        return [[f"{p.pod.namespace}/{p.name}" for p in pods] for _, pods in self.waiting]


class Recorder:
    """Hands over each pass and each round of a simulation once it is over, if `begin` has said to whom.

    A round is over once its command is validated. The state of a simulation includes a round that waits for that, so a run
    that goes on hands it over. Recordings have the numbers of the passes and rounds, which continue if a run continues.
    """

    __slots__ = ("_files", "_round", "_sink", "_types")
    NOT_SAVED: Final = frozenset(("_files", "_sink", "_types"))

    def __init__(self) -> None:
        self._sink: Sink | None = None
        self._round: WaitingRound | None = None
        self._types: dict[SameObject, str] = {}
        self._files: dict[str, Any] = {}

    @property
    def is_on(self) -> bool:
        """Tell whether passes and rounds are recorded."""
        return self._sink is not None

    @property
    def waits(self) -> bool:
        """Tell whether a round waits for the validation of its command."""
        return self._round is not None

    def begin(self, sink: Sink | None) -> None:
        """Hand recordings to `sink` from now on. Without one nothing is recorded, nor what was to be handed over."""
        self._sink = sink
        if sink is None:
            self._round = None

    def note_pass(self, number: int, state: ClusterState, groups: Sequence[Group], waiting: int, results: Results) -> None:
        """Record a pass over groups of equal pods, the first of which wait; the others run on nodes that are being removed, or
        are virtual ones of CapacityBuffers."""
        names = [_names(batch, pods) for batch, pods in groups]
        without = NOTHING_LEFT if any(map(takes_part, state.pools.values())) else NO_POOLS
        answer = pass_form(names, results, without)
        marked = marked_nodes(state)
        more = {"markedForDeletion": marked} if marked else {}
        self._emit(number, SCHEDULE, state, [pod for _, pods in groups[:waiting] for pod in pods], more, answer)

    def note_method(
        self, number: int, state: ClusterState, waiting: Sequence[Group], method: Method, outcome: MethodOutcome
    ) -> None:
        """Record what a disruption method decided in the round of a number."""
        if self._round is None or self._round.number != number:
            self.close()
            self._round = WaitingRound(number, state, waiting)
        self._round.answers[str(method)] = outcome_form(outcome, self._round.names)

    def note_validation(
        self, state: ClusterState, pending: Iterable[RunningPod], method: Method, command: Command | None
    ) -> None:
        """Record what is left of the command of the round that is going on once it is validated, in the cluster as it is then.

        Where a scenario cannot say what has changed meanwhile, the round has the command as it was decided.
        """
        current = self._round
        if current is None:
            return
        current.during = changes_between((current.state, current.pending), (state, pending))
        if current.during is not None:
            commands = commands_form([] if command is None else [command], current.names)
            current.answers[str(method)] = {**current.answers[str(method)], "commands": commands}
        self.close()

    def close(self) -> None:
        """Hand over the round that is going on, if there is one."""
        current, self._round = self._round, None
        if current is None:
            return
        more = {"disruption": {**disruption_settings(current.state), **present(during=current.during)}}
        self._emit(current.number, DISRUPT, current.state, current.pending, more, {"methods": current.answers})

    def _emit(
        self,
        number: int,
        kind: str,
        state: ClusterState,
        pending: Sequence[RunningPod],
        more: Mapping[str, Any],
        answer: Mapping[str, Any],
    ) -> None:
        name = f"{number:06d}-{kind}"
        by_pool = {pool: self._file_of(state.types[pool]) for pool in state.pools}
        types = {file: state.types[pool] for pool, file in by_pool.items()}
        forms = {file: self._files.get(file) or types_form(listed) for file, listed in types.items()}
        self._files = {_PROVIDERS: self._files.get(_PROVIDERS) or {PROVIDER: provider_form(state.registry)}, **forms}
        scenario = {**scenario_form(state, pending, by_pool, name), **more}
        assert self._sink is not None  # noqa: S101 - nothing is noted without one
        self._sink(Recording(name, kind, scenario, answer, self._files))

    def _file_of(self, types: Sequence[InstanceType]) -> str:
        """Return the file with some instance types; pools with the same types share one, and so do the parts of a run."""
        known = self._types.get(SameObject(types))
        if known is None:
            # Named by their content: parts of a run that are recorded apart write the same files.
            digest = hashlib.sha256(json.dumps(types_form(types)).encode()).hexdigest()
            known = self._types[SameObject(types)] = f"types/recorded-{digest[:_DIGITS]}.json"
        return known


def _names(batch: PodBatch, pods: Sequence[RunningPod]) -> list[str]:
    """Return the names of equal pods."""
    named = virtual_names(batch) if batch.virtual else [p.name for p in pods]
    return [full_name(batch.pod.namespace, name) for name in named]


def changes_between(before: Instant, after: Instant) -> Manifest | None:
    """Return what happens between two instants, such as a command and its validation, as scenarios have it
    (oracle/core/FORMAT.md), or None if a scenario cannot say it."""
    if not _can_be_said(before[0], after[0]):
        return None
    old, new = (dict(_by_identity(*instant)) for instant in (before, after))
    memory, later = before[0].controller_memory, after[0].controller_memory
    deleted = [identity for identity in old if identity not in new and identity[0] in _REMOVED]
    return present(
        delay=f"{after[0].now - before[0].now:.3f}s",
        apply=[manifest for identity, manifest in new.items() if old.get(identity) != manifest],
        delete=[{"kind": kind, **present(namespace=namespace), "name": name} for kind, namespace, name in deleted],
        nominated=sorted(n for n, at in later.nominated.items() if memory.nominated.get(n) != at),
        marked=sorted(set(marked_nodes(after[0])) - set(marked_nodes(before[0]))),
    )


def _can_be_said(before: ClusterState, after: ClusterState) -> bool:
    """Tell whether nothing has changed but objects, nominations and marks: no NodePool, no buffer, no command that failed."""
    is_same = before.pools is after.pools and before.types is after.types and before.buffers == after.buffers
    memory, later = before.controller_memory, after.controller_memory
    staying = {node.name for node in after.nodes if not node.state.removed}
    return is_same and memory.buffered == later.buffered and not (memory.queued - later.queued) & staying


def _by_identity(state: ClusterState, pending: Iterable[RunningPod]) -> Iterator[tuple[_Identity, Manifest]]:
    for manifest in (*objects_of(state), *map(_waiting, pending)):
        metadata = manifest["metadata"]
        yield (manifest["kind"], metadata.get("namespace", ""), metadata["name"]), manifest


def _waiting(pod: RunningPod) -> Manifest:
    """Return a pod that kube-scheduler has found no node for."""
    manifest = running_pod_manifest(pod)
    return {**manifest, "status": {"phase": "Pending", **manifest.get("status", {}), "conditions": [_WAITS]}}


def types_form(types: Iterable[InstanceType]) -> list[dict[str, Any]]:
    """Return instance types as a scenario has them. A price that is unknown is null."""
    return [
        {
            "name": t.name,
            "requirements": expressions_manifest(t.requirements.expressions()),
            "capacity": amounts_text(t.capacity),
            **_overhead("overhead", t.overhead),
            "offerings": [_offering(o) for o in t.offerings],
            **present(volumeAttachmentLimits=dict(t.attach_limits)),
        }
        for t in types
    ]


def _offering(offering: Offering) -> dict[str, Any]:
    price = offering.price
    return {
        "requirements": expressions_manifest(offering.requirements.expressions()),
        "price": None if price is None or math.isnan(price) else price,
        "available": offering.available,
        **present(reservationCapacity=offering.reservation_capacity or None),
        **present(capacityOverride=amounts_text(offering.capacity_override)),
        **_overhead("overheadOverride", offering.overhead_override),
    }


def _overhead(name: str, amounts: Mapping[str, int]) -> dict[str, Any]:
    """Return all overhead as that of the kubelet: nothing depends on its kinds."""
    return {name: {"kubeReserved": amounts_text(amounts)}} if amounts else {}


def provider_form(registry: LabelRegistry) -> dict[str, Any]:
    """Return what a provider registers about labels and resources."""
    return present(
        wellKnownLabels=sorted(registry.well_known),
        restrictedLabelDomains=sorted(registry.restricted_domains),
        normalizedLabels=dict(sorted(registry.normalized.items())),
        wellKnownResources=sorted(registry.well_known_resources),
        wellKnownValues={key: sorted(values) for key, values in sorted(registry.well_known_values.items())},
        reservationIDLabel=registry.reservation_id,
    )
