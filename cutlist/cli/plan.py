"""`cutlist plan`: manifests in, nodes out."""

from __future__ import annotations

import click

from cutlist.cli import terminal
from cutlist.cli.options import Given, debug_option, input_options, launch_option, output_options


@click.command("plan")
@input_options
@click.option("--strict", is_flag=True, help="Exit with 1 when pods stay pending.")
@launch_option
@output_options
@debug_option
@click.pass_context
def command(
    ctx: click.Context,
    given: Given,
    strict: bool,
    launch: bool,
    output: str,
    width: int | None,
) -> None:
    """Show which nodes the workloads will get, at what price, and what stays pending.

    Reads NodePools, their node classes and workloads from files, folders and standard input; needs no cluster and no account.
    `helm template` and `kustomize build` output is read as it is.

    \b
    Examples:
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2
      cutlist plan -f pools/ -f workloads/ --region us-west-2 --strict
      helm template ./chart | cutlist plan -f pools.yaml -f - --region us-west-2
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 --launch
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 -o json
      cutlist plan -f app.yaml --region us-west-2 --built-in-pool general-purpose
    """
    from cutlist.plan import plan

    inputs = given.read()
    made = plan(inputs)
    if launch or output == "json":
        from cutlist.plan import with_launches

        made = with_launches(made, inputs)
    if output == "json":
        from cutlist.report.json import plan_json

        terminal.write(plan_json(made))
    else:
        from cutlist.report.text import render_plan

        terminal.write(render_plan(made, terminal.width(width), colour=terminal.has_colour()))
    if strict and made.pending:
        ctx.exit(1)
