"""The preferences that Karpenter relaxed to place pods, in words (spec: scheduling 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from cutlist.core.requirement import Expression
from cutlist.planning.model.explanation import RelaxedPreference
from cutlist.scheduling.preferences import relax
from cutlist.workloads.pods import Pod, PodTerm

T = TypeVar("T", bound=Hashable)


def relaxed_preferences(pod: Pod, settled: Mapping[Pod, int]) -> tuple[RelaxedPreference, ...]:
    """Return the relaxed preferences with the number of pods, in order. `settled` are the pods in the form in which they were
    placed."""
    pods_without: Counter[str] = Counter()
    for form, pods in settled.items():
        for what in _steps(pod, form):
            pods_without[what] += pods
    return tuple(RelaxedPreference(what, pods) for what, pods in pods_without.items())


def preferences(pod: Pod) -> tuple[str, ...]:
    """Return everything that a pod can do without, in the order in which it would be dropped."""
    return tuple(_steps(pod, None))


def _steps(pod: Pod, until: Pod | None) -> Iterator[str]:
    while pod != until:
        less = relax(pod, tolerate_prefer_no_schedule=until is not None)
        if less is None:
            return
        yield _lost(pod, less)
        pod = less


def _lost(before: Pod, after: Pod) -> str:
    """Return the preference that the second form no longer has."""
    if before.required != after.required:
        return f"the node affinity term {_terms((before.required or ((),))[0])}, which has alternatives"
    if before.preferred_affinity != after.preferred_affinity:
        return f"preferred pod affinity {_pod_term(_gone(before.preferred_affinity, after.preferred_affinity))}"
    if before.preferred_anti_affinity != after.preferred_anti_affinity:
        return f"preferred pod anti-affinity {_pod_term(_gone(before.preferred_anti_affinity, after.preferred_anti_affinity))}"
    if before.preferred != after.preferred:
        preference = _gone(before.preferred, after.preferred)
        return f"preferred node affinity {_terms(preference.expressions)} (weight {preference.weight})"
    if before.spread != after.spread:
        return f"the soft spread over {_gone(before.spread, after.spread).topology_key}"
    return "staying off nodes with PreferNoSchedule taints"


def _gone(before: Sequence[T], after: Sequence[T]) -> T:
    """Return the item that the second sequence lacks; it may lack one of several equal ones."""
    return next(iter((Counter(before) - Counter(after)).elements()))


def _pod_term(term: PodTerm) -> str:
    return f"by {term.topology_key} (weight {term.weight})"


def _terms(expressions: Iterable[Expression]) -> str:
    return " and ".join(f"{e.key} {e.operator} {', '.join(e.values)}".rstrip() for e in expressions) or "(empty)"
