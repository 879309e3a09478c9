"""The day from which calendars count: one option in all commands, a variable, or today."""

from __future__ import annotations

from datetime import UTC, date, datetime

import click
import pytest
from click.testing import CliRunner

from cutlist.core.days import VARIABLE
from cutlist.core.errors import InputError
from cutlist.settings.calendar import DAY
from cutlist.settings.gate import DAY_OF_GATES
from cutlist_cli.calendar import chosen_day
from cutlist_cli.command import Command
from cutlist_cli.setting_options import setting_option


@click.command(cls=Command)
@setting_option(DAY_OF_GATES)
def _shown(day: str | None) -> None:
    """Show the day."""
    click.echo(day)


@pytest.mark.parametrize("words", [["--at", "2026-12-31"], ["--today", "2026-12-31"], ["--today=2026-12-31"]])
def test_the_earlier_word_of_gates_is_still_taken(words: list[str]) -> None:
    """Pipelines that have it go on."""
    assert CliRunner().invoke(_shown, words).stdout == "2026-12-31\n"


def test_help_lists_the_present_word_alone() -> None:
    """It is the one of all commands."""
    listed = CliRunner().invoke(_shown, ["--help"]).output
    assert "--at DATE" in listed
    assert "--today" not in listed
    assert DAY_OF_GATES.flag == DAY.flag


def test_the_day_is_that_of_the_option_then_of_the_variable_then_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake names where it stands."""
    monkeypatch.setenv(VARIABLE, "2026-12-01")
    assert chosen_day(DAY, "2026-12-31") == date(2026, 12, 31)
    assert chosen_day(DAY, None) == date(2026, 12, 1)
    monkeypatch.setenv(VARIABLE, "soon")
    with pytest.raises(InputError, match=rf"\${VARIABLE}: 'soon' is not a date"):
        chosen_day(DAY, None)
    monkeypatch.delenv(VARIABLE)
    assert (datetime.now(UTC).date() - chosen_day(DAY, None)).days in (0, 1)
