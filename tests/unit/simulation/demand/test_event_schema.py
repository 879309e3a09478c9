"""Files with events: the published schema and the reader agree on what such a file may have."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

import pytest
import yaml
from jsonschema import Draft202012Validator

from cutlist.core.errors import Problems
from cutlist.simulation.demand.event_files import read_event_file
from cutlist.simulation.demand.event_kinds import KINDS
from cutlist.verbs.schemas import FILES

VALIDATOR: Final = Draft202012Validator(FILES["events"])
WHOLE: Final[dict[str, Any]] = {
    "at": "90m",
    "capacityType": "spot",
    "condition": "Ready",
    "count": 2,
    "files": ["pools.yaml", "web.yaml"],
    "for": "1h30m",
    "instanceType": "m7g.large",
    "node": "ip-10-0-0-1",
    "nodePool": "general",
    "nodePools": ["general"],
    "reason": "KernelDeadlock",
    "replicas": 0,
    "status": "Unknown",
    "workload": "deployment/web",
    "zone": "us-west-2a",
}
"""A value for each member of any kind."""
WRONG: Final = (None, "", "x y", "-5m", "0s", 0, -1, 1.5, True, 2**40, [], [""], ["a", 1], {}, {"a": 1})


def event(kind: str) -> dict[str, Any]:
    """An event with all members that it may have."""
    return {"kind": kind, **{name: WHOLE[name] for name in (*KINDS[kind].required, *KINDS[kind].optional) if name != "kind"}}


def changed(kind: str) -> Iterator[dict[str, Any]]:
    """The event without each member, with another one, and with odd values in the place of each."""
    whole = event(kind)
    yield whole
    yield {**whole, "colour": "red"}
    for name in whole:
        yield {key: value for key, value in whole.items() if key != name}
        yield from ({**whole, name: deepcopy(value)} for value in WRONG)


def is_read(data: object, folder: Any) -> bool:
    file = folder / "events.yaml"
    file.write_text(yaml.safe_dump(data))
    problems = Problems()
    events = read_event_file(str(file), problems)
    assert bool(events) is not bool(problems.found)
    return bool(events)


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_and_the_reader_accept_the_same_events(kind, tmp_path):
    verdicts = {True: 0, False: 0}
    for written in changed(kind):
        data = {"events": [written]}
        is_valid = VALIDATOR.is_valid(data)
        assert is_read(data, tmp_path) is is_valid, written
        verdicts[is_valid] += 1
    assert min(verdicts.values()) > 1


@pytest.mark.parametrize(
    "at", ["2026-01-07T09:00:00Z", "2026-01-07T09:00:00+02:00", "2026-01-07", "0", "15", "1.5", 15, 1.5, "+5m", "1.5h", ".5h"]
)
def test_each_form_of_time_is_in_the_schema(at, tmp_path):
    data = {"events": [{"at": at, "kind": "ImageReleased"}]}
    assert VALIDATOR.is_valid(data)
    assert is_read(data, tmp_path)


@pytest.mark.parametrize(
    "data", [{}, {"events": []}, {"events": None}, {"events": {}}, {"events": [1]}, {"events": [], "x": 1}]
)
def test_a_file_without_events_is_neither_valid_nor_read(data, tmp_path):
    assert not VALIDATOR.is_valid(data)
    assert not is_read(data, tmp_path)


def test_the_schema_is_one():
    Draft202012Validator.check_schema(FILES["events"])
    assert [kind["title"] for kind in FILES["events"]["properties"]["events"]["items"]["oneOf"]] == list(KINDS)
