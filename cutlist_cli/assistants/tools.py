"""The tools of assistants: which commands they are, which options they take, and calls as command lines.

An input of a tool is an option of its command by its long name, with `_` for `-`. Options that write files, start programs or
use the network are not offered; those that choose another form of the answer have no use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import click

from cutlist.core.errors import Place, Problems, names_near, nearest
from cutlist_cli.assistants.roots import Roots, misplaced
from cutlist_cli.commands import load

_FILES: Final = ("file", "recursive", "allow_empty", "region", "zone", "catalog", "built_in_pool", "external_class")
_RELEASE: Final = ("karpenter", "scheduler_config")
_INPUTS: Final = (*_FILES, *_RELEASE, "feature_gate", "overhead_profile")
_USAGE: Final = ("usage", "percentile", "margin")
_SEARCH: Final = ("allow", "keep", "spare", "min_nodes", "max_nodes", "plans", "seconds", "seed", "bound", "rates")
OFFERED: Final[Mapping[str, tuple[str, ...]]] = {
    "plan": (*_INPUTS, "bound", "restrictions", *_USAGE),
    "explain": ("workload", *_INPUTS, "restrictions", *_USAGE),
    "diff": ("sides", *_INPUTS, "nodes", "at"),
    "suggest": (*_INPUTS, *_SEARCH, *_USAGE),
    "gate": (*_FILES, *_RELEASE, "gates", "before", "today"),
}
"""The commands that are tools, each with the inputs that it takes from assistants."""

_SIDES: Final = "sides"
_ARGUMENTS: Final = {
    "workload": "The workload as plans name it: deployment/web, or shop/deployment/web outside of namespace default.",
    _SIDES: "OLD and NEW: two files or folders, or two plans as the tool plan answers.",
}
"""What the operands of commands are, which have no help of their own."""
_PATHS: Final = frozenset(("PATH", "FILE", "DIR"))
_PREFIXES: Final = ("cpu=", "memory=")
"""What may stand before a file of measured use."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A command as a tool, with the options and operands that are its inputs."""

    name: str
    command: click.Command
    inputs: Mapping[str, click.Parameter]

    @property
    def description(self) -> str:
        """Return the command's help without its examples."""
        return (self.command.help or "").partition("\b")[0].strip()

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments of a call."""
        return {
            "type": "object",
            "properties": {name: _schema_of(name, param) for name, param in self.inputs.items()},
            "required": [name for name, param in self.inputs.items() if param.required or name == _SIDES],
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
            param = self.inputs[name]
            if isinstance(param, click.Argument):
                operands += _texts(value)
            elif _is_flag(param):
                options += [param.opts[-1]] if value else []
            else:
                options += [f"{param.opts[-1]}={text}" for text in _texts(value)]
        return [self.name, *options, "--output=json", "--", *operands]

    def _check(self, name: str, value: Any, roots: Roots, problems: Problems) -> None:
        param, place = self.inputs.get(name), Place(path=name)
        if param is None:
            problems.add(
                place, f"{self.name} has no such input", names_near(name, list(self.inputs)), nearest(name, self.inputs)
            )
        elif not _is_of_type(value, param):
            problems.add(place, f"{value!r} has the wrong type", _type_in_words(param))
        elif any("\0" in text for text in _texts(value)):
            problems.add(place, "has a null character, which a command line cannot contain")
        elif _is_path(param):
            paths = (_without_prefix(text) for text in _texts(value))
            problems.extend(misplaced(roots, name, paths, must_exist=name == _SIDES))


def tools() -> Iterator[Tool]:
    """Yield the tools, in the order in which they are listed."""
    for name, inputs in OFFERED.items():
        command = load(name)
        assert command is not None  # noqa: S101 - the names are Cutlist's own
        params = {_input_name(param): param for param in command.params}
        yield Tool(name, command, {each: params[each] for each in inputs})


def _input_name(param: click.Parameter) -> str:
    return param.opts[-1].removeprefix("--").replace("-", "_")


def _schema_of(name: str, param: click.Parameter) -> dict[str, Any]:
    text = _ARGUMENTS[name] if isinstance(param, click.Argument) else getattr(param, "help", None) or ""
    schema = {"description": text.replace(", - for standard input", "").replace(" May be given several times.", "")}
    if name == _SIDES:
        return {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2, **schema}
    if getattr(param, "multiple", False):
        return {"type": "array", "items": _type_of(param), **schema}
    default = param.to_info_dict().get("default")
    return {**_type_of(param), **({} if default is None or _is_flag(param) else {"default": default}), **schema}


def _type_of(param: click.Parameter) -> dict[str, Any]:
    """Return the schema of one value."""
    kind = param.type
    if _is_flag(param):
        return {"type": "boolean"}
    if isinstance(kind, click.Choice):
        return {"type": "string", "enum": list(kind.choices)}
    if isinstance(kind, (click.IntRange, click.FloatRange)):
        limits = {"minimum": kind.min, "maximum": kind.max}
        number = "integer" if isinstance(kind, click.IntRange) else "number"
        return {"type": number, **{limit: value for limit, value in limits.items() if value is not None}}
    return {"type": "string"}


def _is_flag(param: click.Parameter) -> bool:
    return isinstance(param, click.Option) and param.is_flag


def _is_path(param: click.Parameter) -> bool:
    return isinstance(param.type, click.Path) or param.metavar in _PATHS


def _is_list(param: click.Parameter) -> bool:
    return bool(getattr(param, "multiple", False)) or param.nargs != 1


def _is_of_type(value: Any, param: click.Parameter) -> bool:
    """Tell whether a value has the type of the schema; the command checks its limits."""
    if _is_list(param):
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    match _type_of(param)["type"]:
        case "boolean":
            return isinstance(value, bool)
        case "integer" | "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case _:
            return isinstance(value, str)


def _type_in_words(param: click.Parameter) -> str:
    if _is_list(param):
        return "a list of strings"
    return {"boolean": "true or false", "integer": "a number", "number": "a number"}.get(_type_of(param)["type"], "a string")


def _texts(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _without_prefix(text: str) -> str:
    """Return the file that a value names."""
    prefix = next((each for each in _PREFIXES if text.startswith(each)), "")
    return text.removeprefix(prefix)
