"""How much kube-scheduler keeps from look to look: something for each pair of a pod template and a node, up to a limit."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, TypeVar

MOST_PAIRS: Final = 1_000_000
"""For how many pairs something is kept, in about 200 bytes each."""
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def kept(known: dict[K, V], template: K, nodes: int) -> V | None:
    """Return what is known for a template, which is the latest from now on, or None for one that is new.

    For a new one, those are dropped that were asked for longest ago, as far as there would be too many pairs with this many
    nodes. Nothing is lost but time: what is dropped is computed again when it is asked for.
    """
    value = known.pop(template, None)
    if value is not None:
        known[template] = value
        return value
    while known and (len(known) + 1) * nodes > MOST_PAIRS:
        del known[next(iter(known))]
    return None
