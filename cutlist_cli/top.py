"""`cutlist top`: the nodes of a cluster, or of a snapshot, and what Karpenter does next, kept up to date."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from cutlist_cli import terminal
from cutlist_cli.file_options import file_option
from cutlist_cli.input_options import InputOptions, input_options_without_files
from cutlist_cli.options import WholeNumber, debug_option, width_option
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import follow, paths_of, show_each_time
from cutlist_cli.stdin import refuse_streams

if TYPE_CHECKING:
    from cutlist.planning.inputs import PlanInputs

_LIVE = "-"  # where the text of the live cluster is read


@click.command("top")
@file_option("a cluster, such as `cutlist snapshot` writes; without it the live cluster is read", required=False)
@input_options_without_files
@click.option("--context", metavar="NAME", help="Context of the kubeconfig of the live cluster.  [default: the current one]")
@click.option(
    "--every",
    type=WholeNumber(min=1),
    default=10,
    show_default=True,
    metavar="SECONDS",
    help="How often the live cluster is read.",
)
@click.option("--once", is_flag=True, help="Show it once and exit; the default if the output is not a terminal.")
@width_option
@debug_option
def command(options: InputOptions, context: str | None, every: int, once: bool, width: int | None) -> None:
    """Show the nodes of a cluster, what they cost, how full they are and what Karpenter does next, until Ctrl-C.

    The most expensive nodes come first, as many as the terminal has room for. Files are read again when they change. A live
    cluster is read every few seconds, and never changed; that needs the extra `live`. Ctrl-C ends it, with exit code 0.

    \b
    Examples:
      cutlist top --region us-west-2
      cutlist top --region us-west-2 --context production --every 30
      cutlist top -f pools.yaml -f snapshot.yaml --region us-west-2
      cutlist top -f pools.yaml -f snapshot.yaml --region us-west-2 --once
    """
    is_live = not options.files
    if context is not None and not is_live:
        raise click.UsageError("--context and -f exclude each other: --context names a live cluster, -f files")
    read = _live_reader(options, context) if is_live else options.read_with_notes
    show = _screen(read, width, is_whole=once or not sys.stdout.isatty())
    if once or not sys.stdout.isatty():
        show()
    elif is_live:
        show_each_time(_instants(every), show, lambda _: False)
    else:
        refuse_streams(paths_of(click.get_current_context()), "top")
        follow(show)


def _screen(read: Callable[[], PlanInputs], width: int | None, *, is_whole: bool) -> Callable[[], None]:
    """Return a function that reads the cluster and writes it over the screen; the whole cluster if the output is not a
    terminal."""

    def show() -> None:
        from cutlist.verbs.cluster_state import at_instant
        from cutlist.verbs.disrupt.answer import disrupt
        from cutlist.verbs.nodes.answer import nodes
        from cutlist.verbs.nodes.glance import render_glance

        inputs, now = at_instant(read(), None)
        with progress_line("asking what Karpenter does next"):
            coming = disrupt(inputs, now)
        rows = 0 if is_whole else shutil.get_terminal_size().lines - 1
        text = render_glance(nodes(inputs), coming, terminal.width(width), terminal.has_colour(), rows)
        terminal.clear()
        terminal.write(text)

    return show


def _live_reader(options: InputOptions, context: str | None) -> Callable[[], PlanInputs]:
    """Return a function that reads the live cluster."""
    from cutlist_cli.snapshot import read_cluster_objects

    ctx = click.get_current_context()

    def read() -> PlanInputs:
        snapshot = read_cluster_objects(ctx, context, [], launch_context=False)
        return options.read_files((_LIVE,), stdin=snapshot.as_json().encode())

    return read


def _instants(every: int) -> Iterator[None]:
    """Yield now, and again every so many seconds."""
    while True:
        yield
        time.sleep(every)
