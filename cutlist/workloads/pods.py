"""Pods: the fields that decide where a pod runs (spec: scheduling 1.5, 2.8, 6, 7, 9).

A `Pod` is not a single pod: the thousand replicas of a Deployment share one. Amounts are integers in nano-units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeVar

from cutlist.core.identity import KeptHash
from cutlist.core.requirement import Expression
from cutlist.core.taints import HostPort, Toleration

REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
"""The two lists of any affinity in a manifest."""

DEFAULT_GRACE: Final = 30
"""The termination grace period in seconds that the API server gives a pod by default."""
DELETION_COST: Final = "controller.kubernetes.io/pod-deletion-cost"

Terms = tuple[tuple[Expression, ...], ...]
V = TypeVar("V")


class FrozenDict(dict[str, V]):
    """A dict that never changes and therefore has a hash. It equals a plain dict with the same items."""

    __slots__ = ("_hash",)

    def __hash__(self) -> int:  # type: ignore[override]  # dict has none because it can change
        try:
            return self._hash
        except AttributeError:
            self._hash: int = hash(frozenset(self.items()))
            return self._hash

    def __reduce__(self) -> tuple[type[FrozenDict[V]], tuple[dict[str, V]]]:
        return FrozenDict, (dict(self),)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a FrozenDict does not change")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse


NO_LABELS: Final[FrozenDict[str]] = FrozenDict()
NO_AMOUNTS: Final[FrozenDict[int]] = FrozenDict()


@dataclass(frozen=True, slots=True)
class LabelSelector:
    """A selector of pods or namespaces. A missing selector is None and selects nothing; an empty one selects everything."""

    match_labels: tuple[tuple[str, str], ...] = ()
    expressions: tuple[Expression, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Tell whether labels are selected. An operator that selectors do not have selects nothing."""
        return all(labels.get(k) == v for k, v in self.match_labels) and all(_holds(e, labels) for e in self.expressions)


def _holds(e: Expression, labels: Mapping[str, str]) -> bool:
    match e.operator:
        case "In":
            return e.key in labels and labels[e.key] in e.values
        case "NotIn":
            return labels.get(e.key) not in e.values if e.key in labels else True
        case "Exists":
            return e.key in labels
        case "DoesNotExist":
            return e.key not in labels
    return False


@dataclass(frozen=True, slots=True)
class SpreadConstraint:
    """One entry of `topologySpreadConstraints`."""

    topology_key: str
    max_skew: int
    when_unsatisfiable: str = "DoNotSchedule"
    selector: LabelSelector | None = None
    min_domains: int | None = None
    match_label_keys: tuple[str, ...] = ()
    node_affinity_policy: str = "Honor"
    node_taints_policy: str = "Ignore"


@dataclass(frozen=True, slots=True)
class PodTerm:
    """One term of pod affinity or anti-affinity. `weight` is 0 for a required term."""

    topology_key: str
    selector: LabelSelector | None = None
    namespaces: frozenset[str] = frozenset()
    namespace_selector: LabelSelector | None = None
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Preference:
    """A preferred node-affinity term."""

    weight: int
    expressions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Volume:
    """A pod volume that is backed by a PersistentVolumeClaim.

    `claim` is the claim's name. For a claim that is created with each pod, it is the name of the volume (`ephemeral`) or of the
    StatefulSet's claim template (`per_replica`), and `claim_of` returns the name for one pod. `storage_class` is that of a
    claim created with the pod: None if the manifest names none, empty if it requests a volume without a class; `storage` is
    what it requests, in nano-bytes, 0 if it does not say.
    """

    claim: str
    ephemeral: bool = False
    storage_class: str | None = None
    per_replica: bool = False
    storage: int = 0

    @property
    def belongs_to_pod(self) -> bool:
        """Tell whether each pod has a claim of its own."""
        return self.ephemeral or self.per_replica

    def claim_of(self, pod_name: str) -> str:
        """Return the name of the claim that the pod of this name uses (spec: scheduling 9.1)."""
        if self.ephemeral:
            return f"{pod_name}-{self.claim}"
        return f"{self.claim}-{pod_name}" if self.per_replica else self.claim


@dataclass(frozen=True, slots=True)
class PodClaim:
    """An entry of a pod's `resourceClaims`: the name of a ResourceClaim of its namespace, or of a template for one of its own.

    A claim that was made from a template for a pod that exists has both (spec: R-50, R-51).
    """

    name: str
    claim: str = ""
    template: str = ""


@dataclass(frozen=True, slots=True)
class Pod(KeptHash):
    """Everything that scheduling reads from a pod. Pods with equal values are equal and have the same hash.

    `required` is None without required node affinity and a tuple of OR-ed terms with it; `requests` include `pods: 1`.
    """

    namespace: str = "default"
    labels: Mapping[str, str] = NO_LABELS
    node_selector: Mapping[str, str] = NO_LABELS
    required: Terms | None = None
    preferred: tuple[Preference, ...] = ()
    tolerations: tuple[Toleration, ...] = ()
    requests: Mapping[str, int] = NO_AMOUNTS
    host_ports: frozenset[HostPort] = frozenset()
    spread: tuple[SpreadConstraint, ...] = ()
    affinity: tuple[PodTerm, ...] = ()
    anti_affinity: tuple[PodTerm, ...] = ()
    preferred_affinity: tuple[PodTerm, ...] = ()
    preferred_anti_affinity: tuple[PodTerm, ...] = ()
    volumes: tuple[Volume, ...] = ()
    uses_match_fields: bool = False
    uses_dynamic_resources: bool = False
    resource_claims: tuple[PodClaim, ...] = ()
    priority: int = 0

    __hash__ = KeptHash.__hash__

    @property
    def minds_others(self) -> bool:
        """Tell whether it has rules about other pods: constraints on how they are spread, or affinity to them in any form."""
        near_or_far = self.affinity or self.anti_affinity or self.preferred_affinity or self.preferred_anti_affinity
        return bool(self.spread or near_or_far)
