"""`cutlist snapshot`: a cluster in, a file out that plans and disruption read."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.errors import Place, Problems
from cutlist.core.wording import counted
from cutlist.documents.files import MAX_BYTES, PACKED
from cutlist.settings.accounts import PROFILE
from cutlist.settings.cluster import CONTEXT
from cutlist.settings.planning import ALLOW_EMPTY
from cutlist.settings.snapshot import LAUNCH_CONTEXT, RBAC, SUBNETS
from cutlist_cli import terminal
from cutlist_cli.command import Command
from cutlist_cli.failures import missing_extra
from cutlist_cli.files import OWNERS, make_folder_of, refuse_inputs, write_file
from cutlist_cli.options import debug_option
from cutlist_cli.setting_options import setting_option
from cutlist_cli.watching import on_terminal

if TYPE_CHECKING:
    from cutlist_live.snapshot import Snapshot

DEFAULT_FILE: Final = "cluster.yaml"
_STDOUT: Final = "-"


@click.command("snapshot", cls=Command)
@setting_option(CONTEXT)
@click.option(
    "--to",
    "file",
    default=DEFAULT_FILE,
    show_default=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="File to write, - for standard output. One that ends in .gz is compressed.",
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["yaml", "json"]),
    help="Form of the snapshot.  [default: json for a file that ends in .json or .json.gz, else yaml]",
)
@setting_option(ALLOW_EMPTY)
@setting_option(LAUNCH_CONTEXT)
@setting_option(SUBNETS)
@setting_option(PROFILE)
@setting_option(RBAC)
@debug_option
@click.pass_context
def command(
    ctx: click.Context,
    context: str | None,
    file: str,
    output: str | None,
    allow_empty: bool,
    launch_context: bool,
    subnets: bool,
    profile: str | None,
    rbac: bool,
) -> None:
    """Write a cluster to a file, for plans and forecasts.

    Reads nodes, pods, NodePools and related objects, and changes nothing. Only the necessary fields of each object are written:
    no Secrets, no environment, no commands, no images.

    \b
    Examples:
      cutlist snapshot
      cutlist snapshot --context production --to production.json
      cutlist snapshot --to large.json.gz
      cutlist snapshot --subnets --profile production
      cutlist snapshot --rbac | kubectl apply -f -
    """
    if rbac:
        from cutlist_live.snapshot import rbac_yaml  # needs the extra live

        terminal.write(rbac_yaml())
        return
    snapshot = read_cluster_objects(ctx, context, [file] if file != _STDOUT else [], launch_context=launch_context)
    problems = Problems(allow_empty=allow_empty)
    if not any(True for _ in snapshot):
        problems.add_absence(Place("cluster"), "every list is empty", "a cluster with nodes, pods or NodePools")
    problems.raise_if_any()
    if subnets:
        snapshot = _with_subnets(ctx, snapshot, profile)
    is_json = file.removesuffix(PACKED).endswith(".json") if output is None else output == "json"
    text = snapshot.as_json() if is_json else snapshot.as_yaml()
    if file == _STDOUT:
        terminal.write(text)
    else:
        make_folder_of(file)
        # Without a time: equal clusters give equal files.
        write_file(file, gzip.compress(text.encode(), mtime=0) if file.endswith(PACKED) else text, OWNERS)
    terminal.write_error(_summary(snapshot, file, len(text.encode())))


def read_cluster_objects(ctx: click.Context, context: str | None, outputs: Sequence[str], *, launch_context: bool) -> Snapshot:
    """Return what the cluster holds. Raises InputError, before asking the cluster, if an output is a file that is needed to
    reach it."""
    try:
        from cutlist_live.cluster import ClusterClient  # needs the extra live
        from cutlist_live.kubeconfig import chosen, files_of
    except ModuleNotFoundError as error:
        raise missing_extra(error, ctx.command_path) or error from error
    from cutlist_live.kinds import KINDS, kinds_with_context  # needs the extra live
    from cutlist_live.snapshot import take

    config = chosen(context)
    refuse_inputs("--to", outputs, files_of(config))
    with on_terminal() as watcher, contextlib.closing(ClusterClient(config, watcher)) as cluster:
        return take(cluster, datetime.now(UTC), kinds_with_context() if launch_context else KINDS)


def _with_subnets(ctx: click.Context, snapshot: Snapshot, profile: str | None) -> Snapshot:
    """Return the snapshot with the subnets that its objects name, as the account has them."""
    try:
        from cutlist_live.account import Account  # needs the extra live
    except ModuleNotFoundError as error:
        raise missing_extra(error, ctx.command_path) or error from error
    from cutlist_live.subnets import with_subnets

    with on_terminal() as watcher:
        found = with_subnets(Account.of_profile(profile, watcher), snapshot, snapshot.taken)
    return replace(snapshot, documents=(found,))


def _summary(snapshot: Snapshot, file: str, size: int) -> str:
    """Return what was written, and what is missing and why."""
    counts = ", ".join(f"{len(objects):,} {kind.plural}" for kind, objects in snapshot.objects if objects) or "nothing"
    subnets = sum(len(document["subnets"]) for document in snapshot.documents)
    counts += f", {counted(subnets, 'subnet')} of the account" if subnets else ""
    lines = [counts if file == _STDOUT else f"{file}: {counts}"]
    if snapshot.denied:
        lines.append(f"left out, because they may not be listed (403): {', '.join(snapshot.denied)}")
        lines.append("  without them answers may be wrong; `cutlist snapshot --rbac` prints the permissions")
    if snapshot.missing:
        lines.append(f"not in this cluster (404): {', '.join(snapshot.missing)}")
    if size > MAX_BYTES:
        lines.append(f"this is more than the {MAX_BYTES // 2**20} MiB that Cutlist reads from one file; cut it into several")
    return "".join(f"{terminal.safe(line)}\n" for line in lines)
