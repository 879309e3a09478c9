"""The sample project, `examples/shop`: what pages run their commands on, and many tests too."""

from __future__ import annotations

from pathlib import Path
from typing import Final

SHOP: Final = Path(__file__).resolve().parents[1] / "examples" / "shop"
POOLS: Final = SHOP / "pools.yaml"
WORKLOADS: Final = SHOP / "workloads.yaml"
SNAPSHOT: Final = SHOP / "snapshot.yaml"

MANIFESTS: Final = ("-f", str(POOLS), "-f", str(WORKLOADS))
"""The options that name its NodePools and workloads."""
