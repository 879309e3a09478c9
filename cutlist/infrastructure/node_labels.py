"""Labels and taints that a program may give the nodes of a managed node group (spec: aws-infrastructure 1.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cutlist.api.names import label_value_findings, qualified_findings
from cutlist.core.errors import Place, Problem
from cutlist.core.taints import NO_EXECUTE, NO_SCHEDULE, PREFER_NO_SCHEDULE, Taint
from cutlist.infrastructure.inputs import one_of

EFFECTS: Final[Mapping[str, str]] = {
    NO_SCHEDULE: "NO_SCHEDULE",
    NO_EXECUTE: "NO_EXECUTE",
    PREFER_NO_SCHEDULE: "PREFER_NO_SCHEDULE",
}
"""The effects of taints as Kubernetes writes them, with EKS's spelling."""
MOST_TAINTS: Final = 50
_RESERVED: Final = ("kubernetes.io", "k8s.io", "eks.amazonaws.com")
_OF_KARPENTER: Final = ("karpenter.sh/nodepool", "karpenter.sh/registered", "karpenter.sh/initialized")


def label_problems(labels: Mapping[str, str], at: Place) -> Iterator[Problem]:
    """Yield why nodes of a group cannot have some labels."""
    for key, value in labels.items():
        place = at.member(key)
        for finding in (*qualified_findings("", key), *label_value_findings("", key, value)):
            yield finding.problem(place)
        prefix = key.rpartition("/")[0]
        if prefix in _RESERVED:
            yield Problem(place, f"labels of {prefix}/ are EKS's own", "a label with your own prefix, or none")
        elif key in _OF_KARPENTER:
            yield Problem(place, "only nodes of Karpenter have this label", "a label with your own prefix, or none")


def taint_problems(taints: Sequence[Taint], at: Place) -> Iterator[Problem]:
    """Yield why nodes of a group cannot have some taints."""
    if len(taints) > MOST_TAINTS:
        yield Problem(at, f"{len(taints)} taints", f"at most {MOST_TAINTS}")
    seen = dict[tuple[str, str], int]()
    for index, taint in enumerate(taints):
        place = at.item(index)
        for finding in qualified_findings("", taint.key):
            yield finding.problem(place.member("key"))
        for finding in label_value_findings("", taint.key, taint.value):
            yield finding.problem(place.member("value"))
        yield from one_of(taint.effect, EFFECTS, place.member("effect"))
        first = seen.setdefault((taint.key, taint.effect), index)
        if first != index:
            yield Problem(place, f"{taint.key} with the effect {taint.effect} is taints[{first}] too", "each pair once")
