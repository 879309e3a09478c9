"""What an export consists of, for the query that sums it: the columns that tell rows apart, and those that are summed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.catalog.bills.charges import Charge, Group

NEGATIVE: Final = "negative"
"""The member of a group that says that the cost of each of its rows is negative."""
NODE_POOL_TAGS: Final = (
    "karpenter.sh/nodepool",
    "user:karpenter.sh/nodepool",
    "karpenter.sh_nodepool",
    "user_karpenter_sh_nodepool",
    "karpenter_sh_nodepool",
    "user_karpenter.sh/nodepool",
)
"""How exports write the tag with a node's NodePool: clouds replace characters that a tag or a column may not have."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of exports. Columns are found whatever their case.

    `needed` are the columns that tell it from other tables. `texts` tell rows apart; `details` among them hold objects.
    `numbers` are summed. `cost` is the one that decides whether a row is negative, `start` and `end`
    say when its hours began and ended, `currency` in which money it is. `resource` has the id of a machine, `tags` its tags.
    `identity` are columns that no two rows have alike.
    """

    name: str
    needed: tuple[str, ...]
    texts: tuple[str, ...]
    details: tuple[str, ...]
    numbers: tuple[str, ...]
    cost: str
    start: str
    end: str
    currency: str
    resource: str
    tags: str
    identity: tuple[str, ...]
    charge_of: Callable[[Group], Charge]

    def lacks(self, columns: Iterable[str]) -> tuple[str, ...]:
        """Return the needed columns that a table does not have."""
        known = {column.lower() for column in columns}
        return tuple(name for name in self.needed if name.lower() not in known)

    def spelled(self, columns: Iterable[str]) -> Mapping[str, str]:
        """Return the columns of a table that the form knows, by the form's name."""
        known = {column.lower(): column for column in columns}
        own = (*self.texts, *self.numbers, self.start, self.end, self.currency, self.resource, self.tags, *self.identity)
        return {name: known[name.lower()] for name in own if name.lower() in known}
