"""`cutlist gate`: a stack's resources and plan, or plain files, held against the rules; offline."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist.cli import terminal
from cutlist.cli.files import write_file
from cutlist.cli.options import catalog_option, debug_option, output_option, region_option, stdin_of, width_option
from cutlist.cli.progress import telling
from cutlist.errors import CutlistError, InputError, Place, Problem, nearest

if TYPE_CHECKING:
    from cutlist.gate import Gated
    from cutlist.gates import AnyRule, Gates
    from cutlist.planned import Plan
    from cutlist.rules import Subject
    from pulumi_cutlist.stack_file import StackFile

STOPPED: Final = 1
FORMS: Final = ("text", "markdown", "json", "sarif", "junit")


@click.command("gate")
@click.option("--stack", metavar="NAME", help="Which stack: Pulumi.NAME.yaml is its file, and holds its gates.")
@click.option(
    "--project-dir",
    default=Path(),
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder of Pulumi.yaml, with --stack.  [default: the working directory]",
)
@click.option(
    "-f",
    "--file",
    "files",
    multiple=True,
    metavar="PATH",
    type=click.Path(allow_dash=True),
    help="File or folder with manifests, - for standard input; instead of a stack. May be given several times.",
)
@click.option("--gates", "gates_file", metavar="FILE", type=click.Path(), help="File with the gates of plain files.")
@region_option("Region to plan plain files for.")
@click.option("--zone", "zones", multiple=True, metavar="ZONE", help="Zone that has a subnet; may be given several times.")
@catalog_option
@click.option("--built-in-pool", "built_in_pools", multiple=True, metavar="NAME", help="NodePool of EKS Auto Mode that is on.")
@click.option("--before", metavar="FILE", type=click.Path(), help="The last plan as JSON, which the price is held against.")
@click.option("--fix", is_flag=True, help="First repair files in place, where that is safe; comments stay.")
@click.option("--today", metavar="DATE", help="The day that exemptions are held against.  [default: today, in UTC]")
@output_option(*FORMS)
@click.option(
    "--write",
    "written",
    multiple=True,
    metavar="FORM=FILE",
    help="Write the answer in another form to a file as well, such as sarif=gate.sarif. May be given several times.",
)
@click.option("--rules", "lists_rules", is_flag=True, help="Print a page on all rules, with their settings, and do no more.")
@width_option
@debug_option
@click.pass_context
def command(
    ctx: click.Context,
    stack: str | None,
    project_dir: Path,
    files: tuple[str, ...],
    gates_file: str | None,
    region: str | None,
    zones: tuple[str, ...],
    catalog: str | None,
    built_in_pools: tuple[str, ...],
    before: str | None,
    fix: bool,
    today: str | None,
    output: str,
    written: tuple[str, ...],
    lists_rules: bool,
    width: int | None,
) -> None:
    """Hold NodePools, node classes, resources and the predicted plan against the rules.

    Needs no account, no cluster and no engine. Exit code 0 when the change may go on, 1 when a mandatory rule is broken. What
    cannot be read, planned or understood is a violation itself. The rules are listed in docs/rules.md.

    \b
    Examples:
      cutlist gate --stack prod
      cutlist gate --stack prod -o sarif > gate.sarif
      cutlist gate -f pools.yaml -f workloads/ --region us-west-2
      cutlist gate -f pools.yaml --gates gates.yaml --region us-west-2 --fix
    """
    from cutlist.gate import PlanSettings, earlier_plan, gate_files

    if lists_rules:
        terminal.write(_rules())
        return
    targets = [_target(one) for one in written]
    if bool(stack) == bool(files):
        raise click.UsageError("give either --stack NAME or --file PATH")
    day = _day(today)
    earlier = earlier_plan(before) if before else None
    if stack:
        if gates_file:
            raise click.UsageError("the gates of a stack are in its file; --gates is for --file")
        with telling("running the program of the stack"):
            gated = gate_stack(project_dir, stack, day, earlier, fix=fix)
    else:
        gates = _gates_of_files(gates_file)
        if fix:
            _repair(files, gates, day)
        stdin = stdin_of(files)
        with telling("planning, and asking the rules"):
            gated = gate_files(files, gates, day, PlanSettings(region, zones, catalog, built_in_pools), stdin, earlier)
    for form, path in targets:
        write_file(path, _shown(gated, form, width))
    terminal.write(_shown(gated, output, width))
    if not gated.report.has_passed:
        ctx.exit(STOPPED)


def gate_stack(project_dir: Path, stack: str, today: date, before: Plan | None = None, *, fix: bool = False) -> Gated:
    """What the gates of a stack say of everything that its program registers, and of its plan.

    Raises InputError for a project or stack that is not there. What else is wrong is a violation, not an error.
    """
    from cutlist.gate import Gated
    from cutlist.gates import judge
    from cutlist.known_rules import known_rules
    from pulumi_cutlist import stack_file
    from pulumi_cutlist.preview import ProgramError, preview
    from pulumi_cutlist.subjects import subjects_of

    with stack_file.working_in(project_dir):
        file = stack_file.load(Path(), stack)
        gates = gates_of_stack(file, known_rules())
        if fix:
            _repair(_sources(file), gates, today)
    try:
        made = preview(project_dir, stack)
    except InputError as error:
        return Gated(judge((), gates, today, error.problems))
    except (ProgramError, CutlistError) as error:
        return Gated(judge((), gates, today, [Problem(file.at(), f"the program ends with an error: {error}")]))
    subjects = subjects_of(made.recording, (inputs for _, inputs in made.made))
    return Gated(judge(_held_against(subjects, before), gates, today), made.plans)


def gates_of_stack(file: StackFile, rules: tuple[AnyRule, ...]) -> Gates:
    """The gates that a stack file has, over the environments that its project defines."""
    from cutlist.gates import read_gates
    from pulumi_cutlist.gate_keys import GATE_DEFAULTS, GATES, json_value

    key, defaults = (f"{file.project}:{name}" for name in (GATES, GATE_DEFAULTS))
    return read_gates(
        json_value(file.config.get(key)),
        rules,
        lambda path: file.at(key, path),
        json_value(file.config.get(defaults)),
        lambda path: file.at(defaults, path),
    )


def _held_against(subjects: list[Subject], before: Plan | None) -> list[Subject]:
    """The subjects with the price of another earlier plan in the figures of plans."""
    from cutlist.rules.tokens import NODE_PLAN

    if before is None:
        return subjects
    price = {"before": before.totals.price_per_hour}
    return [
        replace(s, data={**s.data, "measures": {**s.data["measures"], **price}}) if s.type == NODE_PLAN else s for s in subjects
    ]


def _gates_of_files(path: str | None) -> Gates:
    from cutlist.gate import gates_of_file
    from cutlist.gates import read_gates
    from cutlist.known_rules import known_rules

    rules = known_rules()
    return gates_of_file(path, rules) if path else read_gates(None, rules, lambda below: Place(path=below))


def _sources(file: StackFile) -> tuple[str, ...]:
    """The files and folders with the stack's own objects."""
    from pulumi_cutlist.gate_keys import json_value

    listed = json_value(file.config.get(f"{file.project}:nodePools"))
    return tuple(one for one in listed if isinstance(one, str)) if isinstance(listed, list) else ()


