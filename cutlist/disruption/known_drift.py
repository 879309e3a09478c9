"""Reasons of drift, kept as long as nothing that they depend on has changed (spec: disruption 7.1 to 7.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import HOSTNAME, LabelRegistry
from cutlist.disruption.drift_reason import YOUNG, drift_reason
from cutlist.providers.instance_types import InstanceType
from cutlist.state.statenode import NodeClaimState


@dataclass(frozen=True, slots=True)
class _KnownReason:
    """The reason of a claim with these labels and annotations, old or young, without what the cloud itself says."""

    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    is_old: bool
    reason: str

    def is_of(self, claim: NodeClaimState) -> bool:
        """Tell whether a claim has these very labels and annotations."""
        return self.labels is claim.labels and self.annotations is claim.annotations


_Content = tuple[str, bool, frozenset[tuple[str, str]], frozenset[tuple[str, str]]]
"""What a reason follows from: the NodePool, whether the claim is old, its labels and annotations."""


class KnownDrift:
    """The reasons of drift of claims by name. They hold for one set of NodePools and types.

    Pods come and go, which changes a claim but not its labels and annotations: these stay the same objects. Claims of the same
    type and zone have equal ones, but for the hostname, and share their reason.
    """

    __slots__ = ("_of_content", "_reasons")

    def __init__(self) -> None:
        self._reasons: dict[str, _KnownReason] = {}
        self._of_content: dict[_Content, str] = {}

    def reason(
        self,
        claim: NodeClaimState,
        pool: NodePool,
        types: Sequence[InstanceType],
        now: float,
        *,
        registry: LabelRegistry,
        provider_reason: str = "",
    ) -> str:
        """Return what `drift_reason` does."""
        is_old = now - claim.created > YOUNG
        known = self._reasons.get(claim.name)
        if known is None or not known.is_of(claim) or known.is_old is not is_old:
            content = _content_of(claim, pool, is_old=is_old)
            if content not in self._of_content:
                self._of_content[content] = drift_reason(claim, pool, types, now, registry=registry)
            reason = self._of_content[content]
            known = self._reasons[claim.name] = _KnownReason(claim.labels, claim.annotations, is_old, reason)
        return known.reason or provider_reason

    def forget(self, name: str) -> None:
        """Forget a claim that no longer exists."""
        self._reasons.pop(name, None)


def _content_of(claim: NodeClaimState, pool: NodePool, *, is_old: bool) -> _Content:
    """Return what the reason of a claim depends on, without its hostname, which no NodePool may require."""
    labels = frozenset(claim.labels.items()) - {(HOSTNAME, claim.labels.get(HOSTNAME, ""))}
    return pool.name, is_old, labels, frozenset(claim.annotations.items())
