"""The NodeOverlays that tell Karpenter what nodes offer of shared GPUs (spec: gpu-sharing 4; GS-14, GS-17)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import INSTANCE_TYPE, NODEPOOL
from cutlist.core.quantity import amount_text
from cutlist.core.requirement import Expression, Operator
from cutlist.planning.gpu_sharing.machines import COUNTS, MEMORIES, NAMES, gpus_of, label_of
from cutlist.planning.gpu_sharing.sharing import GpuSharing, SharedGpus
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.nodeoverlays import NodeOverlay

_HIGHEST: Final = 10_000
_LONGEST: Final = 253  # characters of a name


@dataclass(frozen=True, slots=True)
class NeededOverlay:
    """A NodeOverlay that Karpenter needs, as scheduling sees it and as an object. `source` says what it follows from."""

    overlay: NodeOverlay
    source: str

    @property
    def manifest(self) -> Mapping[str, Any]:
        """Return the object."""
        of = self.overlay
        requirements = [{"key": e.key, "operator": str(e.operator), "values": list(e.values)} for e in of.requirements]
        capacity = {resource: amount_text(resource, amount) for resource, amount in sorted(of.capacity.items())}
        spec = {"requirements": requirements, "capacity": capacity, **({"weight": of.weight} if of.weight else {})}
        return {"apiVersion": "karpenter.sh/v1alpha1", "kind": "NodeOverlay", "metadata": {"name": of.name}, "spec": spec}


def is_miscounted(instance_type: InstanceType, shared: SharedGpus) -> bool:
    """Tell whether Karpenter counts less or more of a shared resource than nodes offer. That it still counts whole GPUs where
    all are renamed harms only pods that ask for those."""
    offered = shared.offered(instance_type)
    return any(instance_type.capacity.get(r, 0) != amount for r, amount in offered.items() if amount)


def needed_overlays(
    sharing: GpuSharing,
    pools: Iterable[NodePool],
    types: Mapping[str, Sequence[InstanceType]],
    existing: Sequence[NodeOverlay] = (),
) -> tuple[NeededOverlay, ...]:
    """Return the NodeOverlays for NodePools whose GPUs are shared, one for each number of GPUs, or for each model where these
    differ. `types` are those of each pool with the `existing` overlays applied, before which the new ones count."""
    needed: list[NeededOverlay] = []
    for pool in sorted(pools, key=lambda pool: pool.name):
        shared = sharing.of(pool)
        machines = [t for t in types.get(pool.name, ()) if gpus_of(t)]
        if shared is not None and any(is_miscounted(t, shared) for t in machines):
            needed += _of_pool(pool.name, shared, machines, existing)
    return tuple(needed)


def _of_pool(
    pool: str, shared: SharedGpus, machines: Iterable[InstanceType], existing: Sequence[NodeOverlay]
) -> Iterator[NeededOverlay]:
    alike: dict[tuple[Expression, ...], Mapping[str, int]] = {}
    listed = [(t, shared.offered(t)) for t in machines]
    by_count: dict[int, set[tuple[tuple[str, int], ...]]] = {}
    for machine, offered in listed:
        by_count.setdefault(gpus_of(machine), set()).add(tuple(sorted(offered.items())))
    for machine, offered in ((t, of) for t, of in listed if of):
        others = [t for t, of in listed if of == offered and gpus_of(t) == gpus_of(machine)]
        is_by_model = len(by_count[gpus_of(machine)]) > 1
        alike[(*_of_gpus(machine, others if is_by_model else ()),)] = offered
    for expressions, offered in sorted(alike.items(), key=_order):
        words = [expression.values[0].lower().replace("_", "-") for expression in expressions]
        name = "-".join(["gpus-of", pool, *words])[:_LONGEST]
        only = (Expression(NODEPOOL, Operator.IN, (pool,)), *expressions)
        yield NeededOverlay(NodeOverlay(name, only, capacity=offered, weight=_weight(offered, existing)), shared.source)


def _of_gpus(machine: InstanceType, of_model: Sequence[InstanceType]) -> Iterator[Expression]:
    """Yield what selects the machines with as many GPUs, and where it matters those `of_model` alone: by name and memory of the
    GPU, or, where types have no such labels as on Azure, by the types themselves."""
    is_labelled = bool(label_of(machine, NAMES))
    for keys in (COUNTS, *((NAMES, MEMORIES) if of_model and is_labelled else ())):
        key = next((key for key in keys if label_of(machine, (key,))), "")
        if key:
            yield Expression(key, Operator.IN, (label_of(machine, (key,)),))
    if of_model and not is_labelled:
        yield Expression(INSTANCE_TYPE, Operator.IN, tuple(sorted(t.name for t in of_model)))


def _order(of: tuple[tuple[Expression, ...], Mapping[str, int]]) -> tuple[tuple[int, str], ...]:
    """Order by the number of GPUs, then by their model."""
    values = [value for expression in of[0] for value in expression.values]
    return tuple((len(value), value) for value in values)


def _weight(capacity: Mapping[str, int], existing: Iterable[NodeOverlay]) -> int:
    """Return a weight before which no other overlay of these resources counts; two of the same weight conflict."""
    rivals = [of.weight for of in existing if capacity.keys() & of.capacity.keys()]
    return min(max(rivals) + 1, _HIGHEST) if rivals else 0
