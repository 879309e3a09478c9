"""What answers a look-up: the stack's `lookups`, then what can be computed, then a value that stands in, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pulumi_cutlist.errors import LookupRefusedError
from pulumi_cutlist.lookups import aws, azure
from pulumi_cutlist.lookups.context import Context
from pulumi_cutlist.lookups.part import Part
from pulumi_cutlist.lookups.question import Answer, Kind, Question, State
from pulumi_cutlist.lookups.stand_ins import StandIns
from pulumi_cutlist.lookups.written import WrittenAnswer, WrittenAnswers, stack_state

_COMPUTED: Final = {**aws.FUNCTIONS, **azure.FUNCTIONS}
Asked = Callable[[Question], "Part | None"]
"""Asks whoever really knows, such as a provider; None where nobody does."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers the look-ups of one program. `recorder` asks an account instead, while look-ups are recorded; None offline."""

    context: Context
    written: WrittenAnswers = field(default_factory=WrittenAnswers)
    recorder: Asked | None = None

    def answer(self, question: Question, number: int) -> Answer:
        """Return the answer to a question, the program's look-up with this number."""
        if self.recorder is not None and (part := self.recorder(question)) is not None:
            return self._whole(question, number, part)
        if (written := self.written.of(question)) is not None:
            return self._of_written(question, number, written)
        try:
            part = self._computed(question)
        except LookupRefusedError as refusal:
            return Answer(State.ANSWERED, refusal=str(refusal))
        if part is not None:
            return self._whole(question, number, part)
        if not question.needs_value:
            return Answer(State.UNKNOWN)
        standing = self._stand_ins(question, number)
        result = standing.fill({})
        return Answer(State.STAND_IN, result, stand_ins=tuple(standing.texts))

    def _computed(self, question: Question) -> Part | None:
        function = _COMPUTED.get(question.token) if question.kind is Kind.FUNCTION else None
        return None if function is None else function(question, self.context)

    def _of_written(self, question: Question, number: int, written: WrittenAnswer) -> Answer:
        if question.kind is Kind.STACK:
            result = stack_state(str(question.arguments.get("name")), written.result)
            return Answer(State.ANSWERED, result, written.place)
        return self._whole(question, number, Part(written.result, written.place, () if written.is_whole else None))

    def _whole(self, question: Question, number: int, part: Part) -> Answer:
        """Return an answer with values that stand in for the members that are open."""
        if part.open == () or not isinstance(question.shape, Mapping):
            state = State.ANSWERED if not part.open else State.PARTLY
            return Answer(state, part.known, part.source)
        standing = self._stand_ins(question, number)
        result = standing.fill(part.known, part.open)
        state = State.PARTLY if standing.texts else State.ANSWERED
        return Answer(state, result, part.source, tuple(standing.texts))

    def _stand_ins(self, question: Question, number: int) -> StandIns:
        region = self.context.region(question)
        zones: Sequence[tuple[str, Any]] = self.context.zones(region.value) if region is not None else ()
        code = "" if region is None else region.value
        return StandIns(question, number, code, [name for name, _ in zones], [id_ for _, id_ in zones])
