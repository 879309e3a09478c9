"""`cutlist preview`: runs a stack's own program offline, and shows its resources, their cost, and the nodes its
workloads will get."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.secrecy import masked
from cutlist.core.wording import counted
from cutlist.report.plain import escape
from cutlist.settings.calendar import DAY
from cutlist.settings.plan import LAUNCH
from cutlist.settings.planning import ALLOW_EMPTY, CATALOG
from cutlist.settings.preview import BASE, BEFORE, RECORD_LOOKUPS, RESOURCES, STRICT
from cutlist.settings.stack import STACK, TIME_LIMIT
from cutlist.verbs.plan.text import render_plan
from cutlist.verbs.preview.look_ups import ShownLookUp, render_look_ups
from cutlist.verbs.preview.record import ShownComponent, ShownResource, preview_json
from cutlist.verbs.preview.services import render_services
from cutlist.verbs.preview.since import StackSince, comparable
from cutlist.verbs.preview.since_words import render_since
from cutlist.verbs.preview.text import render_bill, render_preview_headline
from cutlist_cli import terminal
from cutlist_cli.bases import NamedBase, base_of_stacks
from cutlist_cli.calendar import chosen_day, counted_from
from cutlist_cli.command import Command
from cutlist_cli.formats import FOR_PROGRAMS, TEXT, OutputFormats, View, later
from cutlist_cli.own_stacks import require_stacks
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.selected_stack import selected_stack
from cutlist_cli.setting_options import setting_option, setting_options
from cutlist_cli.stack_options import project_dir_option, stack_option
from cutlist_cli.stored_plan import stored_plan

if TYPE_CHECKING:
    from pulumi_cutlist.stack.preview import Preview

    from cutlist.core.services import AddedByService
    from cutlist.planning.model import Plan


@dataclass(frozen=True, slots=True)
class _PreviewAnswer:
    """A preview, its plans with or without the requests to EC2, and whether its text names every resource.

    `earlier` has for each plan an earlier one with which it is compared, if there is one; `since` is what changes since a base.
    `failures` say why look-ups could not be recorded.
    """

    preview: Preview
    plans: tuple[Plan, ...]
    names_resources: bool = False
    earlier: tuple[Plan | None, ...] = ()
    since: StackSince | None = None
    failures: tuple[str, ...] = ()

    @property
    def services(self) -> Sequence[AddedByService]:
        """Return what services add to the clusters of the program."""
        from pulumi_cutlist.recorded.services import services_of  # needs Pulumi's SDK, an extra

        return services_of(self.preview.recording)

    @property
    def look_ups(self) -> Sequence[ShownLookUp]:
        """Return what the program looks up."""
        from pulumi_cutlist.recorded.look_ups import shown_look_ups  # needs Pulumi's SDK, an extra

        return shown_look_ups(self.preview.recording)

    @property
    def resources(self) -> int:
        """Return the number of resources, without the stack itself."""
        return len(self.preview.recording.resources) - 1


def _text(answer: _PreviewAnswer, *, width: int, colour: bool) -> str:
    from pulumi_cutlist.recorded.resource_tree import render_components, render_resources  # needs Pulumi's SDK, an extra

    recording, bill = answer.preview.recording, answer.preview.bill
    tree = render_resources if answer.names_resources else render_components
    parts = [
        "" if answer.since is None else render_since(answer.since, bill, width, colour),
        render_preview_headline(recording.stack.name, answer.resources, bill, width, colour),
        *_plans(answer, width, colour),
        render_bill(bill, width, colour),
        render_services(answer.services, width, colour),
        tree(recording, width, colour),
        render_look_ups(answer.look_ups, width, colour),
    ]
    return "\n".join(filter(None, parts))


def _plans(answer: _PreviewAnswer, width: int, colour: bool) -> Iterator[str]:
    """Yield the text of each plan, under the name of what makes it if there are several: regions may be the same."""
    names = [each.name for each in answer.preview.made]
    for name, plan, earlier in zip(names, answer.plans, answer.earlier, strict=True):
        text = render_plan(plan, width, colour, comparable(earlier, plan))
        yield f"Nodes of {escape(name)}\n\n{text}" if len(names) > 1 else text


def _shown_by(view: Callable[..., str]) -> View[_PreviewAnswer]:
    """Return the view of a preview with its components."""

    def shown(answer: _PreviewAnswer) -> str:
        from pulumi_cutlist.recorded.resource_tree import components_of  # needs Pulumi's SDK, an extra

        recording, bill = answer.preview.recording, answer.preview.bill
        components = [ShownComponent(*row) for row in components_of(recording)]
        further = components, answer.earlier, answer.services, answer.look_ups, answer.since
        return view(recording.stack.name, answer.resources, bill, answer.plans, *further)

    return shown


def _json(answer: _PreviewAnswer) -> str:
    from pulumi_cutlist.recorded.policy_resources import without_secrets  # needs Pulumi's SDK, an extra

    recording = answer.preview.recording
    resources = [ShownResource(r.urn, r.type, r.name, r.parent) for r in recording.resources.values()]
    # Mappings that were sent between processes have no order of their own.
    exports = json.dumps(masked(without_secrets(recording.exports)), sort_keys=True, default=_spell_out)
    shown = json.loads(exports)
    further = answer.services, answer.look_ups, answer.since
    return preview_json(resources, shown, answer.preview.bill, answer.plans, *further)


def _spell_out(value: object) -> str:
    """Return a replacement for a value that JSON cannot express.

    A value that is known only after an update is written as an engine shows it, since its default text contains its memory
    address.
    """
    from pulumi.output import Unknown  # needs Pulumi's SDK, an extra

    return "[unknown]" if isinstance(value, Unknown) else str(value)


_FORMATS: Final[OutputFormats[_PreviewAnswer]] = OutputFormats(
    text=_text,
    others={
        "markdown": _shown_by(later("cutlist.verbs.preview.markdown", "preview_markdown")),
        "html": _shown_by(later("cutlist.verbs.preview.html", "preview_html")),
        "json": _json,
    },
)


@click.command("preview", cls=Command)
@stack_option("The stack: its file is Pulumi.NAME.yaml. Without it, each of the project in turn.")
@project_dir_option("Folder of Pulumi.yaml, which paths in messages are relative to.")
@setting_options((STRICT, RESOURCES, LAUNCH))
@setting_options((BASE, BEFORE))
@setting_option(CATALOG)
@setting_option(RECORD_LOOKUPS)
@setting_option(TIME_LIMIT)
@setting_option(DAY)
@setting_option(ALLOW_EMPTY)
@renderer_options(_FORMATS)
@click.pass_context
def command(
    ctx: click.Context,
    stack: str | None,
    project_dir: Path,
    strict: bool,
    resources: bool,
    launch: bool,
    base: str | None,
    before: str | None,
    catalog: str | None,
    record_lookups: str | None,
    time_limit: float | None,
    day: str | None,
    allow_empty: bool,
    renderer: Renderer[_PreviewAnswer],
) -> None:
    """Preview what a stack costs, its node plan and its resources, offline.

    No account, no cluster and no engine are needed.

    \b
    Examples:
      cutlist preview
      cutlist preview --stack dev
      cutlist preview --stack dev --resources
      cutlist preview --stack dev --base main
      cutlist preview --stack dev --strict
      cutlist preview --stack dev --at 2026-12-03
      cutlist preview --stack dev --catalog cutlist-catalog
      cutlist preview --stack dev --project-dir ../infrastructure -o json
      cutlist preview --stack dev --before last.json --to preview.html
      cutlist preview --stack dev --record-lookups lookups.yaml
    """
    if base is not None and before is not None:
        raise click.UsageError(
            f"{BEFORE.flag} and {BASE.flag} are both what the nodes are compared with: leave one of them out"
        )
    earlier = stored_plan(before)
    record = Path(record_lookups).absolute() if record_lookups else None
    has_launches = launch or renderer.output_format in FOR_PROGRAMS
    run = _Run(project_dir, catalog, time_limit, record, has_launches=has_launches, allow_empty=allow_empty)

    def shown(one: str) -> _PreviewAnswer:
        with counted_from(chosen_day(DAY, day)):
            answer = _preview(run, one)
            answer = answer if at is None else _since(answer, run, one, at)
        _require_region(answer.plans, earlier, before)
        compared = answer if earlier is None else replace(answer, earlier=(earlier,) * len(answer.plans))
        return replace(compared, names_resources=resources)

    stacks = (stack,) if stack else require_stacks(ctx, project_dir)
    if len(stacks) > 1 and (what := _only_of_one(renderer, record)):
        stacks = (_selected(stacks, project_dir, what),)
    with base_of_stacks(base, project_dir) as at:
        answers = [renderer.show(partial(shown, one)) for one in stacks]
    failures = [failure for answer in answers for failure in answer.failures]
    for failure in failures:
        click.echo(f"not recorded: {failure}", err=True)
    if failures or (strict and any(answer.preview.has_pending_pods for answer in answers)):
        ctx.exit(1)


def _only_of_one(renderer: Renderer[_PreviewAnswer], record: Path | None) -> str:
    """Return what of the call can be about one stack only; empty if it shows one stack below another."""
    if renderer.file is not None:
        return f"{renderer.file} holds"
    if renderer.output_format != TEXT:
        return f"-o {renderer.output_format} shows"
    return "" if record is None else f"{RECORD_LOOKUPS.flag} records"


def _selected(stacks: Sequence[str], project_dir: Path, what: str) -> str:
    """Return the stack that is selected in Pulumi's workspace, and say so. Raises UsageError if none is."""
    chosen = selected_stack(project_dir, stacks, os.environ)
    if chosen is None:
        others = f"one of {', '.join(stacks)}, and none of them is selected in Pulumi"
        raise click.UsageError(f"{STACK.flag} is missing: {what} {others}")
    terminal.write_note(f"stack {chosen}, which is selected in Pulumi; {STACK.flag} names another")
    return chosen


