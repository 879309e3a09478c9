"""Report what Karpenter did, by its log or events."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.core.errors import Place, Problems
from cutlist.core.records import json_of
from cutlist.logs import failed_launches, launched_nodes, read_records, stories_of
from cutlist.verbs.history.about import Asked, about
from cutlist.verbs.history.record import History


def history_json(answer: History) -> str:
    """Return the history as indented JSON that ends in a newline. Instants are in UTC, savings in USD/hour."""
    return json_of(answer)


def history(
    log: str, *, source: str = "log", allow_empty: bool = False, nodes: Sequence[str] = (), pods: Sequence[str] = ()
) -> History:
    """Return what Karpenter did, by its log (JSON, one object per line) or its events as `kubectl get events -o json` has them.

    Lines of other programs are counted and skipped. With names of nodes or pods, only what is about them is returned. Raises
    InputError, which names the log `source`, when it has no line of Karpenter and no event, unless that is allowed, and for
    each name that nothing in it is about.

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
    whole = History(stories, read.others, failed_launches(read.records), tuple(sorted(read.doubles)))
    if not nodes and not pods:
        return whole
    return about(whole, Asked(nodes, pods), read.records, launched_nodes(read.records))
