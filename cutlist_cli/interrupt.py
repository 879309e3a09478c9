"""`cutlist interrupt`: a cluster in, what is left of it without spot out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, writer
from cutlist_cli.options import Given, at_option, debug_option, input_options
from cutlist_cli.progress import telling
from cutlist_cli.renderer import Renderer, form_options

if TYPE_CHECKING:
    from cutlist.disruption.spot_loss import SpotLoss


@dataclass(frozen=True, slots=True)
class _Lost:
    """A loss of spot capacity in a region."""

    loss: SpotLoss
    region: str


_FORMS: Final[OutputFormats[_Lost]] = OutputFormats(
    text=writer("cutlist.report.interrupt.text:render_loss", "loss", "region"),
    others={"json": writer("cutlist.report.disrupt.json:loss_json", "loss", "region")},
)


@click.command("interrupt")
@input_options
@click.option("--spot-in", "zone", default="", metavar="ZONE", help="Where spot capacity ends.  [default: everywhere]")
@at_option
@form_options(_FORMS)
@debug_option
def command(given: Given, zone: str, instant: float | None, showing: Renderer[_Lost]) -> None:
    """Show what comes of a cluster when all spot capacity of a zone ends.

    Every spot node there goes at once, whatever budgets say. Shows where its pods go, which nodes Karpenter launches for
    them, none of them spot in that zone, and which pods stay pending.

    \b
    Examples:
      cutlist interrupt -f cluster.yaml --region us-west-2
      cutlist interrupt -f cluster.yaml --region us-west-2 --spot-in us-west-2b -o json
    """
    showing.show(lambda: _lost(given, zone, instant))


def _lost(given: Given, zone: str, instant: float | None) -> _Lost:
    from cutlist.answers.disrupt import loss_of_spot, newest_time

    inputs = given.read()
    with telling("moving the pods"):
        loss = loss_of_spot(inputs, newest_time(inputs) if instant is None else instant, zone)
    return _Lost(loss, inputs.catalog.region)
