"""`cutlist nodes --watch`: a cluster kept up to date, from files when they change, or a live one every few seconds."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from typing import Final, NoReturn

import click

from cutlist.verbs.cluster_state import at_instant
from cutlist.verbs.disrupt.answer import disrupt
from cutlist.verbs.nodes.answer import nodes
from cutlist.verbs.nodes.glance import render_glance
from cutlist_cli import terminal
from cutlist_cli.input_options import InputOptions
from cutlist_cli.notes import show_not_read
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import follow, show_each_time
from cutlist_cli.snapshot import read_cluster_objects

_LIVE: Final = "-"  # where the text of the live cluster is read

View = Callable[[tuple[str, ...], bytes | None], str]
"""Returns a cluster as text, from paths and what stands for standard input."""


def watch(files: tuple[str, ...], view: View, context: str | None, every: int) -> NoReturn:
    """Show files at each change, or without any the live cluster every so many seconds, until Ctrl-C."""
    if files:
        follow(lambda: _show(view(files, None)))
    ctx = click.get_current_context()

    def show() -> None:
        snapshot = read_cluster_objects(ctx, context, [], launch_context=False)
        _show(view((_LIVE,), snapshot.as_json().encode()))

    show_each_time(_instants(every), show, lambda _: False)


def glance(options: InputOptions, stdin: bytes | None, width: int | None) -> str:
    """Return what a cluster costs and what Karpenter does next, with its nodes by price, as many as the terminal has room
    for. Nodes are enough, as for the table without `--watch`: of a node whose NodePool is not in the input it says so."""
    inputs = options.using(allow_empty=True).read_files(options.files, stdin=stdin)
    show_not_read(inputs.workloads.notes)
    inputs, now = at_instant(inputs, None)
    with progress_line("asking what Karpenter does next"):
        coming = disrupt(inputs, now, allow_empty=options.allow_empty)
    rows = shutil.get_terminal_size().lines - 1 if sys.stdout.isatty() else 0
    return render_glance(nodes(inputs), coming, terminal.width(width), terminal.has_colour(), rows)


def _show(text: str) -> None:
    terminal.clear()  # only now, so that the last answer stays while the next one is computed
    terminal.write(text)


def _instants(every: int) -> Iterator[None]:
    """Yield now, and again every so many seconds."""
    while True:
        yield
        time.sleep(every)
