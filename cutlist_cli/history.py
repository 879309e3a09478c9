"""`cutlist history`: Karpenter's log in, what Karpenter did out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from cutlist.documents.files import sources
from cutlist.settings.history import NODE, POD
from cutlist.verbs.history.answer import history, history_json
from cutlist.verbs.history.csv import history_csv
from cutlist.verbs.history.markdown import history_markdown
from cutlist.verbs.history.text import render_history
from cutlist_cli.command import Command
from cutlist_cli.file_options import files_option
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.logs import read_logs
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_options

if TYPE_CHECKING:
    from cutlist.verbs.history.record import History


_FORMATS: Final[OutputFormats[History]] = OutputFormats(
    text=render_history,
    others={
        "markdown": history_markdown,
        "html": later("cutlist.verbs.history.html", "history_html"),
        "json": history_json,
        "csv": history_csv,
    },
)


@click.command("history", cls=Command)
@files_option("Karpenter's log, or events as JSON")
@setting_options((NODE, POD))
@renderer_options(_FORMATS)
def command(
    files: tuple[str, ...], allow_empty: bool, of_node: tuple[str, ...], of_pod: tuple[str, ...], renderer: Renderer[History]
) -> None:
    """Show what Karpenter did, from its log or events: commands and their steps.

    Also shows failed launches and the pods that waited for them. Reads the controller's log since v0.13, as JSON or from the
    console encoder, also in the forms of kubectl, stern and log services, and the cluster's events. Lines of other programs are
    skipped and counted. `cutlist verify` compares what came with an earlier plan. With --node or --pod it shows only what
    happened to these: a pod's nodes are those on which events say that it should be scheduled.

    \b
    Examples:
      cutlist history -f karpenter.log
      cutlist history -f karpenter.log --node ip-10-0-3-31
      cutlist history -f kubernetes-events.json -o json
      kubectl logs -n kube-system -l app.kubernetes.io/name=karpenter --tail=-1 | cutlist history -f -
    """
    log = read_logs(files, allow_empty=allow_empty)
    renderer.show(lambda: history(log, source=sources(files), allow_empty=allow_empty, nodes=of_node, pods=of_pod))
