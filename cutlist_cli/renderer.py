"""Rendering of an answer in the requested format: once, or again whenever a file that it depends on changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from pathlib import PurePath
from typing import Any, Final, Generic, NoReturn, TypeVar

import click
from click.core import ParameterSource

from cutlist.core.errors import CutlistError, InputError
from cutlist.settings.answers import SET_THE_EXIT_CODE, WATCH
from cutlist.settings.stack import PROJECT_DIR
from cutlist_cli import terminal
from cutlist_cli.failures import failure
from cutlist_cli.files import refuse_folders, refuse_inputs, write_answer
from cutlist_cli.formats import HTML, TEXT, OutputFormats
from cutlist_cli.options import ANSWER_FILE, debug_option, output_option, to_option, width_option, with_options
from cutlist_cli.serving import changes
from cutlist_cli.setting_options import setting_option
from cutlist_cli.stdin import refuse_streams
from cutlist_cli.stopping import leave

A = TypeVar("A")
B = TypeVar("B")
Command = Callable[..., None]
_SUFFIXES: Final = {
    ".txt": TEXT,
    ".md": "markdown",
    ".html": HTML,
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".csv": "csv",
    ".svg": "svg",
    ".xml": "junit",
    ".sarif": "sarif",
}
"""The forms by the ends of file names."""


@dataclass(frozen=True, slots=True)
class Renderer(Generic[A]):
    """The values of `--output`, `--to`, `--width` and `--watch`: how the answer of a command is shown, and where."""

    formats: OutputFormats[A]
    output_format: str
    width: int | None
    watch: bool
    file: str | None = None

    def of(self, formats: OutputFormats[B]) -> Renderer[B]:
        """Return what shows another kind of answer in the same way; it has the same formats."""
        return Renderer(formats, self.output_format, self.width, self.watch, self.file)

    def show(self, compute: Callable[[], A]) -> A:
        """Compute the answer and write it; with `--watch` do so again at each change until Ctrl-C, without ever returning."""
        if self.watch:
            follow(lambda: self._show_once(compute))
        return self._show_once(compute)

    def write(self, answer: A) -> None:
        """Write a computed answer to the file or else to standard output."""
        self._write(self.text(answer))

    def text(self, answer: A) -> str:
        """Return a computed answer in its format; a page says where it comes from."""
        text = self.formats.write(self.output_format, answer, self.width, is_file=self.file is not None)
        if self.output_format != HTML:
            return text
        from cutlist_cli.page_origin import with_origin  # reads what git and the project's file say

        return with_origin(text)

    def _show_once(self, compute: Callable[[], A]) -> A:
        answer = compute()
        self.write(answer)
        return answer

    def _write(self, text: str) -> None:
        if self.watch:
            terminal.clear()  # only now, so that the last answer stays while the next one is computed
        if self.file is None and self.formats.verbatim and self.output_format == TEXT:
            click.echo(text.encode(), nl=False)
        else:
            write_answer(text, self.file)


def renderer_options(formats: OutputFormats[Any], *, can_watch: bool = False) -> Callable[[Command], Command]:
    """Return a decorator that adds `--output`, `--to`, `--width` and `--debug`, and passes a `renderer` to a command.

    With `can_watch`, for answers that depend only on files, it also adds `--watch`.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_renderer(
            output: str, width: int | None = None, watch: bool = False, answer_file: str | None = None, **options: Any
        ) -> None:
            ctx = click.get_current_context()
            if answer_file is not None:
                output = _format_of(ctx, answer_file, output, formats)
                refuse_to_overwrite(ctx, answer_file, watch=watch)
            if watch:
                _refuse_to_follow(ctx, output)
            command(renderer=Renderer(formats, output, width, watch, answer_file), **options)

        watch_options = (setting_option(WATCH),) if can_watch else ()
        width_options = () if formats.verbatim else (width_option,)
        return with_options(
            (*watch_options, output_option(*formats.names), ANSWER_OPTION, *width_options, debug_option), with_renderer
        )

    return decorate


