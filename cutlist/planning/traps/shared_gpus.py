"""GPUs that a device plugin shares, which Karpenter does not know unless a NodeOverlay says so, and configurations with which
the plugin does not start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from cutlist.core.identity import OncePerObject
from cutlist.core.notes import Note
from cutlist.core.quantity import NANO, amount_text
from cutlist.core.wording import counted, listed
from cutlist.planning.gpu_sharing.machines import gpus_of
from cutlist.planning.gpu_sharing.overlays import is_miscounted
from cutlist.planning.gpu_sharing.sharing import CONFIG_LABEL, GpuSharing, SharedGpus, gpu_sharing
from cutlist.planning.traps.setup import PoolSetup, Setup
from cutlist.providers.instance_types import NVIDIA_GPU, InstanceType
from cutlist.settings.plan import WRITE

SHARED: Final = "shared-gpus"
"""The code of the note on GPUs of which Karpenter counts another number than nodes offer."""
BROKEN: Final = "gpu-sharing-broken"
"""The code of notes on configurations that make nodes offer no GPUs at all, or not as they say."""
_NAMED: Final = 2


def shared_gpus(setup: Setup) -> Iterator[Note]:
    """Yield a note for each NodePool whose pods ask for GPUs that a device plugin shares, where Karpenter counts others, and
    notes on configurations that do not do what they say."""
    sharing = gpu_sharing(setup.documents)
    for of, mistake in sharing.mistakes:
        manager = "MIG manager" if of.is_mig else "device plugin"
        yield Note(
            BROKEN, f"{of.source}, text {of.key}: {mistake}; the {manager} does not start with it, so it counts for nothing"
        )
    with_gpus = OncePerObject(lambda types: [t for t in types if gpus_of(t)])  # most NodePools share their types
    for pool in setup.pools:
        is_shared = sharing.missing(pool.pool) or sharing.of(pool.pool) is not None
        if is_shared and (machines := with_gpus(pool.types)):
            yield from _of_pool(sharing, pool, machines, setup)


def _of_pool(sharing: GpuSharing, pool: PoolSetup, machines: list[InstanceType], setup: Setup) -> Iterator[Note]:
    if name := sharing.missing(pool.pool):
        text = f"NodePool {pool.name}: no text of the device plugin's configuration is called {name} ({CONFIG_LABEL})"
        yield Note(BROKEN, f"{text}, so the plugin does not start on its nodes, which offer no GPUs")
    shared = sharing.of(pool.pool)
    if shared is None:
        return
    yield from _failures(shared, pool, machines)
    if shared.plugin is not None and shared.plugin.ignored:
        members = listed(shared.plugin.ignored)
        yield Note(
            BROKEN, f"{shared.plugin.source}, text {shared.plugin.key}: the device plugin ignores {members} of resources"
        )
    if _are_asked_for(shared, pool, machines, setup):
        wrong = [t for t in machines if is_miscounted(t, shared)]
        if wrong:
            yield Note(SHARED, _text(pool, min(wrong, key=lambda t: (gpus_of(t), t.name)), shared))
        yield from _too_many(shared, pool, machines, setup)


def _failures(shared: SharedGpus, pool: PoolSetup, machines: list[InstanceType]) -> Iterator[Note]:
    """Yield a note for each reason for which sharing fails on machines of a NodePool."""
    failed: dict[str, list[str]] = {}
    for machine in machines:
        if why := shared.failure(machine):
            failed.setdefault(why, []).append(machine.name)
    for why, names in failed.items():
        more = f" and {len(names) - _NAMED:,} more types" if len(names) > _NAMED else ""
        of = f"{', '.join(sorted(names)[:_NAMED])}{more}"
        yield Note(BROKEN, f"NodePool {pool.name}: {shared.source} cannot be applied to {of}: {why}")


def _resources(shared: SharedGpus, machines: list[InstanceType]) -> frozenset[str]:
    return frozenset({NVIDIA_GPU, *(resource for machine in machines for resource in shared.offered(machine))})


def _are_asked_for(shared: SharedGpus, pool: PoolSetup, machines: list[InstanceType], setup: Setup) -> bool:
    resources = _resources(shared, machines)
    return any(resources & group.pod.requests.keys() and pool.takes(group.pod) for group in setup.groups)


def _too_many(shared: SharedGpus, pool: PoolSetup, machines: list[InstanceType], setup: Setup) -> Iterator[Note]:
    """Yield a note for pods that ask for more than one of a shared resource where the device plugin refuses that (GS-5)."""
    if shared.plugin is None or not shared.plugin.method or not shared.plugin.refuses_several:
        return
    own = {name for machine in machines for name, amount in shared.offered(machine).items() if amount}
    for group in setup.groups:
        asked = [name for name in own if group.pod.requests.get(name, 0) > NANO]
        if asked and pool.takes(group.pod):
            text = f"{group.workload} requests {_amounts({name: group.pod.requests[name] for name in sorted(asked)})}"
            refused = f"the device plugin gives a container only one of a resource shared by {shared.plugin.method}"
            yield Note(BROKEN, f"{text}, and {refused} ({shared.plugin.source}): its pods fail with UnexpectedAdmissionError")


def _text(pool: PoolSetup, instance_type: InstanceType, shared: SharedGpus) -> str:
    gpus = gpus_of(instance_type)
    offered = {r: amount for r, amount in shared.offered(instance_type).items() if amount}
    known = {r: instance_type.capacity.get(r, 0) for r in offered}
    each = listed(f"{amount} {resource}" for resource, amount in shared.of_each(instance_type))
    makes = f"makes {each} of each GPU" if each else "shares its GPUs"
    corrected = f"A NodeOverlay with the capacity {_amounts(offered)} for nodes with {counted(gpus, 'GPU')} corrects that"
    return (
        f"NodePool {pool.name}: {shared.source} {makes} ({shared.method}), so a {instance_type.name} offers "
        f"{_amounts(offered)}; Karpenter counts {_amounts(known)} and launches nodes accordingly. {corrected}; "
        f"`cutlist plan {WRITE.flag} FILE` writes it"
    )


def _amounts(amounts: Mapping[str, int]) -> str:
    return listed(f"{resource}: {amount_text(resource, amount)}" for resource, amount in amounts.items())
