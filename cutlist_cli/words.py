"""Mistakes in the words of whoever set what is wrong: on the command line, in the project's settings, or as an assistant;
and mistakes in the files that they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import click
from click.core import ParameterSource

from cutlist.core.errors import InputError, Problem
from cutlist.core.setting import Edge
from cutlist.settings.words import spelled
from cutlist_cli.project_settings import TopFolder, settings_file

_OF_THE_FILE: Final = "cutlist.settings-of-the-file"


def remember_origin(ctx: click.Context, name: str) -> None:
    """Note it if a setting of a call comes from the project's file; mistakes are shown when the call has ended."""
    if ctx.get_parameter_source(name) is ParameterSource.DEFAULT_MAP:
        ctx.meta.setdefault(_OF_THE_FILE, set()).add(name)


def in_words_of_caller(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return mistakes as the caller knows what they name; those of the project's file are in that file."""
    ctx = click.get_current_context(silent=True)
    if ctx is None:
        return spelled(problems, Edge.COMMAND_LINE)
    top, of_the_file = ctx.find_object(TopFolder), ctx.meta.get(_OF_THE_FILE, ())
    file = settings_file(top) if of_the_file else None
    shown: list[Problem] = []
    for problem in problems:
        if file is not None and problem.place.settings and problem.place.settings[0].name in of_the_file:
            (in_file,) = spelled([problem], Edge.PROJECT_FILE)
            shown.append(replace(in_file, place=replace(in_file.place, source=file)))
        else:
            shown += spelled([problem], Edge.COMMAND_LINE if top is None else Edge.ASSISTANT)
    return tuple(shown)


@contextmanager
def in_file(name: str | None) -> Iterator[None]:
    """Raise mistakes that have no file as mistakes in this one."""
    try:
        yield
    except InputError as error:
        placed = [p if p.place.source else replace(p, place=replace(p.place, source=name or "")) for p in error.problems]
        raise InputError(placed) from None
