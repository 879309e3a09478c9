"""`cutlist interrupt`: a cluster in, the effects of losing its spot capacity out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from cutlist.core.records import json_of
from cutlist.settings.cluster import AT, FROM_PLAN
from cutlist.settings.interrupt import SPOT_ENDS
from cutlist.verbs.interrupt.answer import interrupt
from cutlist.verbs.interrupt.columns import csv
from cutlist.verbs.interrupt.markdown import interrupt_markdown
from cutlist.verbs.interrupt.text import render_interrupt
from cutlist_cli import terminal
from cutlist_cli.cluster_input import read_cluster
from cutlist_cli.command import Command
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option

if TYPE_CHECKING:
    from cutlist.disruption.spot_loss import SpotLoss


SPOT_LOSS: Final[OutputFormats[SpotLoss]] = OutputFormats(
    text=render_interrupt,
    others={
        "markdown": interrupt_markdown,
        "html": later("cutlist.verbs.interrupt.html", "interrupt_html"),
        "json": json_of,
        "csv": csv,
    },
)


@click.command("interrupt", cls=Command)
@input_options
@setting_option(SPOT_ENDS)
@setting_option(AT)
@setting_option(FROM_PLAN)
@renderer_options(SPOT_LOSS)
def command(
    options: InputOptions,
    zone: str | None,
    instant: float | None,
    plan_file: str | None,
    renderer: Renderer[SpotLoss],
) -> None:
    """Show what happens to a cluster when all spot capacity of a zone ends.

    The former word for `cutlist disrupt --spot-ends`. Every spot node there is reclaimed at once, regardless of budgets. Shows
    where its pods go, which nodes Karpenter launches for them, none of them spot in that zone, and which pods stay pending.

    \b
    Examples:
      cutlist interrupt -f pools.yaml -f snapshot.yaml --region us-west-2
      cutlist interrupt -f pools.yaml -f snapshot.yaml --region us-west-2 --spot-ends us-west-2b -o json
      cutlist interrupt -f pools.yaml -f workloads.yaml --from-plan plan.json
    """
    terminal.write_note("cutlist interrupt is now cutlist disrupt --spot-ends")
    renderer.show(lambda: spot_loss(options, zone, instant, plan_file))


def spot_loss(options: InputOptions, zone: str | None, instant: float | None, plan_file: str | None) -> SpotLoss:
    """Return what happens to the cluster of the inputs when spot capacity of a zone, or all of it, ends."""
    inputs, now = read_cluster(options, instant, plan_file)
    with progress_line("moving the pods"):
        chosen = "" if zone == SPOT_ENDS.bare else zone or ""
        return interrupt(inputs, now, chosen, allow_empty=options.allow_empty)
