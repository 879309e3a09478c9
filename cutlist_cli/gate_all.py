"""`cutlist gate --all`: the gates' report on every environment of the project or of the folders, in one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.core.errors import InputError
from cutlist.core.records import json_of
from cutlist.settings.gate import ALSO_TO, BEFORE, FIX, GATES, PROFILE, VERBOSE
from cutlist.settings.planning import FILES
from cutlist.settings.stack import STACK
from cutlist.verbs.gate.environment_views import gate_environments_markdown, render_gate_environments
from cutlist.verbs.gate.environments import EnvironmentReport, GateReports
from cutlist_cli.each_environment import EachEnvironment
from cutlist_cli.environments import WHOLE, CalledEnvironment
from cutlist_cli.formats import OutputFormats
from cutlist_cli.gate_inputs import STOPPED

if TYPE_CHECKING:
    from cutlist.verbs.gate.change import Change
    from cutlist_cli.bases import Bases
    from cutlist_cli.gate_inputs import GateInputs
    from cutlist_cli.renderer import Renderer

_OF_ONE: Final = (STACK, BEFORE, FIX, ALSO_TO, VERBOSE)
"""The settings of a single report, and of what is done with it."""

_FORMATS: Final[OutputFormats[GateReports]] = OutputFormats(
    text=render_gate_environments,
    others={"markdown": gate_environments_markdown, "json": json_of},
)


_EACH: Final[EachEnvironment[EnvironmentReport, GateReports]] = EachEnvironment(
    _FORMATS, GateReports, _OF_ONE, "report", "judging", "judged"
)


def show_all(ctx: click.Context, inputs: GateInputs, renderer: Renderer[Any], stacks: Sequence[CalledEnvironment] = ()) -> None:
    """Show the reports on all environments: those of the call, or these stacks.

    The command ends with 2 if an environment has no report, and otherwise with 1 if the change of one is stopped.
    """
    read = inputs.files, inputs.options.reading
    with inputs.bases() as found:
        changes = _since(inputs, found)
        reports = _EACH.show(
            ctx, renderer, read, lambda of: [_report(of, inputs, found, changes)], (lambda: stacks) if stacks else None
        )
    if not reports.has_passed:
        ctx.exit(STOPPED)


def _since(inputs: GateInputs, found: Bases) -> Callable[[CalledEnvironment], Change | None]:
    """Return a function that returns what changes in an environment since the base; None if there is no base."""
    compared = found.compared
    if compared is None:
        return lambda _: None
    from cutlist.verbs.gate.change import change_since  # only where it is asked for
    from cutlist_cli.diff_all import Then, difference_in
    from cutlist_cli.diff_sides import Call, refuse_since

    call, then = Call((), inputs.options, compared.revision, (), None, inputs.time_limit), Then(compared, None)
    refuse_since(call)
    return lambda of: change_since(compared.revision, lambda: difference_in(of, call, then)[0])


def _report(
    of: CalledEnvironment, inputs: GateInputs, found: Bases, changes: Callable[[CalledEnvironment], Change | None]
) -> EnvironmentReport:
    """Return the report on an environment, or why it has no report.

    It is judged by the repository as it was. `changes` gives what changes in it, if that is asked for.

    A file that cannot be opened is such a reason: it may hold what the gates judge.
    """

    def judged() -> EnvironmentReport:
        own = replace(
            inputs,
            options=replace(inputs.options, files=of.files, settings=of.over(inputs.options.settings)),
            stack=of.stack or None,
            project_dir=Path(of.project),
            gates=of.settings.get(GATES.name, inputs.gates),
            profile=of.settings.get(PROFILE.name, inputs.profile),
        )
        if not of.stack:
            of.require_files()
        change = changes(of)
        lies_in_folders = not of.place.source and of.name != WHOLE
        beside = {FILES.name: of.files, **of.settings} if lies_in_folders else {}
        there = found.below(of.project) if of.stack else found
        result = own.result_by(there, None if of.name == WHOLE else of.name, change, beside)
        if result.unread:
            raise InputError(result.unread)
        return EnvironmentReport(of.name, of.command, result.report, change)

    report, problems = of.outcome(judged)
    return EnvironmentReport(of.name, of.command, problems=problems) if report is None else report
