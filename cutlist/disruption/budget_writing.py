"""Budgets that do what sentences say: Karpenter's schedules are UTC, so windows of a time zone are converted (D-30).

A zone with daylight saving has two offsets, and a schedule has one. What may happen only in a window is allowed in the hours
that are in it all year; what must not happen in one is forbidden in the hours that are in it in any season.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cutlist.api.nodepool_fields import Budget, BudgetReason
from cutlist.disruption.budget_sentences import DAY, DAYS, HOUR, WEEK, BudgetSentence, Rule, SentenceError
from cutlist.disruption.reasons import Reason

_BASE: Final = Budget(nodes="10%")
_BASE_NOTE: Final = "10% at any time is Karpenter's default, which does not apply beside other budgets"
_WHOLE: Final = (1 << WEEK) - 1
_OFFSET: Final = re.compile(r"(?:UTC|GMT)(?:([+-])([0-9]{1,2})(?::?([0-9]{2}))?)?", re.IGNORECASE)
_WEEKS: Final = 53


@dataclass(frozen=True, slots=True)
class Written:
    """The budgets that do what sentences say together, and what a reader has to know about them."""

    budgets: tuple[Budget, ...]
    notes: tuple[str, ...]


def written_budgets(sentences: Sequence[BudgetSentence], at: float) -> Written:
    """Return the budgets of some sentences; time zones have the offsets of the year from an instant on (seconds since 1970).

    Raises SentenceError for an unknown zone, for a window of which daylight saving leaves nothing, and for a limit without
    effect.
    """
    always = [s for s in sentences if s.rule is Rule.AT_MOST and not s.windows]
    general = [_budget(s.nodes, ()) for s in always if not s.reasons]
    notes = [] if general else [_BASE_NOTE]
    budgets = general or [_BASE]
    for sentence in (s for s in sentences if s.rule is Rule.AT_MOST and (s.reasons or s.windows)):
        _require_effect(sentence, budgets)
    budgets = [*budgets, *(_budget(s.nodes, s.reasons) for s in always if s.reasons)]
    open_windows: dict[tuple[Reason, ...], int] = {}
    for sentence in (s for s in sentences if s not in always):
        minutes, note = _in_utc(sentence, at)
        notes += [note] if note else []
        if sentence.rule is Rule.ONLY:
            open_windows[sentence.reasons] = open_windows.get(sentence.reasons, 0) | minutes
        else:
            budgets += _in_windows(sentence.nodes, sentence.reasons, minutes)
    for reasons, minutes in open_windows.items():  # several windows of one reason are open one beside the other
        budgets += _in_windows("0", reasons, _WHOLE & ~minutes)
    return Written(tuple(budgets), tuple(notes))


def _in_utc(sentence: BudgetSentence, at: float) -> tuple[int, str]:
    """Return the minutes of the week in UTC that count for a sentence, and what the conversion means."""
    offsets = _offsets(sentence.zone, at)
    if not sentence.windows:
        return _WHOLE, ""
    local = _mask(sentence.windows)
    shifted = [_rotated(local, -offset) for offset in offsets]
    minutes = shifted[0]
    for other in shifted[1:]:
        minutes = minutes & other if sentence.rule is Rule.ONLY else minutes | other
    if not minutes:
        found = f"the window of {sentence.text!r} is no longer than the change of daylight saving in {sentence.zone}"
        raise SentenceError(found, "a longer window, or an offset such as UTC+1 in place of the zone")
    if offsets == (0,):
        return minutes, ""
    hours = ", ".join(_in_words(start, length) for start, length in _runs(minutes))
    text = f"{sentence.text}: {hours} UTC, because schedules are UTC"
    if len(offsets) == 1:
        return minutes, text
    by_season = " or ".join(f"UTC{_signed(offset)}" for offset in offsets)
    which = "in any season"
    if sentence.rule is Rule.ONLY:
        which = f"all year; UTC{_signed(offsets[0])} in place of the zone keeps the whole window of one season"
    return minutes, f"{text} and {sentence.zone} is {by_season}; these are the hours that are in the window {which}"


def _offsets(zone: str, at: float) -> tuple[int, ...]:
    """Return the offsets from UTC that a zone has in the year from an instant on, in minutes."""
    if match := _OFFSET.fullmatch(zone):
        minutes = int(match[2] or 0) * HOUR + int(match[3] or 0)
        if minutes > 14 * HOUR:
            raise SentenceError(f"{zone!r} is not an offset from UTC", "UTC-12 to UTC+14")
        return (-minutes if match[1] == "-" else minutes,)
    try:
        known = ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SentenceError(
            f"{zone!r} is not a time zone that is known here", "a name such as Europe/Berlin, UTC, or UTC+2"
        ) from None
    begin = datetime.fromtimestamp(at, UTC)
    offsets = {(begin + timedelta(weeks=week)).astimezone(known).utcoffset() for week in range(_WEEKS)}
    return tuple(sorted({round(offset.total_seconds() / 60) for offset in offsets if offset is not None}))


def _require_effect(sentence: BudgetSentence, general: Iterable[Budget]) -> None:
    """Raise SentenceError for a limit that a budget for every reason, at any time, already goes below."""
    for budget in general:
        alike = budget.nodes.endswith("%") is sentence.nodes.endswith("%")
        if alike and _number(sentence.nodes) > _number(budget.nodes):
            found = f"{sentence.text!r} has no effect beside {budget.nodes} at any time, since the smallest budget counts"
            raise SentenceError(found, f"another sentence: everything at most {sentence.nodes}")


def _number(nodes: str) -> int:
    return int(nodes.removesuffix("%"))


def _in_windows(nodes: str, reasons: tuple[Reason, ...], minutes: int) -> Iterator[Budget]:
    """Yield a budget for the windows that begin at the same time of the day and are equally long, whatever their days are."""
    if minutes == _WHOLE:
        yield _budget(nodes, reasons)
        return
    days: dict[tuple[int, int], list[int]] = {}
    for start, length in _runs(minutes):
        days.setdefault((start % DAY, length), []).append(start // DAY)
    for (start, length), on in sorted(days.items()):
        schedule = f"{start % HOUR} {start // HOUR} * * {_cron_days(on)}"
        hours, rest = divmod(length, HOUR)
        duration = (f"{hours}h" if hours else "") + (f"{rest}m" if rest else "")
        yield _budget(nodes, reasons, schedule, duration)


def _budget(nodes: str, reasons: tuple[Reason, ...], schedule: str | None = None, duration: str | None = None) -> Budget:
    names = cast("tuple[BudgetReason, ...]", tuple(map(str, reasons)))
    return Budget(nodes=nodes, reasons=names or None, schedule=schedule, duration=duration)


def _cron_days(days: Sequence[int]) -> str:
    names = [DAYS[day][:3] for day in sorted(days)]
    if len(names) == 7:
        return "*"
    is_run = sorted(days) == list(range(min(days), max(days) + 1)) and len(days) > 2 and max(days) < 6
    return f"{names[0]}-{names[-1]}" if is_run else ",".join(names)


def _mask(windows: Iterable[tuple[int, int]]) -> int:
    """Return the minutes of the week that some windows cover, as the bits of a number."""
    mask = 0
    for start, length in windows:
        mask |= _rotated((1 << min(length, WEEK)) - 1, start)
    return mask


def _rotated(mask: int, minutes: int) -> int:
    by = minutes % WEEK
    return ((mask << by) | (mask >> (WEEK - by))) & _WHOLE


def _runs(mask: int) -> list[tuple[int, int]]:
    """Return the start and the length of each stretch of minutes; one over the end of the week counts from its start."""
    if mask == _WHOLE:
        return [(0, WEEK)]
    starts = mask & ~_rotated(mask, 1)
    runs = []
    while starts:
        start = (starts & -starts).bit_length() - 1
        starts &= starts - 1
        rest = _rotated(mask, -start)
        runs.append((start, (~rest & -~rest).bit_length() - 1))
    return runs


def _in_words(start: int, length: int) -> str:
    end = (start + length) % WEEK
    day, end_day = (DAYS[minute // DAY][:3].capitalize() for minute in (start, end))
    until = _clock(end) if end_day == day and length < DAY else f"{end_day} {_clock(end)}"
    return f"{day} {_clock(start)} to {until}"


def _clock(minute: int) -> str:
    return f"{minute % DAY // HOUR:02d}:{minute % HOUR:02d}"


def _signed(offset: int) -> str:
    hours, minutes = divmod(abs(offset), HOUR)
    return f"{'-' if offset < 0 else '+'}{hours}{f':{minutes:02d}' if minutes else ''}"
