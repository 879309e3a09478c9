"""What Karpenter says of a pod's do-not-disrupt annotation."""

from __future__ import annotations

import pytest

from tests.conformance.do_not_disrupt import said_of_annotation
from tests.unit.disruption.claims import HOUR, NOON, running

INVALID = "Invalid karpenter.sh/do-not-disrupt annotation: {}, ignoring annotation"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("abc", 'failed to parse "abc" as a duration: time: invalid duration "abc"'),
        ("True", 'failed to parse "True" as a duration: time: invalid duration "True"'),
        ("1d", 'failed to parse "1d" as a duration: time: unknown unit "d" in duration "1d"'),
        ("1h2x", 'failed to parse "1h2x" as a duration: time: unknown unit "x" in duration "1h2x"'),
        ("30", 'failed to parse "30" as a duration: time: missing unit in duration "30"'),
        ("-", 'failed to parse "-" as a duration: time: invalid duration "-"'),
        (".s", 'failed to parse ".s" as a duration: time: invalid duration ".s"'),
        ("0s", 'duration "0s" must be positive'),
        ("-5m", 'duration "-5m" must be positive'),
    ],
)
def test_an_annotation_that_protects_nothing_is_reported(written: str, said: str):
    """It is not a positive duration, so it is ignored; the message repeats what Go says of it."""
    # D-7
    event = said_of_annotation(running(do_not_disrupt=written), NOON)
    assert event == ("InvalidDoNotDisruptAnnotation", INVALID.format(said))


def test_protection_for_some_time_has_an_end():
    """Until then the end is reported; from the very instant on, that it is over."""
    # D-7
    pod = running(do_not_disrupt="6h")
    before, after = said_of_annotation(pod, NOON - 1), said_of_annotation(pod, NOON)
    assert before == (
        "DoNotDisruptUntil",
        "The karpenter.sh/do-not-disrupt grace period will elapse at 2026-01-05T12:00:00Z",
    )
    assert after == (
        "DoNotDisruptGracePeriodElapsed",
        "The karpenter.sh/do-not-disrupt grace period has elapsed, pod is now disruptable",
    )


@pytest.mark.parametrize("pod", [running(), running(do_not_disrupt="true"), running(do_not_disrupt="1h", started=None)])
def test_nothing_to_tell(pod):
    """There is no annotation, it holds indefinitely, or nobody knows when the pod started."""
    assert said_of_annotation(pod, NOON + HOUR) is None
