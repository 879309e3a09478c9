"""`cutlist explain`: a workload in, the reasons for its nodes out."""

from __future__ import annotations

import click

from cutlist.cli import terminal
from cutlist.cli.options import Given, debug_option, input_options, output_forms
from cutlist.cli.progress import telling


@click.command("explain")
@click.argument("workload")
@input_options
@output_forms("text", "json", "yaml")
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
    with telling("looking for reasons"):
        found = explain(inputs, workload)
    from cutlist.report.explain_text import explanations_json, render_explanations

    region = inputs.catalog.region
    if output == "text":
        terminal.write(render_explanations(found, region, terminal.width(width), colour=terminal.has_colour()))
    else:
        from cutlist.report import yaml

        text = explanations_json(found, region)
        terminal.write(yaml.from_json(text) if output == "yaml" else text)
