"""The way from one Karpenter to another in single steps, to find which step causes a difference between two answers.

The first step changes everything except behaviours: versions of hashes, feature gates, flags. Each further step adds one
behaviour, in the order of their table. A difference in the end begins in some step, and that step is its cause.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.behaviours import Behaviour

A = TypeVar("A")
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Cause:
    """The change in Karpenter that causes a difference: a sentence, and the statements of docs/spec that describe it."""

    text: str
    statements: str


@dataclass(frozen=True, slots=True)
class ReleaseStep:
    """A Karpenter between two others, and the cause of whatever it does differently from the one before it."""

    karpenter: Baseline
    cause: Cause


def steps_between(before: Baseline, after: Baseline, of_hashes: Cause) -> tuple[ReleaseStep, ...]:
    """Return the steps from one Karpenter to another, which is the last of them; none if both behave the same.

    `of_hashes` is the cause for the first step, in which the versions of hashes change.
    """
    steps = []
    karpenter = replace(after, behaviours=before.behaviours)
    if _values(karpenter) != _values(before):
        steps.append(ReleaseStep(karpenter, of_hashes))
    for behaviour in Behaviour:
        if behaviour in before.behaviours ^ after.behaviours:
            karpenter = replace(karpenter, behaviours=karpenter.behaviours ^ {behaviour})
            steps.append(ReleaseStep(karpenter, Cause(behaviour.text, behaviour.statements)))
    return tuple(steps)


def _values(karpenter: Baseline) -> tuple[Hashable, ...]:
    """Return everything besides behaviours that answers may depend on."""
    gates = (karpenter.feature_gates, karpenter.aws_feature_gates, karpenter.flags)
    return (*gates, karpenter.node_pool_hash, karpenter.ec2_node_class_hash)


def causes(
    before: Baseline,
    steps: Sequence[ReleaseStep],
    answer_of: Callable[[Baseline], A],
    differences: Callable[[A, A], Iterable[K]],
) -> dict[K, tuple[Cause, ...]]:
    """Return, by what differs between the answers before the first and after the last step, the causes in the order of steps.

    `differences` names what differs between two answers; it must be empty for equal ones. Ranges of steps without a difference
    are skipped as a whole, so few answers are computed if few steps matter.
    """
    answers: dict[int, A] = {}
    changed: dict[K, list[Cause]] = {}

    def answer(after_steps: int) -> A:
        if after_steps not in answers:
            answers[after_steps] = answer_of(steps[after_steps - 1].karpenter if after_steps else before)
        return answers[after_steps]

    def search(first: int, last: int, wanted: frozenset[K]) -> None:
        keys = wanted.intersection(differences(answer(first), answer(last)))
        if not keys:
            return
        if last - first == 1:
            for key in keys:
                changed.setdefault(key, []).append(steps[first].cause)
            return
        middle = (first + last) // 2
        search(first, middle, keys)
        search(middle, last, keys)

    if steps:
        search(0, len(steps), frozenset(differences(answer(0), answer(len(steps)))))
    return {key: tuple(of_key) for key, of_key in changed.items()}
