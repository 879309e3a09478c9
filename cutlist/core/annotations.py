"""Annotations that Karpenter writes, and those that it heeds (spec: api-objects 2.2; hashes are with what they are of)."""

from __future__ import annotations

from typing import Final

DO_NOT_DISRUPT: Final = "karpenter.sh/do-not-disrupt"
MIN_VALUES_RELAXED: Final = "karpenter.sh/nodeclaim-min-values-relaxed"
PRICE_OVERLAID: Final = "karpenter.sh/price-overlay-applied"
TERMINATION_TIMESTAMP: Final = "karpenter.sh/nodeclaim-termination-timestamp"
