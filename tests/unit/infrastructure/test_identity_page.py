"""The page on identities shows the permissions that are in the table, and its program runs.

`python -m tests.unit.infrastructure.test_identity_page` puts the table of today onto the page.
"""

from __future__ import annotations

import re
from pathlib import Path

from cutlist.core.karpenter.versions import FIRST
from cutlist.infrastructure.iam.choices import CallerResource
from cutlist.infrastructure.iam.rows import ROWS
from cutlist.infrastructure.iam.table import Arn, Everything, Reach, Row, When

PAGE = Path(__file__).resolve().parents[3] / "docs" / "controller-permissions.md"
_TABLE = re.compile(r"(?<=<!-- permissions:begin -->\n).*?(?=<!-- permissions:end -->)", re.DOTALL)


def todays_table() -> str:
    head = ["| document | statement | actions | on | when | why |", "|---|---|---|---|---|---|"]
    return "\n" + "\n".join([*head, *map(_line, ROWS)]) + "\n\n"


def _line(row: Row) -> str:
    actions = ", ".join(f"`{action.name}`{_aside(action.when)}" for action in row.actions)
    reach = ", ".join(f"{_named(one)}{_aside(one.when)}" for one in row.reach)
    return f"| {row.part} | `{row.sid}` | {actions} | {reach} | {_when(row.when)} | {row.why} |"


def _named(reach: Reach) -> str:
    match reach.what:
        case Arn(service=service, resource=resource):
            return f"`{service}:{resource}`"
        case CallerResource():
            return f"your {reach.what}"
        case Everything():
            return "`*`"


def _when(when: When) -> str:
    since = [] if when.since == FIRST else [str(when.since)]
    needs = [f"`{when.needs}`"] if when.needs else []
    unless = [f"not `{when.unless}`"] if when.unless else []
    return ", ".join([*since, *needs, *unless])


def _aside(when: When) -> str:
    text = _when(when)
    return f" ({text})" if text else ""


def test_the_page_shows_the_permissions_of_today():
    shown = _TABLE.search(PAGE.read_text())
    assert shown is not None
    assert shown.group() == todays_table()


def test_every_row_says_why():
    assert all(row.why for row in ROWS)
    assert len({row.sid for row in ROWS}) == len({row.number for row in ROWS}) == len(ROWS)


def refresh() -> None:
    PAGE.write_text(_TABLE.sub(lambda _: todays_table(), PAGE.read_text()))


if __name__ == "__main__":
    refresh()
