"""`cutlist disrupt`: a cluster in, Karpenter's next step out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, as_yaml, writer
from cutlist_cli.options import Given, at_option, debug_option, input_options
from cutlist_cli.progress import telling
from cutlist_cli.renderer import Renderer, answer_options

if TYPE_CHECKING:
    from cutlist.answers.disrupt import DisruptionForecast, Upcoming
    from cutlist.disruption.cluster_state import FeatureGates
    from cutlist.planning.inputs import PlanInputs


@dataclass(frozen=True, slots=True)
class _Foreseen:
    """What Karpenter does next to what is in the files."""

    forecast: DisruptionForecast
    inputs: PlanInputs

    @property
    def upcoming(self) -> Upcoming:
        """The week from the same instant on."""
        from cutlist.answers.disrupt import upcoming

        return upcoming(self.inputs, self.forecast.forecast.now)


_JSON: Final = writer("cutlist.report.disrupt.json:forecast_json", "forecast")
_FORMS: Final[OutputFormats[_Foreseen]] = OutputFormats(
    text=writer("cutlist.report.disrupt.text:render_forecast", "forecast"),
    others={
        "markdown": writer("cutlist.report.disrupt.markdown:forecast_markdown", "forecast"),
        "html": writer("cutlist.report.disrupt.html:forecast_html", "forecast", "upcoming"),
        "json": _JSON,
        "yaml": as_yaml(_JSON),
        "csv": writer("cutlist.report.csv:outlook_csv", "forecast"),
    },
)


@click.command("disrupt")
@input_options
@at_option
@click.option("--until-stable", is_flag=True, help="Go on, step by step, until Karpenter does nothing more.")
@click.option("--spot-to-spot", is_flag=True, help="The feature gate SpotToSpotConsolidation is on.")
@click.option("--node-repair", is_flag=True, help="The feature gate NodeRepair is on: tells which sick nodes are replaced.")
@answer_options(_FORMS)
@debug_option
def command(
    given: Given,
    instant: float | None,
    until_stable: bool,
    spot_to_spot: bool,
    node_repair: bool,
    showing: Renderer[_Foreseen],
) -> None:
    """Show what Karpenter would consolidate or replace next, and why nodes stay.

    Reads Nodes, NodeClaims, NodePools, node classes, pods and PodDisruptionBudgets from files, such as
    `kubectl get nodes,nodeclaims,nodepools,ec2nodeclasses,pods,pdb -A -o yaml` writes.

    \b
    Examples:
      cutlist disrupt -f cluster.yaml --region us-west-2
      cutlist disrupt -f cluster.yaml --region us-west-2 --until-stable
      cutlist disrupt -f cluster.yaml --region us-west-2 --node-repair
      cutlist disrupt -f cluster.yaml --region us-west-2 --at 2026-01-05T12:00:00Z -o json
      cutlist disrupt -f cluster.yaml --region us-west-2 --until-stable -o html > next.html
      cutlist disrupt -f cluster.yaml -f pools.yaml --region us-west-2 --watch
    """
    from cutlist.disruption.cluster_state import FeatureGates

    gates = FeatureGates(spot_to_spot=spot_to_spot, node_repair=node_repair)
    showing.show(lambda: _foreseen(given, instant, gates, until_stable))


def _foreseen(given: Given, instant: float | None, gates: FeatureGates, until_stable: bool) -> _Foreseen:
    from cutlist.answers.disrupt import disrupt, newest_time

    inputs = given.read()
    now = newest_time(inputs) if instant is None else instant
    with telling("following Karpenter step by step" if until_stable else "asking what Karpenter does next"):
        return _Foreseen(disrupt(inputs, now, gates=gates, to_the_end=until_stable), inputs)
