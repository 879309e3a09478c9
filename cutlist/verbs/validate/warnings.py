"""Warnings of validation about objects: what is accepted, and has no effect or launches nothing, now or later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cutlist.api.external_classes import MissingClass, unknown_class_problems
from cutlist.api.read import NodeClass, Objects
from cutlist.api.written import WrittenPool
from cutlist.core.errors import Problem, Problems
from cutlist.core.karpenter.baselines import BASELINES, Baseline
from cutlist.core.notes import Note
from cutlist.providers.lint import is_of_cloud, unknown_values, values_unknown_anywhere
from cutlist.providers.lint.instance_store import without_instance_store
from cutlist.verbs.validate.setup import Sold

UNKNOWN_CLASS: Final = "unknown-node-class"
"""The code of the warning on a NodePool whose kind of node class is not known."""
MISSPELT_CLASS: Final = "misspelt-node-class"
"""The code of the warning on a NodePool whose node class is missing while one of nearly that name is in the input."""
NOT_READY: Final = "node-class-not-ready"
"""The code of the warning on a class that an API server accepts and that launches nothing."""


def object_warnings(
    objects: Objects,
    missing: Sequence[MissingClass],
    sold: Sold,
    karpenter: Baseline,
    gates: frozenset[str],
    problems: Problems,
) -> tuple[Note, ...]:
    """Return the warnings about NodePools and node classes, and about references to `missing` classes.

    A key of EKS Auto Mode beside an EC2NodeClass is a mistake, and added to `problems`.
    """
    return (
        *_unknown_values(objects.written_pools, sold, problems),
        *without_instance_store(objects.node_pools, objects.node_classes, sold.machines()),
        *_unknown_classes(objects),
        *_misspelt(missing),
        *_not_ready((*objects.node_classes, *objects.aks_node_classes), karpenter, gates),
    )


def _unknown_values(pools: Iterable[WrittenPool], sold: Sold, problems: Problems) -> list[Note]:
    """Return notes on values that nothing has in the region, or in any for NodePools of another cloud or without a region."""
    region = sold.here()
    if region is None:
        return values_unknown_anywhere(pools, problems)
    here = [pool for pool in pools if is_of_cloud(pool, region)]
    elsewhere = [pool for pool in pools if not is_of_cloud(pool, region)]
    return [*unknown_values(here, region, problems), *values_unknown_anywhere(elsewhere, problems)]


def _unknown_classes(objects: Objects) -> Iterator[Note]:
    """Yield a warning for each NodePool of a kind of node class that is not known, with the kind that was probably meant."""
    for problem in unknown_class_problems(objects):
        meant = f", did you mean {problem.nearest}?" if problem.nearest else ""
        yield Note(UNKNOWN_CLASS, f"{problem.message}{meant}")


def _misspelt(missing: Iterable[MissingClass]) -> Iterator[Note]:
    """Yield a warning for each node class that is not there while one of nearly its name is."""
    for each in missing:
        if each.nearest:
            text = f"{_reference(each)}; did you mean {each.nearest}? Without it the NodePool launches nothing"
            yield Note(MISSPELT_CLASS, text)


def elsewhere_text(missing: MissingClass) -> str:
    """Return where a class that is not in the input has to be, with the place of the reference to it."""
    return f"{_reference(missing)}; it has to be in the cluster"


def _reference(missing: MissingClass) -> str:
    problem = missing.problem()
    return f"{problem.place}: {problem.message}"


def _not_ready(classes: Iterable[NodeClass], karpenter: Baseline, gates: frozenset[str]) -> Iterator[Note]:
    """Yield which classes of a cluster are not ready, and which would no longer be ready under a later Karpenter."""
    later_minors = list({later.minor: later for later in BASELINES if later.minor > karpenter.minor}.values())
    for node_class in classes:
        known = node_class.not_ready_under(karpenter, gates)
        yield from (_not_ready_note(problem, f"under Karpenter {karpenter.minor}") for problem in known)
        for later in later_minors:
            new = (problem for problem in node_class.not_ready_under(later, gates) if problem not in known)
            yield from (_not_ready_note(problem, f"after an upgrade to Karpenter {later.minor}") for problem in new)


def _not_ready_note(problem: Problem, when: str) -> Note:
    statements = f" ({problem.statements})" if problem.statements else ""
    return Note(NOT_READY, f"{problem.place}: {when}, {problem.message}{statements}")
