"""`cutlist catalog update`: regions read through the API, one after the other, each written when it is complete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cutlist.catalog import all_machines
from cutlist.catalog.folder import CatalogFolder
from cutlist.errors import InputError, Problems
from cutlist_live.account import Account
from cutlist_live.failures import AccountError, RegionError
from cutlist_live.region import LiveRegion, RegionFile, machine_source, read_region, region_file
from cutlist_live.store import Store


@dataclass(frozen=True, slots=True)
class Updated:
    """A region that was written, and where."""

    live: LiveRegion
    file: RegionFile
    path: Path


@dataclass(frozen=True, slots=True)
class Update:
    """What an update came to: the regions that were written, and why the others were not."""

    done: tuple[Updated, ...]
    problems: Problems


def update(account: Account, regions: Sequence[str], folder: CatalogFolder, now: datetime) -> Update:
    """Write the catalogue of each region. A region that fails leaves its old file as it was, and the others go on.

    Raises InputError before anything is asked for an unknown region or a damaged folder.
    """
    store = Store(folder)
    problems, done = Problems(), list[Updated]()
    for region in dict.fromkeys(regions):
        try:
            account.check_region(region)
        except InputError as error:
            problems.extend(error.problems)
    problems.raise_if_any()
    for region in dict.fromkeys(regions):
        try:
            done.append(_update(account, region, store, now))
        except InputError as error:
            problems.extend(error.problems)
        except RegionError as error:
            problems.extend([error.problem])
        except AccountError as error:  # the other regions would say the same
            problems.extend([error.problem])
            break
    return Update(tuple(done), problems)


def _update(account: Account, region: str, store: Store, now: datetime) -> Updated:
    live = read_region(account, region, now, all_machines())
    file = region_file(live, store.before(region))
    sold = {name: machine for name, machine in live.machines.items() if name in live.offered}
    return Updated(live, file, store.write(region, file.text, sold, machine_source(live.date)))
