"""`cutlist plan`: manifests in, nodes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import click

from cutlist.cli import terminal
from cutlist.cli.failures import failure
from cutlist.cli.options import Given, before_option, debug_option, input_options, launch_option, output_forms, refuse_stdin
from cutlist.cli.progress import telling
from cutlist.errors import CutlistError

if TYPE_CHECKING:
    from cutlist.plan import PlanInputs
    from cutlist.planned import Plan

_COMPARING: Final = ("markdown", "html")
_LAUNCHING: Final = ("json", "yaml")


@click.command("plan")
@input_options
@click.option("--strict", is_flag=True, help="Exit with 1 when pods stay pending.")
@launch_option
@before_option
@click.option("--watch", is_flag=True, help="Show the plan anew whenever a file changes, until Ctrl-C. Text only.")
@output_forms("text", "markdown", "html", "json", "yaml", "csv")
@debug_option
@click.pass_context
def command(
    ctx: click.Context,
    given: Given,
    strict: bool,
    launch: bool,
    before: str | None,
    watch: bool,
    output: str,
    width: int | None,
) -> None:
    """Show which nodes the workloads will get, at what price, and what stays pending.

    Reads NodePools, node classes, Deployments, StatefulSets, DaemonSets, Jobs and pods from files. With --launch, and always as
    JSON, also the request to EC2 that each node leads to. NodePools of EKS Auto Mode are planned by its rules; those that it
    brings along are switched on with --built-in-pool.

    \b
    Examples:
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2
      helm template ./chart | cutlist plan -f pools.yaml -f - --region us-west-2
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 --launch
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 --watch
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 -o json
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 -o html > plan.html
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 -o markdown --before plan.json
      cutlist plan -f app.yaml --region us-west-2 --built-in-pool general-purpose
    """
    earlier = _before(before, output)
    if watch:
        _follow(ctx, given, output, lambda: _answer(given, launch, output, width, earlier))
    elif _answer(given, launch, output, width, earlier).pending and strict:
        ctx.exit(1)


def _answer(given: Given, launch: bool, output: str, width: int | None, before: Plan | None) -> Plan:
    """Write the plan in the form that is asked for."""
    inputs = given.read()
    made = _planned(inputs)
    if launch or output in _LAUNCHING:
        from cutlist.plan import with_launches

        made = with_launches(made, inputs)
    if output == "text":
        from cutlist.report.text import render_plan

        terminal.write(render_plan(made, terminal.width(width), colour=terminal.has_colour()))
    else:
        terminal.write(_written(output, made, inputs, before))
    return made


def _follow(ctx: click.Context, given: Given, output: str, answer: Callable[[], object]) -> None:
    """Answer anew at each change; what is wrong in the files is shown, and the next change waited for."""
    from cutlist.serving.changes import changes

    if output != "text":
        raise click.UsageError("--watch shows text; `cutlist serve` shows the page and follows the files as well")
    refuse_stdin(given.files, "--watch")
    for _ in changes(given.files):
        terminal.clear()
        try:
            answer()
        except CutlistError as error:
            failure(error, ctx.command_path).show()


def _written(output: str, made: Plan, inputs: PlanInputs, before: Plan | None) -> str:
    """The plan in a form that is not for a terminal."""
    match output:
        case "json":
            from cutlist.report.json import plan_json

            return plan_json(made)
        case "yaml":
            from cutlist.report import yaml
            from cutlist.report.json import plan_json

            return yaml.from_json(plan_json(made))
        case "csv":
            from cutlist.report.csv import plan_csv

            return plan_csv(made)
        case "markdown":
            from cutlist.report.markdown import plan_markdown

            return plan_markdown(made, before)
        case _:
            return _page(made, inputs, before)


def plan_page(inputs: PlanInputs, before: Plan | None) -> str:
    """The page of the plan of these inputs."""
    return _page(_planned(inputs), inputs, before)


def _planned(inputs: PlanInputs) -> Plan:
    from cutlist.plan import plan

    with telling("placing the pods"):
        return plan(inputs)


def _page(made: Plan, inputs: PlanInputs, before: Plan | None) -> str:
    from cutlist.disrupt import newest_time, upcoming
    from cutlist.plan import allowed_types
    from cutlist.report.html.plan_page import plan_html

    # Only nodes tell which time it is; without one there is no week to show.
    week = upcoming(inputs, newest_time(inputs)) if inputs.cluster.nodes else None
    return plan_html(made, allowed_types(inputs), before, week)


def _before(path: str | None, output: str) -> Plan | None:
    if path is None:
        return None
    if output not in _COMPARING:
        raise click.UsageError(f"--before is shown by {' and '.join(f'-o {form}' for form in _COMPARING)} only")
    from cutlist.stored_plan import read_plan

    return read_plan(path)
