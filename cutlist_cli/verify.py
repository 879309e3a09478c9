"""`cutlist verify`: a plan and a cluster in, what happened to the plan out."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Union

import click
from click.core import ParameterSource

from cutlist.catalog.embedded import load_chosen
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.records import json_of
from cutlist.documents.collecting import collect_documents
from cutlist.documents.files import file_text, sources
from cutlist.planning.absences import NODES, require_workloads
from cutlist.settings.planning import FILES
from cutlist.settings.verify import BILL, CAUSES, CLUSTER, FIGURES_FILE, LOG, PLAN, RUN, SINCE, STRICT, TAG
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.verify.answer import verify
from cutlist.verbs.verify.bill import BillVerification, pools_of_nodes, used_bill, verify_bill
from cutlist.verbs.verify.bill_figures import with_discounts
from cutlist.verbs.verify.bill_text import bill_markdown, render_bill
from cutlist.verbs.verify.junit import verify_junit
from cutlist.verbs.verify.markdown import verify_markdown
from cutlist.verbs.verify.text import render_verify
from cutlist_cli import terminal
from cutlist_cli.command import Command
from cutlist_cli.failures import missing_extra
from cutlist_cli.file_options import file_option
from cutlist_cli.files import refuse_inputs, write_file
from cutlist_cli.formats import OutputFormats
from cutlist_cli.input_options import InputOptions, input_options_without_files
from cutlist_cli.logs import read_logs
from cutlist_cli.notes import notes_shown
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_options
from cutlist_cli.stdin import stdin_of
from cutlist_cli.stored_plan import stored_plan

if TYPE_CHECKING:
    from cutlist.catalog.regions import AnyRegion
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan
    from cutlist.verification.verdicts import Verification

NOT_AS_PLANNED: Final = 1


_Answer = Union["Verification", "BillVerification"]


def _text(answer: _Answer, *, width: int, colour: bool) -> str:
    if isinstance(answer, BillVerification):
        return render_bill(answer, width=width, colour=colour)
    return render_verify(answer, width=width, colour=colour)


def _markdown(answer: _Answer) -> str:
    return bill_markdown(answer) if isinstance(answer, BillVerification) else verify_markdown(answer)


def _junit(answer: _Answer) -> str:
    if isinstance(answer, BillVerification):
        raise click.UsageError(f"-o junit has a test case for each node, and {BILL.flag} compares no nodes")
    return verify_junit(answer)


_FORMATS: Final[OutputFormats[Any]] = OutputFormats(
    text=_text,
    others={
        "markdown": _markdown,
        "json": json_of,
        "junit": _junit,
    },
)


_PLAN_NEEDED: Final = "--plan or -f is needed: a plan that `cutlist plan -o json` wrote, or the manifests to plan for"


_CLUSTER_NEEDED: Final = (
    f"{CLUSTER.flag} or {LOG.flag} is needed: the cluster as `cutlist snapshot` writes it, or Karpenter's log"
)


@click.command("verify", cls=Command)
@setting_options((PLAN, CLUSTER, LOG, SINCE, BILL, RUN, TAG, FIGURES_FILE, STRICT, CAUSES))
@file_option("the applied manifests", required=False)
@input_options_without_files
@renderer_options(_FORMATS)
def command(
    plan_file: str | None,
    cluster: tuple[str, ...],
    logs: tuple[str, ...],
    since: float | None,
    bill: tuple[str, ...],
    run: str | None,
    tag: str | None,
    figures_file: str | None,
    strict: bool,
    causes: bool,
    options: InputOptions,
    renderer: Renderer[Any],
) -> None:
    """Show which nodes of a cluster came as planned, and why others did not.

    Matches planned nodes with those of the cluster by their pods. Each difference is listed with its causes and their evidence,
    or as unexplained. The plan is a stored one, or is made from the manifests. With manifests, the causes include edits of
    NodePools, node classes and NodeOverlays, and changed DaemonSets; with the log, capacity errors, consolidation, drift,
    expiration and interruption. Without --from, the nodes are those whose launches the log reports, and their pods are not
    compared. docs/causes.md lists all causes.

    With --bill, compares what the machines cost: hours, the share of spot, types, prices and disks by NodePool and day.

    Exits with 0 if plan and cluster could be compared; with --strict, 1 if a node is unplanned or differs without a known
    cause; 2 for bad input, or if there is nothing to compare: no NodeClaims, or another cluster.

    \b
    Examples:
      cutlist verify --plan plan.json --cluster after.yaml
      cutlist verify --plan plan.json --cluster after.yaml --log karpenter.log --strict
      cutlist verify --plan plan.json --log karpenter.log
      cutlist verify -f pools.yaml -f workloads.yaml --cluster after.yaml --region us-west-2
      cutlist verify --plan plan.json -f pools.yaml -f workloads.yaml --cluster after.yaml -o markdown
      cutlist verify --plan plan.json --bill bill/october.csv
      cutlist verify --run run.json --bill bill/october.csv --cluster after.yaml --figures-to figures.yaml
      cutlist snapshot --to - | cutlist verify --plan plan.json --cluster - --since 2026-01-05T12:00:00Z
    """
    if causes:
        from cutlist.verbs.verify.markdown import causes_page  # takes 25 ms

        terminal.write(causes_page())
        return
    if bill:
        _verify_with_bill(bill, plan_file, cluster, run, tag, figures_file, strict, options, renderer)
        return
    for setting, value in ((RUN, run), (TAG, tag), (FIGURES_FILE, figures_file)):
        if value is not None:
            raise click.UsageError(f"{setting.flag} needs {BILL.flag}")
    if plan_file is None and not options.files:
        raise click.UsageError(_PLAN_NEEDED)
    if not cluster and not logs:
        raise click.UsageError(_CLUSTER_NEEDED)
    if sum("-" in files for files in ((plan_file,), cluster, logs, options.files)) > 1:
        raise click.UsageError("standard input (-) can be read for one option only")
    answer = renderer.show(lambda: _verify(plan_file, cluster, logs, since, options))
    if strict and not answer.is_strictly_right:
        raise click.exceptions.Exit(NOT_AS_PLANNED)


def _verify_with_bill(
    bill: tuple[str, ...],
    plan_file: str | None,
    cluster: tuple[str, ...],
    run: str | None,
    tag: str | None,
    figures_file: str | None,
    strict: bool,
    options: InputOptions,
    renderer: Renderer[Any],
) -> None:
    if run is None and plan_file is None and not options.files:
        raise click.UsageError(f"{_PLAN_NEEDED}; or {RUN.flag}, a simulation")
    named = click.get_current_context().get_parameter_source(FILES.name) is ParameterSource.COMMANDLINE
    if run is not None and (plan_file is not None or named):
        raise click.UsageError(f"{RUN.flag} cannot be combined with a plan")
    refuse_inputs(FIGURES_FILE.flag, [figures_file] if figures_file else [], [*bill, *filter(None, (plan_file, run))])
    answer = renderer.show(lambda: _verify_bill(bill, plan_file, cluster, run, tag or "", options))
    if figures_file is not None:
        _write_figures(figures_file, answer)
    if strict and not answer.is_as_expected:
        raise click.exceptions.Exit(NOT_AS_PLANNED)


def _verify_bill(
    bill: tuple[str, ...],
    plan_file: str | None,
    cluster: tuple[str, ...],
    run: str | None,
    tag: str,
    options: InputOptions,
) -> BillVerification:
    problems = Problems(allow_empty=options.allow_empty)
    text = None if run is None else file_text(run, problems)
    documents = collect_documents(cluster, problems, stdin_of(cluster), options.reading) if cluster else ()
    nodes = pools_of_nodes([document.data for document in documents]) if cluster else None
    if cluster and not nodes:
        problems.add_absence(Place(sources(cluster)), "no node of a NodePool is in the input", NODES)
    problems.raise_if_any()
    found, prices_of = None if run is None or text is None else (run, text), partial(_sold, options=options)
    try:
        with progress_line("summing the bill"):
            read = used_bill(bill, nodes, tag)  # before the plan, which may take longer than its mistakes deserve
    except ModuleNotFoundError as error:
        raise missing_extra(error, click.get_current_context().command_path) or error from error
    planned = None if run is not None else _plan_and_declared(plan_file, options)[0]
    return verify_bill(bill, plan=planned, run=found, prices_of=prices_of, bill=read)


def _write_figures(path: str, answer: BillVerification) -> None:
    """Write the discounts into a file, which need not exist yet, and say which are new."""
    problems = Problems()
    before = (file_text(path, problems) or "") if os.path.exists(path) else ""
    problems.raise_if_any()
    text, changed = with_discounts(before, path, answer.ratios)
    if not changed:
        terminal.write_error(f"{terminal.safe(path)}: nothing to write, prices are as expected\n")
        return
    write_file(path, text)
    new = ", ".join(f"{member}: {value}" for member, value in changed.items())
    terminal.write_error(f"{terminal.safe(path)}: {new}\n")


def _verify(
    plan_file: str | None, cluster: tuple[str, ...], logs: tuple[str, ...], since: float | None, options: InputOptions
) -> Verification:
    planned, declared = _plan_and_declared(plan_file, options)
    with notes_shown() as notes, progress_line("comparing plan and cluster"):
        return verify(
            planned,
            cluster,
            declared=declared,
            log=read_logs(logs),
            log_source=sources(logs),
            since=since,
            sold=_sold(planned.region, options) if declared is None else declared.catalog,
            stdin=stdin_of(cluster),
            allow_empty=options.allow_empty,
            reading=options.reading,
            notes=notes,
        )


def _plan_and_declared(plan_file: str | None, options: InputOptions) -> tuple[Plan, PlanInputs | None]:
    """Return the stored plan, else that of the manifests, and what the manifests declare, None without any.

    The region of a stored plan counts if the command line names none.
    """
    stored = stored_plan(plan_file)
    if stored is None:
        declared = options.read_for_placing_with_notes()
        require_workloads(declared, allow_empty=options.allow_empty)
        return plan(declared), declared
    named = click.get_current_context().get_parameter_source("region") is ParameterSource.COMMANDLINE
    if named and options.region != stored.region:
        raise click.UsageError(f"the plan is for {stored.region}, and --region is {options.region}")
    return stored, options.using(region=stored.region).read_with_notes() if options.files else None


def _sold(region: str, options: InputOptions) -> AnyRegion | None:
    """Return what a region sells today, or None if no catalogue has it; a named catalogue must have it."""
    try:
        return load_chosen(options.catalog, region)
    except InputError:
        if options.catalog is not None:
            raise
        return None
