"""Every trap in a change."""

from __future__ import annotations

from cutlist.verbs.diff.traps.idle_accelerators import idle_accelerators
from cutlist.verbs.diff.traps.limits_at_maximum import limits_at_maximum
from cutlist.verbs.diff.traps.removed_pools import removed_pools
from cutlist.verbs.diff.traps.spot_flexibility import few_spot_types
from cutlist.verbs.diff.traps.trap import Change, Trap


def traps_of(change: Change) -> tuple[Trap, ...]:
    """Return the traps in a change, each once for each NodePool."""
    return (*removed_pools(change), *idle_accelerators(change), *few_spot_types(change), *limits_at_maximum(change))
