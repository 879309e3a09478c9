"""`cutlist suggest`: workloads and NodePools in, cheaper NodePools out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from cutlist.policy.registry import known_rules
from cutlist.settings.environments import ALL
from cutlist.settings.gate import GATES
from cutlist.settings.suggest import PULL_REQUEST, SECONDS, SHOW_REFUSED, WRITE
from cutlist.verbs.gate.answer import gates_of_file
from cutlist.verbs.rightsizing import usage_savings
from cutlist.verbs.suggest.columns import csv
from cutlist.verbs.suggest.markdown import pull_request as pull_request_text
from cutlist.verbs.suggest.markdown import suggest_markdown
from cutlist.verbs.suggest.progress import CANDIDATES
from cutlist.verbs.suggest.record import suggest_json
from cutlist.verbs.suggest.text import render_suggestions
from cutlist_cli.command import Command
from cutlist_cli.file_options import file_option
from cutlist_cli.files import write_answer
from cutlist_cli.formats import TEXT, OutputFormats, later
from cutlist_cli.input_options import InputOptions, input_options_without_files
from cutlist_cli.progress import Say, progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.runner_options import RunnerOptions, runner_options
from cutlist_cli.search_options import SearchOptions, search_options
from cutlist_cli.setting_options import setting_options
from cutlist_cli.stopping import WorkTime, until_interrupted
from cutlist_cli.suggest_fleet import FleetOptions, fleet_options, show_fleet
from cutlist_cli.suggest_writing import with_diffs, write_option
from cutlist_cli.usage_options import UsageOptions, usage_options

if TYPE_CHECKING:
    from cutlist.verbs.suggest.progress import SearchProgress
    from cutlist.verbs.suggest.suggestions import Suggestion, Suggestions

_BEST: Final = "best"
_BOUNDS: Final = 1 / 6
_SEARCH: Final = 2 / 3
"""The parts of the time after which bounds are the quick ones, and after which the search ends: the rest is for simpler options
and for what restrictions cost."""


_FORMATS: Final[OutputFormats[Suggestions]] = OutputFormats(
    text=render_suggestions,
    others={
        "markdown": suggest_markdown,
        "html": later("cutlist.verbs.suggest.html", "suggest_html"),
        "json": suggest_json,
        "csv": csv,
    },
)


@click.command("suggest", cls=Command)
@file_option("manifests", required=False)
@input_options_without_files
@search_options
@setting_options((ALL, SECONDS, WRITE, PULL_REQUEST, SHOW_REFUSED, GATES))
@usage_options
@fleet_options
@runner_options
@renderer_options(_FORMATS)
@click.pass_context
def command(
    ctx: click.Context,
    options: InputOptions,
    all_environments: bool,
    searching: SearchOptions,
    seconds: int | None,
    gates: str | None,
    write: str | None,
    pull_request: bool,
    show_refused: bool,
    usage: UsageOptions,
    fleet: FleetOptions,
    running: RunnerOptions,
    renderer: Renderer[Suggestions],
) -> None:
    """Suggest NodePools that cost less and still keep the rules of the workloads.

    Each candidate is planned exactly: its price is that of `cutlist plan` for the suggested NodePools. A lower bound shows how
    far a price is from the best possible one. Ctrl-C ends the search and shows what it has found.

    \b
    Examples:
      cutlist suggest -f pools.yaml -f workloads.yaml --region us-west-2
      cutlist suggest -f pools.yaml -f workloads.yaml --region us-west-2 --allow arm64,spot --max-nodes 200
      cutlist suggest -f pools.yaml -f workloads.yaml --region us-west-2 --seconds 20 -o html > suggestions.html
      cutlist suggest -f pools.yaml -f workloads.yaml --region us-west-2 --write best
      cutlist suggest -f pools.yaml -f workloads.yaml --region us-west-2 --all
      cutlist suggest --fleet fleet.yaml --resume .suggestions
    """
    if fleet.is_asked_for(ctx):
        show_fleet(ctx, fleet, running, seconds, renderer)
        return
    _check_write(write, options)
    answer_for = partial(_suggested, searching.search(), usage, running, seconds)
    if all_environments:
        from cutlist_cli.suggest_all import show_all  # brings the views of other answers

        show_all(ctx, options, renderer, answer_for, gates)
        return
    answer = with_diffs(answer_for(options, gates), options)
    chosen = _chosen(write, answer)
    _show(answer, renderer, pull_request=pull_request, shows_refused=show_refused)
    if chosen is not None:
        write_option(chosen, options)


def _show(answer: Suggestions, renderer: Renderer[Suggestions], *, pull_request: bool, shows_refused: bool) -> None:
    if pull_request:
        write_answer(pull_request_text(answer), renderer.file)
    elif shows_refused and renderer.output_format == TEXT:
        replace(renderer, formats=replace(_FORMATS, text=partial(render_suggestions, shows_refused=True))).show(lambda: answer)
    else:
        renderer.show(lambda: answer)


def _suggested(
    with_settings: Callable[..., Suggestions],
    usage: UsageOptions,
    running: RunnerOptions,
    seconds: int | None,
    options: InputOptions,
    gates: str | None,
) -> Suggestions:
    """Return what a search suggests for some files under the gates of a file; with measured use, also what requests by it would
    save."""
    search = partial(with_settings, gates=None if gates is None else gates_of_file(gates, known_rules()))
    inputs = options.read_for_placing_with_notes()
    sized = usage.applied_to(inputs)
    until = until_interrupted(seconds)
    with until as may_go_on, progress_line("planning today's NodePools", may_go_on.part) as say, running.started() as runner:
        parts = {"may_prove": may_go_on.within(_BOUNDS), "may_search": may_go_on.within(_SEARCH)}
        search = partial(search, may_go_on=may_go_on, **parts, runner=runner, watch=partial(say_progress, say, may_go_on))
        if sized is None:
            return search(inputs)
        answer = search(sized.inputs)
        return answer.with_usage(usage_savings(inputs, sized, may_go_on=may_go_on, runner=runner), sized.resized(inputs))


def say_progress(say: Say, time: WorkTime, progress: SearchProgress) -> None:
    """Say how many candidates or restrictions are planned, and how long the rest takes: by the time that there is, if that has
    an end, else by the number of candidates. Restrictions come after them and are soon priced."""
    at_most = progress.what == CANDIDATES
    text = f"{progress.done:,} of {'at most ' if at_most else ''}{progress.of:,} {progress.what} are planned"
    by_number = progress.done / progress.of if at_most else None
    say(text, by_number if time.seconds is None else time.part, at_most=at_most and time.seconds is None)


def _check_write(write: str | None, options: InputOptions) -> None:
    if write is None:
        return
    if write != _BEST and not write.isdigit():
        raise click.BadParameter(f"{write!r} is neither {_BEST} nor the number of an option", param_hint=WRITE.flag)
    if "-" in options.files:
        raise click.UsageError(f"{WRITE.flag} changes the files that NodePools were read from: leave out standard input")


def _chosen(write: str | None, answer: Suggestions) -> Suggestion | None:
    if write is None:
        return None
    number = answer.recommended + 1 if write == _BEST else int(write)
    if not 1 <= number <= len(answer.options):
        raise click.BadParameter(f"there are options 1 to {len(answer.options)}, and no {number}", param_hint=WRITE.flag)
    return answer.options[number - 1]
