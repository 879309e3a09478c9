"""`cutlist disrupt`: a cluster in, Karpenter's next step out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.records import json_of
from cutlist.settings.cluster import AT, FROM_PLAN
from cutlist.settings.disrupt import UNTIL_STABLE
from cutlist.settings.interrupt import SPOT_ENDS
from cutlist.verbs.budgets.answer import upcoming
from cutlist.verbs.disrupt.answer import disrupt
from cutlist.verbs.disrupt.columns import csv
from cutlist.verbs.disrupt.markdown import disrupt_markdown
from cutlist.verbs.disrupt.text import render_disrupt
from cutlist.verbs.interrupt.answer import interrupt
from cutlist.verbs.interrupt.columns import csv as interrupt_csv
from cutlist.verbs.interrupt.markdown import interrupt_markdown
from cutlist.verbs.interrupt.text import render_interrupt
from cutlist_cli.cluster_input import gate_options, read_cluster
from cutlist_cli.command import Command
from cutlist_cli.formats import OutputFormats, later, on, text_on
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option

if TYPE_CHECKING:
    from cutlist.disruption.feature_gates import FeatureGates
    from cutlist.disruption.spot_loss import SpotLoss
    from cutlist.planning.inputs import PlanInputs
    from cutlist.verbs.disrupt.answer import DisruptionForecast


@dataclass(frozen=True, slots=True)
class _ForecastAnswer:
    """What Karpenter does next, with the inputs it follows from."""

    forecast: DisruptionForecast
    inputs: PlanInputs


_DISRUPT_HTML: Final = later("cutlist.verbs.disrupt.html", "disrupt_html")


def _forecast_of(answer: _ForecastAnswer) -> DisruptionForecast:
    return answer.forecast


def _html(answer: _ForecastAnswer) -> str:
    return _DISRUPT_HTML(answer.forecast, upcoming(answer.inputs, answer.forecast.forecast.now))


_FORMATS: Final[OutputFormats[_ForecastAnswer]] = OutputFormats(
    text=text_on(_forecast_of, render_disrupt),
    others={
        "markdown": on(_forecast_of, disrupt_markdown),
        "html": _html,
        "json": on(_forecast_of, json_of),
        "csv": on(_forecast_of, csv),
    },
)


SPOT_LOSS: Final[OutputFormats[SpotLoss]] = OutputFormats(
    text=render_interrupt,
    others={
        "markdown": interrupt_markdown,
        "html": later("cutlist.verbs.interrupt.html", "interrupt_html"),
        "json": json_of,
        "csv": interrupt_csv,
    },
)


@click.command("disrupt", cls=Command)
@input_options
@setting_option(AT)
@setting_option(FROM_PLAN)
@setting_option(UNTIL_STABLE)
@setting_option(SPOT_ENDS)
@gate_options
@renderer_options(_FORMATS, can_watch=True)
def command(
    options: InputOptions,
    instant: float | None,
    plan_file: str | None,
    until_stable: bool,
    zone: str | None,
    gates: FeatureGates,
    renderer: Renderer[_ForecastAnswer],
) -> None:
    """Show what Karpenter would consolidate or replace next, and why nodes stay.

    Reads Nodes, NodeClaims, NodePools, node classes, pods and PodDisruptionBudgets from files, such as
    `kubectl get nodes,nodeclaims,nodepools,ec2nodeclasses,pods,pdb -A -o yaml` writes.

    \b
    Examples:
      cutlist disrupt -f pools.yaml -f snapshot.yaml --region us-west-2
      cutlist disrupt -f pools.yaml -f snapshot.yaml --region us-west-2 --until-stable
      cutlist disrupt -f pools.yaml -f snapshot.yaml --region us-west-2 --spot-ends us-west-2b
      cutlist disrupt -f pools.yaml -f snapshot.yaml --region us-west-2 --node-repair
      cutlist disrupt -f pools.yaml -f snapshot.yaml --region us-west-2 --at 2026-01-05T12:00:00Z -o json
      cutlist disrupt -f pools.yaml -f snapshot.yaml --region us-west-2 --until-stable -o html > next.html
      cutlist disrupt -f pools.yaml -f snapshot.yaml --region us-west-2 --watch
      cutlist disrupt -f pools.yaml -f workloads.yaml --from-plan plan.json --until-stable
    """
    if zone is None:
        renderer.show(lambda: _forecast(options, instant, plan_file, gates, until_stable))
        return
    if until_stable:
        raise click.UsageError(f"{SPOT_ENDS.flag} shows one event: leave out {UNTIL_STABLE.flag}")
    renderer.of(SPOT_LOSS).show(lambda: spot_loss(options, zone, instant, plan_file))


def _forecast(
    options: InputOptions, instant: float | None, plan_file: str | None, gates: FeatureGates, until_stable: bool
) -> _ForecastAnswer:
    inputs, now = read_cluster(options, instant, plan_file)
    message = "following Karpenter step by step" if until_stable else "asking what Karpenter does next"
    with progress_line(message):
        forecast = disrupt(inputs, now, gates=gates, to_the_end=until_stable, allow_empty=options.allow_empty)
    return _ForecastAnswer(forecast, inputs)


def spot_loss(options: InputOptions, zone: str | None, instant: float | None, plan_file: str | None) -> SpotLoss:
    """Return what happens to the cluster of the inputs when spot capacity of a zone, or all of it, ends."""
    inputs, now = read_cluster(options, instant, plan_file)
    with progress_line("moving the pods"):
        chosen = "" if zone == SPOT_ENDS.bare else zone or ""
        return interrupt(inputs, now, chosen, allow_empty=options.allow_empty)
