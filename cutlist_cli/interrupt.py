"""`cutlist interrupt`: the former word for `cutlist disrupt --spot-ends`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cutlist.settings.cluster import AT, FROM_PLAN
from cutlist.settings.interrupt import SPOT_ENDS
from cutlist_cli import terminal
from cutlist_cli.command import Command
from cutlist_cli.disrupt import SPOT_LOSS, spot_loss
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option

if TYPE_CHECKING:
    from cutlist.disruption.spot_loss import SpotLoss


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
    terminal.write_note(f"cutlist interrupt is now cutlist disrupt {SPOT_ENDS.flag}")
    renderer.show(lambda: spot_loss(options, zone, instant, plan_file))
