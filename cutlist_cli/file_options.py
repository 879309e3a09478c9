"""Options of the files that a command reads, and of how folders, kustomizations and charts among them are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, cast

from cutlist.documents import Reading
from cutlist.settings.planning import ALLOW_EMPTY, FETCHING, FILES, READING, PlanSettings
from cutlist_cli.fetching import fetcher_for
from cutlist_cli.options import F
from cutlist_cli.setting_options import setting_option, setting_options, taken


def files_option(what: str, *, required: bool = True) -> Callable[[F], F]:
    """Return a decorator that adds `-f`, files and folders with what a command reads, and `--allow-empty`."""

    def with_files(command: F) -> F:
        return file_option(what, required=required)(setting_option(ALLOW_EMPTY)(command))

    return with_files


def file_option(what: str, *, required: bool = True) -> Callable[[F], F]:
    """Return a decorator that adds only `-f`."""
    return setting_option(replace(FILES, help=f"File or folder with {what}"), required=required)


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
        command(reading=Reading.of(settings, fetcher), **values)

    return setting_options((*READING, *FETCHING))(with_reading)
