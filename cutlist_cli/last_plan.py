"""The last plan of some files, kept in the user's cache, so that the next one can be compared with it.

Only plans that somebody sees at a terminal are kept: a pipeline compares with the plan of a commit, which it names. Nothing
reads one unless it is asked for.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cutlist.core.errors import InputError, Place
from cutlist.core.wording import counted
from cutlist.documents.files import is_stream
from cutlist.planning.stored_plan import read_plan
from cutlist.report.estimates import Money
from cutlist.report.plain import span
from cutlist.settings.plan import BEFORE, LAST
from cutlist.verbs.plan.json import plan_json
from cutlist_cli import terminal
from cutlist_cli.files import OWNERS, make_folder_of, write_file
from cutlist_cli.stored_plan import stored_plan

if TYPE_CHECKING:
    from cutlist.planning.model import Plan

_FOLDER: Final = "plans"
_MOST_ROWS: Final = 500
"""How many rows of nodes a plan has at most that is kept: it is written in some hundredths of a second."""


@dataclass(frozen=True, slots=True)
class LastPlan:
    """Where the last plan of some files, read from this folder, is kept."""

    path: Path

    @staticmethod
    def of(files: Sequence[str]) -> LastPlan:
        """Return the place of the last plan of files as they were named, which other folders and names do not share."""
        from cutlist_live.fetch import cache_folder  # only at a terminal, or where it is asked for

        what = json.dumps([os.path.realpath(os.curdir), sorted(files)])
        name = f"{hashlib.sha256(what.encode()).hexdigest()[:32]}.json"
        return LastPlan(Path(cache_folder(os.environ, str(Path.home()))) / _FOLDER / name)

    def read(self, place: Place) -> Plan:
        """Return the plan, and say on standard error when it was made and where it is kept. Without one, raises InputError at a
        place."""
        if not self.path.is_file():
            text, allowed = "no plan of these files is kept for this folder", "a file that `cutlist plan -o json` wrote"
            raise InputError.one(place, text, f"{allowed}, or a plan at a terminal first")
        made = datetime.fromtimestamp(self.path.stat().st_mtime, UTC)
        terminal.write_note(f"compared with the plan of {made:%Y-%m-%d %H:%M} UTC, kept in {_shown(self.path)}")
        return read_plan(str(self.path), None)

    def keep(self, plan: Plan) -> None:
        """Keep a plan that is shown at a terminal. Says so the first time, and afterwards what the one before cost where that
        is another price, or left pending another number of pods."""
        before = self._known()
        try:
            make_folder_of(str(self.path))
            write_file(str(self.path), plan_json(plan), OWNERS)
        except InputError:  # a cache that cannot be written keeps nothing, and the answer is there
            return
        if before is None:
            compares = f"{BEFORE.flag} {LAST} compares the next plan of these files with it"
            terminal.write_note(f"kept in {_shown(self.path)}; {compares}")
        elif (then := _gist(before[0])) != _gist(plan):
            ago = span(max(time.time() - before[1], 0.0))
            terminal.write_note(f"{ago} before, the plan of these files was {then}, and now it is {_gist(plan)}")

    def _known(self) -> tuple[Plan, float] | None:
        try:
            return read_plan(str(self.path), None), self.path.stat().st_mtime
        except (InputError, OSError):  # nothing is kept yet, or a plan of another release
            return None


def earlier_plan(path: str | None, files: Sequence[str]) -> Plan | None:
    """Return the plan that `--before` names: that of a file, or the last one of these files; None without a name. Raises
    InputError where no such plan is kept."""
    if path == LAST and not os.path.exists(path):
        return LastPlan.of(files).read(Place.of(BEFORE))
    return stored_plan(path)


def is_kept(plan: Plan, files: Sequence[str]) -> bool:
    """Tell whether a plan is kept: it is shown at a terminal, not too long, and its files can be read again."""
    return bool(files) and sys.stdout.isatty() and len(plan.nodes) <= _MOST_ROWS and not any(map(is_stream, files))


def _gist(plan: Plan) -> str:
    """Return what a plan costs, its nodes and its pending pods, as its first lines show them."""
    totals = plan.totals
    price = "of unknown price" if totals.price_per_month is None else f"{Money.of_totals(totals).month()} a month"
    pending = sum(pods.count for pods in plan.pending)
    waiting = f", with {counted(pending, 'pod')} pending" if pending else ""
    return f"{price} for {counted(totals.nodes, 'node')}{waiting}"


def _shown(path: Path) -> str:
    home = str(Path.home())
    return f"~{str(path)[len(home) :]}" if str(path).startswith(home + os.sep) else str(path)
