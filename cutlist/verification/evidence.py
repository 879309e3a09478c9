"""What speaks about a plan and a cluster besides both: the log, the declared objects, the prices of today."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from cutlist.core.values import dataclass
from cutlist.logs import EndedClaim, FailedLaunch, UnavailableOffering
from cutlist.logs.endings import DELETED
from cutlist.verification.matching import Slot

PriceNow = Callable[[str, str, str], float | None]
"""Returns today's price of an instance type by capacity type and zone, in USD per hour, or None if it is unknown."""


@dataclass(frozen=True, slots=True)
class LogEvidence:
    """What the log and the events say, in order of time; `version` is that of the running Karpenter, empty if not named."""

    failed: tuple[FailedLaunch, ...] = ()
    unavailable: tuple[UnavailableOffering, ...] = ()
    ended: tuple[EndedClaim, ...] = ()
    version: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A field of a NodePool, node class or NodeOverlay that is not as declared, of a whole object where `path` is empty.

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
    the pods that ran on them by workload. `gates` are sentences on feature gates that are not in the cluster as the plan took
    them.
    """

    daemons: frozenset[str] | None = None
    existing: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    edits: tuple[Edit, ...] = ()
    gates: tuple[str, ...] = ()

    @property
    def has_manifests(self) -> bool:
        """Tell whether the inputs of the plan are known beside the plan."""
        return self.daemons is not None


def no_prices(_instance_type: str, _capacity_type: str, _zone: str) -> float | None:
    """Return None: without a catalogue no price of today is known."""
    return None


def lost_nodes(missing: Iterable[Slot], ended: Sequence[EndedClaim]) -> dict[int, EndedClaim]:
    """Return the ended node that each missing one may have been, by the number of the planned node.

    It is of the NodePool and of a type that was planned. Each ended node is one missing node only; those that nothing replaced
    come first, since a replacement is matched with the planned node by its pods; those that no line gives a reason for, last.
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
