"""Node classes whose `instanceStorePolicy` does nothing, since no machine that their NodePools allow has an instance store.

RAID0 joins the local disks of a machine into its ephemeral storage, and means nothing on one without any: Karpenter and EC2
still accept it, and the nodes have the volumes of the class (spec: aws-instance-types 2.3, A-24; Karpenter's page on
EC2NodeClasses, read 2026-11-28). Which machines have local disks is the catalogue's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass
from cutlist.catalog.machines import Machine
from cutlist.core.notes import Note
from cutlist.core.requirements import Requirements
from cutlist.core.wording import first_of
from cutlist.providers.aws.labels import machine_labels

NO_INSTANCE_STORE: Final = "no-instance-store"
"""The code of the note on a policy for instance stores that no machine has."""
_RAID0: Final = "RAID0"
_NAMED: Final = 3


def without_instance_store(
    pools: Iterable[NodePool], classes: Iterable[NodeClass], machines: Mapping[str, Machine]
) -> Iterator[Note]:
    """Yield a note on each class with a policy for instance stores whose NodePools together allow only machines without one.

    There is no note on a class that no NodePool refers to, or whose NodePools allow no known machine.
    """
    by_class: dict[tuple[str, str], list[NodePool]] = {}
    for pool in pools:
        by_class.setdefault((pool.node_class_ref.kind, pool.node_class_ref.name), []).append(pool)
    for node_class in classes:
        if not isinstance(node_class, EC2NodeClass) or node_class.instance_store_policy != _RAID0:
            continue
        own = by_class.get((node_class.KIND, node_class.name), [])
        allowed = {name: machine for pool in own for name, machine in _allowed(pool, machines)}
        if allowed and not any(machine.disk_gb for machine in allowed.values()):
            what = f"EC2NodeClass {node_class.name}: spec.instanceStorePolicy: {_RAID0} does nothing"
            names = first_of(sorted(allowed), _NAMED)
            yield Note(NO_INSTANCE_STORE, f"{what}: {_lacking(len(allowed), own)} ({names})")


def _lacking(types: int, pools: Sequence[NodePool]) -> str:
    """Return in words that none of the types that NodePools allow has an instance store."""
    names = ", ".join(sorted(pool.name for pool in pools))
    allowing = f"NodePool {names} allows" if len(pools) == 1 else f"NodePools {names} allow"
    if types == 1:
        return f"the only instance type that {allowing} has no instance store"
    return f"none of the {types:,} instance types that {allowing} has an instance store"


def _allowed(pool: NodePool, machines: Mapping[str, Machine]) -> Iterator[tuple[str, Machine]]:
    """Yield the machines that the requirements of a NodePool allow, whatever its limits and zones are."""
    wanted = Requirements.of_expressions(pool.requirements, pool.registry)
    yield from ((name, m) for name, m in machines.items() if wanted.intersects(Requirements(machine_labels(m))))
