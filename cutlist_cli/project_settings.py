"""The settings of a project: options that need not be repeated, in `cutlist.yaml` or below `[tool.cutlist]` of pyproject.toml.

    region: us-west-2
    file: [pools.yaml, apps/]
    gates: gates.yaml

Members are options by their long names; one that may be given several times takes a list. The file is looked up in the working
directory and those above it, up to the root of the repository. An option of the command line takes precedence over the file,
and so does a variable of the environment. Paths are relative to the file. Where neither says what to read, a command that is
started in the root of a repository reads all of it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.setting import Edge, Kind, Setting
from cutlist.core.shapes import Report, boolean, closed, integer, list_of, text
from cutlist.settings.answers import WATCH
from cutlist.settings.gate import GATES, RULE
from cutlist.settings.planning import FILES, PLAN, RECURSIVE
from cutlist.settings.stack import STACK
from cutlist.settings.suggest import FLEET
from cutlist.settings.validate import KUBERNETES

if TYPE_CHECKING:
    from cutlist.core.shapes import Rule

PROJECT_FILE: Final = "cutlist.yaml"
_PYPROJECT: Final = "pyproject.toml"
_FORM: Final = "one mapping with options, such as region: us-west-2"
_SETTINGS: Final[Mapping[str, Setting]] = {
    setting.key: setting for setting in (FILES, *PLAN, GATES, KUBERNETES) if setting.counts(Edge.PROJECT_FILE)
}
"""The settings that the file may have, by their keys."""
_PLANNING: Final = (
    *("budgets", "diff", "disrupt", "explain", "gate", "interrupt", "nodes", "plan", "serve", "simulate", "suggest"),
    *("types", "upgrade", "userdata", "validate", "verify"),
)
_COMMANDS: Final = frozenset((*_PLANNING, "preview"))
_WITHOUT_FILES: Final = frozenset(("diff", "upgrade"))
"""Commands whose answer is another one without files, as that of `nodes --watch` is, which then reads a live cluster."""

_OF_A_REPOSITORY: Final = frozenset(("explain", "gate", "plan", "suggest", "types", "validate"))
"""Commands that read a whole repository where they are started in its root and nothing says what to read."""


@dataclass(frozen=True, slots=True)
class TopFolder:
    """A folder above which no settings are looked for."""

    path: str


def defaults_of(command: str, arguments: Sequence[str], top: TopFolder | None = None) -> dict[str, Any]:
    """Return the values that the project's settings give to options of a command, by parameter.

    Raises InputError with every mistake in the file.
    """
    if command not in _COMMANDS or (command == "gate" and _needs_no_files(arguments)):
        return {}
    path = settings_file(top)
    folder = "" if path is None else os.path.dirname(path)
    values = {} if path is None else {_SETTINGS[key]: value for key, value in _read(path).items()}
    if FILES not in values and command in _OF_A_REPOSITORY and not _names_files(arguments) and os.path.exists(".git"):
        values |= {FILES: ["."], RECURSIVE: True}
    if command in _WITHOUT_FILES or (command == "nodes" and WATCH.flag in arguments):
        values.pop(FILES, None)
    return {s.name: _relative(value, folder) if s.kind in _PATHS else value for s, value in values.items()}


def _names_files(arguments: Sequence[str]) -> bool:
    """Tell whether the command line says which files are read: by their names, or by those of a fleet."""
    return any(word.startswith((FILES.short, FILES.flag, FLEET.flag)) for word in arguments)


def _needs_no_files(arguments: Sequence[str]) -> bool:
    """Tell whether the gates judge a stack, whose own file has its settings, or only rules are to be shown."""
    return any(word.startswith((STACK.short, STACK.flag, RULE.flag)) for word in arguments)


def settings_file(top: TopFolder | None = None) -> str | None:
    """Return the nearest file with settings, in the working directory or above it; not beyond the top folder or the root of a
    repository."""
    folder = os.getcwd()
    while True:
        path = os.path.join(folder, PROJECT_FILE)
        if os.path.lexists(path):  # a folder or a link that leads nowhere is refused when it is read
            return _short(path)
        pyproject = os.path.join(folder, _PYPROJECT)
        if os.path.isfile(pyproject) and _has_table(pyproject):
            return _short(pyproject)
        above = os.path.dirname(folder)
        is_top = above == folder or (top is not None and folder == top.path)
        if is_top or os.path.exists(os.path.join(folder, ".git")):
            return None
        folder = above


def _has_table(path: str) -> bool:
    with open(path, "rb") as file:
        return b"[tool.cutlist]" in file.read()


def _short(path: str) -> str:
    """Return a path as a user of the working directory would write it."""
    return os.path.relpath(path)


def _read(path: str) -> dict[str, Any]:
    """Return the members of a file of settings, each of the kind that its option takes."""
    from cutlist.documents import Document, read_mapping  # takes 50 ms

    if os.path.basename(path) == _PYPROJECT:
        document = Document(Place(path), _table(path), {})
    else:
        document = read_mapping(path, "settings", _FORM)
    problems = Problems()
    _rules()(document.data, "", Report(document, problems))
    problems.raise_if_any()
    return {name: _listed(name, value) for name, value in document.data.items() if value is not None}


def _table(path: str) -> dict[str, Any]:
    with open(path, "rb") as file:
        try:
            tools = tomllib.load(file).get("tool")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError.one(Place(path), f"is not TOML: {error}") from None
    table: dict[str, Any] = tools.get("cutlist", {}) if isinstance(tools, dict) else {}
    return table


def _rules() -> Rule:
    def several(value: Any, path: str, report: Report) -> None:
        (list_of(text) if isinstance(value, list) else text)(value, path, report)

    def rule(setting: Setting) -> Rule:
        if setting.kind is Kind.WHOLE_NUMBER:
            return integer(int(setting.least or 0))
        return several if setting.several else boolean if setting.kind is Kind.FLAG else text

    return closed(optional={key: rule(setting) for key, setting in _SETTINGS.items()})


_PATHS: Final = (Kind.PATH, Kind.STREAM)


def _listed(name: str, value: Any) -> Any:
    return [value] if _SETTINGS[name].several and not isinstance(value, list) else value


def _relative(value: Any, folder: str) -> Any:
    """Return the paths of a value, relative to the working directory."""
    if isinstance(value, list):
        return [_relative(path, folder) for path in value]
    return os.path.normpath(os.path.join(folder, value)) + (os.sep if value.endswith(os.sep) else "")
