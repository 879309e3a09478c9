"""Options of the files that a command reads, and of how folders, kustomizations and charts among them are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, cast

import click

from cutlist.core.setting import Setting
from cutlist.documents.folders import Reading
from cutlist.settings.environments import ENVIRONMENT
from cutlist.settings.planning import ALLOW_EMPTY, FETCHING, FILES, READING, PlanSettings
from cutlist_cli.environments import of_environment
from cutlist_cli.fetching import fetcher_for
from cutlist_cli.options import F
from cutlist_cli.rendering import show_rendering
from cutlist_cli.setting_options import setting_option, setting_options, taken


def files_option(what: str, *, required: bool = True) -> Callable[[F], F]:
    """Return a decorator that adds `-f`, files and folders with what a command reads, and `--allow-empty`."""

    def with_files(command: F) -> F:
        return file_option(what, required=required)(setting_option(ALLOW_EMPTY)(command))

    return with_files


def file_option(what: str, *, required: bool = True) -> Callable[[F], F]:
    """Return a decorator that adds only `-f`, and `--environment`, which chooses among what that names."""
    return with_files_of_environment(replace(FILES, help=f"File or folder with {what}"), required=required)


def require_files(files: tuple[str, ...], *instead: str) -> None:
    """Refuse a call without files, as click does where they are always required; `instead` are options that would do."""
    if not files:
        ctx = click.get_current_context()
        param = next(param for param in ctx.command.params if param.name == FILES.name)
        hint = " or ".join(f"'{flag}'" for flag in (*instead, FILES.flag)) if instead else None
        raise click.MissingParameter(ctx=ctx, param=param, param_hint=hint)


def with_files_of_environment(files: Setting, *, required: bool = False) -> Callable[[F], F]:
    """Return a decorator that adds `-f` and `--environment`: the files and the settings of one environment of the folders
    replace those of the command line. An environment of the project has set them before."""

    def decorate(command: F) -> F:
        @wraps(command)
        def with_chosen(*arguments: Any, environment: str | None = None, **values: Any) -> Any:
            if environment is not None:
                values |= of_environment(click.get_current_context(), environment, values)
            return command(*arguments, **values)

        return setting_option(files, required=required)(setting_option(ENVIRONMENT)(cast("F", with_chosen)))

    return decorate


def manifests_option(what: str, *, required: bool = True) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds `-f`, `--allow-empty`, and how what `-f` names is read."""

    def with_manifests(command: Callable[..., None]) -> Callable[..., None]:
        return files_option(what, required=required)(reading_options(command))

    return with_manifests


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of how folders, kustomizations and charts are read, passed as `reading`: a `Reading`."""

    @wraps(command)
    def with_reading(**values: Any) -> None:
        settings = cast("PlanSettings", taken(READING, values))
        fetcher = fetcher_for(values.get(FILES.name) or (), values)
        command(reading=Reading.of(settings, fetcher, rendering=show_rendering), **values)

    return setting_options((*READING, *FETCHING))(with_reading)
