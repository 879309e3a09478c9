"""Report what Karpenter did, by its log or events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from cutlist.core.errors import Place, Problems
from cutlist.core.records import HIDDEN, After, Count, Key, about, computed, json_of
from cutlist.logs import (
    Decision,
    Ending,
    FailedLaunch,
    LaunchedNode,
    Story,
    failed_launches,
    launched_nodes,
    read_records,
    stories_of,
)


@dataclass(frozen=True, slots=True)
class History:
    """What Karpenter did: commands, what came of their nodes, and launches that failed. `launched` are the
    launches of the nodes that are asked about, if some are."""

    stories: Annotated[tuple[Story, ...], Key("commands")]
    others: Annotated[Count, about("Lines that are neither of Karpenter's log nor events."), Key("passedOver"), After("failed")]
    failed: Annotated[tuple[FailedLaunch, ...], Key("failedLaunches")] = ()
    doubles: Annotated[
        tuple[str, ...],
        about("Nodes or NodeClaims whose events repeat others, of which is not known; they are in no command."),
    ] = ()
    launched: Annotated[tuple[LaunchedNode, ...], HIDDEN] = ()

    @property
    @computed(after="")
    def version(self) -> Literal[1]:
        """Return the version of the JSON."""
        return 1

    @property
    def ended(self) -> list[tuple[Decision, Ending]]:
        """Return each node that a command ended, with the command."""
        return [(story.decision, ending) for story in self.stories for ending in story.endings]


def history_json(answer: History) -> str:
    """Return the history as indented JSON that ends in a newline. Instants are in UTC, savings in USD/hour."""
    return json_of(answer)


def history(
    log: str, *, source: str = "log", allow_empty: bool = False, nodes: Sequence[str] = (), pods: Sequence[str] = ()
) -> History:
    """Return what Karpenter did, by its log (JSON, one object per line) or its events as `kubectl get events -o json` has them.

    Lines of other programs are counted and skipped. Raises
    InputError, which names the log `source`, when it has no line of Karpenter and no event, unless that is allowed. With names
    of nodes or pods, only what is about them; then also InputError for each of which the log has nothing.

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
    from cutlist.verbs.history.about import Asked, about  # reads this module

    return about(whole, Asked(nodes, pods), read.records, launched_nodes(read.records))
