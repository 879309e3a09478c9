"""Refuse numbers of pods that no plan ends for: pods whose rules look at other pods, or at devices, are placed one by one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cutlist.core.errors import Problems
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pods import Pod

MOST: Final = 2_000_000
"""How many pods of a workload are placed one by one at most: a minute or two."""


def check_one_by_one(groups: Iterable[PodGroup], problems: Problems) -> None:
    """Report groups of more pods with such rules than a plan places."""
    for group in groups:
        if group.count > MOST and (rules := _rules_of(group.pod)):
            text = f"{group.count:,} pods with {rules} are more than a plan places one by one"
            problems.add(group.place, text, f"up to {MOST:,}, or pods without such rules, which are counted")


def _rules_of(pod: Pod) -> str:
    """Return the first of the rules for which pods go one by one, in words; nothing for pods without one."""
    rules = (
        (pod.spread, "topology spread constraints"),
        (pod.affinity or pod.preferred_affinity, "affinity to pods"),
        (pod.anti_affinity or pod.preferred_anti_affinity, "anti-affinity to pods"),
        (pod.uses_dynamic_resources, "claims for devices"),
    )
    return next((words for has, words in rules if has), "")
