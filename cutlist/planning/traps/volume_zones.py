"""Volumes in zones where no NodePool launches nodes (spec: scheduling 9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core.labels import ZONE, LabelRegistry
from cutlist.core.notes import Note
from cutlist.core.requirements import Requirements
from cutlist.core.wording import first_of
from cutlist.planning.traps.setup import Setup
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pods import Terms

NO_NODE_THERE: Final = "volume-zone-without-nodes"
"""The code of the note on a volume whose zones no NodePool has."""
_NAMED: Final = 3
_MOST: Final = 100  # volumes of one workload that are looked up


def volumes_out_of_reach(setup: Setup) -> Iterator[Note]:
    """Yield a note for each volume, and each class of volumes, that pods use and that no NodePool's nodes can reach."""
    zones_of_pool = {pool.name: pool.zones for pool in setup.pools} if _has_volumes(setup) else {}
    for group in setup.groups if zones_of_pool else ():
        pools = [pool for pool in setup.pools if pool.takes(group.pod, ZONE)]
        for what, zones in _places(group, setup) if pools else ():
            known = [zones_of_pool[pool.name] for pool in pools]
            launched = frozenset[str]().union(*known)
            if zones and all(known) and launched.isdisjoint(zones):
                names = first_of([pool.name for pool in pools], _NAMED)
                there = f"{names} {'launches' if len(pools) == 1 else 'launch'} no node ({', '.join(sorted(launched))})"
                text = f"{group.workload} uses {what} in {', '.join(zones)}, where NodePool {there}"
                fix = "allow that zone and give its class a subnet there, or move the volume from a snapshot"
                yield Note(NO_NODE_THERE, f"{text}; {fix}")


def _has_volumes(setup: Setup) -> bool:
    """Tell whether any volume of the input, or class of volumes, has zones of its own."""
    return any(of.terms for of in setup.workloads.volumes) or any(of.topologies for of in setup.workloads.storage_classes)


def _places(group: PodGroup, setup: Setup) -> Iterator[tuple[str, list[str]]]:
    """Yield the volumes and classes of volumes of a group with the zones that they can be in, empty for any zone."""
    workloads, registry = setup.workloads, setup.pools[0].registry
    claims = {claim.name: claim for claim in workloads.claims if claim.namespace == group.namespace}
    volumes = {volume.name: volume for volume in workloads.volumes}
    classes = {storage_class.name: storage_class for storage_class in workloads.storage_classes}
    names = [group.pod_name(index) for index in range(min(group.count, _MOST))]
    for used in group.pod.volumes:
        for claim_name in dict.fromkeys(used.claim_of(name) for name in names):
            claim = claims.get(claim_name)
            volume = volumes.get(claim.volume) if claim is not None else None
            if volume is not None:
                yield f"PersistentVolume {volume.name}", zones_of(volume.terms, registry)
                continue
            class_name = claim.storage_class if claim is not None else used.storage_class
            storage_class = classes.get(class_name or "")
            if storage_class is not None:
                yield f"StorageClass {storage_class.name}", zones_of(storage_class.topologies, registry)


def zones_of(terms: Terms, registry: LabelRegistry) -> list[str]:
    """Return the zones that some OR-ed terms allow, empty if one of them names none."""
    zones: set[str] = set()
    for term in terms:
        wanted = Requirements.of_expressions(term, registry).get(ZONE)
        if wanted is None or wanted.complement:
            return []
        zones |= wanted.values
    return sorted(zones)
