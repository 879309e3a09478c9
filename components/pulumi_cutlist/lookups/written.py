"""The answers that a stack has in its `lookups`: written by hand, or recorded once with an account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.shapes import Located, Report, anything, closed, filled, list_of, map_of, text
from pulumi_cutlist.lookups.question import Kind, Question

_TOKEN: Final = filled("a function, such as aws:ec2/getVpc:getVpc or aws:ec2:getVpc")
_FUNCTION: Final = closed({"function": _TOKEN, "result": map_of(anything)}, {"arguments": map_of(anything), "provider": text})
_RESOURCE: Final = closed(
    {"type": filled("a type, such as aws:ec2/vpc:Vpc"), "id": filled("its id"), "outputs": map_of(anything)}, {}
)
LOOKUPS: Final = closed(
    {},
    {
        "recorded": text,
        "functions": list_of(_FUNCTION),
        "resources": list_of(_RESOURCE),
        "stacks": map_of(map_of(anything)),
    },
)
"""The form of `lookups`."""
_HIDDEN_OUTPUT: Final = "[secret]"
"""What `pulumi stack output` shows for a secret output."""


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """What a stack's `lookups` say of one look-up. `place` is where, `is_whole` whether members that it leaves out are absent:
    so it is in what was recorded, of which a program need not ask everything."""

    kind: Kind
    token: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]
    place: str
    is_whole: bool = False
    provider: str = ""
    is_recorded: bool = False

    def answers(self, question: Question) -> bool:
        """Tell whether it is about a question: all arguments that it names are those of the question."""
        if self.kind is not question.kind or _key(self.token) != _key(question.token):
            return False
        if self.provider and self.provider != question.provider.rpartition("::")[2]:
            return False
        asked = question.arguments
        return all(asked.get(key) == value for key, value in self.arguments.items())


@dataclass(frozen=True, slots=True)
class WrittenAnswers:
    """All answers of a stack's `lookups`, in their order: the first that is about a question counts."""

    answers: tuple[WrittenAnswer, ...] = ()

    def of(self, question: Question) -> WrittenAnswer | None:
        """Return the answer to a question, if there is one."""
        return next((answer for answer in self.answers if answer.answers(question)), None)


def read_lookups(data: Any, document: Located, problems: Problems) -> WrittenAnswers:
    """Return the answers of data in the form LOOKUPS; paths in messages are those of `document`. Mistakes are noted."""
    before = len(problems.found)
    LOOKUPS(data, "", Report(document, problems))
    if len(problems.found) > before:
        return WrittenAnswers()
    return WrittenAnswers(tuple(_answers(data, document)))


def _answers(data: Mapping[str, Any], document: Located) -> Iterator[WrittenAnswer]:
    recorded = str(data.get("recorded") or "")

    def at(path: str) -> str:
        place = str(document.at(path))
        return f"{place}, recorded on {recorded}" if recorded else place

    for number, entry in enumerate(data.get("functions") or ()):
        yield WrittenAnswer(
            Kind.FUNCTION,
            entry["function"],
            entry.get("arguments") or {},
            entry["result"],
            at(f"functions[{number}]"),
            is_whole=bool(recorded),
            provider=entry.get("provider") or "",
            is_recorded=bool(recorded),
        )
    for number, entry in enumerate(data.get("resources") or ()):
        arguments = {"id": entry["id"]}
        place = at(f"resources[{number}]")
        of_type, outputs = entry["type"], entry["outputs"]
        yield WrittenAnswer(Kind.RESOURCE, of_type, arguments, outputs, place, is_whole=True, is_recorded=bool(recorded))
    for name, outputs in (data.get("stacks") or {}).items():
        arguments, place = {"name": name}, at(f"stacks.{name}")
        yield WrittenAnswer(Kind.STACK, STACK_REFERENCE, arguments, outputs, place, is_whole=True, is_recorded=bool(recorded))


STACK_REFERENCE: Final = "pulumi:pulumi:StackReference"


def stack_state(name: str, outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state of a reference to a stack, by the outputs of that stack as `pulumi stack output` shows them."""
    hidden = [key for key, value in outputs.items() if value == _HIDDEN_OUTPUT]
    return {"name": name, "outputs": dict(outputs), "secretOutputNames": hidden}


def short_token(token: str) -> str:
    """Return a token as a stack's `lookups` spell it: `aws:ec2:getVpc`."""
    return ":".join(filter(None, _key(token)))


def _key(token: str) -> tuple[str, str, str]:
    """Return a token in a form that is the same however a program spells it: `aws:ec2/getVpc:getVpc` and `aws:ec2:getVpc`."""
    parts: Sequence[str] = token.split(":")
    package, module, name = parts[0], ":".join(parts[1:-1]), parts[-1]
    first, _, last = module.rpartition("/")
    module = first if last.lower() == name.lower() and first else module
    return package, "" if module == "index" else module, name
