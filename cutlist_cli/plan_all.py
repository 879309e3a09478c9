"""`cutlist plan --all`: every environment of the project or of the folders, in one table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.core.errors import Place, Problems
from cutlist.core.records import json_of
from cutlist.planning.absences import require_workloads
from cutlist.settings.answers import WATCH
from cutlist.settings.plan import BEFORE, BOUND, LAUNCH, RESTRICTIONS, SCALING, SETTLED, SUMMARY
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.environment_columns import environments_csv
from cutlist.verbs.plan.environments import EnvironmentPlan, EnvironmentPlans
from cutlist.verbs.plan.text import render_environments
from cutlist_cli.calendar import counted_from
from cutlist_cli.each_environment import EachEnvironment
from cutlist_cli.environments import CalledEnvironment
from cutlist_cli.formats import OutputFormats, later

if TYPE_CHECKING:
    from datetime import date

    from cutlist.planning.model import Plan
    from cutlist_cli.input_options import InputOptions
    from cutlist_cli.renderer import Renderer
    from cutlist_cli.usage_options import UsageOptions

_OF_ONE: Final = (SUMMARY, LAUNCH, BOUND, SETTLED, SCALING, RESTRICTIONS, BEFORE, WATCH)
"""The settings of what is shown of a single plan."""

_FORMATS: Final[OutputFormats[EnvironmentPlans]] = OutputFormats(
    text=render_environments,
    others={
        "markdown": later("cutlist.verbs.plan.markdown", "environments_markdown"),
        "html": later("cutlist.verbs.plan.html", "environments_html"),
        "json": json_of,
        "csv": environments_csv,
    },
)


_EACH: Final[EachEnvironment[EnvironmentPlan, EnvironmentPlans]] = EachEnvironment(
    _FORMATS, EnvironmentPlans, _OF_ONE, "plan", "planning", "planned"
)


def show_all(
    ctx: click.Context, options: InputOptions, usage: UsageOptions, renderer: Renderer[Any], day: date, *, strict: bool
) -> None:
    """Show the plans of all environments. The command ends with 2 if one of them has no plan, and otherwise as for one plan."""
    plans = _EACH.show(ctx, renderer, (options.files, options.reading), lambda of: _rows(of, options, usage, day))
    if strict and (plans.has_pending_pods or not plans.complete):
        ctx.exit(1)


def _rows(of: CalledEnvironment, options: InputOptions, usage: UsageOptions, day: date) -> list[EnvironmentPlan]:
    """Return the plan of an environment, or why it has no plan; a stack may have several."""
    plans, problems = of.outcome(lambda: _of_stack(of, options, day) if of.stack else [_of_files(of, options, usage, day)])
    if plans is None:
        return [EnvironmentPlan(of.name, of.command, None, problems)]
    return [EnvironmentPlan(of.name, of.command, each) for each in plans]


def _of_files(of: CalledEnvironment, options: InputOptions, usage: UsageOptions, day: date) -> Plan:
    own = options.of_environment(of)
    inputs = own.read_for_placing().on_day(day)
    require_workloads(inputs, allow_empty=own.allow_empty)
    sized = usage.applied_to(inputs)
    return plan(inputs if sized is None else sized.inputs)


def _of_stack(of: CalledEnvironment, options: InputOptions, day: date) -> list[Plan]:
    """Return the plans of a stack. Raises InputError if its program makes none."""
    from pulumi_cutlist.stack.preview import preview  # needs Pulumi's SDK, an extra

    with counted_from(day):
        stack_preview = preview(Path(of.project), of.stack)
    if options.catalog:
        stack_preview = stack_preview.with_catalog(options.catalog)
    problems = Problems(allow_empty=options.allow_empty)
    if not stack_preview.plans:
        problems.add_absence(Place(f"stack {of.stack}"), "its program makes no plan", "NodePools and workloads")
    problems.raise_if_any()
    return list(stack_preview.plans)
