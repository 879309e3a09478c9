"""Instants as options take them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import click

_FIRST_YEAR: Final = 1970


class Instant(click.ParamType[float]):
    """A time with its zone, such as 2026-01-05T12:00:00Z, as seconds since 1970."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read one; a mistake is told with the option's name."""
        from cutlist.workloads.schema import LAST_YEAR

        if isinstance(value, float):
            return value
        try:
            found = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is not a time; write one such as 2026-01-05T12:00:00Z", param, ctx)
        if found.tzinfo is None:
            self.fail(f"{value!r} has no time zone; write one such as {found.isoformat()}Z", param, ctx)
        if not _FIRST_YEAR <= found.year <= LAST_YEAR:
            self.fail(f"{value!r} is too far off; write one from {_FIRST_YEAR} to {LAST_YEAR}", param, ctx)
        return found.timestamp()
