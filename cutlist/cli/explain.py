"""`cutlist explain`: a workload in, the reasons for its nodes out."""

from __future__ import annotations

import click

from cutlist.cli import terminal
from cutlist.cli.options import Given, debug_option, input_options, output_options


@click.command("explain")
@click.argument("workload")
@input_options
@output_options
@debug_option
def command(workload: str, given: Given, output: str, width: int | None) -> None:
    """Show why the pods of a workload get the nodes they get, or none.

    WORKLOAD is named as plans name it: deployment/web, or shop/deployment/web outside of namespace default. Tells which nodes
    its pods get and how each NodePool's types come down to those; or for each NodePool the first rule that is broken, by how
    much, and the smallest change that helps; which preferences were given up, where spot was lost, and what the pods would
    cost at least.

    \b
    Examples:
      cutlist explain deployment/web -f pools.yaml -f app.yaml --region us-west-2
      cutlist explain shop/statefulset/db -f cluster.yaml -f app.yaml --region us-west-2 -o json
    """
    from cutlist.explain import explain

    inputs = given.read()
    found = explain(inputs, workload)
    if output == "json":
        from cutlist.report.explain_text import explanations_json

        terminal.write(explanations_json(found, inputs.catalog.region))
    else:
        from cutlist.report.explain_text import render_explanations

        terminal.write(render_explanations(found, inputs.catalog.region, terminal.width(width), colour=terminal.has_colour()))
