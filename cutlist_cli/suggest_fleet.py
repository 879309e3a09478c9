"""`cutlist suggest --fleet`: environments in, suggestions for each of them out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from cutlist.core.records import json_of
from cutlist.settings.calendar import DAY
from cutlist.settings.suggest import FLEET, RESUME
from cutlist.verbs.suggest.columns import fleet_csv
from cutlist.verbs.suggest.fleet import suggest_fleet
from cutlist.verbs.suggest.fleet_file import read_fleet
from cutlist.verbs.suggest.markdown import fleet_markdown
from cutlist.verbs.suggest.text import render_fleet
from cutlist_cli.answers_folder import AnswersFolder
from cutlist_cli.calendar import chosen_day
from cutlist_cli.file_options import require_files
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.notes import show_not_read
from cutlist_cli.options import with_options
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer
from cutlist_cli.runner_options import RunnerOptions
from cutlist_cli.setting_options import setting_option
from cutlist_cli.stopping import until_interrupted

if TYPE_CHECKING:
    from cutlist.verbs.suggest.fleet import EnvironmentSuggestions, FleetSuggestions

_WITH_FLEET: Final = frozenset(("fleet_file", "resume", "workers", "dask", "seconds", "output", "width", "debug"))
"""The options that count for a fleet; all others are in its file."""


FORMATS: Final[OutputFormats[FleetSuggestions]] = OutputFormats(
    text=render_fleet,
    others={
        "markdown": fleet_markdown,
        "html": later("cutlist.verbs.suggest.html", "fleet_html"),
        "json": json_of,
        "csv": fleet_csv,
    },
)


@dataclass(frozen=True, slots=True)
class FleetOptions:
    """The file of a fleet, and the folder with what was computed before."""

    file: str | None
    resume: str | None

    def is_asked_for(self, ctx: click.Context) -> bool:
        """Tell whether suggestions for a fleet are asked for. Refuses options that cannot be combined."""
        params = {param.name or "": param for param in ctx.command.params}
        if self.file is None:
            if self.resume is not None:
                raise click.UsageError(f"{RESUME.flag} keeps the answers of a fleet: name its file with {FLEET.flag}")
            require_files(ctx.params["files"])
            return False
        on_the_line = [name for name in params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
        others = [params[name].opts[-1] for name in on_the_line if name not in _WITH_FLEET]
        if others:
            raise click.UsageError(
                f"{', '.join(others)} cannot be given with --fleet, whose file sets this for each environment"
            )
        return True


def fleet_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--fleet` and `--resume`, passed as `fleet`: a `FleetOptions`."""

    @wraps(command)
    def with_fleet(fleet_file: str | None, resume: str | None, **options: Any) -> None:
        command(fleet=FleetOptions(fleet_file, resume), **options)

    return with_options(_OPTIONS, with_fleet)


_OPTIONS: Final = (
    setting_option(FLEET),
    setting_option(RESUME),
)


def show_fleet(
    ctx: click.Context, options: FleetOptions, running: RunnerOptions, seconds: int | None, renderer: Renderer[Any]
) -> None:
    """Show suggestions for a fleet; the command ends with 1 if an environment has no answer."""
    environments = read_fleet(options.file or "")
    kept = None if options.resume is None else AnswersFolder(options.resume, RESUME)
    numbers, total = count(1), len(environments)
    progress, until = progress_line(f"planning {total:,} environments"), until_interrupted(seconds)
    with progress as say, running.started(total) as runner, until as may_go_on:

        def done(_: EnvironmentSuggestions) -> None:
            number = next(numbers)
            say(f"{number:,} of {total:,} environments are done", number / total)

        day = chosen_day(DAY, None)
        answer = suggest_fleet(environments, may_go_on=may_go_on, runner=runner, kept=kept, done=done, day=day)
    for environment in answer.environments:
        show_not_read(environment.notes, f"{environment.name}: ")
    replace(renderer, formats=FORMATS).show(lambda: answer)
    if answer.answered < len(environments):
        ctx.exit(1)