def _repair(paths: tuple[str, ...], gates: Gates, today: date) -> None:
    """Repair files in place, and say so; what cannot be read is told by the gates afterwards."""
    from cutlist.documents import collect_texts
    from cutlist.errors import Problems
    from cutlist.repair import repairs

    texts = collect_texts([path for path in paths if path != "-"], Problems())
    for made in repairs(texts, gates, today):
        write_file(made.source, made.text)
        terminal.write_error("".join(f"{terminal.safe(line)}\n" for line in made.told))


def _shown(gated: Gated, output: str, width: int | None) -> str:
    from cutlist.report.gates import MACHINE_FORMS, gates_markdown, render_gates

    if output == "text":
        return render_gates(gated.report, terminal.width(width), colour=terminal.has_colour())
    if output == "markdown":
        return gates_markdown(gated.report, gated.plans)
    return MACHINE_FORMS[output](gated.report)


def _rules() -> str:
    from cutlist.known_rules import known_rules
    from cutlist.report.rules_page import rules_page
    from cutlist.rules import ALL

    return rules_page([rule for rule in known_rules() if rule not in ALL])


def _target(written: str) -> tuple[str, str]:
    form, _, path = written.partition("=")
    if form not in FORMS or not path:
        known = nearest(form, FORMS)
        near, allowed = f"{known}={path or 'FILE'}" if known else "", f"FORM=FILE with {', '.join(FORMS)}"
        raise InputError.one(Place(path="--write"), f"{written!r} is no form with a file", allowed, near)
    return form, path


def _day(written: str | None) -> date:
    if written is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise InputError.one(Place(path="--today"), f"{written!r} is no date", "a date such as 2026-12-31") from None
