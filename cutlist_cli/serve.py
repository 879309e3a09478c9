"""`cutlist serve`: the page of a plan, which follows changes of its files."""

from __future__ import annotations

from threading import Thread

import click

from cutlist.core.errors import CutlistError, InputError, Place, Problem
from cutlist.planning.absences import require_workloads
from cutlist.settings.plan import BEFORE
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
@setting_option(BEFORE)
@setting_option(PORT)
@debug_option
def command(options: InputOptions, before: str | None, port: int) -> None:
    """Show the page of a plan in a browser, updated whenever a file changes.

    The page is that of `cutlist plan -o html`; while the files have mistakes, it shows these. It is served at the loopback
    address, only to this machine. Ctrl-C ends it. Needs the extra `watch`.

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
    board = Board(_page(options, before))
    with PageServer(board, port) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        terminal.write(f"The plan is shown at {server.address}\nPress Ctrl-C to end.\n")
        try:
            for _ in file_changes:
                board.show(_page(options, before))
        except KeyboardInterrupt:
            leave()


def _refuse_bad_options(options: InputOptions) -> None:
    """Raise InputError, with all problems, if no change of a file can resolve one of them, or there is nothing to show."""
    try:
        require_workloads(options.read_for_placing(), allow_empty=options.allow_empty)
    except InputError as error:
        if any(problem.is_absence or not problem.place.source for problem in error.problems):
            raise


def _page(options: InputOptions, before: str | None) -> str:
    """Return the page of the plan; that of the problems if there is no plan."""
    from cutlist.verbs.serve.html import live_page, problems_html  # takes 110 ms

    try:
        return live_page(with_origin(plan_page(options, earlier_plan(before, options.files))))
    except InputError as error:
        return live_page(problems_html(in_words_of_caller(error.problems)))
    except CutlistError as error:
        return live_page(problems_html([Problem(Place(), str(error))]))
