"""`cutlist disrupt`: a cluster in, Karpenter's next step out."""

from __future__ import annotations

import click

from cutlist.cli import terminal
from cutlist.cli.instants import Instant
from cutlist.cli.options import Given, debug_option, input_options, output_forms
from cutlist.cli.progress import telling


@click.command("disrupt")
@input_options
@click.option(
    "--at",
    "instant",
    type=Instant(),
    metavar="TIME",
    help="Instant to look at, such as 2026-01-05T12:00:00Z.  [default: the newest time in the files]",
)
@click.option("--until-stable", is_flag=True, help="Go on, step by step, until Karpenter does nothing more.")
@click.option("--spot-to-spot", is_flag=True, help="The feature gate SpotToSpotConsolidation is on.")
@click.option("--node-repair", is_flag=True, help="The feature gate NodeRepair is on: tells which sick nodes are replaced.")
@output_forms("text", "html", "json", "yaml", "csv")
@debug_option
def command(
    given: Given,
    instant: float | None,
    until_stable: bool,
    spot_to_spot: bool,
    node_repair: bool,
    output: str,
    width: int | None,
) -> None:
    """Show what Karpenter would consolidate or replace next, and why nodes stay.

    Reads Nodes, NodeClaims, NodePools, node classes, pods and PodDisruptionBudgets from files, such as
    `kubectl get nodes,nodeclaims,nodepools,ec2nodeclasses,pods,pdb -A -o yaml` writes.

    \b
    Examples:
      cutlist disrupt -f cluster.yaml --region us-west-2
      cutlist disrupt -f cluster.yaml --region us-west-2 --until-stable
      cutlist disrupt -f cluster.yaml --region us-west-2 --node-repair
      cutlist disrupt -f cluster.yaml --region us-west-2 --at 2026-01-05T12:00:00Z -o json
      cutlist disrupt -f cluster.yaml --region us-west-2 --until-stable -o html > next.html
    """
    from cutlist.disrupt import forecast, newest_time
    from cutlist.disruption.world import Gates

    inputs = given.read()
    now = newest_time(inputs) if instant is None else instant
    gates = Gates(spot_to_spot=spot_to_spot, node_repair=node_repair)
    with telling("following Karpenter step by step" if until_stable else "asking what Karpenter does next"):
        made = forecast(inputs, now, gates=gates, to_the_end=until_stable)
    match output:
        case "json":
            from cutlist.report.disrupt_json import forecast_json

            terminal.write(forecast_json(made))
        case "yaml":
            from cutlist.report import yaml
            from cutlist.report.disrupt_json import forecast_json

            terminal.write(yaml.from_json(forecast_json(made)))
        case "html":
            from cutlist.disrupt import upcoming
            from cutlist.report.html.disrupt_page import forecast_html

            terminal.write(forecast_html(made, upcoming(inputs, now)))
        case "csv":
            from cutlist.report.csv import outlook_csv

            terminal.write(outlook_csv(made.outlook.nodes))
        case _:
            from cutlist.report.disrupt_text import render_forecast

            terminal.write(render_forecast(made, terminal.width(width), colour=terminal.has_colour()))
