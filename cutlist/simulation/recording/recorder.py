"""A recorder of simulations: it hands over each pass and each round of disruption as a scenario with the answer of the run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.identity import SameObject
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.evaluation import MethodOutcome
from cutlist.disruption.methods import Method
from cutlist.providers.instance_types import InstanceType
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
from cutlist.simulation.recording.pod_manifests import present
from cutlist.simulation.recording.scenario import (
    PROVIDER,
    changes_between,
    disruption_settings,
    marked_nodes,
    provider_form,
    scenario_form,
    types_form,
)
from cutlist.state.pods import RunningPod

SCHEDULE: Final = "schedule"
DISRUPT: Final = "disrupt"
"""The kinds of recordings, named after the programs of the oracle that answer them."""
_PROVIDERS: Final = "providers.json"
_DIGITS: Final = 12
Group = tuple[PodBatch, list[RunningPod]]


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
