"""`cutlist nodes`: a cluster in, its nodes out; with `--watch` kept up to date, files as well as a live cluster."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

import click

from cutlist.core.errors import Place, Problems
from cutlist.core.records import json_of
from cutlist.core.setting import Edge
from cutlist.documents.folders import Reading
from cutlist.settings.answers import WATCH
from cutlist.settings.calendar import DAY
from cutlist.settings.cluster import FROM_PLAN
from cutlist.settings.nodes import CONTEXT, EVERY, LIVE, OUTLOOK, REGION, SELECTING, SHOWING
from cutlist.settings.planning import ALLOW_EMPTY, CATALOG, FILES, PAID, PAID_AS, READING, PlanSettings, with_defaults
from cutlist.verbs.nodes.answer import nodes, read_nodes
from cutlist.verbs.nodes.columns import csv
from cutlist.verbs.nodes.selection import ALL_NODES, Selection
from cutlist.verbs.nodes.text import render_nodes
from cutlist_cli import terminal
from cutlist_cli.calendar import chosen_day
from cutlist_cli.command import Command
from cutlist_cli.file_options import file_option, require_files
from cutlist_cli.formats import TEXT, OutputFormats, later
from cutlist_cli.notes import notes_shown, show_not_read
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, follow, renderer_options, show_each_time
from cutlist_cli.setting_options import on_the_line, setting_options, taken
from cutlist_cli.stdin import stdin_of
from cutlist_cli.words import in_file

if TYPE_CHECKING:
    from cutlist.verbs.nodes.roster import Roster
    from cutlist_cli.input_options import InputOptions

_FORMATS: Final[OutputFormats[Roster]] = OutputFormats(
    text=render_nodes,
    others={
        "markdown": later("cutlist.verbs.nodes.markdown", "nodes_markdown"),
        "html": later("cutlist.verbs.nodes.html", "nodes_html"),
        "json": json_of,
        "csv": csv,
    },
)
_LIVE: Final = "-"  # where the text of the live cluster is read
View = Callable[[tuple[str, ...], bytes | None], str]
"""Returns a cluster as text, from paths and what stands for standard input."""


@click.command("nodes", cls=Command)
@file_option("a cluster, as `cutlist snapshot` writes it", required=False)
@setting_options((ALLOW_EMPTY, *READING, FROM_PLAN, REGION, CATALOG, PAID, PAID_AS, *LIVE, *SELECTING, *OUTLOOK))
@renderer_options(_FORMATS, can_watch=True)
def command(files: tuple[str, ...], plan_file: str | None, renderer: Renderer[Roster], **values: Any) -> None:
    """Show the nodes of a cluster: how full they are, what they are and what they cost.

    How full a node is means how much of its allocatable resources its pods request. Ages are those at the newest time in the
    files.

    With --watch and a region it shows the cluster at a glance: what it costs, what Karpenter does next, and the nodes by price,
    as many as the terminal has room for. Without -f it reads the live cluster every few seconds, and never changes it; that
    needs the extra `live`. Ctrl-C ends it, with exit code 0. --sort, --selector and --label choose the order, the nodes and
    the labels that are shown.

    \b
    Examples:
      cutlist nodes -f snapshot.yaml
      cutlist nodes -f snapshot.yaml --region us-west-2
      cutlist nodes -f snapshot.yaml --region us-west-2 -o html > nodes.html
      cutlist nodes -f snapshot.yaml --region us-west-2 -o markdown
      cutlist nodes -f snapshot.yaml --sort cpu -l karpenter.sh/capacity-type=spot --label topology.kubernetes.io/zone
      cutlist nodes --from-plan plan.json
      kubectl get nodes,nodeclaims,pods -A -o json | cutlist nodes -f - -o json
      cutlist nodes --watch --region us-west-2 --context production --every 30
      cutlist nodes --watch -f pools.yaml -f snapshot.yaml --region us-west-2
    """
    is_live = renderer.watch and plan_file is None and not files
    looks_ahead = renderer.watch and plan_file is None and values[REGION.name] is not None
    _refuse_idle(is_live=is_live, looks_ahead=looks_ahead)
    if plan_file is None and not is_live:
        require_files(files)
    selection = _selection(values, renderer)
    renderer = replace(renderer, formats=replace(_FORMATS, text=partial(render_nodes, selection=selection)))
    context, every = values.pop(CONTEXT.name), values.pop(EVERY.name)
    settings = cast("PlanSettings", taken((*SHOWING, *OUTLOOK), values))
    if plan_file is not None:
        renderer.show(lambda: _required(_planned(plan_file, files, settings), selection))
    elif looks_ahead:
        from cutlist_cli.input_options import InputOptions

        watch(
            files, lambda paths, stdin: glance(InputOptions(paths, settings), stdin, renderer.width, selection), context, every
        )
    elif is_live:
        watch(files, lambda paths, stdin: renderer.text(_read(paths, settings, stdin)), context, every)
    else:
        renderer.show(lambda: _required(_read(files, settings), selection))


def _selection(values: dict[str, Any], renderer: Renderer[Roster]) -> Selection:
    """Return which nodes the text shows. Raises UsageError for a form that has all of them, and InputError for a selector
    without a key."""
    chosen = taken(SELECTING, values)
    selection = Selection(**chosen)
    if chosen and renderer.output_format != TEXT:
        flags = ", ".join(setting.flag for setting in SELECTING)
        raise click.UsageError(f"{flags} choose what text shows; -o {renderer.output_format} has all nodes")
    selection.check()
    return selection


def _required(roster: Roster, selection: Selection) -> Roster:
    """Return the nodes; raise InputError where none is selected."""
    selection.require(roster.nodes)
    return roster


def _refuse_idle(*, is_live: bool, looks_ahead: bool) -> None:
    """Raise UsageError for options of the command line that would have no effect."""
    ctx = click.get_current_context()
    if not is_live and (idle := on_the_line(ctx, LIVE)):
        what = f"which {WATCH.flag} reads where there is neither {FILES.spelled(Edge.COMMAND_LINE)} nor {FROM_PLAN.flag}"
        raise click.UsageError(f"{idle[0].flag} is for a live cluster, {what}")
    if not looks_ahead and (idle := on_the_line(ctx, OUTLOOK)):
        raise click.UsageError(
            f"{idle[0].flag} is for what Karpenter does next, which {WATCH.flag} shows where a region is known"
        )


def _read(files: tuple[str, ...], settings: PlanSettings, stdin: bytes | None = None) -> Roster:
    chosen = with_defaults(settings)
    with notes_shown() as notes, progress_line("reading the nodes"):
        return read_nodes(
            files,
            region=chosen["region"] or None,
            catalog=chosen["catalog"],
            paid=chosen["paid"],
            paid_as=chosen["paid_as"],
            day=chosen_day(DAY, None),
            stdin=stdin_of(files) if stdin is None else stdin,
            allow_empty=chosen["allow_empty"],
            reading=Reading.of(settings),
            notes=notes,
        )


def _planned(plan_file: str, files: tuple[str, ...], settings: PlanSettings) -> Roster:
    from cutlist.planning.read_inputs import read_inputs
    from cutlist.planning.stored_plan import read_plan

    plan, allow_empty = read_plan(plan_file, stdin_of([plan_file])), settings.get("allow_empty", False)
    if not files:
        problems = Problems(allow_empty=allow_empty)
        if not plan.nodes:
            problems.add_absence(Place(plan_file), "the plan has no new node", "a plan with nodes")
        problems.raise_if_any()
        with in_file(plan_file):
            return nodes(plan)
    settings["region"] = plan.region
    inputs = read_inputs(files, stdin=stdin_of(files), **settings).on_day(chosen_day(DAY, None))
    show_not_read(inputs.workloads.notes)
    with in_file(plan_file):
        return nodes(inputs, plan)


def watch(files: tuple[str, ...], view: View, context: str | None, every: int) -> NoReturn:
    """Show files at each change, or without any the live cluster every so many seconds, until Ctrl-C."""
    if files:
        follow(lambda: _show(view(files, None)))
    from cutlist_cli.snapshot import read_cluster_objects

    ctx = click.get_current_context()

    def show() -> None:
        snapshot = read_cluster_objects(ctx, context, [], launch_context=False)
        _show(view((_LIVE,), snapshot.as_json().encode()))

    show_each_time(_instants(every), show, lambda _: False)


def glance(options: InputOptions, stdin: bytes | None, width: int | None, selection: Selection = ALL_NODES) -> str:
    """Return what a cluster costs and what Karpenter does next, with its nodes by price, as many as the terminal has room
    for. Nodes are enough, as for the table without `--watch`: of a node whose NodePool is not in the input it says so."""
    from cutlist.verbs.cluster_state import at_instant
    from cutlist.verbs.disrupt.answer import disrupt
    from cutlist.verbs.nodes.glance import render_glance

    inputs = options.using(allow_empty=True).read_files(options.files, stdin=stdin)
    show_not_read(inputs.workloads.notes)
    inputs, now = at_instant(inputs, None)
    with progress_line("asking what Karpenter does next"):
        coming = disrupt(inputs, now, allow_empty=options.allow_empty)
    rows = shutil.get_terminal_size().lines - 1 if sys.stdout.isatty() else 0
    return render_glance(nodes(inputs), coming, terminal.width(width), terminal.has_colour(), rows, selection)


def _show(text: str) -> None:
    terminal.clear()  # only now, so that the last answer stays while the next one is computed
    terminal.write(text)


def _instants(every: int) -> Iterator[None]:
    """Yield now, and again every so many seconds."""
    while True:
        yield
        time.sleep(every)
