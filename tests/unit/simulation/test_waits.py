"""Waits by workload and hour: the sums of a few edges are those of a walk over all hours."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cutlist.simulation.events import HOUR
from cutlist.simulation.waits import add_wait, waits_by_hour
from tests.examples import examples

_instants = st.one_of(st.integers(0, 6 * HOUR), st.integers(0, 6).map(lambda hour: hour * HOUR))
_waits = st.lists(st.tuples(st.sampled_from(["web", "api"]), _instants, _instants), max_size=8)


@examples(0.5)
@given(_waits)
def test_the_sums_are_those_of_every_hour_of_every_wait(waits):
    parts, whole, walked = Counter(), Counter(), Counter()
    for workload, *instants in waits:
        since, until = sorted(instants)
        add_wait(parts, whole, workload, since, until)
        for hour in range(since // HOUR, until // HOUR + 1):
            walked[workload, hour] += max(0, min(until, (hour + 1) * HOUR) - max(since, hour * HOUR))
    assert waits_by_hour(parts, whole) == {hour: length for hour, length in walked.items() if length}
