"""Who may break a rule, for how long, and who is responsible."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.core.shapes import Report, Ruled, Shape, SoundFields, filled, shown, values

RULE_IDS: Final = "an id of docs/rules.md"
ANY: Final = "*"
LONGEST: Final = timedelta(days=366)
"""The longest time for which an exemption may be valid."""
_NOTHING_SAID: Final = frozenset(
    (
        *("none", "nobody", "noone", "na", "nil", "null", "unknown", "undefined", "empty", "nothing", "blank", "void"),
        *("todo", "tobedone", "tbd", "tba", "tbc", "fixme", "later", "soon", "wip", "tmp", "temp", "temporary", "temporarily"),
        *("anyone", "anybody", "someone", "somebody", "everyone", "everybody", "all", "any", "me", "myself", "us", "we", "you"),
        *("test", "testing", "foo", "bar", "baz", "foobar", "asdf", "asd", "qwerty", "qwertz", "abc", "xyz", "lorem", "dummy"),
        *("reason", "owner", "because", "why", "yourname", "yourteam", "nameofowner", "ownername", "teamname", "placeholder"),
        *("yes", "no", "ok", "okay", "true", "false", "dontknow", "idk", "noreason", "noowner", "nocomment", "notneeded"),
        *("fix", "seeabove", "seebelow", "asdiscussed", "workaround"),
    )
)
"""Words, as letters alone, that name nobody and nothing."""
_DATE: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(T[0-9:.]+Z?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Exemption:
    """An object (`NodePool/general`, or `*` for all) that may break one rule until the end of a day."""

    rule: str
    object: str
    owner: str
    reason: str
    until: date
    place: Place

    def covers(self, rule: str, about: str) -> bool:
        """Tell whether it applies to a rule and an object."""
        return self.rule == rule and self.object in (ANY, about)

    def is_too_long(self, today: date) -> bool:
        """Tell whether it is valid for more than a year."""
        return self.until - today > LONGEST

    def has_ended(self, today: date) -> bool:
        """Tell whether its last day is over."""
        return today > self.until


def exemption(rules: Sequence[str]) -> Shape:
    """Return the shape of an exemption from one of some rules; it is read into an `Exemption`, or None if it has a mistake.

    All members are required: an exemption without an end is not accepted.
    """
    members = {"rule": values(rules, RULE_IDS), "object": filled("a text"), "owner": SAID, "reason": SAID, "until": _DAY}
    shape = SoundFields(members, {}, member="a member of an exemption")

    def read(value: Any, path: str, report: Report) -> Exemption | None:
        sound = shape(value, path, report)
        return Exemption(**sound, place=report.document.at(path)) if sound.keys() == members.keys() else None

    return Ruled(read, shape.schema)


def is_said(text: str) -> bool:
    """Tell whether a text names somebody or something: it has two different letters, and is not a word such as `none`."""
    letters = "".join(character for character in text.lower() if character.isalpha())
    return len(set(letters)) > 1 and letters not in _NOTHING_SAID


def _said(value: Any, path: str, report: Report) -> Any:
    if not isinstance(value, str) or not is_said(value):
        report.add(path, f"{shown(value)} says nothing", SAID.words)
    return value


def _day(value: Any, path: str, report: Report) -> date:
    match = _DATE.fullmatch(value) if isinstance(value, str) else None  # an engine's YAML reads an unquoted date as an instant
    try:
        if match is not None:
            return date.fromisoformat(match[1])
    except ValueError:
        pass  # such as the 30th of February
    report.add(path, f"{shown(value)} is not a date", _DAY.words)
    return date.max


SAID: Final = Ruled(_said, {"type": "string"}, "a text that names a person, a team or a reason")
"""Who is responsible, or why."""
_DAY: Final = Ruled(_day, {"type": "string", "format": "date"}, "a date such as 2026-12-31")
