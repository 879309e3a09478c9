"""`cutlist interrupt`: a cluster in, what is left of it without spot out."""

from __future__ import annotations

import click

from cutlist.cli import terminal
from cutlist.cli.options import Given, at_option, debug_option, input_options, output_options
from cutlist.cli.progress import telling


@click.command("interrupt")
@input_options
@click.option("--spot-in", "zone", default="", metavar="ZONE", help="Where spot capacity ends.  [default: everywhere]")
@at_option
@output_options
@debug_option
def command(given: Given, zone: str, instant: float | None, output: str, width: int | None) -> None:
    """Show what comes of a cluster when all spot capacity of a zone ends.

    Every spot node there goes at once, whatever budgets say. Shows where its pods go, which nodes Karpenter launches for
    them, none of them spot in that zone, and which pods stay pending.

    \b
    Examples:
      cutlist interrupt -f cluster.yaml --region us-west-2
      cutlist interrupt -f cluster.yaml --region us-west-2 --spot-in us-west-2b -o json
    """
    from cutlist.disrupt import loss_of_spot, newest_time

    inputs = given.read()
    with telling("moving the pods"):
        lost = loss_of_spot(inputs, newest_time(inputs) if instant is None else instant, zone)
    if output == "json":
        from cutlist.report.disrupt_json import loss_json

        terminal.write(loss_json(lost, inputs.catalog.region))
    else:
        from cutlist.report.loss_text import render_loss

        terminal.write(render_loss(lost, inputs.catalog.region, terminal.width(width), colour=terminal.has_colour()))
