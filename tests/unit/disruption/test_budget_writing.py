"""Tests of budgets from sentences: what they allow at any instant is what the sentence says."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cutlist import Budget
from cutlist.api.budget_windows import allowed
from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.disruption.budget_sentences import DAY, DAYS, WEEK, Rule, read_sentence
from cutlist.disruption.reasons import Reason
from cutlist.verbs.budgets.writing import WrittenBudgets, write_budgets
from cutlist.verbs.budgets.written_text import render_written
from tests.examples import examples
from tests.unit.disruption.builders import pool

MONDAY = 1767571200.0
SUMMER = datetime(2026, 7, 6, tzinfo=UTC).timestamp()  # a Monday as well
BERLIN = "Europe/Berlin"


def written(*sentences: str) -> WrittenBudgets:
    return write_budgets(sentences, MONDAY)


def lines(*sentences: str) -> list[tuple[str, tuple[str, ...] | None, str | None, str | None]]:
    return [(b.nodes, b.reasons, b.schedule, b.duration) for b in written(*sentences).budgets]


def at_most(answer: WrittenBudgets, reason: Reason, at: float) -> int:
    """Return how many of a hundred nodes may be disrupted at an instant."""
    budgets = [Budget(nodes=b.nodes, reasons=b.reasons, schedule=b.schedule, duration=b.duration) for b in answer.budgets]
    return allowed(pool(budgets=budgets), reason, 100, at)


def test_drift_only_in_a_window_of_a_time_zone_keeps_to_the_hours_that_are_in_it_all_year() -> None:  # D-30
    sentence = f"drift only Monday 1 to 5 in {BERLIN}"
    assert lines(sentence) == [("10%", None, None, None), ("0", ("Drifted",), "0 3 * * mon", "165h")]
    (_, note) = written(sentence).notes
    assert note == (
        f"{sentence}: Mon 00:00 to 03:00 UTC, because schedules are UTC and {BERLIN} is UTC+1 or UTC+2; "
        "these are the hours that are in the window all year; UTC+1 in place of the zone keeps the whole window of one season"
    )


def test_what_must_never_happen_in_a_window_keeps_out_of_it_in_any_season() -> None:
    assert lines(f"everything never weekdays 9:00 to 17:30 in {BERLIN}")[1:] == [("0", None, "0 7 * * mon-fri", "9h30m")]


@pytest.mark.parametrize(
    ("sentences", "budgets"),
    [
        (["consolidation at most 5% weekends"], [("5%", ("Empty", "Underutilized"), "0 0 * * sat", "48h")]),
        (["drift never"], [("0", ("Drifted",), None, None)]),
        (["drift and repair only daily 22 to 6"], [("0", ("Drifted", "Unhealthy"), "0 6 * * *", "16h")]),
        (["drift only Friday 18:00 to Monday 6:00 in UTC+2"], [("0", ("Drifted",), "0 4 * * mon", "108h")]),
        (
            ["drift only Monday 1-5", "drift only Thursday 1-5"],
            [("0", ("Drifted",), "0 5 * * mon", "68h"), ("0", ("Drifted",), "0 5 * * thu", "92h")],
        ),
        (["everything never monday and wednesday 9am to 5pm"], [("0", None, "0 9 * * mon,wed", "8h")]),
        (
            ["empty nodes only on weekdays from 20:30 until 21:00"],
            [("0", ("Empty",), "0 21 * * fri", "71h30m"), ("0", ("Empty",), "0 21 * * mon-thu", "23h30m")],
        ),
    ],
    ids=["a limit", "never", "over midnight", "day to day", "two windows of one reason", "two days", "gaps of two lengths"],
)
def test_sentences_make_the_budgets_that_say_the_same(sentences: list[str], budgets: list[object]) -> None:
    assert sorted(lines(*sentences)[1:], key=str) == sorted(budgets, key=str)


def test_a_limit_for_everything_takes_the_place_of_the_default() -> None:
    assert lines("everything at most 20%", "drift never") == [("20%", None, None, None), ("0", ("Drifted",), None, None)]
    assert written("everything at most 20%").notes == ()


@pytest.mark.parametrize(
    ("sentence", "week"),
    [
        ("drift never", "Drifted, UTC: always 0"),
        ("everything at most 3", "Empty, Drifted, Underutilized, Unhealthy, UTC: always 3"),
        ("drift at most 5", "Drifted, UTC: always 5,10%"),
    ],
)
def test_the_comment_says_what_holds_all_week(sentence: str, week: str) -> None:
    assert f"# {week}\n" in render_written(written(sentence))


TIMES = st.integers(0, 47).map(lambda half: half * 30)


@pytest.mark.slow
@examples(0.5)
@given(
    st.sets(st.integers(0, 6), min_size=1),
    TIMES,
    TIMES,
    st.sampled_from(["UTC", "UTC-3", BERLIN, "America/New_York"]),
    st.sampled_from([Rule.ONLY, Rule.NEVER]),
)
def test_at_every_half_hour_of_winter_and_summer_the_budgets_keep_what_the_sentence_says(
    days: set[int], start: int, end: int, zone: str, rule: Rule
) -> None:
    text = f"drift {rule} {' and '.join(DAYS[day] for day in sorted(days))} {_clock(start)} to {_clock(end)} in {zone}"
    length = end - start if end > start else end - start + DAY
    assume(length > 60)  # of a shorter window daylight saving may leave nothing
    answer = written(text)
    inside = {(day * DAY + start + minute) % WEEK for day in days for minute in range(0, length, 30)}
    winter, summer = ([(minute, week + minute * 60) for minute in range(0, WEEK, 30)] for week in (MONDAY, SUMMER))
    opened = {at for _, at in (*winter, *summer) if at_most(answer, Reason.DRIFTED, at) > 0}
    assert not opened.isdisjoint(at for _, at in winter) or len(inside) == WEEK // 30
    for week in (winter, summer):
        for minute, at in week:
            if at in opened:
                assert (_local(at, zone) in inside) is (rule is Rule.ONLY)
            if minute % DAY == 0:
                assert at_most(answer, Reason.EMPTY, at) == 10


def _clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}"


def _local(at: float, zone: str) -> int:
    if zone.startswith("UTC"):
        return round(at / 60 + 3 * DAY + int(zone[3:] or 0) * 60) % WEEK
    here = datetime.fromtimestamp(at, ZoneInfo(zone))
    return here.weekday() * DAY + here.hour * 60 + here.minute


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("drift some", "has no only, never or at most"),
        ("drift only", "says no window after only"),
        ("drft only Monday", "did you mean drift?"),
        ("drift only Mondy 1 to 5", "did you mean monday?"),
        ("drift only Monday 25 to 26", "'25' is not a time of a day"),
        ("drift only Monday 1", "has 1 time"),
        ("drift at most 200%", "'200%' in 'drift at most 200%' is neither a number of nodes nor a percentage"),
        ("drift at most 2.5% weekends", "'2.5%' in"),
        ("drift only Monday 1 to 5 in Europe/Berlyn", "is not a time zone that is known here"),
        (f"drift only Monday 1 to 2 in {BERLIN}", "no longer than the change of daylight saving"),
        ("everything at most 50% weekends", "has no effect beside 10% at any time"),
        ("consolidation at most 20%", "has no effect beside 10% at any time"),
    ],
)
def test_a_sentence_that_cannot_be_read_says_what_is_allowed(sentence: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        written(sentence)
    assert said in str(error.value)
    assert "allowed:" in str(error.value)


def test_every_sentence_that_cannot_be_read_is_reported() -> None:
    with pytest.raises(InputError) as error:
        written("drift some", "drft never")
    assert len(error.value.problems) == 2


def test_an_old_karpenter_has_no_budget_for_repair() -> None:
    with pytest.raises(InputError, match="has no budget for"):
        write_budgets(["repair never"], MONDAY, BASELINES[0])


def test_the_text_is_yaml_to_paste_with_the_week_in_comments() -> None:
    text = render_written(written("drift only Monday 1 to 5"))
    comments, document = text.split("budgets:\n")
    assert all(line.startswith("# ") for line in comments.splitlines())
    assert "# Drifted, UTC: Mon 01:00-05:00: 10%; otherwise: 0\n" in comments
    assert document == '- nodes: "10%"\n- nodes: "0"\n  reasons: [Drifted]\n  schedule: "0 5 * * mon"\n  duration: 164h\n'


def test_a_sentence_is_read_whatever_its_case_and_its_spaces_are() -> None:
    assert read_sentence("  Drift  ONLY Mon-Fri 9 - 17 .").windows == tuple((day * DAY + 9 * 60, 8 * 60) for day in range(5))


@pytest.mark.parametrize(
    ("turned", "sentence"),
    [
        ("never disrupt on weekends", "everything never weekends"),
        ("No drift and consolidation on Friday 8 to 18", "drift and consolidation never Friday 8 to 18"),
        ("only drift Monday 1 to 5 in Europe/Berlin", "drift only Monday 1 to 5 in Europe/Berlin"),
    ],
)
def test_a_sentence_may_begin_with_its_rule(turned: str, sentence: str) -> None:
    assert lines(turned) == lines(sentence)
