"""A recorder of simulations: it gives each pass and each round of disruption away as a scenario with the answer of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from cutlist.core.identity import SameObject
from cutlist.core.values import dataclass
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.evaluation import Outcome
from cutlist.disruption.methods import Method
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.inputs import takes_part
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.refusals import NOTHING_LEFT
from cutlist.scheduling.results import Results
from cutlist.simulation.recording.answers import NO_POOLS, full_name, outcome_form, pass_form
from cutlist.simulation.recording.scenario import (
    PROVIDER,
    disruption_settings,
    marked_nodes,
    scenario_form,
)
from cutlist.simulation.recording.types_form import provider_form, types_form
from cutlist.state.pods import RunningPod

SCHEDULE: Final = "schedule"
DISRUPT: Final = "disrupt"
"""The kinds of recordings, named after the programs of the oracle that answer them."""
_PROVIDERS: Final = "providers.json"
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


@dataclass(slots=True)
class _Round:
    """A round of disruption that is going on: its cluster, the pods that wait, and what methods decided."""

    state: ClusterState
    waiting: Sequence[Group]
    outcomes: dict[Method, Outcome] = field(default_factory=dict)


class Recorder:
    """Gives each pass and each round of a simulation to `sink` once it is over; `close` gives the last one."""

    __slots__ = ("_files", "_number", "_round", "_sink", "_types")

    def __init__(self, sink: Callable[[Recording], object]) -> None:
        self._sink = sink
        self._number = 0
        self._round: _Round | None = None
        self._types: dict[SameObject, str] = {}
        self._files: dict[str, Any] = {}

    def note_pass(self, state: ClusterState, groups: Sequence[Group], waiting: int, results: Results) -> None:
        """Record a pass over groups of equal pods, the first of which wait; the others run on nodes that are being removed."""
        self.close()
        names = [[full_name(p.pod.namespace, p.name) for p in pods] for _, pods in groups]
        without = NOTHING_LEFT if any(map(takes_part, state.pools.values())) else NO_POOLS
        answer = pass_form(names, results, without)
        marked = marked_nodes(state)
        more = {"markedForDeletion": marked} if marked else {}
        self._emit(SCHEDULE, state, [pod for _, pods in groups[:waiting] for pod in pods], more, answer)

    def note_method(self, state: ClusterState, waiting: Sequence[Group], method: Method, outcome: Outcome) -> None:
        """Record what a disruption method decided in a round, which begins with another state."""
        if self._round is None or self._round.state is not state:
            self.close()
            self._round = _Round(state, waiting)
        self._round.outcomes[method] = outcome

    def close(self) -> None:
        """Give away the round that is going on, if there is one."""
        current, self._round = self._round, None
        if current is None:
            return
        names = [[f"{p.pod.namespace}/{p.name}" for p in pods] for _, pods in current.waiting]
        methods = {str(method): outcome_form(outcome, names) for method, outcome in current.outcomes.items()}
        more = {"disruption": disruption_settings(current.state)}
        self._emit(DISRUPT, current.state, [p for _, pods in current.waiting for p in pods], more, {"methods": methods})

    def _emit(
        self, kind: str, state: ClusterState, pending: Sequence[RunningPod], more: Mapping[str, Any], answer: Mapping[str, Any]
    ) -> None:
        self._number += 1
        name = f"{self._number:06d}-{kind}"
        by_pool = {pool: self._file_of(state.types[pool]) for pool in state.pools}
        types = {file: state.types[pool] for pool, file in by_pool.items()}
        forms = {file: self._files.get(file) or types_form(listed) for file, listed in types.items()}
        self._files = {_PROVIDERS: self._files.get(_PROVIDERS) or {PROVIDER: provider_form(state.registry)}, **forms}
        scenario = {**scenario_form(state, pending, by_pool, name), **more}
        self._sink(Recording(name, kind, scenario, answer, self._files))

    def _file_of(self, types: Sequence[InstanceType]) -> str:
        """Return the file with some instance types; pools with the same types share one."""
        return self._types.setdefault(SameObject(types), f"types/recorded-{len(self._types) + 1}.json")
