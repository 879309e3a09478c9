"""`cutlist nodes`: a cluster in, its nodes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, as_yaml
from cutlist_cli.options import catalog_option, debug_option, manifests_option, region_option, stdin_of
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options

if TYPE_CHECKING:
    from cutlist.answers.nodes import Roster
    from cutlist.documents import Reading


def _text(answer: Roster, *, width: int, colour: bool) -> str:
    from cutlist.report.nodes.text import render_nodes

    return render_nodes(answer, width=width, colour=colour)


def _markdown(answer: Roster) -> str:
    from cutlist.report.nodes.markdown import nodes_markdown

    return nodes_markdown(answer)


def _html(answer: Roster) -> str:
    from cutlist.report.nodes.html import nodes_html

    return nodes_html(answer)


def _json(answer: Roster) -> str:
    from cutlist.report.nodes.json import nodes_json

    return nodes_json(answer)


def _csv(answer: Roster) -> str:
    from cutlist.report.nodes.csv import nodes_csv

    return nodes_csv(answer)


_FORMATS: Final[OutputFormats[Roster]] = OutputFormats(
    text=_text,
    others={
        "markdown": _markdown,
        "html": _html,
        "json": _json,
        "yaml": as_yaml(_json),
        "csv": _csv,
    },
)


@click.command("nodes")
@manifests_option("a cluster, such as `cutlist snapshot` writes")
@region_option("Region whose prices are shown.", ", else no prices")
@catalog_option
@renderer_options(_FORMATS, can_watch=True)
@debug_option
def command(
    files: tuple[str, ...],
    allow_empty: bool,
    reading: Reading,
    region: str | None,
    catalog: str | None,
    renderer: Renderer[Roster],
) -> None:
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
    renderer.show(lambda: _read(files, reading, region or None, catalog, allow_empty=allow_empty))


def _read(files: tuple[str, ...], reading: Reading, region: str | None, catalog: str | None, *, allow_empty: bool) -> Roster:
    from cutlist.answers.nodes import read_nodes

    with progress_line("reading the nodes"):
        return read_nodes(
            files, region=region, catalog=catalog, stdin=stdin_of(files), allow_empty=allow_empty, reading=reading
        )
