"""Refuse pods that no plan ends for: those whose rules look at other pods, or at devices, are placed one by one, and those with
many preferences are tried without each of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.wording import counted
from cutlist.documents.document import Document
from cutlist.scheduling.capacitybuffers import ResolvedBuffer
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pods import Pod
from cutlist.workloads.written import namespace_of

MOST: Final = 2_000_000
"""How many pods of a workload are placed one by one at most: a minute or two."""
MOST_TRIES: Final = 5_000_000
"""How often a plan may try rules of pods again because they give up preferences, all together: a minute or two."""
MOST_UNLIKE: Final = 50_000_000
"""How many pods of several workloads together a plan places: nodes that pods of several workloads share are not all alike."""
_ALLOWED: Final = f"up to {MOST_TRIES:,}: pods times preferences times rules"


def check_one_by_one(groups: Sequence[PodGroup], problems: Problems) -> None:
    """Report groups of more pods with such rules than a plan places, now or at the maximum of an autoscaler, and of more
    preferences than it tries."""
    found = [problem for group in groups if (problem := _too_many(group.pod, *_most(group), group.place)) is not None]
    problems.extend(found)
    pods = [_most(group)[0] for group in groups]
    if len(groups) > 1 and sum(pods) > MOST_UNLIKE:
        text = f"with this workload, the largest, all have up to {sum(pods):,} pods, more than a plan places on shared nodes"
        problems.add(groups[pods.index(max(pods))].place, text, f"up to {MOST_UNLIKE:,}, or one workload alone")
    tries = [_tries(group.pod, _most(group)[0]) for group in groups]
    if not found and sum(tries) > MOST_TRIES:
        text = f"with this workload, the hardest, all take up to {sum(tries):,} tries without each preference"
        problems.add(groups[tries.index(max(tries))].place, text, _ALLOWED)


def _most(group: PodGroup) -> tuple[int, str]:
    """Return the most pods of a group, and in words when it has them."""
    most = group.range[1] if group.range else 0
    return (most, ", the maximum of its autoscaler,") if most > group.count else (group.count, "")


def check_buffers(buffers: Iterable[ResolvedBuffer], documents: Sequence[Document], problems: Problems) -> None:
    """Report CapacityBuffers of more pods with such rules than a plan places."""
    written = (document for document in documents if document.kind == "CapacityBuffer")
    places = {(namespace_of(document), document.name): document.place for document in written}
    for buffer in buffers:
        place = places.get((buffer.namespace, buffer.name), Place())
        if (problem := _too_many(buffer.pod, buffer.replicas, "", place)) is not None:
            problems.extend([problem])


def _too_many(pod: Pod, count: int, when: str, place: Place) -> Problem | None:
    if count > MOST and (rules := _rules_of(pod)):
        text = f"{count:,} pods{when} with {rules} are more than a plan places one by one"
        return Problem(place, text, f"up to {MOST:,}, or pods without such rules, which are counted")
    if (tries := _tries(pod, count)) > MOST_TRIES:
        many = f"{counted(count, 'pod')}{when or ','} with {counted(_preferences(pod), 'preference')} each"
        return Problem(place, f"{many}, take up to {tries:,} tries without each preference", _ALLOWED)
    return None


def _tries(pod: Pod, count: int) -> int:
    """Return how often a plan may try rules of pods again: those of a pod each time that it has given up one more preference.
    Equal pods without rules about other pods give them up together."""
    preferences = _preferences(pod)
    return (count if _rules_of(pod) else min(count, 1)) * preferences * max(_rules(pod), preferences)


def _rules(pod: Pod) -> int:
    lists = (pod.spread, pod.affinity, pod.preferred_affinity, pod.anti_affinity, pod.preferred_anti_affinity)
    return sum(map(len, lists))


def _preferences(pod: Pod) -> int:
    """Return how many things a pod may give up, one after the other (spec: scheduling 8)."""
    soft = sum(constraint.when_unsatisfiable == "ScheduleAnyway" for constraint in pod.spread)
    alternatives = max(len(pod.required or ()) - 1, 0)
    return alternatives + len(pod.preferred_affinity) + len(pod.preferred_anti_affinity) + len(pod.preferred) + soft


def _rules_of(pod: Pod) -> str:
    """Return the first of the rules for which pods go one by one, in words; nothing for pods without one."""
    rules = (
        (pod.spread, "topology spread constraints"),
        (pod.affinity or pod.preferred_affinity, "affinity to pods"),
        (pod.anti_affinity or pod.preferred_anti_affinity, "anti-affinity to pods"),
        (pod.uses_dynamic_resources, "claims for devices"),
    )
    return next((words for has, words in rules if has), "")
