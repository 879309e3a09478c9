"""How a program failed, as plain data between its process and the one that judges it."""

from __future__ import annotations

import json

from pulumi_cutlist.program.failure import Failure, FailureReason

from cutlist.core.errors import InputError, Place, Problem, UnknownMember
from cutlist.core.records import data_of, read
from cutlist.core.secrecy import Secrets
from cutlist.workloads.chosen_replicas import NoSuchWorkload

FAILURE = Failure(FailureReason.INPUT, problems=(Problem(Place("a.yaml"), "has none", details=("b.yaml is not read",)),))


def test_details_of_a_mistake_arrive() -> None:
    """The error of the configuration that says the same appears once."""
    failure = read(Failure, json.loads(json.dumps(data_of(FAILURE))), "a failure")
    error = failure.error(FAILURE.problems)
    assert isinstance(error, InputError)
    assert error.problems == FAILURE.problems


def test_mistakes_of_every_kind_arrive() -> None:
    """What a kind has beyond the others is for the process that found it."""
    place = Place("a.yaml", path="spec")
    found = (UnknownMember(place, "has no x"), NoSuchWorkload(place, "has no web", "other", chosen="web=3"))
    assert {kind.__name__ for kind in Problem.__subclasses__()} <= {type(problem).__name__ for problem in found}
    failure = read(Failure, json.loads(json.dumps(data_of(Failure(FailureReason.INPUT, problems=found)))), "a failure")
    assert [*map(str, failure.problems)] == [*map(str, found)]


def test_details_say_nothing_secret() -> None:
    assert "b.yaml" not in str(FAILURE.without(Secrets.of(["b.yaml"])).problems[0])
