"""`cutlist types`: what each NodePool may launch."""

from __future__ import annotations

import click

from cutlist.cli import terminal
from cutlist.cli.options import Given, debug_option, input_options, output_forms
from cutlist.cli.progress import telling


@click.command("types")
@input_options
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="Instance types to show of each NodePool, 0 for all.",
)
@output_forms("text", "json", "yaml", "csv", "svg")
@debug_option
def command(
    given: Given,
    limit: int,
    output: str,
    width: int | None,
) -> None:
    """Show which instance types each NodePool allows, cheapest first.

    With what pods may use of each, the zones that sell it, and its on-demand and spot price per hour. Then what is odd about
    NodePools and node classes: values that no type has, pools that match none or few, zones without subnets, images that start
    none. As SVG it is a chart of price against size of all types, with those marked that a plan for the workloads takes.

    \b
    Examples:
      cutlist types -f pools.yaml --region us-west-2
      cutlist types -f pools.yaml --region us-west-2 --zone us-west-2a --limit 0
      cutlist types -f pools.yaml --region us-west-2 -o json
      cutlist types -f pools.yaml -f app.yaml --region us-west-2 -o svg > types.svg
    """
    from cutlist.plan import allowed_types, odd_pools

    inputs = given.read()
    with telling("looking at instance types"):
        pools, notes = allowed_types(inputs), odd_pools(inputs)
    where = given.region or ""
    match output:
        case "json":
            from cutlist.report.json import types_json

            terminal.write(types_json(pools, where, limit, notes))
        case "yaml":
            from cutlist.report import yaml
            from cutlist.report.json import types_json

            terminal.write(yaml.from_json(types_json(pools, where, limit, notes)))
        case "csv":
            from cutlist.report.csv import types_csv

            terminal.write(types_csv(pools, limit))
        case "svg":
            from cutlist.plan import plan
            from cutlist.report.chart import Chosen, types_svg

            with telling("placing the pods"):
                made = plan(inputs)
            terminal.write(types_svg(pools, Chosen.by_plan(made)))
        case _:
            from cutlist.report.text import render_types

            columns = terminal.width(width)
            terminal.write(render_types(pools, where, columns, colour=terminal.has_colour(), limit=limit, notes=notes))
