"""`cutlist history`: Karpenter's log in, what it did out."""

from __future__ import annotations

import click

from cutlist.cli import terminal
from cutlist.cli.options import debug_option, files_option, output_options


@click.command("history")
@files_option("Karpenter's log, or events as JSON")
@output_options
@debug_option
def command(files: tuple[str, ...], output: str, width: int | None) -> None:
    """Show what Karpenter did, out of its log or events: commands and their steps.

    Reads the controller's JSON log, also of releases before v1.3, and events of the cluster. Lines of other programs are
    passed over and counted.

    \b
    Examples:
      cutlist history -f karpenter.log
      cutlist history -f events.json -o json
      kubectl logs -n kube-system -l app.kubernetes.io/name=karpenter --tail=-1 | cutlist history -f -
    """
    from cutlist.cli.texts import read_texts
    from cutlist.history import read_records, tell
    from cutlist.report.history import history_json, render_history

    read = read_records("\n".join(read_texts(files)))
    stories = tell(read.records)
    if output == "json":
        terminal.write(history_json(stories, read.others))
    else:
        terminal.write(render_history(stories, read.others, terminal.width(width), colour=terminal.has_colour()))
