"""The environments of a call: those of the project's file, else those that lie in the folders that are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import click
from click.core import ParameterSource

from cutlist.core.errors import InputError, Place, Problem, names_near, nearest
from cutlist.core.ledger import Environment
from cutlist.core.setting import Edge
from cutlist.documents.contents import environments_in
from cutlist.documents.environments import planned, short_names
from cutlist.documents.folders import Reading
from cutlist.settings.environments import ALL, ENVIRONMENT
from cutlist.settings.planning import FILES, PLAN, RECURSIVE, PlanSettings
from cutlist.settings.stack import PROJECT_DIR, STACK
from cutlist.settings.words import spelled
from cutlist_cli.failures import BadInput, failure
from cutlist_cli.options import is_debug
from cutlist_cli.project_settings import Project, ProjectEnvironment, TopFolder, read_project

A = TypeVar("A")
WHOLE: Final = "."
"""The name of what is read where that is one environment."""


@dataclass(frozen=True, slots=True)
class CalledEnvironment:
    """An environment of a call: its files with the settings, by name, that it sets; or a stack of a Pulumi project in a folder.

    `command` plans it alone. `place` is where the project's file has it.
    """

    name: str
    command: str
    files: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    stack: str = ""
    project: str = ""
    place: Place = field(default_factory=Place)

    def over(self, settings: Mapping[str, Any]) -> PlanSettings:
        """Return the settings of its plan: its own over those of a call."""
        return cast("PlanSettings", {**settings, **{s.name: self.settings[s.name] for s in PLAN if s.name in self.settings}})

    def require_files(self) -> None:
        """Raise InputError if another program renders it."""
        if not self.files:
            raise InputError.one(self.place if self.place.source else Place(self.name), _ELSEWHERE, self.command)

    def outcome(self, answer: Callable[[], A]) -> tuple[A | None, tuple[Problem, ...]]:
        """Return an answer about it, or why it has no answer: a mistake in one environment does not end the others."""
        ctx = click.get_current_context()
        try:
            return answer(), ()
        except Exception as error:
            if is_debug(ctx) and not isinstance(error, InputError):
                raise
            if isinstance(error, InputError):
                error = InputError(list(self._placed(error.problems)))
            shown = error if isinstance(error, click.ClickException) else failure(error, ctx.command_path)
            return None, shown.problems if isinstance(shown, BadInput) else (Problem(Place(), shown.format_message()),)

    def _placed(self, problems: Sequence[Problem]) -> Iterator[Problem]:
        """Yield mistakes; those in settings of the project's file are where it has them."""
        for problem in problems:
            if self.place.source and problem.place.settings and problem.place.settings[0].name in self.settings:
                (in_file,) = spelled([problem], Edge.PROJECT_FILE)
                yield replace(in_file, place=self.place.member(in_file.place.path))
            else:
                yield problem


_ELSEWHERE: Final = "is not read from files, but rendered by another program"


def all_environments(
    ctx: click.Context, files: tuple[str, ...], reading: Reading, argument: str = ""
) -> tuple[CalledEnvironment, ...]:
    """Return the environments of the project's file; if it has none, or if the call names files, those that lie in the files.

    Files that are one environment are returned as one. `argument` is what the command has besides options.
    """
    project, verb = read_project(ctx.find_object(TopFolder)), f"{ctx.info_name} {argument}".strip()
    if project.environments and not _is_on_the_line(ctx, FILES.name):
        return tuple(_of_project(ctx, project, environment, verb) for environment in project.environments)
    found = environments_in(files, reading)
    if not found:
        whole = planned(WHOLE, "", files, {RECURSIVE: True} if reading.recursive else {})
        return (CalledEnvironment(WHOLE, whole.command_of(verb), files),)
    return tuple(_of_folders(name, environment, verb) for name, environment in zip(short_names(found), found, strict=True))


def of_environment(ctx: click.Context, name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that an environment in the files of a call gives to options; nothing for one of the project's file,
    whose values the call has already. Raises InputError for an unknown name."""
    if ctx.params.get(ALL.name):
        raise click.UsageError(f"{ENVIRONMENT.flag} is for one environment, {ALL.flag} for each")
    if read_project(ctx.find_object(TopFolder)).environments:
        return {}
    chosen = {setting.name: values.get(setting.name) for setting in PLAN if setting.name in values}
    files = tuple(values.get(FILES.name) or ())
    found = environments_in(files, Reading.of(cast("PlanSettings", chosen)))
    short = short_names(found)
    known = {**dict(zip((of.name for of in found), found, strict=True)), **dict(zip(short, found, strict=True))}
    if name not in known:
        message = f"there is no environment {name!r} in {', '.join(files) or 'what is read'}"
        raise InputError.one(Place.of(ENVIRONMENT), message, names_near(name, short), nearest(name, short))
    environment = _of_folders(name, known[name], str(ctx.info_name))
    if STACK.name in values and environment.stack:
        return {FILES.name: (), STACK.name: environment.stack, PROJECT_DIR.name: Path(environment.project)}
    environment.require_files()
    own = {RECURSIVE.name: False, **environment.settings}
    return {FILES.name: environment.files, **{key: value for key, value in own.items() if key in values}}


def _of_folders(name: str, environment: Environment, verb: str) -> CalledEnvironment:
    settings, command = {RECURSIVE.name: False, **environment.settings}, environment.command_of(verb)
    return CalledEnvironment(name, command, environment.files, settings, environment.stack, environment.project)


def _of_project(ctx: click.Context, project: Project, environment: ProjectEnvironment, verb: str) -> CalledEnvironment:
    """Return an environment of the project's file, without what the command line sets."""
    own = {s.name: v for s, v in environment.values.items() if not _is_on_the_line(ctx, s.name)}
    command = environment.command or f"cutlist {verb} {ENVIRONMENT.flag} {environment.name}"
    stack = str(own.pop(STACK.name, ""))
    folder = str(own.pop(PROJECT_DIR.name, os.curdir))
    files = tuple(own.pop(FILES.name, ()))
    if not files and not environment.command:
        files = tuple(project.values.get(FILES, (os.curdir,)))
        own |= {} if FILES in project.values else {RECURSIVE.name: True}
    return CalledEnvironment(environment.name, command, files, own, stack, folder if stack else "", environment.place)


def _is_on_the_line(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