def _require_region(plans: Sequence[Plan], earlier: Plan | None, file: str | None) -> None:
    """Raise InputError if no plan of the stack is for the earlier one's region, so that nothing would be compared."""
    regions = sorted({plan.region for plan in plans})
    if earlier is not None and earlier.region not in regions:
        text = f"is a plan for {earlier.region}, and the stack has none for it"
        raise InputError.one(Place(file or ""), text, " or ".join(regions) or "a stack with NodePools and workloads")


@dataclass(frozen=True, slots=True)
class _Run:
    """How the programs of a project's stacks are run for a preview: with the prices of a catalogue, for so many seconds, and
    with a file into which look-ups are recorded."""

    project_dir: Path
    catalog: str | None
    time_limit: float | None
    record: Path | None
    has_launches: bool
    allow_empty: bool


def _preview(run: _Run, stack: str) -> _PreviewAnswer:
    """Return the preview of a stack."""
    previewed, failures = _run(run.project_dir, stack, run.time_limit, run.record)
    if run.catalog:
        previewed = previewed.with_catalog(run.catalog)
    problems = Problems(allow_empty=run.allow_empty)
    if previewed.is_empty:
        problems.add_absence(Place(f"stack {stack}"), "its program registers no resource and makes no plan", "a resource")
    problems.raise_if_any()
    plans = previewed.launched if run.has_launches else previewed.priced
    return _PreviewAnswer(previewed, plans, earlier=(None,) * len(plans), failures=failures)


