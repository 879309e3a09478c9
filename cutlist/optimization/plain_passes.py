"""Whether the passes of a plan ask of types only whether one is left, so that all choices of types can be gone through."""

from __future__ import annotations

from typing import Final

from cutlist.core.identity import SameObject
from cutlist.core.labels import ARCH, CAPACITY_TYPE, RESERVED, ZONE
from cutlist.core.taints import PREFER_NO_SCHEDULE
from cutlist.optimization.pool_terms import labels_of
from cutlist.planning.pass_inputs import PassInputs
from cutlist.providers.instance_types import Offering
from cutlist.scheduling.firstfit import is_plain
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.state.scheduling_node import NODES
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import Pod

_FURTHER: Final = frozenset((ARCH, CAPACITY_TYPE, ZONE))


def asks_only_for_room(part: PassInputs) -> bool:
    """Tell whether the passes of a controller place plain pods on new nodes alone, by room and limits.

    Pods follow no rules about others and ask for no label that only some types, zones or capacity types have, and neither do
    DaemonSets. Nothing exists, is reserved or overlaid, and no NodePool is static, limited to no nodes, tainted by
    preference, or wants `minValues`: all of these ask more of a type than whether it is there.
    """
    passes = part.passes
    if passes.nodes or passes.bound or passes.overlays or passes.volumes or part.static or part.idle:
        return False
    if passes.options.default_spread or any(batch.virtual for batch in passes.batches):
        return False
    return _has_plain_pools(passes) and _has_plain_pods(passes)


def _has_plain_pools(passes: SchedulerInputs) -> bool:
    for pool in passes.pools:
        nodes = pool.limits.get(NODES)
        if any(taint.effect == PREFER_NO_SCHEDULE for taint in pool.taints):
            return False
        if any(entry.min_values is not None for entry in pool.requirements) or (nodes is not None and nodes.nanos <= 0):
            return False
    different = {SameObject(types): types for types in passes.types.values()}  # one list for all NodePools of a class
    return not any(map(_is_special, (offering for types in different.values() for t in types for offering in t.offerings)))


def _is_special(offering: Offering) -> bool:
    return bool(offering.capacity_override or offering.overhead_override) or offering.capacity_type == RESERVED


def _has_plain_pods(passes: SchedulerInputs) -> bool:
    pods = [batch.pod for batch in passes.batches]
    varied = _FURTHER.union(*(labels_of(pool).all for pool in passes.pools))
    asked = (key for pod in (*pods, *passes.daemons) for key in strict_requirements(pod, passes.registry))
    return varied.isdisjoint(asked) and all(map(_is_plain_daemon, passes.daemons)) and all(is_plain(pod, pods) for pod in pods)


def _is_plain_daemon(pod: Pod) -> bool:
    # A daemon runs by any of its terms, and on labels that its node only may have.
    return not (pod.host_ports or pod.uses_dynamic_resources) and len(pod.required or ()) <= 1
