"""GPUs that a device plugin shares, which Karpenter does not know unless a NodeOverlay says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from cutlist.core.notes import Note
from cutlist.core.quantity import amount_text
from cutlist.core.wording import counted, listed
from cutlist.planning.shared_gpus import GpuSharing, SharedGpus, gpus_of
from cutlist.planning.traps.setup import PoolSetup, Setup
from cutlist.providers.instance_types import NVIDIA_GPU, InstanceType

SHARED: Final = "shared-gpus"
"""The code of the note on GPUs of which Karpenter counts another number than nodes offer."""


def shared_gpus(setup: Setup) -> Iterator[Note]:
    """Yield a note for each NodePool whose pods ask for GPUs that a device plugin shares, where Karpenter counts others."""
    sharing = GpuSharing(setup.documents)
    for pool in setup.pools:
        shared = sharing.of(pool.pool)
        if shared is not None and _are_asked_for(shared, pool, setup):
            wrong = [t for t in pool.types if gpus_of(t) and _differs(t, shared)]
            if wrong:
                yield Note(SHARED, _text(pool, min(wrong, key=lambda t: (gpus_of(t), t.name)), shared))


def _are_asked_for(shared: SharedGpus, pool: PoolSetup, setup: Setup) -> bool:
    resources = {NVIDIA_GPU, *dict(shared.of_each)}
    return any(resources & group.pod.requests.keys() and pool.takes(group.pod) for group in setup.groups)


def _differs(instance_type: InstanceType, shared: SharedGpus) -> bool:
    """Tell whether Karpenter counts less or more of a shared resource than nodes offer. That it still counts whole GPUs where
    all are renamed harms only pods that ask for those."""
    offered = shared.offered(gpus_of(instance_type))
    return any(instance_type.capacity.get(r, 0) != amount for r, amount in offered.items() if amount)


def _text(pool: PoolSetup, instance_type: InstanceType, shared: SharedGpus) -> str:
    gpus = gpus_of(instance_type)
    offered = {r: amount for r, amount in shared.offered(gpus).items() if amount}
    known = {r: instance_type.capacity.get(r, 0) for r in offered}
    each = listed(f"{amount} {resource}" for resource, amount in shared.of_each)
    return (
        f"NodePool {pool.name}: {shared.source} makes {each} of each GPU ({shared.method}), so a {instance_type.name} offers "
        f"{_amounts(offered)}; Karpenter counts {_amounts(known)} and launches nodes accordingly. A NodeOverlay with the "
        f"capacity {_amounts(offered)} for nodes with {counted(gpus, 'GPU')} corrects that"
    )


def _amounts(amounts: Mapping[str, int]) -> str:
    return listed(f"{resource}: {amount_text(resource, amount)}" for resource, amount in amounts.items())
