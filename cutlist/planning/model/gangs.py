"""Gangs in a plan: whether as many of their pods fit as have to run at once, and which nodes are paid for nothing if not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cutlist.core.records import Count, about, computed
from cutlist.core.wording import counted
from cutlist.planning.model.spelling import ExactPrice


@dataclass(frozen=True, slots=True)
class PlannedGang:
    """A gang, which runs with `needed` of its pods at once or not at all.

    It has that many `pods`, of which some are `running`, and others `fit`: on existing nodes, new ones or node groups. A
    scheduler that `binds_together` binds none below the minimum; another admits them as a whole, and each that fits is bound.
    Pods that are `held_back` are not in the scheduler's queue, and Karpenter launches nothing for them. `nodes` are the new
    nodes that only pods of gangs below their minimum are planned on.
    """

    gang: Annotated[str, about("Its PodGroup, or the object whose pods it is.")]
    scheduler: Annotated[str, about("What binds or admits its pods together.")]
    workloads: tuple[str, ...]
    needed: Count
    pods: Count
    running: Count
    fit: Count
    binds_together: bool
    held_back: bool
    nodes: Annotated[Count, about("New nodes that stay empty, or wait with a part of the gang; 0 for a complete gang.")]
    price_per_hour: Annotated[ExactPrice, about("USD for these nodes, with their disks; null where no price is known.")]

    @property
    @computed(after="held_back")
    def complete(self) -> bool:
        """Tell whether enough of its pods have a place."""
        return self.running + self.fit >= self.needed

    @property
    def is_short(self) -> bool:
        """Tell whether it can never be complete: it has fewer pods than it needs."""
        return self.pods < self.needed

    @property
    def in_words(self) -> str:
        """Return what happens to it: `6 of 6 needed, 2 fit: 1 node stays empty`."""
        if self.held_back:
            return f"{self._count}: never complete; {self.scheduler} holds them back, and Karpenter launches nothing for them"
        if self.complete:
            return self._count
        if not self.binds_together:
            waits = f", while {counted(self.nodes, 'node')} {'is' if self.nodes == 1 else 'are'} paid" if self.nodes else ""
            return f"{self._count}: those wait for the others{waits}" if self.running + self.fit else f"{self._count}: all wait"
        never = "never complete, and " if self.is_short else ""
        if not self.nodes:
            return f"{self._count}: {never}none is bound"
        return f"{self._count}: {never}{counted(self.nodes, 'node')} {'stays' if self.nodes == 1 else 'stay'} empty"

    @property
    def _count(self) -> str:
        """Return how many pods it needs and how many there are, run and fit."""
        if self.is_short:
            there = f"{self.pods:,} in the input"
            return f"{self.needed:,} needed, {there}" + ("" if self.held_back else f", {self._places}")
        together = "needed" if self.binds_together else "admitted together"
        return f"{self.needed:,} of {self.pods:,} {together}, {self._places}"

    @property
    def _places(self) -> str:
        run = f"{self.running:,} {'runs' if self.running == 1 else 'run'} and " if self.running else ""
        return f"{run}{self.fit:,} {'fits' if self.fit == 1 else 'fit'}"
