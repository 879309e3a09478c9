"""Node groups beside Karpenter in a plan: their nodes, what these cost, and the pods that only they can take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from cutlist.catalog.prices import a_month, usd
from cutlist.core.money import money_sum
from cutlist.core.records import Count, Key, about, computed
from cutlist.core.wording import counted
from cutlist.planning.model.nodes import PodShare
from cutlist.planning.model.prices import NodePrice
from cutlist.planning.model.spelling import ExactPrice


@dataclass(frozen=True, slots=True)
class FilledGroup:
    """A node group that Karpenter does not manage, with the pods that no NodePool can take and that fit its nodes.

    `count` nodes are those that it has besides existing ones: the desired number, or what its pods need where Cluster
    Autoscaler manages it, at most `maximum`. `price` is of one node, without disks; the plan's totals do not have it.
    """

    name: str
    kind: Annotated[str, about("Who makes it: eks, eksctl, self-managed or aks.")]
    count: Count
    maximum: Annotated[Count, about("The most nodes that it may have, besides existing ones.")]
    instance_type: Annotated[str, about("Empty if it is not known.")]
    capacity_type: str
    price: NodePrice
    pods: Annotated[tuple[PodShare, ...], about("Pods on all of its nodes.")]
    source: Annotated[str, about("Where it is declared.")]

    @property
    @computed(after="price.provenance")
    def whole_price(
        self,
    ) -> Annotated[ExactPrice, Key("groupPricePerHour"), about("USD for all of its nodes; null if unknown.")]:
        """Return USD an hour for all of its nodes, or None if the price is unknown."""
        return usd(self.price, self.count)

    @property
    def placed(self) -> int:
        """Return how many pods it takes."""
        return sum(share.count for share in self.pods)

    @property
    def nodes_in_words(self) -> str:
        """Return its nodes in words: `2 nodes of m5.large`."""
        nodes = counted(self.count, "node")
        return f"{nodes} of {self.instance_type}" if self.instance_type else f"{nodes} of unknown type"


def monthly_price(groups: Iterable[FilledGroup]) -> float | None:
    """Return USD for all nodes of some groups in a month of 730 hours, or None if a price is unknown."""
    prices = [group.whole_price for group in groups if group.count]
    known = [price for price in prices if price is not None]
    return a_month(money_sum(known)) if len(known) == len(prices) else None
