"""Which spread constraints kube-scheduler takes as a preference of a pod.

A pod without constraints gets those of kube-scheduler itself, if a Service or its controller selects it: at most 3 pods of skew
between nodes and 5 between zones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.workloads.default_selectors import PodController, SelectorSources
from cutlist.workloads.pods import Pod, SpreadConstraint

_SOFT: Final = "ScheduleAnyway"
_DEFAULTS: Final = (SpreadConstraint(HOSTNAME, 3, _SOFT, None), SpreadConstraint(ZONE, 5, _SOFT, None))


def soft_constraints(pod: Pod, controller: PodController | None, sources: SelectorSources) -> Sequence[SpreadConstraint]:
    """Return the constraints of a pod that are preferences, by default those of kube-scheduler."""
    if pod.spread:
        return [constraint for constraint in pod.spread if constraint.when_unsatisfiable == _SOFT]
    selector = sources.deduced(pod.namespace, pod.labels, controller)
    if selector is None:
        return ()
    return [SpreadConstraint(c.topology_key, c.max_skew, _SOFT, selector) for c in _DEFAULTS]
