"""What a history has: commands, what came of their nodes, and launches that failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cutlist.core.records import HIDDEN, After, Count, Key, about, computed
from cutlist.logs import Decision, Ending, FailedLaunch, LaunchedNode, Story


@dataclass(frozen=True, slots=True)
class History:
    """What Karpenter did. `launched` are the launches of the nodes that are asked about, if some are."""

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
