"""Instants between Kubernetes' texts and seconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.instants import instant, instant_text


@given(st.integers(0, 4 * 10**9), st.floats(0, 0.999))
def test_what_is_written_is_read_back_in_whole_seconds(seconds, part):
    """A second that has only begun is not counted."""
    assert instant(instant_text(seconds + part)) == seconds


@pytest.mark.parametrize("text", ["2026-01-05T12:00:00Z", "2026-01-05T13:00:00+01:00", datetime(2026, 1, 5, 12, tzinfo=UTC)])
def test_any_zone_and_what_yaml_reads_as_a_time_will_do(text):
    """Also from a reader that makes times of texts."""
    assert instant_text(instant(text)) == "2026-01-05T12:00:00Z"


@pytest.mark.parametrize("nothing", [None, ""])
def test_what_is_not_there_is_no_time(nothing):
    """Not 1970."""
    assert instant(nothing) is None


def test_a_text_that_is_no_time_is_refused():
    """Whoever may hold one, such as an annotation, has to look."""
    with pytest.raises(ValueError, match="soon"):
        instant("soon")
