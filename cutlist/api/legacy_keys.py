"""Label keys of the past that users still write, and today's (spec: api-objects 1.8)."""

from __future__ import annotations

from typing import Final

from cutlist.core.labels import CAPACITY_TYPE, NODEPOOL

LEGACY_KEYS: Final = {
    "karpenter.sh/provisioner-name": NODEPOOL,
    "node.kubernetes.io/capacity-type": CAPACITY_TYPE,
    "eks.amazonaws.com/capacityType": CAPACITY_TYPE,
}
