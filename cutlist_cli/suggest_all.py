"""`cutlist suggest --all`: cheaper NodePools for every environment of the project or of the folders, in one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.settings.gate import GATES
from cutlist.settings.suggest import PULL_REQUEST, WRITE
from cutlist.verbs.suggest.fleet import EnvironmentSuggestions, FleetSuggestions
from cutlist.verbs.suggest.record import suggest_record
from cutlist_cli.each_environment import EachEnvironment
from cutlist_cli.environments import CalledEnvironment
from cutlist_cli.suggest_fleet import FORMATS

if TYPE_CHECKING:
    from cutlist.verbs.suggest.suggestions import Suggestions
    from cutlist_cli.input_options import InputOptions
    from cutlist_cli.renderer import Renderer

_EACH: Final[EachEnvironment[EnvironmentSuggestions, FleetSuggestions]] = EachEnvironment(
    FORMATS, FleetSuggestions, (WRITE, PULL_REQUEST), "environment", "planning candidates for", "done"
)


def show_all(
    ctx: click.Context,
    options: InputOptions,
    renderer: Renderer[Any],
    suggested: Callable[[InputOptions, str | None], Suggestions],
    gates: str | None,
) -> None:
    """Show suggestions for all environments, under their own gates or else these. The command ends with 2 if an environment has
    no answer."""

    def rows(of: CalledEnvironment) -> list[EnvironmentSuggestions]:
        own_gates = of.settings.get(GATES.name, gates)
        suggestions, problems = of.outcome(lambda: suggested(options.of_environment(of), own_gates))
        if suggestions is None:
            return [EnvironmentSuggestions(of.name, of.over(options.settings).get("region") or "", problems=problems)]
        return [EnvironmentSuggestions(of.name, suggestions.region, answer=suggest_record(suggestions))]

    _EACH.show(ctx, renderer, (options.files, options.reading), rows)
