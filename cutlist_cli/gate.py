"""`cutlist gate`: a stack's resources and plan, or plain files, checked against the rules; offline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.errors import InputError, Place, nearest
from cutlist_cli import terminal
from cutlist_cli.cluster_input import stored_plan
from cutlist_cli.files import refuse_inputs, write_file
from cutlist_cli.formats import OutputFormats
from cutlist_cli.input_options import PLAN_PARAMETERS
from cutlist_cli.options import (
    allow_empty_option,
    catalog_option,
    debug_option,
    external_class_option,
    karpenter_option,
    output_option,
    project_dir_option,
    reading_options,
    region_option,
    scheduler_config_option,
    time_limit_option,
    width_option,
)
from cutlist_cli.places import named_as_options
from cutlist_cli.progress import progress_line
from cutlist_cli.stdin import stdin_of

if TYPE_CHECKING:
    from cutlist.answers.gate import GateResult
    from cutlist.documents import Reading
    from cutlist.planning.document_inputs import PlanSettings
    from cutlist.planning.model import Plan
    from cutlist.policy.gates import Gates

STOPPED: Final = 1


def _text(answer: GateResult, *, width: int, colour: bool) -> str:
    from cutlist.report.gate.text import render_gate

    return render_gate(answer.report, width=width, colour=colour)


def _whole_text(answer: GateResult, *, width: int, colour: bool) -> str:
    from cutlist.report.gate.text import render_gate

    return render_gate(answer.report, width=width, colour=colour, verbose=True)


def _markdown(answer: GateResult) -> str:
    from cutlist.report.gate.markdown import gate_markdown

    return gate_markdown(answer.report, answer.plans)


def _json(answer: GateResult) -> str:
    from cutlist.report.gate.json import gate_json

    return gate_json(answer.report)


def _sarif(answer: GateResult) -> str:
    from cutlist.report.gate.sarif import gate_sarif

    return gate_sarif(answer.report)


def _junit(answer: GateResult) -> str:
    from cutlist.report.gate.junit import gate_junit

    return gate_junit(answer.report)


_FORMATS: Final[OutputFormats[GateResult]] = OutputFormats(
    text=_text,
    others={
        "markdown": _markdown,
        "json": _json,
        "sarif": _sarif,
        "junit": _junit,
    },
)


@click.command("gate")
@click.option("-s", "--stack", metavar="NAME", help="Which stack: Pulumi.NAME.yaml is its file, and holds its gates.")
@project_dir_option("Folder of Pulumi.yaml, with --stack.")
@time_limit_option
@click.option(
    "-f",
    "--file",
    "files",
    multiple=True,
    metavar="PATH",
    type=click.Path(allow_dash=True),
    help="File or folder with manifests, - for standard input; instead of a stack. May be given several times.",
)
@allow_empty_option
@reading_options
@click.option("--gates", "gates_file", metavar="FILE", type=click.Path(), help="File with the gates of plain files.")
@region_option("Region to plan plain files for.")
@click.option("--zone", "zones", multiple=True, metavar="ZONE", help="Zone that has a subnet; may be given several times.")
@catalog_option
@click.option("--built-in-pool", "built_in_pools", multiple=True, metavar="NAME", help="NodePool of EKS Auto Mode that is on.")
@external_class_option
@karpenter_option
@scheduler_config_option
@click.option("--before", metavar="FILE", type=click.Path(), help="The last plan as JSON, with which the price is compared.")
@click.option("--fix", is_flag=True, help="First repair files in place, where that is safe; comments stay.")
@click.option("--today", metavar="DATE", help="The day for which exemptions are checked.  [default: today, in UTC]")
@output_option(*_FORMATS.names)
@click.option(
    "--write",
    "written",
    multiple=True,
    metavar="FORM=FILE",
    help="Write the answer in another form to a file as well, such as sarif=gate.sarif. May be given several times.",
)
@click.option("--verbose", is_flag=True, help="Say of each undetermined rule what is unknown, instead of one line for all.")
@click.option("--rules", "lists_rules", is_flag=True, help="Print a page on all rules, with their settings, and do no more.")
@width_option
@debug_option
@click.pass_context
def command(
    ctx: click.Context,
    stack: str | None,
    project_dir: Path,
    time_limit: float | None,
    files: tuple[str, ...],
    allow_empty: bool,
    reading: Reading,
    gates_file: str | None,
    region: str | None,
    zones: tuple[str, ...],
    catalog: str | None,
    built_in_pools: tuple[str, ...],
    external_classes: tuple[str, ...],
    karpenter: str | None,
    scheduler_config: str | None,
    before: str | None,
    fix: bool,
    today: str | None,
    output: str,
    written: tuple[str, ...],
    verbose: bool,
    lists_rules: bool,
    width: int | None,
) -> None:
    """Check NodePools, node classes, resources and the predicted plan against the rules.

    Needs no account, no cluster and no engine. Exit code 0 when the change may go on; 1 when a mandatory rule is broken, or the
    stack's program ends before everything that it registers is known; 2 when the program fails, a file cannot be opened, no
    region is given, or no rule is about anything. What cannot be read, planned or understood is a violation itself. The rules
    are listed in docs/rules.md.

    \b
    Examples:
      cutlist gate --stack prod
      cutlist gate --stack prod -o sarif > gate.sarif
      cutlist gate -f pools.yaml -f workloads/ --region us-west-2
      cutlist gate -f pools.yaml --gates gates.yaml --region us-west-2 --fix
    """
    from cutlist.planning.document_inputs import PlanSettings

    if lists_rules:
        if stack or files:
            raise click.UsageError("--rules prints a page and judges nothing; it goes without --stack and --file")
        terminal.write(_rules_page())
        return
    targets = [_target(text) for text in written]
    if bool(stack) == bool(files):
        raise click.UsageError("give either --stack NAME or --file PATH")
    day = _day(today)
    own_files = _files_of_stack(project_dir, stack) if stack else _manifests(files, reading)
    others = [path for path in (gates_file, scheduler_config, before) if path is not None]
    refuse_inputs("--write", [path for _, path in targets], [*own_files, *others] if targets else ())
    earlier = stored_plan(before)
    if stack:
        _refuse_options_of_files(gates_file, karpenter, scheduler_config)
        if fix:
            _repair_stack(project_dir, stack, day)
        result = _gate_stack(project_dir, stack, day, earlier, time_limit, allow_empty=allow_empty)
    else:
        settings = PlanSettings(
            region,
            zones,
            catalog,
            built_in_pools,
            external_classes=external_classes,
            reading=reading,
            scheduler_config=scheduler_config,
        )
        settings = settings if karpenter is None else replace(settings, karpenter=karpenter)
        result = _gate_files(files, gates_file, settings, day, earlier, is_repairing=fix, allow_empty=allow_empty)
    formats = replace(_FORMATS, text=_whole_text) if verbose else _FORMATS
    for output_format, path in targets:
        write_file(path, formats.write(output_format, result, width))
    terminal.write(formats.write(output, result, width))
    if result.unread:
        raise InputError(result.unread)
    if not result.report.has_passed:
        ctx.exit(STOPPED)


def _manifests(paths: Sequence[str], reading: Reading) -> Iterator[str]:
    """Yield the files of paths that hold manifests."""
    from cutlist.core.errors import Problems
    from cutlist.documents import collect_texts, is_stream

    kept = [path for path in paths if not is_stream(path)]
    yield from (text.source for text in collect_texts(kept, Problems(), None, reading))


def _files_of_stack(project_dir: Path, stack: str) -> Iterator[str]:
    """Yield the files of a project that a stack is made from: its program, its configuration and its own objects."""
    from pulumi_cutlist.stack_gate import own_sources

    from cutlist.documents import PLAIN

    yield from (str(path) for pattern in ("Pulumi*.yaml", "*/Pulumi.*.yaml", "*.py") for path in project_dir.glob(pattern))
    paths, _ = own_sources(project_dir, stack)
    yield from _manifests([str(project_dir / path) for path in paths], PLAIN)


def _refuse_options_of_files(gates_file: str | None, karpenter: str | None, scheduler_config: str | None) -> None:
    """Raise UsageError for options whose values the file of a stack has."""
    if gates_file is not None:
        raise click.UsageError("the gates of a stack are in its file; --gates is for --file")
    for option, value in (("--karpenter", karpenter), ("--scheduler-config", scheduler_config)):
        if value is not None:
            raise click.UsageError(f"the Karpenter of a stack and its settings are in its file; {option} is for --file")


def _gate_stack(
    project_dir: Path, stack: str, today: date, earlier: Plan | None, time_limit: float | None, *, allow_empty: bool
) -> GateResult:
    """Return the gates' result for a stack."""
    from pulumi_cutlist.stack_gate import gate_stack

    with progress_line("running the program of the stack"):
        return gate_stack(project_dir, stack, today, earlier, time_limit, allow_empty=allow_empty)


