"""Evidence besides the plan and the cluster: the log, the declared objects, today's prices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cutlist.logs import EndedClaim, FailedLaunch, LaunchedNode, UnavailableOffering
from cutlist.logs.endings import DELETED
from cutlist.verification.matching import Slot

PriceNow = Callable[[str, str, str], float | None]
"""Returns today's price of an instance type by capacity type and zone, in USD per hour, or None if it is unknown."""


@dataclass(frozen=True, slots=True)
class LogEvidence:
    """What the log and the events report, in order of time; `version` is that of the running Karpenter, empty if not named."""

    launched: tuple[LaunchedNode, ...] = ()
    failed: tuple[FailedLaunch, ...] = ()
    unavailable: tuple[UnavailableOffering, ...] = ()
    ended: tuple[EndedClaim, ...] = ()
    version: str = ""


@dataclass(frozen=True, slots=True)
class UndeclaredEdit:
    """A field of a NodePool, node class or NodeOverlay that is not as declared; the whole object if `path` is empty.

    `node_pools` are those whose nodes it concerns, `instance_types` the types, empty for any.
    """

    kind: str
    name: str
    path: str
    what: str
    node_pools: frozenset[str]
    instance_types: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Declared:
    """What is known of the plan's inputs beyond the plan itself.

    `daemons` are the DaemonSets, None where they are unknown. `existing` are the nodes that were there before, by name, with
    the pods that ran on them by workload. `gates` are sentences on feature gates that the cluster has otherwise than the plan
    assumed.
    """

    daemons: frozenset[str] | None = None
    existing: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    edits: tuple[UndeclaredEdit, ...] = ()
    gates: tuple[str, ...] = ()

    @property
    def has_manifests(self) -> bool:
        """Tell whether the plan's inputs are known, too."""
        return self.daemons is not None


def no_prices(_instance_type: str, _capacity_type: str, _zone: str) -> float | None:
    """Return None: without a catalogue, today's prices are unknown."""
    return None


def lost_nodes(missing: Iterable[Slot], ended: Sequence[EndedClaim]) -> dict[int, EndedClaim]:
    """Return the removed node that each missing one may have been, by the number of the planned node. It has the planned
    NodePool and a planned type. Each removed node stands for one missing node only. Those without a replacement come first,
    since a replacement is matched with the planned node by its pods; those without a known reason come last.
    """
    left = sorted(ended, key=lambda claim: (claim.reason in DELETED, claim.is_replaced, claim.at))
    lost: dict[int, EndedClaim] = {}
    for slot in missing:
        types = {candidate.instance_type for candidate in slot.node.candidates} | {slot.node.instance_type, ""}
        pools = ("", slot.node.node_pool)
        claim = next((claim for claim in left if claim.node_pool in pools and claim.instance_type in types), None)
        if claim is not None:
            left.remove(claim)
            lost[slot.number] = claim
    return lost
