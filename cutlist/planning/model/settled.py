"""What a plan's nodes cost once Karpenter has consolidated them, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.records import Count, Instant, Key, Usd, about

STABLE: Final = "stable"
"""The end of a cluster to which Karpenter does nothing more."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The nodes of a plan once Karpenter has consolidated them, with the nodes of Karpenter that exist.

    Prices are USD per hour with disks, of nodes whose price is known. `price_before` is the price when the pods have just
    arrived. `seconds` is the time from then to the last command; a new node is assumed to need a minute. `end` says why nothing
    follows: all is stable, the same state comes back, a week is over, or it has been many steps.
    """

    price_before: Annotated[Usd, Key("pricePerHourBefore"), about("USD when the pods have just arrived.")]
    price: Annotated[Usd, Key("pricePerHour"), about("USD once Karpenter does nothing more.")]
    nodes_before: Count
    nodes: Count
    existing: Annotated[Count, Key("existingNodes"), about("How many of the nodes before are not new.")]
    commands: Annotated[Count, about("How many commands Karpenter carries out.")]
    moves: Annotated[Count, about("How often a pod has to move, all pods together.")]
    seconds: Annotated[float, about("From the arrival of the pods to the end of the last command.")]
    end: Literal["stable", "churn", "horizon", "steps"]
    estimated: Annotated[bool, Key("priceEstimated"), about("Whether the price has an estimate in it.")] = False
    arrival: Annotated[
        Instant | None, Key("podsArrive"), about("When the pods arrive; null unless budgets of NodePools have schedules.")
    ] = None

    @property
    def changes(self) -> bool:
        """Tell whether Karpenter does anything."""
        return self.commands > 0
