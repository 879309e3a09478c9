"""Sentences about when nodes may be disrupted, such as `drift only Monday 1 to 5 in Europe/Berlin`.

    WHAT only WINDOW [in ZONE]          drift only Monday 1 to 5 in Europe/Berlin
    WHAT never [WINDOW] [in ZONE]       everything never weekdays 9:00 to 17:30 in Europe/Berlin
    WHAT at most N [WINDOW] [in ZONE]   consolidation at most 20% weekends

WHAT is `drift`, `consolidation`, `empty`, `underutilized`, `repair`, several of them with `and`, or `everything`. WINDOW is
DAYS, or DAYS TIME to TIME, or DAY TIME to DAY TIME. DAYS are `daily`, `weekdays`, `weekends`, `Monday to Friday`, or days with
`and`. TIME is `5`, `17:30` or `5pm`; a window whose end is not after its start ends on the next day. N is a number, or a
percentage of the nodes. ZONE is a name such as `Europe/Berlin`, `UTC`, or `UTC+2`; without one it is UTC. A sentence may also
begin with its rule: `no drift on Friday`, `only drift Monday 1 to 5`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Final

from cutlist.api.patterns import BUDGET_NODES, PATTERNS_IN_WORDS
from cutlist.core.errors import nearest
from cutlist.core.wording import counted
from cutlist.disruption.reasons import Reason

HOUR: Final = 60
DAY: Final = 24 * HOUR
WEEK: Final = 7 * DAY
"""Lengths in minutes."""
DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SETS: Final = {
    **dict.fromkeys(("daily", "everyday", "always"), tuple(range(7))),
    **dict.fromkeys(("weekday", "weekdays", "workdays"), tuple(range(5))),
    **dict.fromkeys(("weekend", "weekends"), (5, 6)),
}
_CONSOLIDATION: Final = (Reason.EMPTY, Reason.UNDERUTILIZED)
_WHAT: Final[dict[str, tuple[Reason, ...]]] = {
    **dict.fromkeys(("drift", "drifted"), (Reason.DRIFTED,)),
    **dict.fromkeys(("consolidation", "consolidate"), _CONSOLIDATION),
    **dict.fromkeys(("empty", "emptiness"), (Reason.EMPTY,)),
    "underutilized": (Reason.UNDERUTILIZED,),
    **dict.fromkeys(("repair", "unhealthy"), (Reason.UNHEALTHY,)),
    **dict.fromkeys(("everything", "all", "anything", "disruption", "disruptions", "disrupt", "nodes"), ()),
}
_FILLERS: Final = frozenset(("on", "from", "between", "the", "at", "during", "and", "nodes", "every", "each"))
_ABOUT: Final = frozenset((*_WHAT, "and"))
_FIRST: Final = {"no": "never", "never": "never", "only": "only"}
"""Words of a rule with which a sentence may also begin."""
_SHAPE: Final = re.compile(
    r"(?P<what>.+?)\s+(?P<rule>only|never|at\s+most\s+(?P<nodes>\S+))(?:\s+(?P<when>.+?))?(?:\s+in\s+(?P<zone>\S+))?",
    re.IGNORECASE,
)
_TIME: Final = re.compile(r"([0-9]{1,2})(?::([0-9]{2}))?(am|pm)?")
_FORMS: Final = "WHAT only WINDOW, WHAT never [WINDOW], or WHAT at most N [WINDOW], each with an optional in ZONE"
_SUCH_AS: Final = "Monday 1 to 5, weekdays 9:00 to 17:30, daily 22 to 6, or Friday 18 to Monday 6"


class Rule(StrEnum):
    """What a sentence says about its window."""

    ONLY = "only"
    NEVER = "never"
    AT_MOST = "at most"


@dataclass(frozen=True, slots=True)
class BudgetSentence:
    """A sentence as it was read. `reasons` are empty for every reason.

    `windows` are minutes since Monday midnight by the clock of `zone`, each with its length; empty for all the time. `nodes` is
    the most that may be disrupted at a time.
    """

    text: str
    reasons: tuple[Reason, ...]
    rule: Rule
    windows: tuple[tuple[int, int], ...]
    zone: str = "UTC"
    nodes: str = "0"


class SentenceError(ValueError):
    """A sentence that cannot be read: what was found, what is allowed in its place, and what was probably meant."""

    def __init__(self, found: str, allowed: str, near: str = "") -> None:
        """Say what was found and what is allowed."""
        super().__init__(found)
        self.allowed = allowed
        self.nearest = near


def read_sentence(text: str) -> BudgetSentence:
    """Return a sentence. Raises SentenceError for one that cannot be read."""
    match = _SHAPE.fullmatch(_in_order(text.rstrip(". ").split()))
    if match is None:
        raise SentenceError(f"{text!r} has no only, never or at most after what it is about", _FORMS)
    rule = Rule(" ".join(match["rule"].lower().split()[: 2 if match["nodes"] else 1]))
    when = match["when"] or ""
    if rule is Rule.ONLY and not when:
        raise SentenceError(f"{text!r} says no window after only", _SUCH_AS)
    windows = _windows(when) if when else ()
    nodes = match["nodes"] or "0"
    if not re.fullmatch(BUDGET_NODES, nodes):
        found = f"{nodes!r} in {text!r} is neither a number of nodes nor a percentage"
        raise SentenceError(found, PATTERNS_IN_WORDS[BUDGET_NODES])
    return BudgetSentence(text, _reasons(match["what"]), rule, windows, match["zone"] or "UTC", nodes)


def _in_order(words: Sequence[str]) -> str:
    """Return words with what they are about in front of the rule, as in `drift never Friday` for `no drift on Friday`."""
    rule = _FIRST.get(words[0].lower()) if words else None
    about = list(takewhile(lambda word: word.lower().rstrip(",") in _ABOUT, words[1:]))
    return " ".join([*about, rule, *words[1 + len(about) :]] if rule and about else words)


def _reasons(what: str) -> tuple[Reason, ...]:
    reasons: list[Reason] = []
    for word in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", what.strip().lower()):
        name = word.removesuffix(" nodes").removeprefix("the ")
        if name not in _WHAT:
            raise SentenceError(f"{word!r} is not something that budgets limit", ", ".join(_WHAT), nearest(name, _WHAT))
        if not _WHAT[name]:
            return ()
        reasons += _WHAT[name]
    return tuple(dict.fromkeys(reasons))


def _windows(when: str) -> tuple[tuple[int, int], ...]:
    words = re.sub(r"(?<=\w)\s*[-\u2013]\s*(?=\w)", " to ", when.lower()).replace(",", " ").split()
    words = ["to" if word in ("until", "till") else word for word in words]
    times = [number for number, word in enumerate(words) if _TIME.fullmatch(word)]
    if (
        len(times) == 2
        and "to" in words[times[0] : times[1]]
        and any(_day(word) is not None for word in words[times[0] : times[1]])
    ):
        return _from_day_to_day(words, times)
    if len(times) not in (0, 2):
        raise SentenceError(f"{when!r} has {counted(len(times), 'time')}", f"two, or none for whole days: {_SUCH_AS}")
    days = _days(words[: times[0]] if times else words, when)
    if not times:
        return tuple((day * DAY, DAY) for day in days)
    start, end = (_minutes(words[number]) for number in times)
    length = end - start if end > start else end - start + DAY
    return tuple((day * DAY + start, length) for day in days)


def _from_day_to_day(words: Sequence[str], times: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the one window of `Friday 18 to Monday 6`."""
    days = [day for word in words if (day := _day(word)) is not None]
    if len(days) != 2:
        raise SentenceError(f"{' '.join(words)!r} has two times and {counted(len(days), 'day')}", _SUCH_AS)
    start, end = (day * DAY + _minutes(words[number]) for day, number in zip(days, times, strict=True))
    return ((start, (end - start) % WEEK or WEEK),)


