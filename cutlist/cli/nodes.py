"""`cutlist nodes`: a cluster in, its nodes out."""

from __future__ import annotations

import sys

import click

from cutlist.cli import terminal
from cutlist.cli.options import REGION_VARIABLES, catalog_option, debug_option, files_option, output_forms
from cutlist.cli.progress import telling


@click.command("nodes")
@files_option("a cluster, such as `cutlist snapshot` writes")
@click.option(
    "--region",
    envvar=list(REGION_VARIABLES),
    metavar="REGION",
    help=f"Region whose prices are shown.  [default: ${REGION_VARIABLES[0]}, ${REGION_VARIABLES[1]}, else no prices]",
)
@catalog_option
@output_forms("text", "html", "json", "yaml", "csv")
@debug_option
def command(files: tuple[str, ...], region: str | None, catalog: str | None, output: str, width: int | None) -> None:
    """Show the nodes of a cluster: how full they are, what they are and what they cost.

    Full means requested by pods, of what a node has for pods. Ages are those at the newest time in the files.

    \b
    Examples:
      cutlist nodes -f cluster.yaml
      cutlist nodes -f cluster.yaml --region us-west-2
      cutlist nodes -f cluster.yaml --region us-west-2 -o html > nodes.html
      kubectl get nodes,nodeclaims,pods -A -o json | cutlist nodes -f - -o json
    """
    from cutlist.nodes import read_nodes

    stdin = sys.stdin.buffer.read() if "-" in files and sys.stdin else None
    with telling("reading the nodes"):
        found = read_nodes(files, region=region or None, catalog=catalog, stdin=stdin)
    match output:
        case "json":
            from cutlist.report.nodes_json import roster_json

            terminal.write(roster_json(found))
        case "yaml":
            from cutlist.report import yaml
            from cutlist.report.nodes_json import roster_json

            terminal.write(yaml.from_json(roster_json(found)))
        case "html":
            from cutlist.report.html.nodes_page import roster_html

            terminal.write(roster_html(found))
        case "csv":
            from cutlist.report.csv import nodes_csv

            terminal.write(nodes_csv(found.nodes))
        case _:
            from cutlist.report.nodes_text import render_roster

            terminal.write(render_roster(found, terminal.width(width), colour=terminal.has_colour()))
