"""Values of a program in YAML: texts with references, lists, mappings and built-in functions become values and outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pulumi
from pulumi.output import UNKNOWN

from cutlist.core.errors import InputError, Place, Problems, nearest
from cutlist.core.go_json import go_json
from cutlist.documents.document import Document
from pulumi_cutlist.lookups.asking import asked_at
from pulumi_cutlist.yaml_program.known_values import (
    WrongValueError,
    as_text,
    from_base64,
    in_base64,
    joined,
    member_of,
    selected,
    split,
)
from pulumi_cutlist.yaml_program.references import REFERENCES, Part, Reference, ReferenceMistake, parts_of
from pulumi_cutlist.yaml_program.tokens import UnknownType, function_type

_PREFIX: Final = "fn::"
_ASSETS: Final[Mapping[str, Callable[[str], Any]]] = {
    "fileasset": pulumi.FileAsset,
    "stringasset": pulumi.StringAsset,
    "remoteasset": pulumi.RemoteAsset,
    "filearchive": pulumi.FileArchive,
    "remotearchive": pulumi.RemoteArchive,
}


class Mistaken(Exception):
    """A value that cannot be computed, since something in it is a mistake that is noted already."""


@dataclass(frozen=True, slots=True)
class Values:
    """Computes the values of a program. `named` returns what a name of the program stands for and the steps that are left;
    names that stand for nothing were noted before. Mistakes are noted in `problems`, with the lines of `document`."""

    document: Document
    problems: Problems
    named: Callable[[Reference], tuple[Any, tuple[str | int, ...]]]
    invoke_options: Callable[[str, Mapping[str, Any], str], pulumi.InvokeOutputOptions]
    not_evaluated: list[tuple[str, int, str]]

    def of(self, value: Any, path: str) -> Any:
        """Return what a value that is written at a path stands for. Raises Mistaken."""
        if isinstance(value, str):
            return self._of_text(value, path)
        if isinstance(value, list):
            return [self.of(inner, f"{path}[{number}]") for number, inner in enumerate(value)]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            [(key, inner)] = value.items()
            if isinstance(key, str) and key.lower().startswith(_PREFIX):
                return self._called(key, inner, f"{path}.{key}")
        return {key: self.of(inner, f"{path}.{key}") for key, inner in value.items()}

    def mistake(self, path: str, message: str, allowed: str = "", near: str = "") -> Mistaken:
        """Note a mistake at a path, and return what to raise."""
        self.problems.add(self.document.at(path), message, allowed, near)
        return Mistaken(message)

    def _of_text(self, text: str, path: str) -> Any:
        try:
            parts = parts_of(text)
        except ReferenceMistake as mistake:
            raise self.mistake(path, str(mistake), REFERENCES) from None
        if len(parts) == 1 and isinstance(parts[0], Reference):
            return self._of_reference(parts[0], path)
        filled = [self._of_part(part, path) for part in parts]
        if all(isinstance(part, str) for part in filled):
            return "".join(filled)
        return pulumi.Output.concat(*filled)

    def _of_part(self, part: Part, path: str) -> Any:
        if isinstance(part, str):
            return part
        value = self._of_reference(part, path)
        return value.apply(as_text) if isinstance(value, pulumi.Output) else as_text(value)

    def _of_reference(self, reference: Reference, path: str) -> Any:
        value, steps = self.named(reference)
        return self._below(value, steps, path, str(reference))

    def _below(self, value: Any, steps: tuple[str | int, ...], path: str, written: str) -> Any:
        """Return a member of a value; of an output that is not known yet, another one."""
        for number, step in enumerate(steps):
            if isinstance(value, pulumi.Output):
                return _later(value, steps[number:], written, self.document.at(path))
            try:
                value = member_of(value, (step,), written)
            except WrongValueError as error:
                raise self.mistake(path, str(error), error.allowed) from None
        return value

    def _called(self, key: str, argument: Any, path: str) -> Any:
        """Return the value of a built-in function."""
        name = key[len(_PREFIX) :].lower()
        if name in _ASSETS:
            source = self.of(argument, path)
            if not isinstance(source, str):
                raise self.mistake(path, f"the argument of {key} is not a text that is known at once")
            return _ASSETS[name](source)
        function = _BUILT_IN.get(name)
        if function is not None:
            return function(self, argument, path)
        if ":" in name:
            return self._invoked({"function": key[len(_PREFIX) :], "arguments": argument}, path, f"{path}")
        known = sorted((*_BUILT_IN, *_ASSETS))
        near = nearest(name, known)
        if near:
            raise self.mistake(path, f"no built-in function {key!r}", near=f"{_PREFIX}{near}")
        place = self.document.at(path)
        self.not_evaluated.append((place.source, place.line, key))
        return unknown_output()

    def _invoke(self, argument: Any, path: str) -> Any:
        if not isinstance(argument, dict):
            raise self.mistake(path, "fn::invoke has no function", "function, arguments, options, return")
        return self._invoked({str(key).lower(): inner for key, inner in argument.items()}, path, f"{path}.arguments")

    def _invoked(self, call: Mapping[str, Any], path: str, of_arguments: str) -> Any:
        written = call.get("function")
        if not isinstance(written, str) or ":" not in written:
            raise self.mistake(path, "fn::invoke has no function", "a function such as aws:ec2:getVpc")
        try:
            function = function_type(written)
        except UnknownType as unknown:
            raise self.mistake(path, str(unknown), near=unknown.nearest) from None
        for name in ("arguments", "options"):
            if not isinstance(call.get(name) or {}, Mapping):
                raise self.mistake(path, f"{name} of {written} is not a mapping")
        arguments = self.of(call.get("arguments") or {}, of_arguments)
        options = self.invoke_options(function.token, call.get("options") or {}, f"{path}.options")
        place = self.document.at(path)
        with asked_at(*site_of(place), function.shape):
            result = pulumi.runtime.invoke_output(function.token, arguments, options)
        member = call.get("return")
        return result if member is None else self._below(result, (str(member),), path, f"{written}.{member}")

    def _join(self, argument: Any, path: str) -> Any:
        return self._applied(joined, list(self._pair(argument, path)), path)

    def _split(self, argument: Any, path: str) -> Any:
        return self._applied(split, list(self._pair(argument, path)), path)

    def _select(self, argument: Any, path: str) -> Any:
        index, values = self._pair(argument, path)
        # A list may hold outputs, of which only the chosen one is waited for.
        if isinstance(index, int) and isinstance(values, list):
            return self._now(selected, [index, values], path)
        return self._applied(selected, [index, values], path)

    def _pair(self, argument: Any, path: str) -> tuple[Any, Any]:
        if not isinstance(argument, list) or len(argument) != 2:
            raise self.mistake(path, "the argument is not a list of two")
        first, second = (self.of(inner, f"{path}[{number}]") for number, inner in enumerate(argument))
        return first, second

    def _to_json(self, argument: Any, path: str) -> Any:
        return self._applied(go_json, self.of(argument, path), path)

    def _to_base64(self, argument: Any, path: str) -> Any:
        return self._applied(in_base64, self.of(argument, path), path)

    def _from_base64(self, argument: Any, path: str) -> Any:
        return self._applied(from_base64, self.of(argument, path), path)

    def _applied(self, function: Callable[[Any], Any], value: Any, path: str) -> Any:
        """Return a function of a value, at once where the whole value is known."""
        if not has_outputs(value):
            return self._now(function, value, path)
        place = self.document.at(path)

        def later(known: Any) -> Any:
            try:
                return function(known)
            except WrongValueError as error:
                raise InputError.one(place, str(error), error.allowed) from None

        return pulumi.Output.from_input(value).apply(later)

    def _now(self, function: Callable[[Any], Any], value: Any, path: str) -> Any:
        try:
            return function(value)
        except WrongValueError as error:
            raise self.mistake(path, str(error), error.allowed) from None

    def _secret(self, argument: Any, path: str) -> Any:
        return pulumi.Output.secret(self.of(argument, path))

    def _read_file(self, argument: Any, path: str) -> Any:
        name = self.of(argument, path)
        if not isinstance(name, str):
            raise self.mistake(path, "the name of the file is not known at once")
        is_inside = Path(name).resolve().is_relative_to(Path.cwd().resolve())
        if not is_inside and not (Path(name).is_absolute() and name == argument):
            raise self.mistake(path, f"{name!r} is outside the project", "a file of the project, or an absolute path as it is")
        try:
            return Path(name).read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise self.mistake(path, f"cannot read {name!r}: {getattr(error, 'strerror', None) or error}") from None

    def _stack_reference(self, argument: Any, path: str) -> Any:
        name, member = self._pair(argument, path)
        if not isinstance(name, str):
            raise self.mistake(path, "the name of the stack is not a text that is known at once")
        place = self.document.at(path)
        with asked_at(*site_of(place)):
            return pulumi.StackReference(name).require_output(member)

    def _archive(self, argument: Any, path: str) -> Any:
        assets = self.of(argument, path)
        if not isinstance(assets, dict):
            raise self.mistake(path, "is not a mapping of assets by path")
        return pulumi.AssetArchive(assets)


_BUILT_IN: Final[Mapping[str, Callable[[Values, Any, str], Any]]] = {
    "assetarchive": Values._archive,
    "frombase64": Values._from_base64,
    "invoke": Values._invoke,
    "join": Values._join,
    "readfile": Values._read_file,
    "secret": Values._secret,
    "select": Values._select,
    "split": Values._split,
    "stackreference": Values._stack_reference,
    "tobase64": Values._to_base64,
    "tojson": Values._to_json,
}


def unknown_output() -> pulumi.Output[Any]:
    """Return an output whose value is known only after an update."""
    return pulumi.Output.from_input(UNKNOWN)


def _later(output: pulumi.Output[Any], steps: tuple[str | int, ...], written: str, place: Place) -> pulumi.Output[Any]:
    """Return a member of an output. Where the output turns out not to have it, that is a mistake at a place."""

    def member(value: Any) -> Any:
        try:
            return member_of(value, steps, written)
        except WrongValueError as error:
            raise InputError.one(place, str(error), error.allowed) from None

    return output.apply(member)


def site_of(place: Place) -> tuple[str, int]:
    """Return the file and the line of a place as look-ups have them: the file with its whole path."""
    return str(Path(pulumi.get_root_directory() or Path.cwd()) / place.source), place.line


def has_outputs(value: Any) -> bool:
    """Tell whether data has outputs in it."""
    if isinstance(value, Mapping):
        return any(map(has_outputs, value.values()))
    if isinstance(value, list):
        return any(map(has_outputs, value))
    return isinstance(value, pulumi.Output)