def _days(words: Sequence[str], when: str) -> tuple[int, ...]:
    days: list[int] = []
    named = [word for word in words if word not in _FILLERS]
    if named in ([], ["day"]):
        return _SETS["daily"]
    for number, word in enumerate(named):
        if word in _SETS:
            days += _SETS[word]
        elif word == "to":
            first, last = (_day(named[at]) if 0 <= at < len(named) else None for at in (number - 1, number + 1))
            if first is None or last is None:
                raise SentenceError(f"{when!r} has a to without a day on each side", _SUCH_AS)
            days += [(first + n) % 7 for n in range((last - first) % 7)]
        elif (day := _day(word)) is not None:
            days.append(day)
        else:
            known = (*DAYS, *_SETS)
            raise SentenceError(f"{word!r} in {when!r} is neither a day nor a time", ", ".join(known), nearest(word, known))
    return tuple(sorted(set(days)))


def _day(word: str) -> int | None:
    """Return the number of a day from 0 for Monday: `monday`, `mondays` or `mon`."""
    name = word.removesuffix("s") if word not in DAYS else word
    return next((number for number, day in enumerate(DAYS) if len(name) >= 3 and day.startswith(name)), None)


def _minutes(word: str) -> int:
    match = _TIME.fullmatch(word)
    hour, minute = (int(match[1]), int(match[2] or 0)) if match else (99, 0)
    if match and match[3]:
        hour = hour % 12 + (12 if match[3] == "pm" else 0) if 1 <= hour <= 12 else 99
    if minute >= HOUR or hour * HOUR + minute > DAY:
        raise SentenceError(f"{word!r} is not a time of a day", "0 to 24, 17:30, 5am or 5pm")
    return hour * HOUR + minute
