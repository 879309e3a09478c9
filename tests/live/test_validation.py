"""What a real API server confirmed of the recorded verdicts, and how its answers are read."""

from __future__ import annotations

from typing import Any

import pytest

from tests.live.validating import CAUSES, Confirmation, Verdict, causes_of, digest, recorded


def test_a_real_api_server_was_asked_everything_that_is_recorded():
    """New cases, and answers that changed, are to be asked again: `make live`."""
    assert recorded()["questions"] == digest()
    assert recorded()["equal"] == {"AWS 1.14.1": 1482, "AWS 1.15.1": 130, "Azure 1.14.0": 502, "workloads": 837}


def test_each_difference_has_a_cause_and_each_cause_a_difference():
    assert recorded()["different"] == dict(sorted(CAUSES.items()))


@pytest.mark.parametrize(
    ("status", "causes"),
    [
        ("404 page not found", [{"path": "", "message": "404 page not found"}]),
        ({"message": "no such class"}, [{"path": "", "message": "no such class"}]),
        (
            {"message": 'strict decoding error: unknown field "spec.a", unknown field "spec.b"'},
            [{"path": path, "message": f'unknown field "{path}"'} for path in ("spec.a", "spec.b")],
        ),
        (
            {"details": {"causes": [{"field": "spec.a", "message": "Required value"}]}},
            [{"path": "spec.a", "message": "Required value"}],
        ),
    ],
)
def test_causes_are_read_from_whatever_the_server_answers(status: Any, causes: list[dict[str, str]]):
    assert causes_of(status) == causes


def test_an_answer_that_differs_without_a_known_cause_is_unexplained():
    confirmation = Confirmation()
    confirmation.add("a", "right", [])
    confirmation.add("a", "wrong", ["verdict: no"])
    confirmation.add("a", "token without account", ["verdict: no"])
    assert confirmation.equal == {"a": 1}
    assert confirmation.unexplained == {"wrong": ["verdict: no"]}


def test_what_has_no_path_could_not_be_decoded():
    assert Verdict(True).paths == []
    assert Verdict(False, ({"path": "", "message": "no"},)).paths is None
    assert Verdict(False, ({"path": "b", "message": ""}, {"path": "a", "message": ""})).paths == ["a", "b"]
