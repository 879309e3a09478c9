"""Default spread constraints on pods without any of their own (spec: karpenter-1.15, 1.4; V15-18 to V15-23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.workloads.default_selectors import PodController, SelectorSources
from cutlist.workloads.pods import Pod, SpreadConstraint


def with_default_spread(inputs: SchedulerInputs) -> SchedulerInputs:
    """Return the inputs of a pass with all default constraints on each pod that has none of its own, each with the selector
    that is deduced for the pod. Where none is deduced the pod stays as it is (V15-18, V15-19, V15-21)."""
    options = inputs.options
    if not (options.default_spread and options.karpenter.does(Behaviour.DEFAULT_TOPOLOGY_SPREAD)):
        return inputs
    pods: dict[tuple[Pod, PodController | None], Pod] = {}
    for batch in inputs.batches:
        key = batch.pod, batch.controller
        # Once for each distinct pod, so that batches of equal pods go on sharing one object.
        if key not in pods:
            pods[key] = _with_defaults(*key, options.default_spread, inputs.selectors)
    return replace(inputs, batches=[replace(batch, pod=pods[batch.pod, batch.controller]) for batch in inputs.batches])


def _with_defaults(
    pod: Pod, controller: PodController | None, defaults: Sequence[SpreadConstraint], sources: SelectorSources
) -> Pod:
    # Any constraint of its own, even a soft one, keeps all defaults away, as in kube-scheduler.
    selector = None if pod.spread else sources.deduced(pod.namespace, pod.labels, controller)
    if selector is None:
        return pod
    return replace(pod, spread=tuple(replace(constraint, selector=selector) for constraint in defaults))
