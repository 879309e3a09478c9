"""What Karpenter says of pods with the annotation do-not-disrupt when it looks at them."""

from __future__ import annotations

from cutlist.api.durations import is_readable, nanoseconds
from cutlist.core.instants import instant_text
from cutlist.state.pods import RunningPod
from tests.conformance.go_durations import parse_error

ELAPSED = "The karpenter.sh/do-not-disrupt grace period has elapsed, pod is now disruptable"


def pod_event(pod: RunningPod, now: float) -> tuple[str, str] | None:
    """Return the reason and text of the event on a pod, or None without one."""
    text = pod.do_not_disrupt
    if not text or text == "true":
        return None
    error = duration_error(text)
    if error:
        return "InvalidDoNotDisruptAnnotation", f"Invalid karpenter.sh/do-not-disrupt annotation: {error}, ignoring annotation"
    if pod.started is None:
        return None
    end = pod.started + nanoseconds(text) / 1e9
    if now < end:
        return "DoNotDisruptUntil", f"The karpenter.sh/do-not-disrupt grace period will elapse at {instant_text(end)}"
    return "DoNotDisruptGracePeriodElapsed", ELAPSED


def duration_error(text: str) -> str:
    if not is_readable(text):
        return f'failed to parse "{text}" as a duration: {parse_error(text)}'
    return f'duration "{text}" must be positive' if nanoseconds(text) <= 0 else ""
