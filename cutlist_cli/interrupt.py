"""`cutlist interrupt`: a cluster in, the effects of losing its spot capacity out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from cutlist.settings.cluster import AT, FROM_PLAN
from cutlist.settings.interrupt import SPOT_IN
from cutlist.verbs.interrupt.answer import interrupt
from cutlist.verbs.interrupt.csv import interrupt_csv
from cutlist.verbs.interrupt.markdown import interrupt_markdown
from cutlist.verbs.interrupt.record import interrupt_json
from cutlist.verbs.interrupt.text import render_interrupt
from cutlist_cli.cluster_input import read_cluster
from cutlist_cli.formats import OutputFormats, as_yaml, later
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.options import debug_option
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option

if TYPE_CHECKING:
    from cutlist.disruption.spot_loss import SpotLoss


@dataclass(frozen=True, slots=True)
class _RegionalSpotLoss:
    """A loss of spot capacity, with the region of the cluster."""

    loss: SpotLoss
    region: str


_INTERRUPT_HTML: Final = later("cutlist.verbs.interrupt.html", "interrupt_html")


def _text(answer: _RegionalSpotLoss, *, width: int, colour: bool) -> str:
    return render_interrupt(answer.loss, answer.region, width=width, colour=colour)


def _json(answer: _RegionalSpotLoss) -> str:
    return interrupt_json(answer.loss, answer.region)


def _markdown(answer: _RegionalSpotLoss) -> str:
    return interrupt_markdown(answer.loss, answer.region)


def _html(answer: _RegionalSpotLoss) -> str:
    return _INTERRUPT_HTML(answer.loss, answer.region)


def _csv(answer: _RegionalSpotLoss) -> str:
    return interrupt_csv(answer.loss)


_FORMATS: Final[OutputFormats[_RegionalSpotLoss]] = OutputFormats(
    text=_text,
    others={"markdown": _markdown, "html": _html, "json": _json, "yaml": as_yaml(_json), "csv": _csv},
)


@click.command("interrupt")
@input_options
@setting_option(SPOT_IN)
@setting_option(AT)
@setting_option(FROM_PLAN)
@renderer_options(_FORMATS)
@debug_option
def command(
    options: InputOptions,
    zone: str | None,
    instant: float | None,
    plan_file: str | None,
    renderer: Renderer[_RegionalSpotLoss],
) -> None:
    """Show what happens to a cluster when all spot capacity of a zone ends.

    Every spot node there is reclaimed at once, regardless of budgets. Shows where its pods go, which nodes Karpenter launches
    for them, none of them spot in that zone, and which pods stay pending.

    \b
    Examples:
      cutlist interrupt -f pools.yaml -f snapshot.yaml --region us-west-2
      cutlist interrupt -f pools.yaml -f snapshot.yaml --region us-west-2 --spot-in us-west-2b -o json
      cutlist interrupt -f pools.yaml -f workloads.yaml --from-plan plan.json
    """
    renderer.show(lambda: _spot_loss(options, zone or "", instant, plan_file))


def _spot_loss(options: InputOptions, zone: str, instant: float | None, plan_file: str | None) -> _RegionalSpotLoss:
    inputs, now = read_cluster(options, instant, plan_file)
    with progress_line("moving the pods"):
        loss = interrupt(inputs, now, zone, allow_empty=options.allow_empty)
    return _RegionalSpotLoss(loss, inputs.catalog.region)
