"""`cutlist explain --all`: a workload in every environment of the project or of the folders, in one table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.core.records import json_of
from cutlist.settings.answers import WATCH
from cutlist.settings.explain import RESTRICTIONS
from cutlist.verbs.explain.environments import (
    EnvironmentExplanation,
    EnvironmentExplanations,
    csv,
    markdown,
    render_environments,
)
from cutlist_cli.each_environment import EachEnvironment
from cutlist_cli.environments import CalledEnvironment
from cutlist_cli.formats import OutputFormats

if TYPE_CHECKING:
    from cutlist.planning.model.explanation import Explanations
    from cutlist_cli.input_options import InputOptions
    from cutlist_cli.renderer import Renderer

_FORMATS: Final[OutputFormats[EnvironmentExplanations]] = OutputFormats(
    text=render_environments, others={"markdown": markdown, "json": json_of, "csv": csv}
)


def show_all(
    ctx: click.Context,
    workload: str,
    options: InputOptions,
    renderer: Renderer[Any],
    explained: Callable[[InputOptions], Explanations],
) -> None:
    """Show a workload in all environments. The command ends with 2 if one of them does not have it, or has mistakes."""

    def rows(of: CalledEnvironment) -> list[EnvironmentExplanation]:
        explanations, problems = of.outcome(lambda: explained(options.of_environment(of)))
        return [EnvironmentExplanation(of.name, of.command, explanations, problems)]

    together = partial(EnvironmentExplanations, workload)
    of_one = (RESTRICTIONS, WATCH)
    each = EachEnvironment(_FORMATS, together, of_one, "explanation", "explaining", "explained", quote(workload))
    each.show(ctx, renderer, (options.files, options.reading), rows)
