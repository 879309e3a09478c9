"""Who may break a rule, for how long, and who is responsible."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from cutlist.core.errors import Place, Problems, nearest

MEMBERS: Final = ("rule", "object", "owner", "reason", "until")
ANY: Final = "*"
LONGEST: Final = timedelta(days=366)
"""The longest time for which an exemption may be valid."""
_SAID: Final = ("owner", "reason")
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


def read_exemption(data: Any, place: Place, known: Mapping[str, Any], problems: Problems) -> Exemption | None:
    """Return an exemption, or None, with a problem added, if it has a mistake. All members are required: an exemption without
    an end is not accepted."""
    if not isinstance(data, Mapping):
        problems.add(place, f"an exemption is {data!r}", f"a mapping with {', '.join(MEMBERS)}")
        return None
    before = len(problems.found)
    for key in data:
        if key not in MEMBERS:
            problems.add(_below(place, str(key)), f"unknown member {key!r}", ", ".join(MEMBERS), nearest(str(key), MEMBERS))
    texts = {member: data.get(member) for member in MEMBERS}
    for member, value in texts.items():
        if not isinstance(value, str) or not value.strip():
            text = "no" if value is None else f"{value!r} as"
            problems.add(_below(place, member), f"an exemption with {text} {member}", "a text")
    rule, until = texts["rule"], texts["until"]
    if isinstance(rule, str) and rule and rule not in known:
        problems.add(_below(place, "rule"), f"no rule {rule!r}", "an id of docs/rules.md", nearest(rule, known))
    for member in _SAID:
        words = texts[member]
        if isinstance(words, str) and words.strip() and not is_said(words):
            problems.add(_below(place, member), f"{words!r} as {member}", "a text that names a person, a team or a reason")
    end = _date(until) if isinstance(until, str) else None
    if isinstance(until, str) and end is None:
        problems.add(_below(place, "until"), f"until {until!r}", "a date such as 2026-12-31")
    if end is None or len(problems.found) > before:
        return None
    return Exemption(str(rule), str(texts["object"]), str(texts["owner"]), str(texts["reason"]), end, place)


def is_said(text: str) -> bool:
    """Tell whether a text names somebody or something: it has two different letters, and is not a word such as `none`."""
    letters = "".join(character for character in text.lower() if character.isalpha())
    return len(set(letters)) > 1 and letters not in _NOTHING_SAID


def _date(text: str) -> date | None:
    match = _DATE.fullmatch(text)  # an engine's YAML reads an unquoted date as an instant
    try:
        return date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None


def _below(place: Place, member: str) -> Place:
    return place.at(f"{place.path}.{member}")
