"""Annotations that Karpenter writes, and those that it obeys (spec: api-objects 2.2; hashes live with the objects they
hash)."""

from __future__ import annotations

from typing import Final

DO_NOT_DISRUPT: Final = "karpenter.sh/do-not-disrupt"
MIN_VALUES_RELAXED: Final = "karpenter.sh/nodeclaim-min-values-relaxed"
PRICE_OVERLAID: Final = "karpenter.sh/price-overlay-applied"
TERMINATION_TIMESTAMP: Final = "karpenter.sh/nodeclaim-termination-timestamp"
REQUESTED_DRIVERS: Final = "karpenter.sh/requested-dra-drivers"
"""On a NodeClaim: the drivers of the devices for which it was made, with commas between."""
