"""`cutlist catalog update`: types, offerings and prices from an account, or prices from public files."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist.catalog.folder import CatalogFolder
from cutlist.catalog.regions import AWS_VENDOR, AZURE_VENDOR
from cutlist.core.errors import InputError, Place, Problems
from cutlist.settings.accounts import PROFILE, SUBSCRIPTION
from cutlist.settings.catalog import (
    CLOUD,
    FROM_CACHE,
    PRICES,
    PUBLIC,
    PUBLIC_ADDRESSES,
    REGIONS,
    SAVED,
)
from cutlist_cli import terminal
from cutlist_cli.command import Command
from cutlist_cli.failures import missing_extra
from cutlist_cli.fetching import show_fetch
from cutlist_cli.options import debug_option
from cutlist_cli.setting_options import on_the_line, setting_option, setting_options
from cutlist_cli.watching import on_terminal

if TYPE_CHECKING:
    from cutlist_live.azure_update import UpdatedLocation
    from cutlist_live.in_turn import UpdateResult
    from cutlist_live.price_files import UpdatedPrices
    from cutlist_live.price_update import UpdatedRegion
    from cutlist_live.public.endpoints import Addresses

DEFAULT_FOLDER: Final = "cutlist-catalog"


@click.command("update", cls=Command, short_help="Read regions and prices from a cloud or public files.")
@setting_option(REGIONS)
@setting_option(CLOUD)
@click.option(
    "--to",
    "folder",
    default=DEFAULT_FOLDER,
    show_default=True,
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the catalogue; other regions in it are kept.",
)
@setting_option(PROFILE)
@setting_option(SUBSCRIPTION)
@setting_option(SAVED)
@setting_option(PRICES)
@setting_options((PUBLIC, FROM_CACHE, *PUBLIC_ADDRESSES))
@debug_option
@click.pass_context
def command(
    ctx: click.Context,
    regions: tuple[str, ...],
    cloud: str,
    folder: Path,
    profile: str | None,
    subscription: str | None,
    saved: str | None,
    prices: bool,
    public: bool,
    offline: bool,
    aws_price_list: str | None,
    spot_advisor: str,
    skypilot_catalog: str,
    azure_price_list: str,
) -> None:
    """Read regions from a cloud's API, or from public files, and write them as a catalogue.

    Each region is written once it is complete, so an interrupted or failed update keeps the old file. docs/prices.md
    lists the permissions that it needs. With --public it needs none: prices are read, and types and zones stay as they are.

    \b
    Examples:
      cutlist catalog update --region us-west-2
      cutlist catalog update --region us-west-2 --region eu-central-1 --to catalog --profile readonly
      cutlist catalog update --cloud azure --region japaneast --region westeurope
      cutlist catalog update --cloud azure --region japaneast --from answers
      cutlist catalog update --prices --region us-west-2
      cutlist catalog update --public --region us-west-2
    """
    answers = None if saved is None else Path(saved)
    _check_options(cloud, regions, profile, subscription, answers)
    is_public = public or offline
    _check_public(ctx, is_public=is_public)
    chosen = regions or _regions_of(folder, cloud)
    now = datetime.now(UTC)
    update: UpdateResult[UpdatedRegion] | UpdateResult[UpdatedLocation] | UpdateResult[UpdatedPrices]
    if is_public:
        from cutlist_live.public.endpoints import Addresses

        where = Addresses(spot_advisor, skypilot_catalog, azure_price_list, aws_price_list)
        update = _update_public(cloud, chosen, CatalogFolder.of(folder, cloud), where, now, offline=offline)
    elif prices:
        update = _update_prices(ctx, cloud, chosen, folder, profile, answers, now)
    elif cloud == AWS_VENDOR:
        update = _update_aws(ctx, chosen, folder, profile, now)
    else:
        update = _update_azure(ctx, chosen, folder, subscription, answers, now)
    for region in update.done:
        terminal.write(region.summary)
    if update.problems:
        raise InputError(update.problems.found)


def _check_options(
    cloud: str, regions: tuple[str, ...], profile: str | None, subscription: str | None, saved: Path | None
) -> None:
    """Raise InputError with every option that conflicts with the others."""
    problems = Problems()
    for_azure = {SUBSCRIPTION: subscription, SAVED: saved}
    for setting, value in ({PROFILE: profile} if cloud == AZURE_VENDOR else for_azure).items():
        if value is not None:
            problems.add(Place.of(setting), f"cannot be combined with --cloud {cloud}")
    if saved is not None and len(set(regions)) > 1:
        problems.add(Place.of(SAVED), "saved answers are about one location", "a single --region")
    problems.raise_if_any()


def _check_public(ctx: click.Context, *, is_public: bool) -> None:
    """Raise InputError for options of an account beside public files, and for addresses without these."""
    given = on_the_line(ctx, (PROFILE, SUBSCRIPTION, SAVED, PRICES) if is_public else PUBLIC_ADDRESSES)
    problems = Problems()
    for setting in given:
        problems.add(Place.of(setting), f"cannot be combined with {PUBLIC.flag}" if is_public else f"needs {PUBLIC.flag}")
    problems.raise_if_any()


def _regions_of(folder: Path, cloud: str) -> tuple[str, ...]:
    """Return the regions that a folder has. Raises InputError if it has none."""
    regions = CatalogFolder.of(folder, cloud).regions()
    if not regions:
        text = f"no region is given, and the folder {folder} has none of {cloud} yet"
        raise InputError.one(Place.of(REGIONS), text, "a region to read")
    return regions


def _update_public(
    cloud: str, regions: tuple[str, ...], target: CatalogFolder, where: Addresses, now: datetime, *, offline: bool
) -> UpdateResult[UpdatedPrices]:
    from cutlist_live.fetch import Cache, ToolFetcher, cache_folder
    from cutlist_live.public.endpoints import PublicFiles
    from cutlist_live.public.update import update_public, update_public_locations

    cache = Cache(cache_folder(os.environ, str(Path.home())))
    fetcher = ToolFetcher(cache, dict(os.environ), offline=offline, showing=show_fetch)
    update = update_public_locations if cloud == AZURE_VENDOR else update_public
    with on_terminal(regions) as watcher:
        return update(PublicFiles(fetcher, watcher), where, regions, target, now)


def _update_aws(
    ctx: click.Context, regions: tuple[str, ...], folder: Path, profile: str | None, now: datetime
) -> UpdateResult[UpdatedRegion]:
    with needs_sdk(ctx):
        from cutlist_live.account import Account  # needs the extra live
        from cutlist_live.price_update import update
    with on_terminal(regions) as watcher:
        return update(Account.of_profile(profile, watcher), regions, CatalogFolder.of(folder), now)


def _update_prices(
    ctx: click.Context,
    cloud: str,
    regions: tuple[str, ...],
    folder: Path,
    profile: str | None,
    saved: Path | None,
    now: datetime,
) -> UpdateResult[UpdatedPrices]:
    target = CatalogFolder.of(folder, cloud)
    if cloud == AZURE_VENDOR:
        return _update_azure_prices(ctx, regions, target, saved, now)
    with needs_sdk(ctx):
        from cutlist_live.account import Account  # needs the extra live
        from cutlist_live.price_update import update_prices
    with on_terminal(regions) as watcher:
        return update_prices(Account.of_profile(profile, watcher), regions, target, now)


def _update_azure_prices(
    ctx: click.Context, regions: tuple[str, ...], target: CatalogFolder, saved: Path | None, now: datetime
) -> UpdateResult[UpdatedPrices]:
    from cutlist_cli.watching import on_terminal
    from cutlist_live.azure_location import SavedAnswers  # needs the extra live
    from cutlist_live.azure_price_update import update_location_prices

    if saved is not None:
        return update_location_prices(SavedAnswers(saved), regions, target, now)
    with needs_sdk(ctx):
        from cutlist_live.azure_account import RetailPriceList  # needs the extra live
    with on_terminal(regions) as watcher:
        return update_location_prices(RetailPriceList.public(watcher), regions, target, now)


def _update_azure(
    ctx: click.Context,
    regions: tuple[str, ...],
    folder: Path,
    subscription: str | None,
    saved: Path | None,
    now: datetime,
) -> UpdateResult[UpdatedLocation]:
    from cutlist_cli.watching import on_terminal
    from cutlist_live.azure_location import SavedAnswers  # needs the extra live
    from cutlist_live.azure_update import update_locations

    target = CatalogFolder.of(folder, AZURE_VENDOR)
    if saved is not None:
        return update_locations(SavedAnswers(saved), regions, target, now)
    with needs_sdk(ctx):
        from cutlist_live.azure_account import Subscription  # needs the extra live
    with on_terminal(regions) as watcher:
        return update_locations(Subscription.of(subscription, watcher), regions, target, now)


@contextlib.contextmanager
def needs_sdk(ctx: click.Context) -> Iterator[None]:
    """Say what to install when the SDK of the cloud is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing_extra(error, ctx.command_path) or error from error
