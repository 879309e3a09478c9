"""`cutlist types`: what each NodePool may launch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, as_yaml, writer
from cutlist_cli.options import Given, debug_option, input_options
from cutlist_cli.progress import telling
from cutlist_cli.renderer import Renderer, answer_options

if TYPE_CHECKING:
    from cutlist.core.notes import Note
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import PoolTypes
    from cutlist.report.types.chart import Chosen


@dataclass(frozen=True, slots=True)
class _Allowed:
    """The types that NodePools allow, how many of each are listed, and what is odd about the pools."""

    inputs: PlanInputs
    region: str
    pools: Sequence[PoolTypes]
    notes: Sequence[Note]
    limit: int

    @property
    def chosen(self) -> Chosen:
        """What a plan for the workloads takes of them."""
        from cutlist.answers.plan import plan
        from cutlist.report.types.chart import Chosen

        with telling("placing the pods"):
            return Chosen.by_plan(plan(self.inputs))


_JSON: Final = writer("cutlist.report.plan.json:types_json", "pools", "region", "limit", "notes")
_FORMS: Final[OutputFormats[_Allowed]] = OutputFormats(
    text=writer("cutlist.report.plan.text:render_types", "pools", "region", "limit", "notes"),
    others={
        "markdown": writer("cutlist.report.types.markdown:types_markdown", "pools", "region", "limit", "notes"),
        "html": writer("cutlist.report.types.html:types_html", "pools", "region", "limit", "notes", "chosen"),
        "json": _JSON,
        "yaml": as_yaml(_JSON),
        "csv": writer("cutlist.report.csv:types_csv", "pools", "limit"),
        "svg": writer("cutlist.report.types.chart:types_svg", "pools", "chosen"),
    },
)


@click.command("types")
@input_options
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="Instance types to show of each NodePool, 0 for all.",
)
@answer_options(_FORMS)
@debug_option
def command(given: Given, limit: int, showing: Renderer[_Allowed]) -> None:
    """Show which instance types each NodePool allows, cheapest first.

    With what pods may use of each, the zones that sell it, and its on-demand and spot price per hour. Then what is odd about
    NodePools and node classes: values that no type has, pools that match none or few, zones without subnets, images that start
    none. As SVG, and on the page, there is a chart of price against size of all types, with those marked that a plan for the
    workloads takes.

    \b
    Examples:
      cutlist types -f pools.yaml --region us-west-2
      cutlist types -f pools.yaml --region us-west-2 --zone us-west-2a --limit 0
      cutlist types -f pools.yaml --region us-west-2 -o json
      cutlist types -f pools.yaml -f app.yaml --region us-west-2 -o svg > types.svg
      cutlist types -f pools.yaml -f app.yaml --region us-west-2 -o html > types.html
      cutlist types -f pools.yaml --region us-west-2 --watch
    """
    showing.show(lambda: _allowed(given, limit))


def _allowed(given: Given, limit: int) -> _Allowed:
    from cutlist.answers.types import allowed_types, odd_pools

    inputs = given.read()
    with telling("looking at instance types"):
        return _Allowed(inputs, given.region or "", allowed_types(inputs), odd_pools(inputs), limit)
