"""How a program failed, as plain data between its process and the one that judges it."""

from __future__ import annotations

import json

from pulumi_cutlist.program.failure import Failure, FailureReason

from cutlist.core.errors import InputError, Place, Problem
from cutlist.core.records import data_of, read
from cutlist.core.secrecy import Secrets

FAILURE = Failure(FailureReason.INPUT, problems=(Problem(Place("a.yaml"), "has none", details=("b.yaml is not read",)),))


def test_details_of_a_mistake_arrive() -> None:
    """The error of the configuration that says the same appears once."""
    failure = read(Failure, json.loads(json.dumps(data_of(FAILURE))), "a failure")
    error = failure.error(FAILURE.problems)
    assert isinstance(error, InputError)
    assert error.problems == FAILURE.problems


def test_details_say_nothing_secret() -> None:
    assert "b.yaml" not in str(FAILURE.without(Secrets.of(["b.yaml"])).problems[0])
