"""What a plan has to say of GPUs that a device plugin shares and Karpenter miscounts: what would correct that, and its plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cutlist.core.records import about
from cutlist.planning.model.scaling import ScaledPlan
from cutlist.planning.model.spelling import Amounts


@dataclass(frozen=True, slots=True)
class MissingOverlay:
    """A NodeOverlay that tells Karpenter what some nodes of a NodePool offer of shared GPUs. `source` says that they are."""

    name: str
    node_pool: str
    source: str
    capacity: Amounts


@dataclass(frozen=True, slots=True)
class MiscountedGpus:
    """The NodeOverlays that are missing, and the plan with them in its totals."""

    overlays: tuple[MissingOverlay, ...]
    with_them: Annotated[ScaledPlan, about("The plan with these NodeOverlays.")]
