"""`cutlist catalog`: the catalogue of an account's own regions, and how it has changed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.records import json_of
from cutlist.documents.collecting import read_documents
from cutlist.report import yaml
from cutlist.settings.accounts import PROFILE
from cutlist.settings.catalog import (
    COMPARED_REGIONS,
    LIMIT,
    RATES_FILE,
    REGION_OF_SUBNETS,
    STRICT,
    TERM,
)
from cutlist.verbs.catalog.answer import CatalogChanges, CatalogDiff, compare_catalogs
from cutlist.verbs.catalog.markdown import catalog_markdown
from cutlist.verbs.catalog.paid import prices_from_bill
from cutlist.verbs.catalog.paid_text import render_paid
from cutlist.verbs.catalog.text import render_catalog
from cutlist_cli import catalog_update, terminal
from cutlist_cli.catalog_update import needs_sdk
from cutlist_cli.command import Command, help_all_option
from cutlist_cli.file_options import manifests_option
from cutlist_cli.files import refuse_inputs, write_answer, write_file
from cutlist_cli.formats import OutputFormats
from cutlist_cli.notes import notes_shown
from cutlist_cli.options import debug_option, output_option, to_option, width_option
from cutlist_cli.renderer import Renderer, refuse_to_overwrite, renderer_options
from cutlist_cli.setting_options import setting_option
from cutlist_cli.stdin import stdin_of
from cutlist_cli.watching import on_terminal

if TYPE_CHECKING:
    from cutlist.documents.folders import Reading

DEFAULT_PAID: Final = "paid.tsv"


@click.group("catalog")
def command() -> None:
    """Read types, offerings and prices from your account or its bill, and see what changed.

    \b
    Examples:
      cutlist catalog update --region us-west-2
      cutlist catalog update --cloud azure --region japaneast
      cutlist catalog diff embedded cutlist-catalog
      cutlist catalog from-bill bill/october.csv
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 --catalog cutlist-catalog
    """


command.params.append(help_all_option("all commands", hidden=True))
command.add_command(catalog_update.command)


def _json(answer: CatalogDiff) -> str:
    return json_of(answer.comparisons, CatalogChanges)


_DIFF_FORMATS: Final[OutputFormats[CatalogDiff]] = OutputFormats(
    text=render_catalog, others={"markdown": catalog_markdown, "json": _json}
)


@command.command("diff", cls=Command, short_help="Compare two catalogues: types and prices.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@setting_option(COMPARED_REGIONS)
@setting_option(LIMIT)
@setting_option(STRICT)
@renderer_options(_DIFF_FORMATS)
@click.pass_context
def diff_command(
    ctx: click.Context,
    old: str,
    new: str,
    regions: tuple[str, ...],
    limit: int,
    strict: bool,
    renderer: Renderer[CatalogDiff],
) -> None:
    """Show new, removed and re-priced instance types between two catalogues. Needs no account.

    OLD and NEW are folders that `cutlist catalog update` wrote, or `embedded` for the catalogue that comes with Cutlist.

    \b
    Examples:
      cutlist catalog diff embedded cutlist-catalog
      cutlist catalog diff last-month cutlist-catalog --region us-west-2 --limit 0
    """
    answer = renderer.show(lambda: CatalogDiff(compare_catalogs(old, new, regions), limit))
    if strict and any(answer.comparisons):
        ctx.exit(1)


@command.command("from-bill", cls=Command, short_help="Make a table of the prices that the account paid.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--to",
    "table",
    default=DEFAULT_PAID,
    show_default=True,
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="File of the table.",
)
@setting_option(RATES_FILE)
@setting_option(TERM)
@output_option("text", "json")
@width_option
@debug_option
@click.pass_context
def from_bill_command(
    ctx: click.Context,
    files: tuple[str, ...],
    table: str,
    rates_file: str | None,
    term: str | None,
    output: str,
    width: int | None,
) -> None:
    """Sum exports of a bill to the prices that the account paid, for `--paid` of `cutlist plan` and others.

    FILE is an export of AWS or Azure in the FOCUS form, or a cost and usage report (CUR 2.0) of AWS: CSV, CSV with gzip or
    Parquet, or a folder with such files. Each row of the bill is in the answer: as hours that were used, as an unused
    commitment, or left out with the reason. Needs the extra `bill`; reading the table does not.

    \b
    Examples:
      cutlist catalog from-bill bill/october.csv
      cutlist catalog from-bill bill/ --to paid.tsv --rates-to rates.csv --term 1y
      cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2 --paid paid.tsv
    """
    refuse_inputs("--to", [table], files)
    refuse_inputs(RATES_FILE.flag, () if rates_file is None else [rates_file], [*files, table])
    with needs_sdk(ctx):
        report = prices_from_bill(files, term or "")
    write_file(table, report.table)
    if rates_file is not None:
        write_file(rates_file, report.rates_text)
    if output == "json":
        terminal.write(json_of(report))
        return
    files_written = " and ".join(filter(None, (table, rates_file)))
    terminal.write(render_paid(report, terminal.width() if width is None else width, colour=terminal.has_colour("stdout")))
    terminal.write(f"Written to {terminal.safe(files_written)}.\n")


@command.command("resolve", cls=Command, short_help="Find the subnets and reservations of EC2NodeClasses.")
@manifests_option("EC2NodeClasses")
@setting_option(REGION_OF_SUBNETS, required=True)
@setting_option(PROFILE)
@to_option("Write the classes to a file.")
@debug_option
@click.pass_context
def resolve_command(
    ctx: click.Context,
    files: tuple[str, ...],
    allow_empty: bool,
    reading: Reading,
    region: str,
    profile: str | None,
    answer_file: str | None,
) -> None:
    """Print EC2NodeClasses with the subnets and capacity reservations that they select in your account.

    Give the output to `cutlist plan` in place of these classes.

    \b
    Examples:
      cutlist catalog resolve -f pools.yaml --region us-west-2 --to resolved.yaml
    """
    if answer_file is not None:
        refuse_to_overwrite(ctx, answer_file)
    with needs_sdk(ctx):
        from cutlist_live.account import Account  # needs the extra live
        from cutlist_live.selectors import resolve

    with notes_shown() as notes:
        documents = read_documents(files, stdin_of(files), reading, notes, allow_empty=allow_empty)
    with on_terminal() as watcher:
        resolved = resolve(Account.of_profile(profile, watcher), region, documents, datetime.now(UTC), allow_empty=allow_empty)
    write_answer(yaml.documents(dict(node_class.manifest) for node_class in resolved), answer_file)
    for node_class in resolved:
        counts = f"{node_class.subnets} subnets, {node_class.reservations} capacity reservations"
        terminal.write_error(f"{node_class.name}: {counts}\n")
