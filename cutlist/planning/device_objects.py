"""The objects of dynamic resource allocation in an input, as far as they can be read, and whether Karpenter plans claims."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.core.errors import Place, Problems
from cutlist.core.karpenter.baselines import BASELINES, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import LabelRegistry
from cutlist.devices.inventory import GROUP, KINDS, NO_INVENTORY, DeviceInventory
from cutlist.documents.document import Document
from cutlist.settings.planning import DRA
from cutlist.workloads.kinds import kind_of


def device_inventory(documents: Sequence[Document], registry: LabelRegistry, problems: Problems) -> DeviceInventory:
    """Return the classes, claims, templates and slices among objects; what cannot be read is left out and added to
    `problems`."""
    own = [document for document in documents if kind_of(document.data) in {(GROUP, kind) for kind in KINDS}]
    if not own:
        return NO_INVENTORY
    from cutlist.workloads.validation.kinds import readable  # few inputs have such objects

    return DeviceInventory.of(filter(None, (readable(document, problems) for document in own)), registry)


def require_claims_are_planned(karpenter: Baseline, problems: Problems) -> None:
    """Add a problem if a Karpenter is to plan pods with claims and cannot."""
    if not karpenter.does(Behaviour.DEVICES_ARE_ALLOCATED):
        first = next(baseline for baseline in BASELINES if baseline.does(Behaviour.DEVICES_ARE_ALLOCATED))
        problems.add(
            Place.of(DRA), f"Karpenter {karpenter.minor} plans no pods with ResourceClaims", f"{first.minor} or a later version"
        )
