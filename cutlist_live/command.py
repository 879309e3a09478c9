"""`cutlist catalog`: the catalogue of an account's own regions, and what changed since."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist.cli import terminal
from cutlist.cli.failures import missing_extra
from cutlist.cli.options import REGION_VARIABLES, debug_option, files_option
from cutlist.errors import InputError

if TYPE_CHECKING:
    from cutlist_live.update import Updated

DEFAULT_FOLDER: Final = "cutlist-catalog"


@click.group("catalog")
def command() -> None:
    """Read types, offerings and prices from your account, and see what changed.

    \b
    Examples:
      cutlist catalog update --region us-west-2
      cutlist catalog diff embedded cutlist-catalog
      cutlist plan -f pools.yaml -f app.yaml --region us-west-2 --catalog cutlist-catalog
    """


@command.command("update")
@click.option("--region", "regions", multiple=True, required=True, metavar="REGION", help="Region to read; repeatable.")
@click.option(
    "--output",
    "folder",
    default=DEFAULT_FOLDER,
    show_default=True,
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the catalogue; regions that it already has and that are not named stay as they are.",
)
@click.option("--profile", metavar="NAME", help="Profile of the AWS configuration.  [default: the environment's]")
@debug_option
@click.pass_context
def update_command(ctx: click.Context, regions: tuple[str, ...], folder: Path, profile: str | None) -> None:
    """Read regions from the AWS API and write them as a catalogue.

    Each region is written when it is complete: an interrupted or failed update leaves its old file whole. The permissions that
    are needed are in docs/live-catalogue.md.

    \b
    Examples:
      cutlist catalog update --region us-west-2
      cutlist catalog update --region us-west-2 --region eu-central-1 --output catalog --profile readonly
    """
    with _needs_sdk(ctx):
        from cutlist_live.account import Account
        from cutlist_live.progress import on_terminal
        from cutlist_live.update import update
    from cutlist.catalog.folder import CatalogFolder

    with on_terminal() as watcher:
        made = update(Account.of_profile(profile, watcher), regions, CatalogFolder.of(folder), datetime.now(UTC))
    for done in made.done:
        terminal.write(_summary(done))
    if made.problems:
        raise InputError(made.problems.found)


@command.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--region", "regions", multiple=True, metavar="REGION", help="Region to compare; repeatable.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="Entries to show of each kind, 0 for all.",
)
@click.option(
    "-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form of the answer."
)
@click.option("--strict", is_flag=True, help="Exit with 1 when anything differs.")
@debug_option
@click.pass_context
def diff_command(
    ctx: click.Context, old: str, new: str, regions: tuple[str, ...], limit: int, output: str, strict: bool
) -> None:
    """Show new, gone and re-priced instance types between two catalogues. Needs no account.

    OLD and NEW are folders that `cutlist catalog update` wrote, or `embedded` for the catalogue that comes with Cutlist.

    \b
    Examples:
      cutlist catalog diff embedded cutlist-catalog
      cutlist catalog diff last-month cutlist-catalog --region us-west-2 --limit 0
    """
    from cutlist_live.difference import compare_catalogs, comparisons_json, render_comparisons

    found = compare_catalogs(old, new, regions)
    terminal.write(comparisons_json(found) if output == "json" else render_comparisons(found, limit))
    if strict and any(found):
        ctx.exit(1)


@command.command("resolve", short_help="Find the subnets and reservations of EC2NodeClasses.")
@files_option("EC2NodeClasses")
@click.option("--region", required=True, envvar=list(REGION_VARIABLES), metavar="REGION", help="Region of the subnets.")
@click.option("--profile", metavar="NAME", help="Profile of the AWS configuration.  [default: the environment's]")
@debug_option
@click.pass_context
def resolve_command(ctx: click.Context, files: tuple[str, ...], region: str, profile: str | None) -> None:
    """Print EC2NodeClasses with the subnets and capacity reservations that they select in your account.

    Give the output to `cutlist plan` in place of the classes that it was made from.

    \b
    Examples:
      cutlist catalog resolve -f node-classes.yaml --region us-west-2 > resolved.yaml
    """
    with _needs_sdk(ctx):
        from cutlist_live.account import Account
        from cutlist_live.selectors import resolve
    import yaml

    from cutlist.documents import read_documents
    from cutlist_live.progress import on_terminal

    documents = read_documents(files, sys.stdin.buffer.read() if "-" in files else None)
    with on_terminal() as watcher:
        found = resolve(Account.of_profile(profile, watcher), region, documents, datetime.now(UTC))
    terminal.write(yaml.safe_dump_all([dict(one.manifest) for one in found], sort_keys=False))
    for one in found:
        terminal.write_error(f"{one.name}: {one.subnets} subnets, {one.reservations} capacity reservations\n")


@contextlib.contextmanager
def _needs_sdk(ctx: click.Context) -> Iterator[None]:
    """Says what to install when the SDK is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing_extra(error, ctx.command_path) or error from error


def _summary(done: Updated) -> str:
    file = done.file
    lines = [
        f"{done.live.region}: {file.types} types in {len(done.live.zones)} zones, {file.on_demand} on-demand prices, "
        f"{file.spot} spot prices; written to {done.path}"
    ]
    if file.kept:
        lines.append(f"  {file.kept} types are not in the price list and keep the price known before, with its source and date")
    if file.types > file.on_demand:
        lines.append(f"  {file.types - file.on_demand} types have no known price: plans cannot use them")
    if file.beyond_tables:
        lines.append(
            f"  {file.beyond_tables} types are not in Karpenter's tables of bandwidth and branch interfaces: "
            "without that label, and without pod-eni"
        )
    return "".join(f"{line}\n" for line in lines)
