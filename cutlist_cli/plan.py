"""`cutlist plan`: manifests in, nodes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, as_yaml, writer
from cutlist_cli.options import Given, before_option, debug_option, input_options, launch_option
from cutlist_cli.progress import telling
from cutlist_cli.renderer import ExitOption, Renderer, answer_options

if TYPE_CHECKING:
    from cutlist.answers.disrupt import Upcoming
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan, PoolTypes

_COMPARING: Final = ("markdown", "html")
_LAUNCHING: Final = ("json", "yaml")


@dataclass(frozen=True, slots=True)
class _Planned:
    """A plan, what it was made from, and the plan that it is compared with."""

    plan: Plan
    inputs: PlanInputs
    before: Plan | None

    @property
    def types(self) -> Sequence[PoolTypes]:
        """What its NodePools allow."""
        from cutlist.answers.types import allowed_types

        return allowed_types(self.inputs)

    @property
    def upcoming(self) -> Upcoming | None:
        """The week of the nodes that are there; only these tell which time it is, so without one there is no week to show."""
        from cutlist.answers.disrupt import newest_time, upcoming

        return upcoming(self.inputs, newest_time(self.inputs)) if self.inputs.cluster.nodes else None


_JSON: Final = writer("cutlist.report.plan.json:plan_json", "plan")
_PAGE: Final = writer("cutlist.report.plan.html:plan_html", "plan", "types", "before", "upcoming")
_FORMS: Final[OutputFormats[_Planned]] = OutputFormats(
    text=writer("cutlist.report.plan.text:render_plan", "plan"),
    others={
        "markdown": writer("cutlist.report.plan.markdown:plan_markdown", "plan", "before"),
        "html": _PAGE,
        "json": _JSON,
        "yaml": as_yaml(_JSON),
        "csv": writer("cutlist.report.csv:plan_csv", "plan"),
    },
)


@click.command("plan")
@input_options
@click.option("--strict", cls=ExitOption, is_flag=True, help="Exit with 1 when pods stay pending.")
@launch_option
@before_option
@answer_options(_FORMS)
@debug_option
@click.pass_context
def command(
    ctx: click.Context,
    given: Given,
    strict: bool,
    launch: bool,
    before: str | None,
    showing: Renderer[_Planned],
) -> None:
    """Show which nodes the workloads will get, at what price, and what stays pending.

    Reads NodePools, node classes, Deployments, StatefulSets, DaemonSets, Jobs and pods from files. With --launch, and always as
    JSON, also the request to EC2 that each node leads to. NodePools of EKS Auto Mode are planned by its rules; those that it
    brings along are switched on with --built-in-pool.

    \b
    Examples:
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2
      helm template ./chart | cutlist plan -f pools.yaml -f - --region us-west-2
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 --launch
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 --watch
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 -o json
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 -o html > plan.html
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 -o markdown --before plan.json
      cutlist plan -f app.yaml --region us-west-2 --built-in-pool general-purpose
    """
    earlier = _before(before, showing.form)
    made = showing.show(lambda: _made(given, earlier, launch=launch or showing.form in _LAUNCHING))
    if strict and made.plan.pending:
        ctx.exit(1)


def _made(given: Given, before: Plan | None, *, launch: bool) -> _Planned:
    """The plan, with the requests to EC2 where they are asked for."""
    from cutlist.answers.plan import plan

    inputs = given.read()
    with telling("placing the pods"):
        made = plan(inputs)
    if launch:
        from cutlist.answers.plan import with_launches

        made = with_launches(made, inputs)
    return _Planned(made, inputs, before)


def plan_page(given: Given, before: Plan | None) -> str:
    """The page of a plan."""
    return _PAGE(_made(given, before, launch=False))


def _before(path: str | None, output: str) -> Plan | None:
    if path is None:
        return None
    if output not in _COMPARING:
        raise click.UsageError(f"--before is shown by {' and '.join(f'-o {form}' for form in _COMPARING)} only")
    from cutlist.planning.stored_plan import read_plan

    return read_plan(path)
