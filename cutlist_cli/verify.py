"""`cutlist verify`: a plan and a cluster in, what happened to the plan out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from cutlist.catalog import load_chosen
from cutlist.core.errors import InputError
from cutlist.core.records import json_of
from cutlist.documents import sources
from cutlist.planning.absences import require_workloads
from cutlist.settings.verify import CAUSES, FROM, LOG, PLAN, SINCE, STRICT
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.verify.answer import verify
from cutlist.verbs.verify.junit import verify_junit
from cutlist.verbs.verify.markdown import verify_markdown
from cutlist.verbs.verify.text import render_verify
from cutlist_cli import terminal
from cutlist_cli.file_options import file_option
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
    from cutlist.catalog import AnyRegion
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan
    from cutlist.verification.verdicts import Verification

NOT_AS_PLANNED: Final = 1


_FORMATS: Final[OutputFormats[Verification]] = OutputFormats(
    text=render_verify,
    others={
        "markdown": verify_markdown,
        "json": json_of,
        "junit": verify_junit,
    },
)


_PLAN_NEEDED: Final = "--plan or -f is needed: a plan that `cutlist plan -o json` wrote, or the manifests to plan for"


_CLUSTER_NEEDED: Final = "--from or --log is needed: the cluster as `cutlist snapshot` writes it, or Karpenter's log"


@click.command("verify")
@setting_options((PLAN, FROM, LOG, SINCE, STRICT, CAUSES))
@file_option("the applied manifests", required=False)
@input_options_without_files
@renderer_options(_FORMATS)
def command(
    plan_file: str | None,
    cluster: tuple[str, ...],
    logs: tuple[str, ...],
    since: float | None,
    strict: bool,
    causes: bool,
    options: InputOptions,
    renderer: Renderer[Verification],
) -> None:
    """Show which nodes of a cluster came as planned, and why others did not.

    Matches planned nodes with those of the cluster by their pods. Each difference is listed with its causes and their evidence,
    or as unexplained. The plan is a stored one, or is made from the manifests. With manifests, the causes include edits of
    NodePools, node classes and NodeOverlays, and changed DaemonSets; with the log, capacity errors, consolidation, drift,
    expiration and interruption. Without --from, the nodes are those whose launches the log reports, and their pods are not
    compared. docs/causes.md lists all causes.

    Exits with 0 if plan and cluster could be compared; with --strict, 1 if a node is unplanned or differs without a known
    cause; 2 for bad input, or if there is nothing to compare: no NodeClaims, or another cluster.

    \b
    Examples:
      cutlist verify --plan plan.json --from after.yaml
      cutlist verify --plan plan.json --from after.yaml --log karpenter.log --strict
      cutlist verify --plan plan.json --log karpenter.log
      cutlist verify -f pools.yaml -f workloads.yaml --from after.yaml --region us-west-2
      cutlist verify --plan plan.json -f pools.yaml -f workloads.yaml --from after.yaml -o markdown
      cutlist snapshot --to - | cutlist verify --plan plan.json --from - --since 2026-01-05T12:00:00Z
    """
    if causes:
        from cutlist.verbs.verify.markdown import causes_page  # takes 25 ms

        terminal.write(causes_page())
        return
    if plan_file is None and not options.files:
        raise click.UsageError(_PLAN_NEEDED)
    if not cluster and not logs:
        raise click.UsageError(_CLUSTER_NEEDED)
    if sum("-" in files for files in ((plan_file,), cluster, logs, options.files)) > 1:
        raise click.UsageError("standard input (-) can be read for one option only")
    answer = renderer.show(lambda: _verify(plan_file, cluster, logs, since, options))
    if strict and not answer.is_strictly_right:
        raise click.exceptions.Exit(NOT_AS_PLANNED)


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
            sold=_sold(planned, declared, options),
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


def _sold(planned: Plan, declared: PlanInputs | None, options: InputOptions) -> AnyRegion | None:
    """Return today's prices of the plan's region, or None if no catalogue has them; a named catalogue must have them."""
    if declared is not None:
        return declared.catalog
    try:
        return load_chosen(options.catalog, planned.region)
    except InputError:
        if options.catalog is not None:
            raise
        return None
