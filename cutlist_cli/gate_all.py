"""`cutlist gate --all`: the gates' report on every environment of the project or of the folders, in one table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.core.errors import InputError
from cutlist.core.records import json_of
from cutlist.settings.gate import BASE, BEFORE, FIX, GATES, VERBOSE, WRITE
from cutlist.settings.stack import STACK
from cutlist.verbs.gate.environment_views import gate_environments_markdown, render_gate_environments
from cutlist.verbs.gate.environments import EnvironmentReport, GateReports
from cutlist_cli.each_environment import EachEnvironment
from cutlist_cli.environments import CalledEnvironment
from cutlist_cli.formats import OutputFormats
from cutlist_cli.gate_inputs import STOPPED

if TYPE_CHECKING:
    from cutlist.policy.gates import Report
    from cutlist_cli.gate_inputs import GateInputs
    from cutlist_cli.renderer import Renderer

_OF_ONE: Final = (STACK, BASE, BEFORE, FIX, WRITE, VERBOSE)
"""The settings of a single report, and of what is done with it."""

_FORMATS: Final[OutputFormats[GateReports]] = OutputFormats(
    text=render_gate_environments,
    others={"markdown": gate_environments_markdown, "json": json_of},
)


_EACH: Final[EachEnvironment[EnvironmentReport, GateReports]] = EachEnvironment(
    _FORMATS, GateReports, _OF_ONE, "report", "judging", "judged"
)


def show_all(ctx: click.Context, inputs: GateInputs, renderer: Renderer[Any]) -> None:
    """Show the reports on all environments.

    The command ends with 2 if an environment has no report, and otherwise with 1 if the change of one is stopped.
    """
    reports = _EACH.show(ctx, renderer, (inputs.files, inputs.options.reading), lambda of: [_report(of, inputs)])
    if not reports.has_passed:
        ctx.exit(STOPPED)


def _report(of: CalledEnvironment, inputs: GateInputs) -> EnvironmentReport:
    """Return the report on an environment, or why it has no report.

    A file that cannot be opened is such a reason: it may hold what the gates judge.
    """

    def judged() -> Report:
        own = replace(
            inputs,
            options=replace(inputs.options, files=of.files, settings=of.over(inputs.options.settings)),
            stack=of.stack or None,
            project_dir=Path(of.project),
            gates=of.settings.get(GATES.name, inputs.gates),
        )
        if not of.stack:
            of.require_files()
        result = own.result()
        if result.unread:
            raise InputError(result.unread)
        return result.report

    report, problems = of.outcome(judged)
    return EnvironmentReport(of.name, of.command, report, problems)
