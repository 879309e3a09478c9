"""A v1beta1 NodeClaim in v1 (spec: api-objects 7.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cutlist.api.convert.changes import Change, version_change
from cutlist.api.convert.edits import Set
from cutlist.api.convert.node_class_ref import reference_changes
from cutlist.api.durations import NEVER
from cutlist.core.labels import NODEPOOL


def claim_changes(claim: Mapping[str, Any], node_class: tuple[str, str, str], expiries: Mapping[str, str]) -> Iterator[Change]:
    """What becomes of a valid claim, written or stored, but for its kubelet; `expiries` has the expireAfter of each v1 pool."""
    yield version_change("NodeClaim")
    yield from reference_changes(claim["spec"], ("spec",), node_class)
    pool = (claim["metadata"].get("labels") or {}).get(NODEPOOL, "")
    expiry = expiries.get(pool, NEVER)
    edit = Set(("spec", "expireAfter"), expiry)
    if pool in expiries:
        text = f"a claim has an expiry of its own now: {expiry}, that of its NodePool {pool}"
        yield Change("carried over", text, "", "spec.expireAfter", edits=(edit,))
    else:
        why = f"its NodePool {pool} is not among the objects" if pool else "it names no NodePool"
        text, advice = f"a claim has an expiry of its own now, and {why}: Never", "add the NodePool to the input, or set it"
        yield Change("needs a decision", text, "", "spec.expireAfter", advice, edits=(edit,))
