"""`cutlist why`: a name in, one sentence and its reasons out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from cutlist.core.records import json_of
from cutlist.documents.files import sources
from cutlist.settings.cluster import AT
from cutlist.settings.why import SETTINGS
from cutlist.verbs.history.answer import history
from cutlist.verbs.why.answer import why
from cutlist.verbs.why.columns import csv
from cutlist.verbs.why.markdown import why_markdown
from cutlist.verbs.why.past import NO_HISTORY
from cutlist.verbs.why.text import render_why
from cutlist_cli.command import Command
from cutlist_cli.completion import named_things
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.logs import read_logs
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option, setting_options

if TYPE_CHECKING:
    from cutlist.verbs.why.reason import Why

_FORMATS: Final[OutputFormats[Why]] = OutputFormats(
    text=render_why,
    others={"markdown": why_markdown, "html": later("cutlist.verbs.why.html", "why_html"), "json": json_of, "csv": csv},
)


@click.command("why", cls=Command)
@click.argument("name", shell_complete=named_things)
@input_options
@setting_option(AT)
@setting_options(SETTINGS)
@renderer_options(_FORMATS, can_watch=True)
def command(
    name: str,
    options: InputOptions,
    namespace: str | None,
    instant: float | None,
    logs: tuple[str, ...],
    renderer: Renderer[Why],
) -> None:
    """Show why a pod waits, where it runs, and why a node or a NodePool is as it is.

    NAME is a pod as kubectl prints it, with or without its kind and namespace: api-6b7f5c9d4-x2x7q, pod/api-6b7f5c9d4-x2x7q,
    shop/api-6b7f5c9d4-x2x7q. It may also be a workload, a node, a NodeClaim or a NodePool, such as deployment/api or
    nodepool/general, or the text of an event of a pod that waits, in quotes. The answer is one sentence, what would help, and
    what decides: NodePools, existing nodes, budgets, and with --log what Karpenter did before. `cutlist explain` says more
    about a workload, `cutlist disrupt` about all nodes.

    \b
    Examples:
      cutlist why trainer -f pools.yaml -f workloads.yaml --region us-west-2
      cutlist why ip-10-0-1-11 -f pools.yaml -f snapshot.yaml --region us-west-2
      cutlist why checkout-1 -n shop -f pools.yaml -f snapshot.yaml --region us-west-2
      cutlist why nodepool/general -f pools.yaml -f workloads.yaml -f snapshot.yaml --region us-west-2 -o json
      cutlist why "0/4 nodes are available: 4 Insufficient nvidia.com/gpu." -f pools.yaml -f workloads.yaml --region us-west-2
    """
    renderer.show(lambda: _why(options, name, namespace or "", instant, logs))


def _why(options: InputOptions, name: str, namespace: str, instant: float | None, logs: tuple[str, ...]) -> Why:
    past = NO_HISTORY
    if logs:
        text = read_logs(logs, allow_empty=options.allow_empty)
        past = history(text, source=sources(logs), allow_empty=options.allow_empty)
    inputs = options.read_for_placing_with_notes()
    with progress_line("looking for reasons"):
        return why(inputs, name, namespace=namespace, now=instant, history=past)
