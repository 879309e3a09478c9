"""Report what Karpenter did, by its log or events."""

from __future__ import annotations

from dataclasses import dataclass

from cutlist.core.errors import Place, Problems
from cutlist.logs import FailedLaunch, Story, failed_launches, read_records, stories_of


@dataclass(frozen=True, slots=True)
class History:
    """The commands of Karpenter with their results, and how many lines of the log come from other programs. `failed`
    are the failed launches. `doubles` are names of NodeClaims or nodes whose events describe the same disruptions as other
    events, but it is not known which ones.
    """

    stories: tuple[Story, ...]
    others: int
    failed: tuple[FailedLaunch, ...] = ()
    doubles: tuple[str, ...] = ()


def history(log: str, *, source: str = "log", allow_empty: bool = False) -> History:
    """Return what Karpenter did, by its log (JSON, one object per line) or its events as `kubectl get events -o json` has them.

    Lines of other programs are counted and skipped. Raises
    InputError, which names the log `source`, when it has no line of Karpenter and no event, unless that is allowed.

    >>> from cutlist import history
    >>> line = '{"level": "INFO", "time": "2026-01-05T12:00:00.000Z", "message": "created nodeclaim"}'
    >>> history(line).stories
    ()
    """
    read, problems = read_records(log), Problems(allow_empty=allow_empty)
    if not read.records:
        others = f", only {read.others:,} of other programs" if read.others else ""
        text = f"contains no line of Karpenter's log and no event{others}"
        problems.add_absence(Place(source), text, "the controller's log, or events as `kubectl get events -o json`")
    problems.raise_if_any()
    stories = stories_of(read.records, read.doubles)
    return History(stories, read.others, failed_launches(read.records), tuple(sorted(read.doubles)))
