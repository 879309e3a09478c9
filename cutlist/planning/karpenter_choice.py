"""The chosen Karpenter in a plan: the feature gates of its AWS provider, and what the choice means for what is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from cutlist.api import NodeClaim
from cutlist.catalog import AnyRegion, is_azure
from cutlist.core.errors import Place, Problems
from cutlist.core.karpenter.baselines import BASELINES, Baseline, chosen_gates
from cutlist.core.notes import Note
from cutlist.documents import Document
from cutlist.providers.aws import node_class_hash

DEVICES: Final = "devices"
"""The code of the note that devices of dynamic resource allocation are not planned."""
OTHER_HASHES: Final = "other-hashes"
"""The code of the note that another Karpenter than the chosen one wrote the hashes of NodeClaims."""
_DEVICE_GATES: Final = frozenset({"DRANVIDIAGPU", "DRAEFA"})


def aws_gates(names: Collection[str], karpenter: Baseline, sold: AnyRegion | None, problems: Problems) -> frozenset[str]:
    """Return the feature gates that are on; those of the AWS provider mean nothing elsewhere, which is noted as a mistake."""
    place = Place(path="feature_gates")
    if names and sold is not None and is_azure(sold):
        problems.add(place, f"{', '.join(names)} of Karpenter's AWS provider, in a location of Azure", "a region of AWS")
    return chosen_gates(names, karpenter, place, problems)


def notes_on_choice(karpenter: Baseline, gates: frozenset[str], documents: Iterable[Document]) -> Iterator[Note]:
    """Yield what the chosen Karpenter and its gates mean for what is read."""
    yield from _notes_on_gates(gates)
    yield from _notes_on_hashes(documents, karpenter)


def _notes_on_gates(gates: frozenset[str]) -> Iterator[Note]:
    """Yield that devices are not planned, where a gate lets Karpenter launch nodes for them (VA15-90)."""
    if devices := sorted(gates & _DEVICE_GATES):
        text = f"{', '.join(devices)}: pods with resource claims are placed by Karpenter, and are without a node in this plan"
        yield Note(DEVICES, text)


def _notes_on_hashes(documents: Iterable[Document], karpenter: Baseline) -> Iterator[Note]:
    """Yield that another Karpenter wrote the hashes of NodeClaims, so that no edit of a class drifts them here (VA15-24)."""
    claims = [d.data["metadata"] for d in documents if d.kind == NodeClaim.KIND]
    stamps = Counter((metadata.get("annotations") or {}).get(node_class_hash.HASH_VERSION) for metadata in claims)
    writers = {b.ec2_node_class_hash: b.minor for b in reversed(BASELINES)}
    for version, minor in writers.items():
        if version != karpenter.ec2_node_class_hash and (count := stamps[version]):
            subject = "1 NodeClaim carries a hash" if count == 1 else f"{count} NodeClaims carry hashes"
            text = f"{subject} of version {version}, as Karpenter {minor} writes, "
            text += f"and the rules here are those of {karpenter.minor}, "
            text += f"by which no edit of a class replaces their nodes: choose {minor} where it runs"
            yield Note(OTHER_HASHES, text)
