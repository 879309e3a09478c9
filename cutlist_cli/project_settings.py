"""The settings of a project: options that need not be repeated, in `cutlist.yaml` or below `[tool.cutlist]` of pyproject.toml.

    region: us-west-2
    file: [pools.yaml, apps/]
    gates: gates.yaml

Members are options by their long names; one that may be given several times takes a list. The file is looked up in the working
directory and those above it, up to the root of the repository. An option of the command line takes precedence over the file,
and so does a variable of the shell. Paths are relative to the file. Where neither says what to read, a command that is started
in the root of a repository reads all of it.

The file may have environments, whose members replace those above them, and variables of the shell too: with `--environment`,
a command is about one of them, with `--all` about each.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from cutlist.core.errors import InputError, NotChosenError, Place, Problem, Problems, names_near, nearest
from cutlist.core.setting import Kind, Setting
from cutlist.core.shapes import Report
from cutlist.settings.answers import WATCH
from cutlist.settings.environments import ALL, COMMAND, ENVIRONMENT
from cutlist.settings.gate import RULE
from cutlist.settings.planning import FILES, READING, RECURSIVE
from cutlist.settings.project import ENVIRONMENTS, OF_ENVIRONMENTS, PROJECT, SETTINGS
from cutlist.settings.stack import PROJECT_DIR, STACK
from cutlist.settings.suggest import FLEET

PROJECT_FILE: Final = "cutlist.yaml"
_PYPROJECT: Final = "pyproject.toml"
_TABLES: Final = (b"[tool.cutlist]", b"[tool.cutlist.")
_FORM: Final = "one mapping with options, such as region: us-west-2"
_PLANNING: Final = (
    *("budgets", "diff", "disrupt", "explain", "gate", "interrupt", "nodes", "plan", "serve", "simulate", "suggest"),
    *("types", "upgrade", "userdata", "validate", "verify", "why"),
)
_COMMANDS: Final = frozenset((*_PLANNING, "preview"))
_NEED_FILES: Final = frozenset(_PLANNING) - {"diff", "nodes", "upgrade", "verify"}
"""Commands that have no answer without files."""
_WITHOUT_FILES: Final = frozenset(("diff", "upgrade"))
"""Commands whose answer is another one without files, as that of `nodes --watch` is, which then reads a live cluster."""

OF_A_REPOSITORY: Final = frozenset(("explain", "gate", "plan", "suggest", "types", "validate", "why"))
"""Commands that read a whole repository, or a folder of one, where they are started there and nothing says what to read."""


@dataclass(frozen=True, slots=True)
class TopFolder:
    """A folder above which no settings are looked for."""

    path: str


@dataclass(frozen=True, slots=True)
class ProjectEnvironment:
    """An environment that a project's file has: its settings, or the stack or the command that it is instead of files.

    Paths are relative to the working directory.
    """

    name: str
    values: Mapping[Setting, Any]
    place: Place

    @property
    def files(self) -> tuple[str, ...]:
        """Return the files that it is read from."""
        return tuple(self.values.get(FILES, ()))

    @property
    def command(self) -> str:
        """Return the command that plans it where that is not one about files; else nothing."""
        if STACK in self.values:
            folder = f" {PROJECT_DIR.flag} {self.values[PROJECT_DIR]}" if PROJECT_DIR in self.values else ""
            return f"cutlist preview {STACK.flag} {self.values[STACK]}{folder}"
        return str(self.values.get(COMMAND, ""))


@dataclass(frozen=True, slots=True)
class Project:
    """The settings of a project, and its environments. Paths are relative to the working directory."""

    values: Mapping[Setting, Any] = field(default_factory=dict)
    environments: tuple[ProjectEnvironment, ...] = ()

    def environment(self, name: str) -> ProjectEnvironment | None:
        """Return the environment of a name, or None if it has none; raise InputError if it has others."""
        names = [environment.name for environment in self.environments]
        if names and name not in names:
            message = f"the project has no environment {name!r}"
            raise InputError.one(Place.of(ENVIRONMENT), message, names_near(name, names), nearest(name, names))
        return next((environment for environment in self.environments if environment.name == name), None)

    def require_choice(self) -> None:
        """Raise NotChosenError if there are environments."""
        several = f"is one of {len(self.environments)} environments, each a cluster by itself"
        what = several if len(self.environments) > 1 else "is the environment of the project"

        def of_verb(verb: str) -> Sequence[Problem]:
            problems = Problems()
            for of in self.environments:
                problems.add(of.place, what, of.command or f"cutlist {verb} {ENVIRONMENT.flag} {of.name}")
            return problems.ordered()

        if self.environments:
            raise NotChosenError(of_verb)


def defaults_of(command: str, arguments: Sequence[str], top: TopFolder | None = None) -> dict[str, Any]:
    """Return the values that the project's settings give to options of a command, by parameter.

    Raises InputError with every mistake in the file, and where one of its environments has to be chosen.
    """
    if command not in _COMMANDS or (command == "gate" and _needs_no_files(arguments)):
        return {}
    project = read_project(top)
    chosen = environment_of(arguments, project)
    own = {} if chosen is None else chosen.values
    values = {**project.values, **own}
    if STACK in own and command == "gate":
        values.pop(FILES, None)
    elif chosen is not None and chosen.command:
        raise InputError.one(chosen.place, "is not read from files", chosen.command)
    elif FILES not in values and command in _PLANNING and not _names_files(arguments):
        values |= _files_of(command, arguments, project, chosen, top)
    if command in _WITHOUT_FILES or (command == "nodes" and WATCH.flag in arguments):
        values.pop(FILES, None)
    return {setting.name: value for setting, value in values.items()}


def before_variables(arguments: Sequence[str], top: TopFolder | None = None) -> frozenset[str]:
    """Return the parameters that an environment of the project sets, which variables of the shell do not replace."""
    if not any(word.startswith(ENVIRONMENT.flag) for word in arguments):
        return frozenset()
    chosen = environment_of(arguments, read_project(top))
    return frozenset() if chosen is None else frozenset(setting.name for setting in chosen.values)


def _files_of(
    command: str, arguments: Sequence[str], project: Project, chosen: ProjectEnvironment | None, top: TopFolder | None
) -> dict[Setting, Any]:
    """Return what a command reads where nothing names files: those of all environments, or all of a repository.

    Raises InputError where one of several environments has to be chosen.
    """
    if project.environments and ALL.flag in arguments:
        return {FILES: list(dict.fromkeys(file for of in project.environments for file in of.files)) or [os.curdir]}
    if chosen is None and command in _NEED_FILES:
        project.require_choice()
    return _whole_repository(is_below=top is None) if chosen is not None or command in OF_A_REPOSITORY else {}


def files_of_project(project: Project, chosen: ProjectEnvironment | None) -> Mapping[Setting, Any]:
    """Return which files a project's settings name, with how they are read; without such a name all of a repository in whose
    root this is, and else nothing. Raises InputError where one of several environments has to be chosen.
    """
    named = {**project.values, **({} if chosen is None else chosen.values)}
    if FILES in named:
        return {setting: named[setting] for setting in (FILES, *READING) if setting in named}
    if chosen is None:
        project.require_choice()
    return _whole_repository()


def _whole_repository(*, is_below: bool = False) -> dict[Setting, Any]:
    """Return the settings that read all of a repository in whose root this is, or, if asked to, of a folder of one."""
    folders = [here := Path.cwd(), *(here.parents if is_below else ())]
    is_here = any((folder / ".git").exists() for folder in folders)
    return {FILES: [os.curdir], RECURSIVE: True} if is_here else {}


def environment_of(arguments: Sequence[str], project: Project) -> ProjectEnvironment | None:
    """Return the environment of the project that the command line names, or None. Raises InputError for an unknown one."""
    for index, word in enumerate(arguments):
        if word == ENVIRONMENT.flag and index + 1 < len(arguments):
            return project.environment(arguments[index + 1])
        if word.startswith(f"{ENVIRONMENT.flag}="):
            return project.environment(word.partition("=")[2])
    return None


def read_project(top: TopFolder | None = None) -> Project:
    """Return the settings of the nearest file, none if there is no file. Raises InputError with every mistake in it."""
    path = settings_file(top)
    return Project() if path is None else _read(path)


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
        text = file.read()
    return any(table in text for table in _TABLES)


def _short(path: str) -> str:
    """Return a path as a user of the working directory would write it."""
    return os.path.relpath(path)


def _read(path: str) -> Project:
    """Return the settings of a file, each of the kind that its option takes."""
    from cutlist.documents.collecting import read_mapping  # takes 50 ms, with the next
    from cutlist.documents.document import Document

    if os.path.basename(path) == _PYPROJECT:
        document = Document(Place(path), _table(path), {})
    else:
        document = read_mapping(path, "settings", _FORM)
    problems = Problems()
    PROJECT(document.data, "", Report(document, problems))
    problems.raise_if_any()
    folder = os.path.dirname(path)
    written = document.data.get(ENVIRONMENTS) or {}
    environments = (
        ProjectEnvironment(name, dict(_values(own or {}, folder)), document.at(f"{ENVIRONMENTS}.{name}"))
        for name, own in written.items()
    )
    return Project(dict(_values(document.data, folder)), tuple(environments))


def _values(members: Mapping[str, Any], folder: str) -> Iterator[tuple[Setting, Any]]:
    """Yield the settings of a mapping with their values; paths are made relative to the working directory."""
    for key, value in members.items():
        setting = SETTINGS.get(key) or OF_ENVIRONMENTS.get(key)
        if setting is not None and value is not None:
            listed = [value] if setting.several and not isinstance(value, list) else value
            yield setting, _relative(listed, folder) if setting.kind in _PATHS else listed


def _table(path: str) -> dict[str, Any]:
    with open(path, "rb") as file:
        try:
            tools = tomllib.load(file).get("tool")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError.one(Place(path), f"is not TOML: {error}") from None
    table: dict[str, Any] = tools.get("cutlist", {}) if isinstance(tools, dict) else {}
    return table


_PATHS: Final = (Kind.PATH, Kind.STREAM)


def _relative(value: Any, folder: str) -> Any:
    """Return the paths of a value, relative to the working directory."""
    if isinstance(value, list):
        return [_relative(path, folder) for path in value]
    return os.path.normpath(os.path.join(folder, value)) + (os.sep if value.endswith(os.sep) else "")
