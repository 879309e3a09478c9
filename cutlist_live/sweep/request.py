"""What is to be swept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown.leftovers import Kind
from cutlist.infrastructure.teardown.steps import CEILING


class Scope(StrEnum):
    """How much is swept: all that Karpenter leaves, or the idle interfaces alone, once more after the cluster."""

    ALL = "all"
    INTERFACES = "interfaces"


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """What to sweep. `vpc` narrows the search for interfaces to one network.

    `ceiling` is the number of instances above which nothing is removed. `is_forced` sweeps a cluster whose API does not answer
    as if it were gone. `volumes` are the kinds of volumes to delete as well; without it they are only reported. `prices` are
    USD an hour by instance type.
    """

    facts: ClusterFacts
    vpc: str | None = None
    scope: Scope = Scope.ALL
    ceiling: int = CEILING
    is_forced: bool = False
    volumes: frozenset[Kind] = frozenset()
    prices: Mapping[str, float] = field(default_factory=dict)
