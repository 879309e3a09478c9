"""Recordings of a run that is cut, and goes on elsewhere: they are those of the run in one."""

from __future__ import annotations

import json
from datetime import datetime

from cutlist.core.instants import instant_text
from cutlist.simulation.checkpoint.parts import SavedParts
from cutlist.simulation.events import HOUR, MINUTE, SECOND, Event
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.simulation.recording.recorder import Recording
from cutlist.simulation.simulation import Simulation, simulate
from tests.unit.disruption.builders import cluster, pool
from tests.unit.disruption.claims import NOON
from tests.unit.simulation.builders import group, inputs, settings

VALIDATION = 15
SCALE_IN = 20 * MINUTE


def demand() -> list[Event]:
    """A pod less, and another pod for its room before the node is removed: the first command is dropped."""
    return [
        ReplicasSet(SCALE_IN, "deployment/web", 1),
        ReplicasSet(SCALE_IN + 40 * SECOND, "deployment/api", 1),
        ReplicasSet(SCALE_IN + 10 * MINUTE, "deployment/api", 0),
    ]


def of() -> SimulationInputs:
    return inputs(group("web", cpu="1500m", count=2), group("api", cpu="1"), of=cluster(pools=[pool(after="30s")]))


def begun() -> Simulation:
    return Simulation(of(), demand(), settings(1))


def elsewhere(simulation: Simulation) -> Simulation:
    """The simulation as another process reads it."""
    saved = simulation.saved()
    text = json.dumps([saved.shared, saved.parts])
    return Simulation.resumed(of(), demand(), settings(1), SavedParts(*json.loads(text)))


def texts(recordings: list[Recording]) -> list[str]:
    return [json.dumps([r.name, r.scenario, r.answer, r.files]) for r in recordings]


def windows(recordings: list[Recording]) -> list[int]:
    """When commands that are validated were decided, in milliseconds."""
    delayed = [r.scenario for r in recordings if "during" in r.scenario.get("disruption", {})]
    return [round((datetime.fromisoformat(s["now"]).timestamp() - NOON) * SECOND) for s in delayed]


def test_a_cut_between_a_command_and_its_validation_changes_no_recording():
    """At each second of both windows: of a command that is dropped, and of one that is carried out."""
    whole: list[Recording] = []
    run = begun()
    simulate(run, HOUR, whole.append)
    assert {c.outcome for c in run.result().commands} == {"executed", "dropped: churn"}
    decided = windows(whole)
    assert len(decided) == 2
    first, parts = begun(), []
    for cut in (at + second * SECOND for at in decided for second in range(1, VALIDATION)):
        simulate(first, cut, parts.append)
        assert first.world.recorder.waits
        first, rest = elsewhere(first), list(parts)
        simulate(elsewhere(first), HOUR, rest.append)
        assert texts(rest) == texts(whole)
    simulate(first, HOUR, parts.append)
    assert texts(parts) == texts(whole)


def test_a_round_that_was_decided_without_a_recorder_is_not_recorded():
    """The second part begins with what comes after it."""
    whole: list[Recording] = []
    rest: list[Recording] = []
    simulate(begun(), HOUR, whole.append)
    cut = windows(whole)[0] + 7 * SECOND
    first = begun()
    simulate(first, cut)
    simulate(elsewhere(first), HOUR, rest.append)
    assert texts(rest) == texts([r for r in whole if r.scenario["now"] > instant_text(NOON + cut / SECOND)])


def test_a_part_without_a_recorder_ends_what_was_to_be_recorded():
    whole: list[Recording] = []
    parts: list[Recording] = []
    simulate(begun(), HOUR, whole.append)
    first = begun()
    simulate(first, windows(whole)[0] + 7 * SECOND, parts.append)
    second = elsewhere(first)
    simulate(second, second.world.now + SECOND)
    simulate(elsewhere(second), HOUR, parts.append)
    decided = next(r.name for r in whole if "during" in r.scenario.get("disruption", {}))
    assert texts(parts) == texts([r for r in whole if r.name != decided])


def test_a_command_without_validation_is_recorded_at_once():
    whole: list[Recording] = []
    parts: list[Recording] = []
    simulate(begun(), HOUR, whole.append)
    simulate(begun(), SCALE_IN + 12 * SECOND, parts.append)
    assert texts(parts) == texts([r for r in whole if r.scenario["now"] < instant_text(NOON + SCALE_IN / SECOND + 12)])
