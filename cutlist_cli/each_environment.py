"""Commands with `--all`: the answer for every environment of the project or of the folders, in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

import click

from cutlist.core.setting import Setting
from cutlist.documents.folders import Reading
from cutlist.settings.environments import ALL
from cutlist_cli.environments import CalledEnvironment, all_environments
from cutlist_cli.failures import BAD_INPUT
from cutlist_cli.formats import OutputFormats
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer
from cutlist_cli.setting_options import on_the_line

R = TypeVar("R")


class Answers(Protocol):
    """The answers for all environments."""

    @property
    def failed(self) -> int:
        """Return how many environments have no answer."""
        ...


A = TypeVar("A", bound=Answers)


@dataclass(frozen=True, slots=True)
class EachEnvironment(Generic[R, A]):
    """How a command answers for every environment: rows of each, which `together` are its answer.

    `of_one` are the settings of the answer for one, which is called `what`. `doing` and `done` are the verb in the words of
    progress. `argument` is what the command has besides options.
    """

    formats: OutputFormats[A]
    together: Callable[[tuple[R, ...]], A]
    of_one: tuple[Setting, ...]
    what: str
    doing: str
    done: str
    argument: str = ""

    def show(
        self,
        ctx: click.Context,
        renderer: Renderer[Any],
        read: tuple[tuple[str, ...], Reading],
        rows: Callable[[CalledEnvironment], Iterable[R]],
        environments: Callable[[], Sequence[CalledEnvironment]] | None = None,
    ) -> A:
        """Show the answers for the environments of what is `read`, or for others, and return them.

        The command ends with 2 if an environment has no answer.
        """
        for setting in on_the_line(ctx, self.of_one):
            raise click.UsageError(
                f"{setting.flag} is about one {self.what}, and {ALL.flag} shows a row for each: leave one of them out"
            )
        if renderer.output_format not in self.formats.names:
            raise click.UsageError(f"{ALL.flag} has no form {renderer.output_format}, but {', '.join(self.formats.names)}")

        def answer() -> A:
            called = all_environments(ctx, *read, self.argument) if environments is None else environments()
            answers: list[R] = []
            with progress_line(f"{self.doing} {len(called):,} environments") as say:
                for number, of in enumerate(called):
                    say(f"{number:,} of {len(called):,} environments are {self.done}", number / len(called))
                    answers += rows(of)
            return self.together(tuple(answers))

        shown: Renderer[A] = replace(renderer, formats=self.formats)
        answers = shown.show(answer)
        if answers.failed:
            ctx.exit(BAD_INPUT)
        return answers
