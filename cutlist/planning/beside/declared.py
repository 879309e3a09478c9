"""A node group as files declare it: managed by EKS or AKS, self-managed, or scaled by Cluster Autoscaler.

Every source is brought into one form first, which is also that of `nodeGroups` in a document of kind Figures:

    system:
      instanceTypes: [m5.large]
      desired: 2
      max: 4
      autoscaled: true
      labels: {role: system}
      taints: [{key: CriticalAddonsOnly, value: "true", effect: NoSchedule}]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.core.labels import ON_DEMAND
from cutlist.core.taints import Taint
from cutlist.workloads.pods import NO_LABELS, FrozenDict

EKS: Final = "eks"
SELF_MANAGED: Final = "self-managed"
EKSCTL: Final = "eksctl"
AKS: Final = "aks"
KINDS: Final = (EKS, SELF_MANAGED, EKSCTL, AKS)
"""Who makes a group, which decides the labels of its nodes: EKS, an Auto Scaling group, eksctl for a managed one, or AKS."""
MOST_NODES: Final = 10_000
"""The most nodes of a group, each of which a plan looks at."""


def kinds_on(*, azure: bool) -> tuple[str, ...]:
    """Return the kinds of groups that a cluster on a cloud may have."""
    return tuple(kind for kind in KINDS if (kind == AKS) is azure)


Spec = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DeclaredGroup:
    """A node group: what its nodes are, how many it has, and how many it may have.

    `kind` is one of KINDS; empty in figures that name none, until the cloud is known. `labels` are those that are written,
    besides those that its kind adds. Without `instance_types` the type is not known. The number of nodes is `desired`; where
    Cluster Autoscaler manages the group (`autoscaled`), it is what pods need, from `minimum` to `maximum`. `running` nodes are
    among the existing ones. `source` is where it is written.
    """

    name: str
    kind: str
    labels: Mapping[str, str] = NO_LABELS
    taints: tuple[Taint, ...] = ()
    instance_types: tuple[str, ...] = ()
    capacity_type: str = ON_DEMAND
    minimum: int = 0
    desired: int = 1
    maximum: int = 1
    autoscaled: bool = False
    zones: tuple[str, ...] = ()
    running: int = 0
    source: str = ""

    @staticmethod
    def of(name: str, spec: Spec, source: str) -> DeclaredGroup:
        """Return the group of a valid spec."""
        minimum, maximum = spec.get("min"), spec.get("max")
        desired = next((n for n in (spec.get("desired"), minimum, maximum) if n is not None), 1)
        return DeclaredGroup(
            name,
            spec.get("kind") or "",
            FrozenDict(spec.get("labels") or {}),
            tuple(map(Taint.read, spec.get("taints") or ())),
            tuple(spec.get("instanceTypes") or ()),
            spec.get("capacityType") or ON_DEMAND,
            desired if minimum is None else minimum,
            desired,
            desired if maximum is None else max(maximum, desired),
            bool(spec.get("autoscaled")),
            tuple(spec.get("zones") or ()),
            source=source,
        )

    def on_cloud(self, *, on_azure: bool) -> DeclaredGroup:
        """Return it with the usual kind of a cloud, if it has none."""
        return self if self.kind else replace(self, kind=AKS if on_azure else EKS)

    @property
    def initial(self) -> int:
        """Return how many nodes it has that are not among the existing ones."""
        return max(0, self.desired - self.running)

    @property
    def most(self) -> int:
        """Return how many nodes it may have besides the existing ones."""
        return max(0, (self.maximum if self.autoscaled else self.desired) - self.running)