ANSWER_OPTION: Final = to_option("Write the answer to a file; its extension selects the form.")


def form_of_file(file: str) -> str:
    """Return the form that the end of a file's name stands for; empty if it stands for none."""
    return _SUFFIXES.get(PurePath(file).suffix.lower(), "")


def _format_of(ctx: click.Context, file: str, output: str, formats: OutputFormats[Any]) -> str:
    """Return the format of `-o`, or, without it, the one that a file's name ends in."""
    suffix = PurePath(file).suffix.lower()
    if ctx.get_parameter_source("output") is ParameterSource.COMMANDLINE:
        return output
    named = TEXT if suffix in formats.text_suffixes else _SUFFIXES.get(suffix, output)
    if named not in formats.names:
        known = ", ".join(formats.names)
        raise click.UsageError(f"--to {terminal.safe(file)}: {ctx.command_path} has no form {named}, but {known}")
    return named


def refuse_to_overwrite(ctx: click.Context, file: str, *, watch: bool = False) -> None:
    """Raise InputError when the file of `--to` is one that the command reads, or in a folder whose files it reads."""
    if watch:
        raise click.UsageError(f"{WATCH.flag} shows the answer on the terminal; leave out --to")
    inputs = paths_of(ctx)
    refuse_inputs("--to", [file], inputs)
    refuse_folders("--to", file, inputs)


def paths_of(ctx: click.Context) -> list[str]:
    """Return every file and folder that the call of a command names to be read, by any of its options; not the folder of a
    project, in which its program runs."""
    return list(_paths_of(ctx))


def _paths_of(ctx: click.Context) -> Iterator[str]:
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        if isinstance(param.type, click.Path) and value is not None and param.name not in (ANSWER_FILE, PROJECT_DIR.name):
            yield from (value,) if isinstance(value, str) else value


def _refuse_to_follow(ctx: click.Context, output_format: str) -> None:
    """Refuse what cannot be combined with `--watch`."""
    if output_format != TEXT:
        alternative = "`cutlist serve` shows the page of a plan and follows the files as well"
        raise click.UsageError(f"{WATCH.flag} shows text and not {output_format}; {alternative}")
    refuse_streams(paths_of(ctx), WATCH.flag)
    for setting in SET_THE_EXIT_CODE:
        if ctx.params.get(setting.name):
            raise click.UsageError(f"{WATCH.flag} goes on until Ctrl-C: there is no exit code for {setting.flag}")


def _is_mendable(error: CutlistError) -> bool:
    """Tell whether a change of files may resolve an error: every problem is in a file, none in an option such as the region."""
    return not isinstance(error, InputError) or all(problem.place.source for problem in error.problems)


def follow(show_once: Callable[[], object]) -> NoReturn:
    """Show the answer again at each change; after problems in the files, wait for the next change.

    Initial problems that no change of a file can resolve end it.
    """
    show_each_time(changes.changes(paths_of(click.get_current_context())), show_once, _is_mendable)


def show_each_time(
    times: Iterable[object], show_once: Callable[[], object], is_mendable: Callable[[CutlistError], bool]
) -> NoReturn:
    """Show an answer, or why there is none, each time until Ctrl-C; an error at the first time ends it unless `is_mendable`.

    The exit code is 0 if the user leaves an answer, and otherwise that of the error shown. Before anything is shown,
    Ctrl-C interrupts as in any other command.
    """
    ctx, status = click.get_current_context(), None
    try:
        for _ in times:
            if status is not None:
                status = 0  # what was wrong has changed; set before the answer is there, since Ctrl-C may follow it at once
            try:
                show_once()
                status = 0
            except CutlistError as error:
                if status is None and not is_mendable(error):
                    raise
                shown = failure(error, ctx.command_path)
                terminal.clear()
                shown.show()
                status = shown.exit_code
    except KeyboardInterrupt:
        if status is None:
            raise
        leave(status)
    raise click.Abort  # what was followed ended, so no further change would be noticed
