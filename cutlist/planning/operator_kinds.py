"""Objects of operators in an input without any other workload: which kinds there are, and why no pod of theirs is planned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from cutlist.api.versions import is_karpenters
from cutlist.core.errors import Problems
from cutlist.core.wording import counted, first_of
from cutlist.documents.delivery.releases import DELIVERED
from cutlist.documents.document import Document
from cutlist.documents.terraform.opentofu import resource_of
from cutlist.workloads.controllers import KINDS as CONTROLLERS
from cutlist.workloads.groups import NotUnderstood
from cutlist.workloads.inventory import Inventory, PodSetsOf
from cutlist.workloads.kinds import READ, is_built_in, kind_of

_WITH_PODS: Final = frozenset((group, kind) for group, kind in READ if kind in (*CONTROLLERS, "Pod"))
"""Kubernetes' own kinds that are pods or run some."""
_NAMED: Final = 5  # kinds, or objects


def are_only_operators(documents: Iterable[Document]) -> bool:
    """Tell whether objects of operators are there, and neither pods or controllers of Kubernetes itself nor what Flux or
    Argo CD applies."""
    kinds = {kind_of(d.data) for d in documents if resource_of(d) is None and not is_karpenters(d.api_version, d.kind)}
    return any(not is_built_in(group) for group, _ in kinds) and not any(
        kind in _WITH_PODS or kind[1] in DELIVERED for kind in kinds
    )


def why_unplanned(documents: Sequence[Document]) -> tuple[str, ...]:
    """Return in sentences which kinds of operators there are and why none of their pods is planned, as no NodePool is there.

    Empty if pods or controllers of Kubernetes are there as well, or no object of an operator is.
    """
    if not are_only_operators(documents):
        return ()
    # Mistakes in these objects are reported with those of the workloads.
    others = [d for d in documents if resource_of(d) is None and not is_karpenters(d.api_version, d.kind)]
    inventory = Inventory.take(others, Problems())
    return (
        *_planned_kinds(inventory.pod_sets),
        *_open_objects(inventory.not_understood),
        *unknown_kinds(inventory.passed_over),
    )


def unknown_kinds(passed_over: Mapping[str, int]) -> tuple[str, ...]:
    """Return a sentence on the kinds of operators about whose pods nothing is known, if there are any.

    `passed_over` counts ignored objects by kind, with the group of a kind that is not one of Kubernetes itself.
    """
    kinds = [f"{count:,} {kind}" for kind, count in passed_over.items() if kind.endswith(")")]
    if not kinds:
        return ()
    ways = "a document of kind PodKinds says how many there are, and `cutlist snapshot` has those that run"
    return (f"which pods an operator makes of these, if any, is not known: {first_of(kinds, _NAMED)}; {ways}",)


def _planned_kinds(sets: Iterable[PodSetsOf]) -> Iterator[str]:
    """Yield a sentence on the kinds whose pods are known, with their numbers."""
    pods: Counter[str] = Counter()
    for of in sets:
        group, kind = kind_of(of.document.data)
        pods[f"{kind} ({group})"] += sum(0 if c.suspended else c.replicas or 0 for c, is_daemon in of.sets if not is_daemon)
    if pods:
        kinds = [f"{kind} with {counted(number, 'pod')}" for kind, number in sorted(pods.items())]
        yield f"pods of operators need a NodePool as all others do: {first_of(kinds, _NAMED)}"


def _open_objects(items: Sequence[NotUnderstood]) -> Iterator[str]:
    """Yield why pods are not counted, a sentence for each of the first few objects."""
    yield from (f"{item.kind} {item.name} ({item.place}), {item.open_because}" for item in items[:_NAMED])
    if len(items) > _NAMED:
        yield f"and {len(items) - _NAMED:,} more whose pods are not counted"