def _since(answer: _PreviewAnswer, run: _Run, stack: str, base: NamedBase) -> _PreviewAnswer:
    """Return the preview of a stack with what changes since a base."""
    from pulumi_cutlist.stack.since import changes_since  # needs Pulumi's SDK, an extra

    catalog = os.path.abspath(run.catalog) if run.catalog else None
    with progress_line(f"running the program of the stack at {base.name}"):
        since = changes_since(base.copy, base.name, answer.preview, stack, run.time_limit, catalog)
    return replace(answer, since=since.stack, earlier=since.earlier)


def _run(project_dir: Path, stack: str, time_limit: float | None, record: Path | None) -> tuple[Preview, tuple[str, ...]]:
    """Return the preview of a stack. With a file to record, its look-ups are asked and written there; the second is why some of
    them have no answer."""
    from pulumi_cutlist.stack.preview import preview, recorded_preview  # needs Pulumi's SDK, an extra

    with progress_line("running the program of the stack"):
        if record is None:
            return preview(project_dir, stack, time_limit), ()
        previewed, account = recorded_preview(project_dir, stack, time_limit)
    if not account.recorded and not account.failures:
        raise InputError.one(Place(f"stack {stack}"), "its program looks up nothing that an account answers")
    if account.recorded:
        account.write(record, previewed.day)
        click.echo(f"{counted(account.recorded, 'answer')} written to {record}", err=True)
    return previewed, tuple(account.failures)
