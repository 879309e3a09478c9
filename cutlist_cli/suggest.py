"""`cutlist suggest`: workloads and NodePools in, cheaper NodePools out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, cast

import click

from cutlist.core.errors import Problems
from cutlist.documents import SourceText, collect_texts
from cutlist.optimization.allowances import Allowances
from cutlist.policy.registry import known_rules
from cutlist.settings.calendar import DAY
from cutlist.settings.environments import ALL
from cutlist.settings.gate import GATES
from cutlist.settings.suggest import KEPT, SETTINGS, WIDENINGS, WRITE, BoundKind
from cutlist.verbs.gate.answer import gates_of_file
from cutlist.verbs.rightsizing import usage_savings
from cutlist.verbs.suggest.answer import suggest
from cutlist.verbs.suggest.columns import csv
from cutlist.verbs.suggest.criteria import Criteria
from cutlist.verbs.suggest.edits import labels_in, unwritten, written
from cutlist.verbs.suggest.markdown import pull_request as pull_request_text
from cutlist.verbs.suggest.markdown import suggest_markdown
from cutlist.verbs.suggest.record import suggest_json
from cutlist.verbs.suggest.text import render_suggestions
from cutlist.verbs.suggest.yaml_diff import diffs_of
from cutlist_cli import terminal
from cutlist_cli.calendar import chosen_day
from cutlist_cli.file_options import file_option
from cutlist_cli.files import write_answer, write_file
from cutlist_cli.formats import TEXT, OutputFormats, later
from cutlist_cli.input_options import InputOptions, input_options_without_files
from cutlist_cli.progress import progress_line
from cutlist_cli.rates import read_rate_files
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.runner_options import RunnerOptions, runner_options
from cutlist_cli.setting_options import setting_options
from cutlist_cli.stdin import stdin_of
from cutlist_cli.stopping import until_interrupted
from cutlist_cli.suggest_fleet import FleetOptions, fleet_options, show_fleet
from cutlist_cli.usage_options import UsageOptions, usage_options

if TYPE_CHECKING:
    from cutlist.verbs.suggest.suggestions import Suggestion, Suggestions

_BEST: Final = "best"


_FORMATS: Final[OutputFormats[Suggestions]] = OutputFormats(
    text=render_suggestions,
    others={
        "markdown": suggest_markdown,
        "html": later("cutlist.verbs.suggest.html", "suggest_html"),
        "json": suggest_json,
        "csv": csv,
    },
)


@click.command("suggest")
@file_option("manifests", required=False)
@input_options_without_files
@setting_options((ALL, *SETTINGS, GATES))
@usage_options
@fleet_options
@runner_options
@renderer_options(_FORMATS)
@click.pass_context
def command(
    ctx: click.Context,
    options: InputOptions,
    all_environments: bool,
    allow: tuple[str, ...],
    keep: tuple[str, ...],
    spare: int,
    min_nodes: int,
    max_nodes: int | None,
    plans: int,
    seconds: int | None,
    scenario: tuple[str, ...],
    week: tuple[str, ...],
    spot_types: int,
    spot_zones: int,
    settled: bool,
    gates: str | None,
    seed: int,
    write: str | None,
    pull_request: bool,
    show_refused: bool,
    bound: str,
    rates: tuple[str, ...],
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
    allowances = _allowances(allow, keep, spare, min_nodes, max_nodes)
    _check_write(write, options)
    priced, kind = read_rate_files(rates), cast("BoundKind", bound)
    search = partial(
        suggest,
        allowances=allowances,
        plans=plans,
        seed=seed,
        bound=kind,
        rates=priced,
        criteria=Criteria(scenario, spot_types, spot_zones, settled, week),
        day=chosen_day(DAY, None),
    )
    answer_for = partial(_suggested, search, usage, running, seconds)
    if all_environments:
        from cutlist_cli.suggest_all import show_all  # brings the views of other answers

        show_all(ctx, options, renderer, answer_for, gates)
        return
    answer = _with_diffs(answer_for(options, gates), options)
    chosen = _chosen(write, answer)
    if pull_request:
        write_answer(pull_request_text(answer), renderer.file)
    elif show_refused and renderer.output_format == TEXT:
        replace(renderer, formats=replace(_FORMATS, text=partial(render_suggestions, shows_refused=True))).show(lambda: answer)
    else:
        renderer.show(lambda: answer)
    if chosen is not None:
        _write(chosen, options)


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
    with progress_line("planning candidates"), running.started() as runner, until_interrupted(seconds) as may_go_on:
        if sized is None:
            return search(inputs, may_go_on=may_go_on, runner=runner)
        answer = search(sized.inputs, may_go_on=may_go_on, runner=runner)
        return answer.with_usage(usage_savings(inputs, sized, may_go_on=may_go_on, runner=runner), sized.resized(inputs))


def _allowances(allow: tuple[str, ...], keep: tuple[str, ...], spare: int, min_nodes: int, max_nodes: int | None) -> Allowances:
    if max_nodes is not None and max_nodes < min_nodes:
        raise click.UsageError(f"--max-nodes {max_nodes} is less than --min-nodes {min_nodes}")
    return Allowances(
        **dict.fromkeys(_words("--allow", allow, "cannot be allowed", WIDENINGS), True),
        min_nodes=min_nodes,
        max_nodes=max_nodes,
        keep=frozenset(_words("--keep", keep, "cannot be kept", KEPT)),
        spare=spare,
    )


def _words(option: str, texts: tuple[str, ...], problem: str, allowed: tuple[str, ...]) -> set[str]:
    """Return the words of a comma-separated option; fail for a word that is not allowed."""
    words = {word.strip() for text in texts for word in text.split(",")}
    unknown = sorted(words.difference(allowed))
    if unknown:
        text = f"{', '.join(map(repr, unknown))} {problem}; allowed: {', '.join(allowed)}"
        raise click.BadParameter(text, param_hint=option)
    return words


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


def _with_diffs(answer: Suggestions, options: InputOptions) -> Suggestions:
    """Return the answer with what its recommended option changes in the files that were read."""
    diffs, _ = diffs_of(answer.best.written, _texts(options)) if answer.best.written else ((), [])
    return replace(answer, diffs=diffs)


def _texts(options: InputOptions) -> list[SourceText]:
    problems = Problems()
    texts = list(collect_texts(list(options.files), problems, stdin_of(options.files), options.reading))
    problems.raise_if_any()
    return texts


def _write(chosen: Suggestion, options: InputOptions) -> None:
    texts = _texts(options)
    edited = [written(chosen.written, text) for text in texts]
    missing = unwritten(chosen.written, edited)
    if missing:
        names = terminal.safe(", ".join(missing))
        raise click.ClickException(f"nothing is written: {names} cannot be edited where it was read")
    for text in edited:
        if text.edited:
            write_file(text.source, text.text)
            labels = ", ".join(labels_in(chosen.written, text))
            terminal.write_error(f"{terminal.safe(f'{text.source}: {labels} written')}\n")
