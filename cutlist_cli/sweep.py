"""`cutlist sweep`: what Karpenter left of a cluster, shown and, if wanted, removed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.errors import Problems
from cutlist.core.records import json_of
from cutlist.infrastructure.discovery import check_id
from cutlist.infrastructure.name_checks import check_account, check_cluster_name
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown.leftovers import LeftoverKind
from cutlist.infrastructure.teardown.report import SweepReport
from cutlist.settings.accounts import PROFILE
from cutlist.settings.sweep import ACCOUNT, ALSO, DRY_RUN, FORCE, MAX_INSTANCES, REGION, VPC, YES
from cutlist.verbs.sweep.markdown import sweep_markdown
from cutlist.verbs.sweep.text import render_sweep
from cutlist_cli import terminal
from cutlist_cli.command import Command
from cutlist_cli.failures import missing_extra
from cutlist_cli.formats import OutputFormats
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option
from cutlist_cli.watching import on_terminal

if TYPE_CHECKING:
    from cutlist_live.sweep.sweep import Sweep

_VOLUMES: Final = dict(zip(ALSO.choices, (LeftoverKind.NODE_VOLUME, LeftoverKind.CLAIM_VOLUME), strict=True))
_REFUSED: Final = 2


_FORMATS: Final[OutputFormats[SweepReport]] = OutputFormats(
    text=render_sweep, others={"markdown": sweep_markdown, "json": json_of}
)


@click.command("sweep", cls=Command)
@click.argument("cluster", metavar="CLUSTER")
@setting_option(REGION, required=True)
@setting_option(ACCOUNT, required=True)
@setting_option(VPC)
@setting_option(DRY_RUN)
@setting_option(YES)
@setting_option(ALSO)
@setting_option(MAX_INSTANCES)
@setting_option(FORCE)
@setting_option(PROFILE)
@renderer_options(_FORMATS)
@click.pass_context
def command(
    ctx: click.Context,
    cluster: str,
    region: str,
    account: str,
    vpc: str | None,
    dry_run: bool,
    yes: bool,
    also: tuple[str, ...],
    max_instances: int,
    force: bool,
    profile: str | None,
    renderer: Renderer[SweepReport],
) -> None:
    """Remove what Karpenter left behind of a deleted cluster.

    Removes instances, launch templates, instance profiles and idle network interfaces. Load balancers, volumes and logs are
    only shown. Nothing that a running cluster uses is removed. Exits with 0 if nothing is left, 1 if something is, 2 if it
    refuses, as it does while the cluster may still run, or could not look, 3 if something is not permitted.

    \b
    Examples:
      cutlist sweep shop --region us-west-2 --account 111122223333 --dry-run
      cutlist sweep shop --region us-west-2 --account 111122223333
      cutlist sweep shop --region us-west-2 --account 111122223333 --yes --to sweep.json
    """
    try:
        from cutlist_live.account import Account  # needs the extra live
        from cutlist_live.sweep.connection import connect
        from cutlist_live.sweep.sweep import Sweep
    except ModuleNotFoundError as error:
        raise missing_extra(error, ctx.command_path) or error from error
    from cutlist_live.sweep.sweep import SweepRequest, hourly_prices

    facts = _checked_facts(cluster, region, account, vpc)
    volumes = frozenset(_VOLUMES[name] for name in also)
    request = SweepRequest(facts, vpc, ceiling=max_instances, is_forced=force, volumes=volumes, prices=hourly_prices(region))
    with on_terminal() as watcher:
        clients = Account.of_profile(profile, watcher)
        clients.check_region(region)
    sweep = Sweep(request, clients, connect)
    if yes and not dry_run:
        report = sweep.run()
    else:
        report = sweep.rehearse()
        if report.exit_code == 1 and not dry_run:
            report = _confirmed(ctx, sweep, report)
    renderer.write(report)
    ctx.exit(report.exit_code)


def _checked_facts(cluster: str, region: str, account: str, vpc: str | None) -> ClusterFacts:
    """Return the cluster. Raises InputError for a name, region, account or VPC that cannot be one."""
    problems = Problems()
    check_cluster_name(cluster, "CLUSTER", problems)
    check_account(account, ACCOUNT, problems)
    if vpc is not None:
        check_id(vpc, "vpc", "--vpc", problems)
    problems.raise_if_any()
    return ClusterFacts(cluster, region, account)


def _confirmed(ctx: click.Context, sweep: Sweep, rehearsal: SweepReport) -> SweepReport:
    """Return the report of a removal that the user confirmed; without confirmation, end the command."""
    terminal.write_error(render_sweep(rehearsal, width=terminal.width(), colour=terminal.has_colour("stderr")))
    if not can_ask():
        terminal.write_error("Nothing is removed: there is nobody to ask; --yes removes without asking.\n")
        ctx.exit(_REFUSED)
    if not click.confirm("Remove them?", err=True):
        ctx.exit(rehearsal.exit_code)
    return sweep.run()


def can_ask() -> bool:
    """Tell whether a question would be seen and could be answered."""
    return sys.stdin.isatty()
