"""`cutlist nodes`: a cluster in, its nodes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, as_yaml, writer
from cutlist_cli.options import catalog_option, debug_option, files_option, region_option, stdin_of
from cutlist_cli.progress import telling
from cutlist_cli.renderer import Renderer, answer_options

if TYPE_CHECKING:
    from cutlist.answers.nodes import Roster

_JSON: Final = writer("cutlist.report.nodes.json:roster_json")
_FORMS: Final[OutputFormats[Roster]] = OutputFormats(
    text=writer("cutlist.report.nodes.text:render_roster"),
    others={
        "markdown": writer("cutlist.report.nodes.markdown:roster_markdown"),
        "html": writer("cutlist.report.nodes.html:roster_html"),
        "json": _JSON,
        "yaml": as_yaml(_JSON),
        "csv": writer("cutlist.report.csv:nodes_csv"),
    },
)


@click.command("nodes")
@files_option("a cluster, such as `cutlist snapshot` writes")
@region_option("Region whose prices are shown.", ", else no prices")
@catalog_option
@answer_options(_FORMS)
@debug_option
def command(files: tuple[str, ...], region: str | None, catalog: str | None, showing: Renderer[Roster]) -> None:
    """Show the nodes of a cluster: how full they are, what they are and what they cost.

    Full means requested by pods, of what a node has for pods. Ages are those at the newest time in the files.

    \b
    Examples:
      cutlist nodes -f cluster.yaml
      cutlist nodes -f cluster.yaml --region us-west-2
      cutlist nodes -f cluster.yaml --region us-west-2 -o html > nodes.html
      cutlist nodes -f cluster.yaml --region us-west-2 -o markdown
      kubectl get nodes,nodeclaims,pods -A -o json | cutlist nodes -f - -o json
    """
    showing.show(lambda: _read(files, region or None, catalog))


def _read(files: tuple[str, ...], region: str | None, catalog: str | None) -> Roster:
    from cutlist.answers.nodes import read_nodes

    with telling("reading the nodes"):
        return read_nodes(files, region=region, catalog=catalog, stdin=stdin_of(files))
