"""Objects other than pods that scheduling and disruption use, as frozen values (spec: scheduling 9).

Each keeps its manifest in `raw` for later steps; equality and hash depend only on the other fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.core.csi import EBS
from cutlist.core.requirement import Expression, Operator
from cutlist.workloads.pods import FrozenDict, LabelSelector, Pod, Terms
from cutlist.workloads.read_pod import read_selector, read_terms

Manifest = Mapping[str, Any]

DEFAULT_CLASS: Final = "storageclass.kubernetes.io/is-default-class"
BETA_STORAGE_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
BIND_COMPLETED: Final = "pv.kubernetes.io/bind-completed"
NO_PROVISIONER: Final = "kubernetes.io/no-provisioner"
IMMEDIATE: Final = "Immediate"
WAIT_FOR_FIRST_CONSUMER: Final = "WaitForFirstConsumer"
NAMESPACE_NAME: Final = "kubernetes.io/metadata.name"


@dataclass(frozen=True, slots=True)
class PersistentVolumeClaim:
    """A claim on a volume, and the `volume` it is bound to. `storage_class` is None when not named, empty when unwanted."""

    name: str
    namespace: str = "default"
    storage_class: str | None = None
    volume: str = ""
    phase: str = ""
    bind_completed: bool = False
    deleting: bool = False
    raw: Manifest = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def read(manifest: Manifest, default_class: str | None = None) -> PersistentVolumeClaim:
        """Return the claim of a manifest; the old annotation for the class takes precedence. Without a class it gets the
        default one."""
        metadata, spec = manifest["metadata"], manifest.get("spec") or {}
        annotations = metadata.get("annotations") or {}
        written = annotations.get(BETA_STORAGE_CLASS, spec.get("storageClassName"))
        return PersistentVolumeClaim(
            name=metadata["name"],
            namespace=metadata.get("namespace") or "default",
            storage_class=default_class if written is None else written,
            volume=spec.get("volumeName") or "",
            phase=(manifest.get("status") or {}).get("phase") or "",
            bind_completed=BIND_COMPLETED in annotations,
            deleting=bool(metadata.get("deletionTimestamp")),
            raw=manifest,
        )

    def bound_to(self, volume: str) -> PersistentVolumeClaim:
        """Return the claim once it is bound to the volume of this name."""
        return replace(self, volume=volume, phase="Bound", bind_completed=True)


@dataclass(frozen=True, slots=True)
class PersistentVolume:
    """A volume. `terms` are the OR-ed terms of its required node affinity; `local` means that it lies on one machine."""

    name: str
    terms: Terms = ()
    local: bool = False
    driver: str = ""
    deleting: bool = False
    raw: Manifest = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def read(manifest: Manifest) -> PersistentVolume:
        """Return the volume of a manifest. `driver` is the CSI driver, that of EBS for the old in-tree kind (spec 9.5)."""
        metadata, spec = manifest["metadata"], manifest.get("spec") or {}
        in_tree = EBS if spec.get("awsElasticBlockStore") else ""
        return PersistentVolume(
            name=metadata["name"],
            terms=read_terms((spec.get("nodeAffinity") or {}).get("required")) or (),
            local=bool(spec.get("local") or spec.get("hostPath")),
            driver=(spec.get("csi") or {}).get("driver") or in_tree,
            deleting=bool(metadata.get("deletionTimestamp")),
            raw=manifest,
        )


@dataclass(frozen=True, slots=True)
class StorageClass:
    """A class of volumes. `topologies` are the OR-ed terms of `allowedTopologies`, In per key."""

    name: str
    provisioner: str = ""
    binding_mode: str = IMMEDIATE
    topologies: Terms = ()
    default: bool = False
    raw: Manifest = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def read(manifest: Manifest) -> StorageClass:
        """Return the class of a manifest; a missing binding mode means Immediate, as for the API server."""
        metadata = manifest["metadata"]
        return StorageClass(
            name=metadata["name"],
            provisioner=manifest.get("provisioner") or "",
            binding_mode=manifest.get("volumeBindingMode") or IMMEDIATE,
            topologies=tuple(map(_topology, manifest.get("allowedTopologies") or ())),
            default=(metadata.get("annotations") or {}).get(DEFAULT_CLASS) == "true",
            raw=manifest,
        )


def _topology(raw: Manifest) -> tuple[Expression, ...]:
    return tuple(Expression(e["key"], Operator.IN, tuple(e["values"])) for e in raw.get("matchLabelExpressions") or ())


@dataclass(frozen=True, slots=True)
class PodDisruptionBudget:
    """A budget: how many of the selected pods may be missing at once, as a number or percentage as written."""

    name: str
    namespace: str = "default"
    selector: LabelSelector | None = None
    min_available: int | str | None = None
    max_unavailable: int | str | None = None
    raw: Manifest = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def read(manifest: Manifest) -> PodDisruptionBudget:
        """Return what a checked manifest says; without a namespace it is in `default`."""
        metadata, spec = manifest["metadata"], manifest.get("spec") or {}
        return PodDisruptionBudget(
            name=metadata["name"],
            namespace=metadata.get("namespace") or "default",
            selector=read_selector(spec.get("selector")),
            min_available=spec.get("minAvailable"),
            max_unavailable=spec.get("maxUnavailable"),
            raw=manifest,
        )

    def with_healthy(self, running: Iterable[Pod]) -> PodDisruptionBudget:
        """Return the budget with its status once all these pods are healthy."""
        selector = self.selector
        pods = 0 if selector is None else sum(p.namespace == self.namespace and selector.matches(p.labels) for p in running)
        missing = 0 if self.max_unavailable is None else part_of(self.max_unavailable, pods)
        needed = max(0, pods - missing) if self.min_available is None else part_of(self.min_available, pods)
        return replace(self, raw={**self.raw, "status": {"disruptionsAllowed": max(0, pods - needed)}})

    @property
    def spares_only_ready(self) -> bool:
        """Tell whether pods that are not ready may always be evicted."""
        return bool((self.raw.get("spec") or {}).get("unhealthyPodEvictionPolicy") == "AlwaysAllow")

    @property
    def disruptions_allowed(self) -> int:
        """Return how many evictions it allows at present; 0 while no controller has reported a number."""
        return int((self.raw.get("status") or {}).get("disruptionsAllowed") or 0)


def part_of(amount: int | str, pods: int) -> int:
    """Return a number, or a percentage of some pods, rounded up as the disruption controller does."""
    if isinstance(amount, int):
        return amount
    text = amount.removesuffix("%")
    return -(-pods * int(text) // 100) if text.isdecimal() else 0


@dataclass(frozen=True, slots=True)
class EvictionBudgets:
    """The PodDisruptionBudgets of a cluster, by namespace."""

    by_namespace: Mapping[str, Sequence[PodDisruptionBudget]] = field(default_factory=dict)

    @staticmethod
    def of(budgets: Iterable[PodDisruptionBudget]) -> EvictionBudgets:
        """Return budgets indexed by their namespace."""
        by_namespace: dict[str, list[PodDisruptionBudget]] = {}
        for budget in budgets:
            by_namespace.setdefault(budget.namespace, []).append(budget)
        return EvictionBudgets(by_namespace)

    def covering(self, pod: Pod) -> list[PodDisruptionBudget]:
        """Return the budgets whose selector matches a pod. A missing selector matches nothing, an empty one everything."""
        budgets = self.by_namespace.get(pod.namespace, ())
        return [b for b in budgets if b.selector is not None and b.selector.matches(pod.labels)]


def namespace_labels(manifest: Manifest) -> FrozenDict[str]:
    """Return the labels of a namespace, with the one for its name that the API server adds to all."""
    metadata = manifest["metadata"]
    return FrozenDict({**(metadata.get("labels") or {}), NAMESPACE_NAME: metadata["name"]})