def _gate_files(
    files: tuple[str, ...],
    gates_file: str | None,
    settings: PlanSettings,
    today: date,
    earlier: Plan | None,
    *,
    is_repairing: bool,
    allow_empty: bool,
) -> GateResult:
    """Return the gates' result for plain files, after the files were repaired if requested."""
    from cutlist.answers.gate import gate

    gates = _gates_of_files(gates_file)
    if is_repairing:
        _repair(files, gates, today, settings.reading)
    stdin = stdin_of(files)
    with progress_line("planning, and asking the rules"), named_as_options(**PLAN_PARAMETERS):
        return gate(files, gates, today, settings, stdin, earlier, allow_empty=allow_empty)


def _gates_of_files(path: str | None) -> Gates:
    """Return the gates of a file; by default those that apply without one."""
    from cutlist.answers.gate import default_gates, gates_of_file
    from cutlist.policy.registry import known_rules

    return gates_of_file(path, known_rules()) if path is not None else default_gates()


def _repair_stack(project_dir: Path, stack: str, today: date) -> None:
    """Repair the files with a stack's own objects."""
    from pulumi_cutlist import stack_file
    from pulumi_cutlist.stack_gate import own_sources

    paths, gates = own_sources(project_dir, stack)
    with stack_file.working_in(project_dir):
        _repair(paths, gates, today)


