"""`cutlist plan`: manifests in, nodes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import click

from cutlist.planning.absences import require_workloads
from cutlist.settings.answers import STRICT, WATCH
from cutlist.settings.calendar import DAY
from cutlist.settings.environments import ALL
from cutlist.settings.plan import BEFORE, BOUND, LAUNCH, RESTRICTIONS, SCALING, SETTLED, SUMMARY, WRITE
from cutlist.verbs.plan.answer import bounded_plan, plan, with_launches
from cutlist.verbs.plan.csv import plan_csv
from cutlist.verbs.plan.further_prices import NOTHING_ASKED, AskedPrices, with_further_prices
from cutlist.verbs.plan.json import plan_json
from cutlist.verbs.plan.text import render_plan, render_plan_summary
from cutlist_cli.calendar import chosen_day
from cutlist_cli.command import Command
from cutlist_cli.files import refuse_folders, refuse_inputs, write_file
from cutlist_cli.formats import FOR_PROGRAMS, TEXT, OutputFormats, later
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.last_plan import LastPlan, earlier_plan, is_kept
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_options
from cutlist_cli.usage_options import UsageOptions, usage_options

if TYPE_CHECKING:
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan
    from cutlist.settings.suggest import BoundKind

_COMPARING_FORMATS: Final = ("text", "markdown", "html")


@dataclass(frozen=True, slots=True)
class _PlanAnswer:
    """A plan, the inputs that it was made from, and the plan with which it is compared."""

    plan: Plan
    inputs: PlanInputs
    before: Plan | None
    is_summary: bool = False


@dataclass(frozen=True, slots=True)
class _More:
    """What a plan shows besides its nodes: requests to EC2, a bound of some kind, further prices."""

    launches: bool = False
    bound: str = "quick"
    summary: bool = False
    prices: AskedPrices = NOTHING_ASKED


_NOTHING_MORE: Final = _More()
_PLAN_MARKDOWN: Final = later("cutlist.verbs.plan.markdown", "plan_markdown")
_OVERLAYS: Final = later("cutlist.verbs.plan.shared_gpus", "overlays_text")
_PLAN_PAGE: Final = later("cutlist_cli.plan_page", "page_of")


def _text(answer: _PlanAnswer, *, width: int, colour: bool) -> str:
    render = render_plan_summary if answer.is_summary else render_plan
    return render(answer.plan, width=width, colour=colour, before=answer.before)


def _markdown(answer: _PlanAnswer) -> str:
    return _PLAN_MARKDOWN(answer.plan, answer.before)


def _html(answer: _PlanAnswer) -> str:
    return _PLAN_PAGE(answer.plan, answer.inputs, answer.before)


def _json(answer: _PlanAnswer) -> str:
    return plan_json(answer.plan)


def _csv(answer: _PlanAnswer) -> str:
    return plan_csv(answer.plan)


_FORMATS: Final[OutputFormats[_PlanAnswer]] = OutputFormats(
    text=_text,
    others={
        "markdown": _markdown,
        "html": _html,
        "json": _json,
        "csv": _csv,
    },
)


@click.command("plan", cls=Command)
@input_options
@setting_options((ALL, STRICT, SUMMARY, LAUNCH, BOUND, SETTLED, SCALING, RESTRICTIONS, BEFORE, DAY, WRITE))
@usage_options
@renderer_options(_FORMATS, can_watch=True)
@click.pass_context
def command(
    ctx: click.Context,
    options: InputOptions,
    all_environments: bool,
    strict: bool,
    summary: bool,
    launch: bool,
    bound: str,
    settled: bool,
    scaling: bool,
    restrictions: bool,
    before: str | None,
    day: str | None,
    write: str | None,
    usage: UsageOptions,
    renderer: Renderer[_PlanAnswer],
) -> None:
    """Show which nodes the workloads will get, at what price, and what stays pending.

    Reads NodePools, node classes, Deployments, StatefulSets, DaemonSets, Jobs and pods from files. With --launch, and always as
    JSON, the answer has the request to EC2 for each node. NodePools of EKS Auto Mode are planned by its rules; --built-in-pool
    adds its built-in ones.

    \b
    Examples:
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2
      helm template charts/web | cutlist plan -f pools.yaml -f - --region us-west-2
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 --summary
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 --settled
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 --launch
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 --watch
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 -o json
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 -o html > plan.html
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 --restrictions --bound strong
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 -o markdown --before plan.json
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 --before last
      cutlist plan -f workloads.yaml --region us-west-2 --built-in-pool general-purpose
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 --all
      cutlist plan -f devices/shared.yaml --region us-west-2 --overlays-to overlays.yaml
    """
    if write is not None:
        _check_target(write, options, renderer, is_one=not all_environments)
    if all_environments:
        from cutlist_cli.plan_all import show_all  # brings the views of other answers

        show_all(ctx, options, usage, renderer, chosen_day(DAY, day), strict=strict)
        return
    earlier = _earlier_plan(before, renderer.output_format, options.files)
    if summary and renderer.output_format != TEXT:
        raise click.UsageError(f"{SUMMARY.flag} is a form of text; -o {renderer.output_format} has all nodes")
    prices = AskedPrices(settled, scaling, restrictions)
    more = _More(launch or renderer.output_format in FOR_PROGRAMS, bound, summary, prices)
    answer = renderer.show(lambda: _plan(options, earlier, usage, more, day))
    if before is None and renderer.output_format == TEXT and is_kept(answer.plan, options.files):
        LastPlan.of(options.files).keep(answer.plan)
    if write is not None:
        write_file(write, _OVERLAYS(answer.inputs))
    if strict and (answer.plan.pending or not answer.plan.is_complete):
        ctx.exit(1)


def _check_target(write: str, options: InputOptions, renderer: Renderer[_PlanAnswer], *, is_one: bool) -> None:
    """Raise an error for a file of NodeOverlays that is read or written already, and for more than one plan."""
    if not is_one or renderer.watch:
        raise click.UsageError(f"{WRITE.flag} is for one plan, without {ALL.flag} and {WATCH.flag}")
    refuse_inputs(WRITE.flag, [write], [*options.files, *filter(None, (renderer.file,))])
    refuse_folders(WRITE.flag, write, options.files)


def _plan(
    options: InputOptions,
    before: Plan | None,
    usage: UsageOptions | None = None,
    more: _More = _NOTHING_MORE,
    day: str | None = None,
) -> _PlanAnswer:
    """Return the plan with everything else that is requested."""
    inputs = options.read_for_placing().on_day(chosen_day(DAY, day))
    require_workloads(inputs, allow_empty=options.allow_empty)
    sized = None if usage is None else usage.applied_to(inputs)
    inputs = inputs if sized is None else sized.inputs
    with progress_line("placing the pods") as say:
        answer = plan(inputs) if more.bound == "none" else bounded_plan(inputs, cast("BoundKind", more.bound))
        answer = with_further_prices(answer, inputs, more.prices, say)
    if more.launches:
        answer = with_launches(answer, inputs)
    return _PlanAnswer(answer, inputs, before, more.summary)


def plan_page(options: InputOptions, before: Plan | None) -> str:
    """Return the plan as one HTML file, compared with an earlier one if there is one."""
    return _html(_plan(options, before))


def _earlier_plan(path: str | None, output_format: str, files: Sequence[str]) -> Plan | None:
    """Return the plan of `--before`. Raises UsageError for formats that would not show it."""
    if path is None:
        return None
    if output_format not in _COMPARING_FORMATS:
        raise click.UsageError(f"{BEFORE.flag} is shown by {' and '.join(f'-o {name}' for name in _COMPARING_FORMATS)} only")
    return earlier_plan(path, files)
