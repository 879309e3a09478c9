"""The state of a simulation in a file: who may go on from it."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from cutlist import InputError
from cutlist.core.errors import Place
from cutlist.simulation.checkpoint.parts import SavedParts
from cutlist.simulation.simulation import Simulation
from cutlist.verbs.digests import digest_of
from cutlist.verbs.schemas import FILES
from cutlist.verbs.simulate import state as simulate_state
from cutlist.verbs.simulate.state import read_state, state_text
from tests.unit.simulation.builders import settings
from tests.unit.simulation.test_checkpoint import HOURS, everything

PARTS = SavedParts([{"tuple": [1]}, {"list": [{"shared": 0}, 0.5]}], {"world": {"now": 5, "ready": {"shared": 1}}})
RUN = {"inputs": digest_of("pods"), "demand": digest_of("curves"), "typical": "web", "days": 7.0, "seed": 1}
NOON = 1_767_614_400.0


@pytest.fixture
def state(tmp_path, monkeypatch):
    """A file with a state."""
    monkeypatch.setattr(simulate_state, "program_digest", lambda: "this")
    file = tmp_path / "state.json"
    file.write_text(state_text(PARTS, RUN, NOON))
    return file


def checked(text: str) -> str:
    """A file whose checksum is right."""
    return f'{text},\n"checksum":"{sha256(text.encode()).hexdigest()}"\n}}\n'


def signed(members: dict[str, Any]) -> str:
    """A file with these members."""
    lines = [f"{json.dumps(name)}:{json.dumps(value)}" for name, value in members.items()]
    return checked(",\n".join(['{\n"format":"cutlist simulation state"', *lines]))


def refused(file, run=RUN) -> str:
    with pytest.raises(InputError) as error:
        read_state(str(file), run)
    return str(error.value).replace(f"{file.parent}/", "")


def test_what_is_written_is_read(state):
    assert read_state(str(state), RUN) == PARTS
    assert state.read_text() == state_text(PARTS, RUN, NOON)


def test_the_state_of_another_run_is_refused_with_all_that_differs(state):
    problems = refused(state, {**RUN, "inputs": digest_of("others"), "seed": 2, "typical": ""})
    for text in (
        "other objects, or other settings of the plan;",
        "another typical week (web, not none)",
        "another seed (1, not 2)",
    ):
        assert f"state.json: is of a run with {text}" in problems
    assert "demand" not in problems


def test_a_file_that_is_not_as_it_was_written_is_refused(state, tmp_path):
    text = state.read_text()
    cases = [
        ("", "is not the state of a simulation"),
        ("{}", "is not the state of a simulation"),
        (text[:30], "is not the state of a simulation" if len(text[:30]) < 38 else "is not whole"),
        (text[:-40], "is not whole, or was changed"),
        (text[: len(text) // 2], "is not whole, or was changed"),
        (text.replace('"seed":1', '"seed":2'), "is not whole, or was changed"),
        (text + " ", "is not whole, or was changed"),
    ]
    for wrong, message in cases:
        (tmp_path / "wrong.json").write_text(wrong)
        assert refused(tmp_path / "wrong.json").startswith(f"wrong.json: {message}")


def test_the_state_of_another_cutlist_is_refused(state, monkeypatch):
    monkeypatch.setattr(simulate_state, "program_digest", lambda: "another")
    assert refused(state).startswith("state.json: was saved by another Cutlist, ")


def test_the_state_of_an_older_form_is_refused(state):
    members = {"version": 2, "cutlist": "1.0", "program": "", "run": RUN, "classes": {}, "objects": [], "state": {}}
    state.write_text(signed(members))
    assert refused(state).startswith("state.json: has version 2 of its format; allowed: version 7, which this Cutlist writes")


def test_a_state_without_its_members_is_refused_with_each_of_them(state):
    """Whoever changes a file can also compute its checksum."""
    state.write_text(signed({"version": 7, "cutlist": "1.0", "run": [], "shared": {}, "parts": {"world": 5}}))
    problems = refused(state)
    for text in (
        "state.json program: not the state of a simulation: is missing",
        "state.json run: not the state of a simulation: expected a mapping, found a list",
        "state.json shared: not the state of a simulation: expected a list, found a mapping",
        "state.json parts.world: not the state of a simulation: expected a mapping, found 5",
        "state.json instant: not the state of a simulation: is missing",
    ):
        assert text in problems
    state.write_text(signed({}))
    assert refused(state).startswith("state.json: has version none of its format")


@pytest.mark.parametrize("text", ['{"a"}', "[" * 100_000])
def test_what_is_not_json_is_refused(state, text):
    state.write_text(checked(f'{{\n"format":"cutlist simulation state",\n"version":{text}'))
    assert refused(state).startswith("state.json: is not JSON; allowed: ")


def test_a_state_has_the_published_form(state):
    run = Simulation(everything(), [], settings(HOURS))
    validator = Draft202012Validator(FILES["simulation-state"])
    validator.validate(json.loads(state_text(run.saved(), RUN, NOON)))
    assert not validator.is_valid(json.loads(state.read_text()))  # it has one part


def test_a_digest_is_of_what_counts():
    """Equal values have one digest, whatever they share; where something stands does not count."""
    labels = {"app": "web"}
    assert digest_of([labels, labels]) == digest_of([{"app": "web"}, {"app": "web"}])
    assert digest_of(Place("a.yaml")) == digest_of(Place("b.yaml"))
    assert len({digest_of(v) for v in (1, 1.0, "1", [1], (1,), {1}, {1: 1}, frozenset({1}), True, None)}) == 10
