"""A large node with a small pod: what is left for consolidation once the large pod leaves."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Scale
from tests.live.scenarios.builders import deployment

BIG: Final = deployment("big", 1, "14", "20Gi")
SMALL: Final = deployment("small", 1, "500m", "512Mi")
BIG_LEAVES: Final = (Scale("Deployment", "big", 0),)
