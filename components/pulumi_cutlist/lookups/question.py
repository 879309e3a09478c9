"""A look-up of a program as values: what is asked and where, and what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cutlist.core.errors import Place


class Kind(StrEnum):
    """What is looked up."""

    FUNCTION = "function"
    """The result of a provider's function, such as `aws:index/getCallerIdentity:getCallerIdentity`."""
    METHOD = "method"
    """The result of a method of a component that another process makes, such as the kubeconfig of an `eks.Cluster`."""
    RESOURCE = "resource"
    """The state of a resource that exists already, by its id."""
    STACK = "stack"
    """The outputs of another stack."""


class State(StrEnum):
    """How much of a look-up has an answer."""

    ANSWERED = "answered"
    PARTLY = "partly answered"
    """Some members have an answer, others a stand-in."""
    STAND_IN = "stand-in"
    """The program needs a value at once and gets one that stands in."""
    UNKNOWN = "unknown"
    """The program gets an output that is known only after an update, as of a resource that is not there yet."""


@dataclass(frozen=True, slots=True)
class Question:
    """A look-up: the token of a function or the type of a resource, its arguments, and the line of the program that asks.

    `provider` is the URN of the provider that is asked, empty for the default one. A program that `needs_value` goes on with
    a plain value; else it has an output, which may be unknown. `shape` describes the result: `string`, `number`, `boolean`,
    `any`, a list with the shape of its items, or a mapping of members; a map of names has the member `*`.
    """

    kind: Kind
    token: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    provider: str = ""
    file: str = ""
    line: int = 0
    needs_value: bool = False
    shape: Any = "any"

    @property
    def place(self) -> Place:
        """Return the line that asks."""
        return Place(self.file, line=self.line)

    @property
    def text(self) -> str:
        """Return what is asked in one line, such as `aws:ec2/getVpc:getVpc (default=true)`."""
        shown = ", ".join(f"{key}={_short(value)}" for key, value in sorted(self.arguments.items()) if value is not None)
        if self.kind is Kind.STACK:
            return f"the outputs of stack {self.arguments.get('name', '')}"
        if self.kind is Kind.RESOURCE:
            return f"the state of {self.token} {self.arguments.get('id', '')}".rstrip()
        return f"{self.token} ({shown})" if shown else self.token


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question. `result` is what the program gets; `source` says what it is from; `stand_ins` are the texts in
    it that stand in for others. `refusal` is why a provider would refuse the arguments, which fails the program."""

    state: State
    result: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    stand_ins: tuple[str, ...] = ()
    refusal: str = ""


def _short(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_short(inner)}" for key, inner in sorted(value.items())) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_short, value)) + "]"
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


_LONGEST = 80
