"""Options of form, which several commands share: `--output`, `--to` and `--width` say how an answer is shown and where, and
`--debug` what is shown in place of one.

They are not settings. No answer depends on them, and no other edge has them: functions return objects, and tools and stacks
have one form. So no message of `cutlist` has to name them. Commands whose answer is a file by default declare a `--to`
themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

import click

from cutlist.core.shapes import LAST_YEAR
from cutlist_cli import terminal

F = TypeVar("F", bound=Callable[..., Any])

_DEBUG: Final = "cutlist.debug"


def _remember_debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[_DEBUG] = True


def is_debug(ctx: click.Context) -> bool:
    """Tell whether tracebacks are wanted; `--debug` counts both before and after the command's name."""
    return bool(ctx.meta.get(_DEBUG))


def debug_option(command: F) -> F:
    """Add `--debug`."""
    return click.option(
        "--debug", is_flag=True, expose_value=False, callback=_remember_debug, help="Show the traceback of an unexpected error."
    )(command)


def with_options(options: Sequence[Any], command: F) -> F:
    """Return the command with these options, in this order in its help."""
    for option in reversed(options):
        command = option(command)
    return command


_FIRST_YEAR: Final = 1970


class Instant(click.ParamType[float]):
    """A time with its zone, such as 2026-01-05T12:00:00Z, as seconds since 1970."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds; a mistake is reported with the option's name."""
        if isinstance(value, float):
            return value
        try:
            time = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is not a time; write one such as 2026-01-05T12:00:00Z", param, ctx)
        if time.tzinfo is None:
            self.fail(f"{value!r} has no time zone; write one such as {time.isoformat()}Z", param, ctx)
        if not _FIRST_YEAR <= time.year <= LAST_YEAR:
            self.fail(f"{value!r} is out of range; write one from {_FIRST_YEAR} to {LAST_YEAR}", param, ctx)
        return time.timestamp()


class WholeNumber(click.IntRange):
    """A whole number within limits, as click's `IntRange`, in plain words."""

    name = "whole number"


class Percentage(WholeNumber):
    """A whole number of percent, with or without the percent sign."""

    name = "percentage"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; fail for everything else."""
        number: Any = value.removesuffix("%") if isinstance(value, str) else value
        return super().convert(number, param, ctx)


def width_option(command: F) -> F:
    """Add `--width`: how wide text is."""
    return click.option(
        "--width",
        type=WholeNumber(min=terminal.NARROWEST),
        metavar="COLUMNS",
        help=f"Columns of the text.  [default: the terminal's, else {terminal.DEFAULT_WIDTH}]",
    )(command)


ANSWER_FILE: Final = "answer_file"
"""The parameter of `--to`."""


def to_option(help_text: str) -> Callable[[F], F]:
    """Return a decorator that adds `--to`, the file that a command writes its answer to, with this help."""
    return click.option("--to", ANSWER_FILE, metavar="FILE", type=click.Path(dir_okay=False), help=help_text)


def output_option(*formats: str) -> Callable[[F], F]:
    """Return a decorator that adds `--output` with these formats, the first by default."""
    return click.option(
        "-o", "--output", type=click.Choice(formats), default=formats[0], show_default=True, help="Form of the answer."
    )
