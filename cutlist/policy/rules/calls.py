"""Operations of AWS that schedules and state machines call by themselves, without a program that asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.policy.rules.parts import Part, Resource

_SCHEDULES: Final = ("aws:scheduler/schedule:Schedule", "aws-native:scheduler:Schedule")
_STATES: Final = ("aws:sfn/stateMachine:StateMachine", "aws-native:stepfunctions:StateMachine")
CALLERS: Final = (*_SCHEDULES, *_STATES)
"""The types of what calls operations."""
_DEFINITIONS: Final = ("definition", "definitionString")
_REQUESTS: Final = ("Parameters", "Arguments")


@dataclass(frozen=True, slots=True)
class Call:
    """A call: the part that names the operation, as an ARN, and what it is called with."""

    target: Part
    request: Part


def calls_of(resource: Resource) -> Iterator[Call]:
    """Yield the calls of a schedule, or of all states of a state machine.

    Raises NotKnownError for what only an update knows.
    """
    if resource.type in _SCHEDULES:
        target = resource.at("target")
        written = target.at("input").document()
        yield Call(target.at("arn"), Part(resource, "target.input", written))
        return
    for name in _DEFINITIONS:
        definition = resource.at(name)
        if definition.is_there:
            yield from _of_states(resource, name, definition.document())


def _of_states(resource: Resource, path: str, data: Any) -> Iterator[Call]:
    """Yield the calls of states at any depth: maps and parallel states have states of their own."""
    if isinstance(data, Mapping):
        if isinstance(data.get("Resource"), str):
            request: Mapping[str, Any] = next((data[name] for name in _REQUESTS if isinstance(data.get(name), Mapping)), {})
            yield Call(Part(resource, f"{path}.Resource", data["Resource"]), Part(resource, f"{path}.Parameters", request))
        for key, value in data.items():
            yield from _of_states(resource, f"{path}.{key}", value)
    elif isinstance(data, list | tuple):
        for number, value in enumerate(data):
            yield from _of_states(resource, f"{path}[{number}]", value)
