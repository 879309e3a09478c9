"""`cutlist validate --all`: the mistakes in every environment of the project or of the folders, in one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

import click

from cutlist.core.records import json_of
from cutlist.documents.folders import Reading
from cutlist.settings.planning import READING, PlanSettings
from cutlist.settings.validate import BEFORE, CHECKING
from cutlist.verbs.validate.environments import (
    EnvironmentValidation,
    EnvironmentValidations,
    csv,
    markdown,
    render_environments,
)
from cutlist_cli.each_environment import EachEnvironment
from cutlist_cli.environments import CalledEnvironment
from cutlist_cli.formats import OutputFormats

if TYPE_CHECKING:
    from cutlist.verbs.validate.answer import Validation
    from cutlist_cli.renderer import Renderer

_FORMATS: Final[OutputFormats[EnvironmentValidations]] = OutputFormats(
    text=render_environments, others={"markdown": markdown, "json": json_of, "csv": csv}
)
_EACH: Final[EachEnvironment[EnvironmentValidation, EnvironmentValidations]] = EachEnvironment(
    _FORMATS, EnvironmentValidations, (BEFORE,), "check", "checking", "checked"
)


def show_all(
    ctx: click.Context,
    files: tuple[str, ...],
    settings: dict[str, Any],
    renderer: Renderer[Any],
    check: Callable[[tuple[str, ...], dict[str, Any]], Validation],
) -> bool:
    """Show the checks of all environments, and tell whether nothing is wrong. The command ends with 2 if one is not read."""
    reading: Reading = settings["reading"]

    def rows(of: CalledEnvironment) -> list[EnvironmentValidation]:
        def checked() -> Validation:
            of.require_files()
            own = {s.name: of.settings[s.name] for s in CHECKING if s.name in of.settings}
            return check(of.files, {**settings, **own, "reading": _reading(ctx, of, reading)})

        validation, problems = of.outcome(checked)
        return [EnvironmentValidation(of.name, of.command, validation, problems)]

    return _EACH.show(ctx, renderer, (files, reading), rows).has_passed


def _reading(ctx: click.Context, of: CalledEnvironment, reading: Reading) -> Reading:
    """Return how the files of an environment are read: as its settings say, and else as those of the call."""
    of_call = {s.name: ctx.params[s.name] for s in READING if ctx.params.get(s.name)}
    own = {s.name: of.settings[s.name] for s in READING if s.name in of.settings}
    return Reading.of(cast("PlanSettings", {**of_call, **own}), reading.fetcher)
