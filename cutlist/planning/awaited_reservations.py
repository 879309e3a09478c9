"""Capacity that only the account knows: reservations that a class selects, and that no controller has found for it yet.

A class from a file has selector terms. Which reservations these match, of which type and in which zone, is in the status that a
controller writes. Until then a plan can neither use such capacity nor say that a pod which waits for it stays pending.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.core.labels import CAPACITY_TYPE, RESERVED
from cutlist.planning.allowed import AllowedTypes
from cutlist.planning.fitting_pods import could_run
from cutlist.planning.model import PendingPods
from cutlist.workloads.groups import PodGroup


def awaits_reservations(allowed: AllowedTypes) -> bool:
    """Tell whether a NodePool may launch reserved capacity of which only the account knows."""
    node_class, wanted = allowed.node_class, allowed.wanted.get(CAPACITY_TYPE)
    if not isinstance(node_class, EC2NodeClass | AutoNodeClass) or (wanted is not None and not wanted.has(RESERVED)):
        return False
    found = node_class.capacity_reservations if isinstance(node_class, EC2NodeClass) else ()
    return bool(node_class.capacity_reservation_selector_terms) and not found


def awaiting_reservations(
    pending: Iterable[PendingPods], groups: Iterable[PodGroup], allowed: Sequence[AllowedTypes]
) -> Iterator[PendingPods]:
    """Yield the pending pods that a NodePool could hold on reserved capacity, if the account has it."""
    waiting = [types for types in allowed if awaits_reservations(types)]
    pods = {group.workload: group.pod for group in groups} if waiting else {}
    for entry in pending:
        pod = pods.get(entry.workload)
        if pod is not None and not entry.skipped and any(could_run(pod, types) for types in waiting):
            yield entry
