"""Which pods the nodes of a NodePool could hold, each node empty and each pod by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cutlist.core.labels import CAPACITY_TYPE, ZONE
from cutlist.core.requirements import Requirements
from cutlist.core.taints import PREFER_NO_SCHEDULE_TOLERATION, untolerated
from cutlist.planning.allowed import AllowedTypes
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.nodeclaimtemplate import prefilter
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import Pod

_OFFERED: Final = (CAPACITY_TYPE, ZONE)
"""What a type has by its offerings."""


def may_run(pod: Pod, allowed: AllowedTypes) -> bool:
    """Tell whether some empty node of a NodePool could hold a pod, by taints, labels and size."""
    types, large = allowed.instance_types, allowed.instance_types.holding(pod.requests)
    return any(allowed.mask & large & prefilter(types, allowed.wanted & form) for form in _accepted(pod, allowed))


def could_run(pod: Pod, allowed: AllowedTypes) -> bool:
    """Tell the same of all types that the labels of a NodePool and of the pod leave, whether they are on offer or not."""
    large = [t for t in allowed.instance_types.types if _holds(t, pod)]
    for form in _accepted(pod, allowed) if large else ():
        wanted = (allowed.wanted & form).without(*_OFFERED)
        if any(t.requirements.intersects(wanted) for t in large):
            return True
    return False


def _holds(machine: InstanceType, pod: Pod) -> bool:
    room = machine.allocatable()
    return all(room.get(resource, 0) >= amount for resource, amount in pod.requests.items())


def _accepted(pod: Pod, allowed: AllowedTypes) -> Iterator[Requirements]:
    """Yield what a pod requires, by each of its alternatives, as far as the taints and labels of a NodePool allow it."""
    if not untolerated(allowed.pool.taints, (*pod.tolerations, PREFER_NO_SCHEDULE_TOLERATION)):
        alternatives = [replace(pod, required=(term,)) for term in pod.required] if pod.required else [pod]
        forms = (strict_requirements(form, allowed.registry) for form in alternatives)
        yield from (form for form in forms if allowed.wanted.compatible(form, allowed.registry.well_known))
