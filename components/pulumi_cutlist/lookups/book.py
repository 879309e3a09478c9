"""The look-ups of a program, and which of its resources lack what they would find.

A look-up without an answer has a URN: outputs that wait for it depend on it, as they do on a resource, so an input that
lacks it names it among its dependencies. Texts that stand in are found in the inputs, which then count as unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from google.protobuf import struct_pb2
from pulumi.runtime import rpc
from pulumi.runtime.proto import resource_pb2

from cutlist.core.errors import nearest
from pulumi_cutlist.lookups.answers import Answers
from pulumi_cutlist.lookups.question import Answer, Question, State
from pulumi_cutlist.lookups.written import short_token
from pulumi_cutlist.wire import is_unknown, texts_in

_TYPE: Final = "cutlist:index:LookUp"


@dataclass(frozen=True, slots=True)
class LookUp:
    """A look-up of a program and its answer. `number` counts them from 1."""

    number: int
    question: Question
    answer: Answer


@dataclass(slots=True)
class Book:
    """The look-ups so far, and what lacks their answers: by number of the look-up, the URN of the resource and its inputs."""

    answers: Answers | None = None
    look_ups: list[LookUp] = field(default_factory=list)
    lacking: dict[int, dict[str, set[str]]] = field(default_factory=dict)
    reads: dict[str, int] = field(default_factory=dict)
    """Resources that are read and whose state is unknown, by URN."""
    used: dict[int, dict[str, None]] = field(default_factory=dict)
    """The texts that stand in and that an input has, by number of the look-up."""
    _standing: dict[str, int] = field(default_factory=dict)
    """The texts that stand in, each with the number of the first look-up that it is from."""
    _pattern: re.Pattern[str] | None = None

    def look_up(self, question: Question) -> LookUp | None:
        """Return the look-up of a question, noted with its answer; None where nothing answers, not even that it is unknown."""
        if self.answers is None:
            return None
        number = len(self.look_ups) + 1
        look_up = LookUp(number, question, self.answers.answer(question, number))
        self.look_ups.append(look_up)
        if new := [text for text in look_up.answer.stand_ins if text not in self._standing]:
            self._standing.update(dict.fromkeys(new, number))
            # The longest first, since one may begin like another.
            texts = "|".join(map(re.escape, sorted(self._standing, key=len, reverse=True)))
            self._pattern = re.compile(rf"(?<![0-9A-Za-z])(?:{texts})(?![0-9A-Za-z])")
        return look_up

    @staticmethod
    def urn(number: int) -> str:
        """Return the URN by which outputs depend on a look-up."""
        return f"urn:pulumi:look-ups::look-ups::{_TYPE}::{number}"

    def settled(self, urn: str, request: resource_pb2.RegisterResourceRequest) -> resource_pb2.RegisterResourceRequest:
        """Return a registration without the URNs of look-ups, and with unknown values for those that stand in. What it lacks is
        noted."""
        if not self.look_ups:
            return request
        settled = resource_pb2.RegisterResourceRequest()
        settled.CopyFrom(request)
        for name, of_input in settled.propertyDependencies.items():
            for number in self._taken(of_input.urns):
                self._note(number, urn, name)
            for number in {self.reads[read] for read in of_input.urns if read in self.reads}:
                if name in settled.object.fields and is_unknown(settled.object.fields[name]):
                    self._note(number, urn, name)
        self._taken(settled.dependencies)
        self._replace(settled.object, urn)
        return settled

    def settled_outputs(self, urn: str, outputs: struct_pb2.Struct) -> struct_pb2.Struct:
        """Return the outputs of a component or a stack with unknown values for those that stand in, which is noted."""
        settled = struct_pb2.Struct()
        settled.CopyFrom(outputs)
        self._replace(settled, urn)
        return settled

    def _taken(self, urns: Any) -> set[int]:
        """Take the URNs of look-ups out of a list, and return their numbers."""
        found = [urn for urn in urns if _TYPE in urn]
        for urn in found:
            urns.remove(urn)
        return {int(urn.rpartition("::")[2]) for urn in found}

    def _note(self, number: int, urn: str, name: str) -> None:
        self.lacking.setdefault(number, {}).setdefault(urn, set()).add(name)

    def _replace(self, struct: struct_pb2.Struct, urn: str) -> None:
        if self._pattern is None:
            return
        for name, top in struct.fields.items():
            for value in texts_in(top):
                found = dict.fromkeys(self._pattern.findall(value.string_value))
                for text in found:
                    number = self._standing[text]
                    self._note(number, urn, name)
                    self.used.setdefault(number, {})[text] = None
                if found:
                    value.string_value = rpc.UNKNOWN

    @property
    def unasked(self) -> list[str]:
        """Return a sentence on each answer by hand that the program does not ask for: a function may be misspelt."""
        asked = {look_up.answer.source for look_up in self.look_ups}
        tokens = {short_token(look_up.question.token) for look_up in self.look_ups}
        written = () if self.answers is None else self.answers.written.answers
        return [
            f"{answer.place}: the program does not look this up{_meant(answer.token, tokens)}"
            for answer in written
            if not answer.is_recorded and answer.place not in asked
        ]

    @property
    def standing(self) -> list[str]:
        """Return the look-ups for whose answers a value stands in, each with its place."""
        found = (look_up.question for look_up in self.look_ups if look_up.answer.state is State.STAND_IN)
        return list(dict.fromkeys(f"{question.place} {question.token}".strip() for question in found))


def _meant(written: str, tokens: set[str]) -> str:
    """Return what it looks up that was perhaps meant by a token; empty without anything near, or with arguments that differ."""
    near = nearest(short_token(written), sorted(tokens))
    return f"; did you mean {near}?" if near and near != short_token(written) else ""
