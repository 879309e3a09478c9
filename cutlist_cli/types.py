"""`cutlist types`: what each NodePool may launch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.records import json_of
from cutlist.planning.services import running_services
from cutlist.report.html.types_chart import ChosenTypes, types_svg
from cutlist.settings.types import LIMIT
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.types.answer import AllowedTypes, pool_notes, types
from cutlist.verbs.types.columns import csv
from cutlist.verbs.types.markdown import types_markdown
from cutlist.verbs.types.text import render_types
from cutlist_cli.command import Command
from cutlist_cli.formats import OutputFormats, later, on, text_on
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.notes import show_not_read
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option

if TYPE_CHECKING:
    from cutlist.planning.inputs import PlanInputs


@dataclass(frozen=True, slots=True)
class _TypesAnswer:
    """The types that NodePools allow, with the inputs that they follow from."""

    types: AllowedTypes
    inputs: PlanInputs

    @property
    def chosen(self) -> ChosenTypes:
        """Return the types that a plan for the workloads uses."""
        with progress_line("placing the pods"):
            return ChosenTypes.by_plan(plan(self.inputs))


_TYPES_HTML: Final = later("cutlist.verbs.types.html", "types_html")


def _types_of(answer: _TypesAnswer) -> AllowedTypes:
    return answer.types


_FORMATS: Final[OutputFormats[_TypesAnswer]] = OutputFormats(
    text=text_on(_types_of, render_types),
    others={
        "markdown": on(_types_of, types_markdown),
        "html": lambda answer: _TYPES_HTML(answer.types, answer.chosen),
        "json": on(_types_of, json_of),
        "csv": on(_types_of, csv),
        "svg": lambda answer: types_svg(answer.types.pools, answer.chosen),
    },
)


@click.command("types", cls=Command)
@input_options
@setting_option(LIMIT)
@renderer_options(_FORMATS, can_watch=True)
def command(options: InputOptions, limit: int, renderer: Renderer[_TypesAnswer]) -> None:
    """Show which instance types each NodePool allows, cheapest first.

    For each type: what pods can use of it, the zones that sell it, and its on-demand and spot price per hour. Then warnings
    about NodePools and node classes: values that no type has, pools that match no or few types, zones without subnets, images
    that start no type. As SVG, and on the page, a chart shows price against size for all types, and marks those in the plan for
    the workloads.

    \b
    Examples:
      cutlist types -f pools.yaml --region us-west-2
      cutlist types -f pools.yaml --region us-west-2 --zone us-west-2a --limit 0
      cutlist types -f pools.yaml --region us-west-2 -o json
      cutlist types -f pools.yaml -f workloads.yaml --region us-west-2 -o svg > types.svg
      cutlist types -f pools.yaml -f workloads.yaml --region us-west-2 -o html > types.html
      cutlist types -f pools.yaml --region us-west-2 --watch
    """
    renderer.show(lambda: _types(options, limit))


def _types(options: InputOptions, limit: int) -> _TypesAnswer:
    inputs = options.read_for_placing()
    show_not_read(inputs.workloads.notes)
    with progress_line("looking at instance types"):
        region = options.region or inputs.catalog.region
        return _TypesAnswer(
            AllowedTypes(region, types(inputs), pool_notes(inputs), limit, inputs.price_age, running_services(inputs) or None),
            inputs,
        )
