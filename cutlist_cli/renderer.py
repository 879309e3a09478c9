"""Showing an answer: in the form that is asked for, once, or anew whenever a file that it is made from changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any, Generic, NoReturn, TypeVar

import click

from cutlist.core.errors import CutlistError, InputError
from cutlist_cli import terminal
from cutlist_cli.failures import failure
from cutlist_cli.formats import TEXT, OutputFormats
from cutlist_cli.options import output_option, refuse_stdin, width_option, with_options

A = TypeVar("A")
Command = Callable[..., None]


class ExitOption(click.Option):
    """An option that asks for an exit code by what the answer says; one that is followed has none."""


@dataclass(frozen=True, slots=True)
class Renderer(Generic[A]):
    """How the answer of a command is shown: what its options `--output`, `--width` and `--watch` ask for."""

    forms: OutputFormats[A]
    form: str
    width: int | None
    watch: bool

    def show(self, make: Callable[[], A]) -> A:
        """Make the answer and write it. With `--watch` it is made anew at each change until Ctrl-C, and this never returns."""
        if self.watch:
            _follow(lambda: self._once(make))
        return self._once(make)

    def _once(self, make: Callable[[], A]) -> A:
        answer = make()
        terminal.write(self.forms.written(self.form, answer, self.width))
        return answer


def form_options(forms: OutputFormats[Any]) -> Callable[[Command], Command]:
    """`--output` with the forms of an answer, and `--width`; the command gets them as `showing`."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def gathered(output: str, width: int | None, watch: bool = False, **options: Any) -> None:
            if watch:
                _refuse_to_follow(click.get_current_context(), output)
            command(showing=Renderer(forms, output, width, watch), **options)

        return with_options((output_option(*forms.names), width_option), gathered)

    return decorate


def answer_options(forms: OutputFormats[Any]) -> Callable[[Command], Command]:
    """The same and `--watch`, for answers that are made from files alone."""
    followed = click.option("--watch", is_flag=True, help="Show it anew whenever a file changes, until Ctrl-C. Text only.")
    return lambda command: with_options((followed, form_options(forms)), command)


def given_paths(ctx: click.Context) -> list[str]:
    """Every file and folder that a command is given, by whichever of its options."""
    return list(_given_paths(ctx))


def _given_paths(ctx: click.Context) -> Iterator[str]:
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        if isinstance(param.type, click.Path) and value is not None:
            yield from (value,) if isinstance(value, str) else value


def _refuse_to_follow(ctx: click.Context, form: str) -> None:
    """Refuse what makes no sense for an answer that goes on."""
    if form != TEXT:
        told = "`cutlist serve` shows the page of a plan and follows the files as well"
        raise click.UsageError(f"--watch shows text and not {form}; {told}")
    refuse_stdin(given_paths(ctx), "--watch")
    for param in ctx.command.params:
        if isinstance(param, ExitOption) and ctx.params.get(param.name or ""):
            raise click.UsageError(f"--watch goes on until Ctrl-C: there is no exit code for {param.opts[0]}")


def _may_be_mended(error: CutlistError) -> bool:
    """Whether a change of files may mend it: no mistake of an option, such as an unknown region, is among what is wrong."""
    return not isinstance(error, InputError) or all(problem.place.source for problem in error.problems)


def _follow(answer: Callable[[], object]) -> NoReturn:
    """Answer anew at each change; what is wrong in the files is shown, and the next change waited for.

    What is wrong from the start and cannot be mended by a file ends it.
    """
    from cutlist_cli.serving.changes import changes

    ctx = click.get_current_context()
    for number, _ in enumerate(changes(given_paths(ctx))):
        terminal.clear()
        try:
            answer()
        except CutlistError as error:
            if number == 0 and not _may_be_mended(error):
                raise
            failure(error, ctx.command_path).show()
    raise click.Abort  # nobody is there any more who would tell of changes