def _repair(paths: tuple[str, ...], gates: Gates, today: date, reading: Reading | None = None) -> None:
    """Repair files in place, and report what was repaired; what cannot be read is reported by the gates afterwards."""
    from cutlist.answers.fix import fix
    from cutlist.core.errors import Problems
    from cutlist.documents import PLAIN, collect_texts, is_stream

    texts = collect_texts([path for path in paths if not is_stream(path)], Problems(), None, reading or PLAIN)
    for repaired in fix(texts, gates, today):
        write_file(repaired.source, repaired.text)
        terminal.write_error("".join(f"{terminal.safe(line)}\n" for line in repaired.report))


def _rules_page() -> str:
    from cutlist.policy.registry import ALL, known_rules
    from cutlist.report.gate.rules_page import rules_page

    return rules_page([rule for rule in known_rules() if rule not in ALL])


def _target(text: str) -> tuple[str, str]:
    """Return the format and the file that `--write` names."""
    output_format, _, path = text.partition("=")
    if output_format not in _FORMATS.names or not path:
        known = nearest(output_format, _FORMATS.names)
        near, allowed = f"{known}={path or 'FILE'}" if known else "", f"FORM=FILE with {', '.join(_FORMATS.names)}"
        raise InputError.one(Place(path="--write"), f"{text!r} is no form with a file", allowed, near)
    return output_format, path


def _day(text: str | None) -> date:
    """Return the day of `--today`, else that of the clock."""
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError.one(Place(path="--today"), f"{text!r} is no date", "a date such as 2026-12-31") from None
