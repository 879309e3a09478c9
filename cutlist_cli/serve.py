"""`cutlist serve`: the page of a plan, which follows changes of its files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Thread

import click

from cutlist.core.errors import CutlistError, InputError, Place, Problem
from cutlist.planning.absences import require_workloads
from cutlist.settings.plan import BEFORE, EARLIER
from cutlist.settings.serve import PORT
from cutlist_cli import terminal
from cutlist_cli.command import Command
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.last_plan import earlier_plan
from cutlist_cli.options import debug_option
from cutlist_cli.page_origin import with_origin
from cutlist_cli.plan import plan_page
from cutlist_cli.renderer import paths_of
from cutlist_cli.serving import changes
from cutlist_cli.setting_options import setting_option
from cutlist_cli.stdin import refuse_streams
from cutlist_cli.stopping import leave
from cutlist_cli.words import in_words_of_caller


@click.command("serve", cls=Command)
@input_options
@setting_option(replace(BEFORE, help=EARLIER))
@setting_option(PORT)
@debug_option
def command(options: InputOptions, before: str | None, port: int) -> None:
    """Show the page of a plan in a browser, updated whenever a file changes.

    The page is that of `cutlist plan -o html`; while the files have mistakes, it lists them instead. Only this machine can open
    it. Ctrl-C ends it. Needs the extra `watch`.

    \b
    Examples:
      cutlist serve -f pools.yaml -f workloads.yaml --region us-west-2
      cutlist serve -f pools.yaml -f workloads.yaml --region us-west-2 --port 0
      cutlist serve -f pools.yaml -f workloads.yaml --region us-west-2 --before plan.json
    """
    from cutlist_cli.serving.server import Board, PageServer  # takes 20 ms

    paths = paths_of(click.get_current_context())
    refuse_streams(paths, "serve")
    _refuse_bad_options(options)
    file_changes = changes.changes(paths)
    next(file_changes)
    first = _page(options, before)
    board = Board(first.text)
    with PageServer(board, port) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        what = "The plan is shown" if first.is_plan else "The files have mistakes; until they are fixed, these are listed"
        terminal.write(f"{what} at {server.address}\nPress Ctrl-C to end.\n")
        try:
            for _ in file_changes:
                board.show(_page(options, before).text)
        except KeyboardInterrupt:
            leave()


def _refuse_bad_options(options: InputOptions) -> None:
    """Raise InputError, with all problems, if no change of a file can resolve one of them, or there is nothing to show."""
    try:
        require_workloads(options.read_for_placing(), allow_empty=options.allow_empty)
    except InputError as error:
        if any(problem.is_absence or not problem.place.source for problem in error.problems):
            raise


@dataclass(frozen=True, slots=True)
class _LivePage:
    """A page, and whether it shows a plan or what is wrong."""

    text: str
    is_plan: bool


def _page(options: InputOptions, before: str | None) -> _LivePage:
    """Return the page of the plan; that of the problems if there is no plan."""
    from cutlist.verbs.serve.html import live_page, problems_html  # takes 110 ms

    try:
        return _LivePage(live_page(with_origin(plan_page(options, earlier_plan(before, options.files)))), is_plan=True)
    except InputError as error:
        problems = in_words_of_caller(error.problems)
    except CutlistError as error:
        problems = (Problem(Place(), str(error)),)
    return _LivePage(live_page(problems_html(problems)), is_plan=False)
