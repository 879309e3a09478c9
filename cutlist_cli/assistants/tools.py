"""The tools of assistants: which commands they are, which options they take, and calls as command lines.

An input of a tool is a setting of its command. Settings that write files, start programs or use the network are not offered;
those that choose another form of the answer have no use. Their declarations say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import click

from cutlist.core.errors import Place, Problems, names_near, nearest
from cutlist.core.setting import Edge, Kind, Setting
from cutlist.settings import diff, explain, gate, plan, suggest, usage
from cutlist.settings.calendar import DAY
from cutlist.settings.cluster import AT
from cutlist.settings.environments import ENVIRONMENT
from cutlist.settings.planning import FILES, PLAN
from cutlist_cli.assistants.roots import Roots, misplaced
from cutlist_cli.commands import load

_SETTINGS: Final[Mapping[str, tuple[Setting, ...]]] = {
    "plan": (FILES, ENVIRONMENT, *PLAN, *plan.SETTINGS, DAY, *usage.SETTINGS),
    "explain": (explain.WORKLOAD, FILES, ENVIRONMENT, *PLAN, *explain.SETTINGS, *usage.SETTINGS),
    "diff": (diff.SIDES, FILES, ENVIRONMENT, *PLAN, *diff.SETTINGS, AT),
    "suggest": (FILES, ENVIRONMENT, *PLAN, *suggest.SETTINGS, gate.GATES, *usage.SETTINGS),
    "gate": (FILES, ENVIRONMENT, *PLAN, *gate.SETTINGS),
}
OFFERED: Final[Mapping[str, tuple[Setting, ...]]] = {
    command: tuple(setting for setting in settings if setting.counts(Edge.ASSISTANT)) for command, settings in _SETTINGS.items()
}
"""The commands that are tools, each with the settings that it takes from assistants."""

_OPERANDS: Final = (explain.WORKLOAD, diff.SIDES)
"""What stands on the command line without an option."""
_TYPES: Final = {
    Kind.FLAG: ("boolean", "true or false"),
    Kind.WHOLE_NUMBER: ("integer", "a number"),
    Kind.PERCENTAGE: ("integer", "a number"),
    Kind.NUMBER: ("number", "a number"),
}
"""The types of JSON, and their names in messages; all else is a string."""
_STRING: Final = ("string", "a string")


@dataclass(frozen=True, slots=True)
class Tool:
    """A command as a tool, with the settings that are its inputs, by name."""

    name: str
    command: click.Command
    inputs: Mapping[str, Setting]

    @property
    def description(self) -> str:
        """Return the command's help without its examples."""
        return (self.command.help or "").partition("\b")[0].strip()

    @property
    def required(self) -> list[str]:
        """Return the inputs that a call has to have."""
        required = {param.name for param in self.command.params if param.required}
        return [name for name, setting in self.inputs.items() if setting.name in required or setting == diff.SIDES]

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments of a call."""
        return {
            "type": "object",
            "properties": {name: _schema_of(setting) for name, setting in self.inputs.items()},
            "required": self.required,
            "additionalProperties": False,
        }

    def words(self, arguments: Mapping[str, Any], roots: Roots) -> list[str]:
        """Return the command line of a call.

        Raises InputError with every argument that has a wrong name or type, or leads out of the roots.
        """
        problems = Problems()
        for name, value in arguments.items():
            self._check(name, value, roots, problems)
        problems.raise_if_any()
        options: list[str] = []
        operands: list[str] = []
        for name, value in arguments.items():
            setting = self.inputs[name]
            if setting in _OPERANDS:
                operands += _texts(value)
            elif setting.kind is Kind.FLAG:
                options += [setting.flag] if value else []
            else:
                options += [f"{setting.flag}={text}" for text in _texts(value)]
        return [self.name, *options, "--output=json", "--", *operands]

    def _check(self, name: str, value: Any, roots: Roots, problems: Problems) -> None:
        setting, place = self.inputs.get(name), Place(path=name)
        if setting is None:
            problems.add(
                place, f"{self.name} has no such input", names_near(name, list(self.inputs)), nearest(name, self.inputs)
            )
        elif not _is_of_type(value, setting):
            problems.add(place, f"{value!r} has the wrong type", _type_in_words(setting))
        elif any("\0" in text for text in _texts(value)):
            problems.add(place, "has a null character, which a command line cannot contain")
        elif setting.kind in (Kind.PATH, Kind.STREAM):
            paths = (_without_prefix(text, setting) for text in _texts(value))
            problems.extend(misplaced(roots, name, paths, must_exist=setting == diff.SIDES))


def tools() -> Iterator[Tool]:
    """Yield the tools, in the order in which they are listed."""
    for name, settings in OFFERED.items():
        command = load(name)
        assert command is not None  # noqa: S101 - the names are Cutlist's own
        yield Tool(name, command, {setting.spelled(Edge.ASSISTANT): setting for setting in settings})


def _schema_of(setting: Setting) -> dict[str, Any]:
    described = {"description": setting.described(Edge.ASSISTANT)}
    if setting.several:
        sides = {"minItems": 2, "maxItems": 2} if setting == diff.SIDES else {}
        return {"type": "array", "items": _type_of(setting), **sides, **described}
    default = {} if setting.default in (None, "") or setting.otherwise else {"default": setting.default}
    return {**_type_of(setting), **default, **described}


def _type_of(setting: Setting) -> dict[str, Any]:
    """Return the schema of one value."""
    limits = {"minimum": setting.least, "maximum": setting.most}
    choices = {"enum": list(setting.choices)} if setting.choices and not setting.has_commas else {}
    return {
        "type": _TYPES.get(setting.kind, _STRING)[0],
        **choices,
        **{limit: value for limit, value in limits.items() if value is not None},
    }


def _is_of_type(value: Any, setting: Setting) -> bool:
    """Tell whether a value has the type of the schema; the command checks its limits."""
    if setting.several:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    match _TYPES.get(setting.kind, _STRING)[0]:
        case "boolean":
            return isinstance(value, bool)
        case "integer" | "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case _:
            return isinstance(value, str)


def _type_in_words(setting: Setting) -> str:
    return "a list of strings" if setting.several else _TYPES.get(setting.kind, _STRING)[1]


def _texts(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _without_prefix(text: str, setting: Setting) -> str:
    """Return the file that a value names."""
    return text.removeprefix(next((prefix for prefix in setting.prefixes if text.startswith(prefix)), ""))
