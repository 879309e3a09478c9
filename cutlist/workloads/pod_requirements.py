"""Requirements of pods on their node's labels (spec: scheduling 2.8, S-28, S-29)."""

from __future__ import annotations

from collections.abc import Iterable

from cutlist.core.go_sort import sort_by_key
from cutlist.core.labels import CORE, LabelRegistry
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.workloads.pods import Pod, Preference


def strict_requirements(pod: Pod, registry: LabelRegistry = CORE) -> Requirements:
    """Return the strict requirements of a pod: its node selector and the first of its required node-affinity terms."""
    return _with_required(pod, Requirements.of_labels(pod.node_selector, registry), registry)


def full_requirements(pod: Pod, registry: LabelRegistry = CORE) -> Requirements:
    """Return the strict requirements plus the preferred node-affinity term of highest weight, as if it were required."""
    requirements = Requirements.of_labels(pod.node_selector, registry)
    if pod.preferred:
        requirements &= Requirements.of_expressions(by_weight(pod.preferred)[0].expressions, registry)
    return _with_required(pod, requirements, registry)


def by_weight(preferences: Iterable[Preference]) -> tuple[Preference, ...]:
    """Return preferred terms, highest weight first, in the order in which Karpenter's unstable sort leaves them.

    Karpenter sorts the pod's own list, so relaxing preferences one by one continues from this order.
    """
    terms = list(preferences)
    return tuple(terms[place] for place in sort_by_key([-term.weight for term in terms]))


def _with_required(pod: Pod, requirements: Requirements, registry: LabelRegistry) -> Requirements:
    first: Iterable[Expression] = pod.required[0] if pod.required else ()
    return requirements & Requirements.of_expressions(first, registry)
