"""The state of a simulation in a file: who may go on from it."""

from __future__ import annotations

import pytest

from cutlist import InputError
from cutlist.core.errors import Place
from cutlist.simulation.checkpoint.parts import SavedParts
from cutlist.verbs.digests import digest_of
from cutlist.verbs.simulate import state as simulate_state
from cutlist.verbs.simulate.state import read_state, state_text

PARTS = SavedParts({"Condition": ["cutlist.state.statenode", "status"]}, [["tuple", 1], ["list", [0], 0.5]], {"world.now": 5})
RUN = {"inputs": digest_of("pods"), "demand": digest_of("curves"), "typical": "web", "days": 7.0, "seed": 1}


@pytest.fixture
def state(tmp_path, monkeypatch):
    """A file with a state."""
    monkeypatch.setattr(simulate_state, "program_digest", lambda: "this")
    file = tmp_path / "state.json"
    file.write_text(state_text(PARTS, RUN))
    return file


def refused(file, run=RUN) -> str:
    with pytest.raises(InputError) as error:
        read_state(str(file), run)
    return str(error.value).replace(f"{file.parent}/", "")


def test_what_is_written_is_read(state):
    assert read_state(str(state), RUN) == PARTS
    assert state.read_text() == state_text(PARTS, RUN)


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
    monkeypatch.setattr(simulate_state, "_VERSION", 3)
    assert refused(state).startswith("state.json: has version 2 of its format; allowed: version 3, which this Cutlist writes")


def test_a_digest_is_of_what_counts():
    """Equal values have one digest, whatever they share; where something stands does not count."""
    labels = {"app": "web"}
    assert digest_of([labels, labels]) == digest_of([{"app": "web"}, {"app": "web"}])
    assert digest_of(Place("a.yaml")) == digest_of(Place("b.yaml"))
    assert len({digest_of(v) for v in (1, 1.0, "1", [1], (1,), {1}, {1: 1}, frozenset({1}), True, None)}) == 10
