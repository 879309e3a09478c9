"""Where a pod's volumes can be used, and how many of a node's attach limits they use (spec: scheduling 9; S-115 to S-118)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.core.csi import AZURE_DISK, AZURE_FILE, EBS
from cutlist.core.labels import HOSTNAME, LabelRegistry
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.state.volume_binding import binding_refusal
from cutlist.workloads.objects import IMMEDIATE, NO_PROVISIONER, PersistentVolume, PersistentVolumeClaim, StorageClass
from cutlist.workloads.pods import Pod, Terms

Manifest = Mapping[str, Any]
Attachment = tuple[str, str]  # a CSI driver and the claim (namespace/name) whose volume it attaches

# In-tree plugins and the CSI drivers that replaced them.
_CSI_NAMES: Final[Mapping[str, str]] = {
    "kubernetes.io/aws-ebs": EBS,
    "kubernetes.io/azure-disk": AZURE_DISK,
    "kubernetes.io/azure-file": AZURE_FILE,
    "kubernetes.io/cinder": "cinder.csi.openstack.org",
    "kubernetes.io/gce-pd": "pd.csi.storage.gke.io",
    "kubernetes.io/portworx-volume": "pxd.portworx.com",
    "kubernetes.io/vsphere-volume": "csi.vsphere.vmware.com",
}


class _Missing(Exception):
    """The error for an object that a volume refers to and that does not exist."""


@dataclass(frozen=True, slots=True)
class PodVolumes:
    """The effect of a pod's volumes on its placement.

    `alternatives` are the ways in which they can be used, to be tried in order; empty for no constraint. `attached` are the
    claims that count against attach limits; if looking them up failed, the pod fits no existing node (`attachable` is False). A
    pod whose alternatives could not be looked up (`resolved` is False) starts without its topology rules (spec 4.5). `problem`
    says why Karpenter does not even try the pod while it is pending.

    Where one pod represents several, `own` are the claims that each of them has for itself, as numbers by CSI driver. They
    count on nodes; no provider's instance types have limits of their own (V15-11).
    """

    alternatives: tuple[Requirements, ...] = ()
    attached: frozenset[Attachment] = frozenset()
    own: tuple[tuple[str, int], ...] = ()
    attachable: bool = True
    resolved: bool = True
    problem: str | None = None

    @property
    def drivers(self) -> frozenset[str]:
        """Return the CSI drivers that attach them."""
        return frozenset(driver for driver, _ in (*self.attached, *self.own))


NO_VOLUMES: Final = PodVolumes()


@dataclass(frozen=True, slots=True)
class Storage:
    """The claims (by namespace and name), volumes and classes of a cluster."""

    claims: Mapping[tuple[str, str], PersistentVolumeClaim] = field(default_factory=dict)
    volumes: Mapping[str, PersistentVolume] = field(default_factory=dict)
    classes: Mapping[str, StorageClass] = field(default_factory=dict)

    @staticmethod
    def of(manifests: Iterable[Manifest]) -> Storage:
        """Return the storage objects of a cluster; other kinds are ignored."""
        by_kind: dict[str, list[Manifest]] = {}
        for manifest in manifests:
            by_kind.setdefault(manifest.get("kind") or "", []).append(manifest)
        claims = map(PersistentVolumeClaim.read, by_kind.get("PersistentVolumeClaim", ()))
        return Storage(
            {(c.namespace, c.name): c for c in claims},
            {v.name: v for v in map(PersistentVolume.read, by_kind.get("PersistentVolume", ()))},
            {c.name: c for c in map(StorageClass.read, by_kind.get("StorageClass", ()))},
        )

    def of_pod(self, pod: Pod, name: str, registry: LabelRegistry) -> PodVolumes:
        """Return the volumes of the pod of this name. An object that cannot be found leaves its constraint out (spec 4.5)."""
        if not pod.volumes:
            return NO_VOLUMES
        problem = self._problem(pod, name)
        try:
            attached = frozenset(self._attached(pod, name))
        except _Missing:
            return PodVolumes(attachable=False, resolved=False, problem=problem)
        try:
            return PodVolumes(self._alternatives(pod, name, registry), attached, problem=problem)
        except _Missing:
            return PodVolumes((), attached, resolved=False, problem=problem)

    def of_pods(self, pod: Pod, name: str, registry: LabelRegistry) -> PodVolumes:
        """Return the volumes of equal pods that the one of this name represents: each has its own claims, others are shared."""
        volumes = self.of_pod(pod, name, registry)
        mine = {f"{pod.namespace}/{v.claim_of(name)}" for v in pod.volumes if v.belongs_to_pod}
        own = Counter(driver for driver, claim in volumes.attached if claim in mine)
        shared = frozenset(a for a in volumes.attached if a[1] not in mine)
        return replace(volumes, attached=shared, own=tuple(sorted(own.items()))) if own else volumes

    def _problem(self, pod: Pod, name: str) -> str | None:
        """Return why Karpenter does not try a pending pod because of its volumes, or None if it does (spec 9.4, S-118)."""
        for volume in pod.volumes:
            key = (pod.namespace, volume.claim_of(name))
            claim = self.claims.get(key)
            problem = f"persistentvolumeclaim {key[1]!r} not found" if claim is None else self._claim_problem(claim)
            if problem:
                return problem
        return None

    def _claim_problem(self, claim: PersistentVolumeClaim) -> str | None:
        subject = f"persistentvolumeclaim {claim.name!r}"
        if claim.deleting:
            return f"{subject} is being deleted"
        if claim.phase == "Lost":
            return f"{subject} is bound to a persistentvolume that no longer exists"
        if claim.volume:
            return self._bound_problem(claim, subject)
        if not claim.storage_class:
            return f"unbound {subject} must define a storage class{self._without_class(claim)}"
        storage_class = self.classes.get(claim.storage_class)
        if storage_class is None:
            return f"{subject}: storageclass {claim.storage_class!r} not found"
        if storage_class.binding_mode == IMMEDIATE:
            text = f"{subject} with immediate volume binding mode must be bound"
            makes_none = storage_class.provisioner == NO_PROVISIONER
            return f"{text}, and storage class {storage_class.name!r} makes no volumes" if makes_none else text
        return None

    def _without_class(self, claim: PersistentVolumeClaim) -> str:
        """Return why a claim has no class, as the end of a message, or an empty string if it has one."""
        if claim.storage_class is None and self.classes:
            return f", because none is the default ({', '.join(sorted(self.classes))})"
        return "" if claim.storage_class is None else ": it asks for none, and no persistentvolume without one fits"

    def _bound_problem(self, claim: PersistentVolumeClaim, subject: str) -> str | None:
        volume = self.volumes.get(claim.volume)
        if volume is None:
            return f"{subject}: persistentvolume {claim.volume!r} not found"
        if volume.deleting:
            return f"{subject}: persistentvolume {claim.volume!r} is being deleted"
        if claim.bind_completed:
            return None
        refusal = binding_refusal(volume, claim)
        return f"{subject} counts as unbound: {refusal or 'binding it has not been completed'}"

    def _alternatives(self, pod: Pod, name: str, registry: LabelRegistry) -> tuple[Requirements, ...]:
        """Return the places that all volumes allow, earlier volumes outermost; compatible ones are combined (S-116, S-117)."""
        alternatives: list[Requirements] = []
        for claim in self._claims(pod, name, missing_is_fine=False):
            allowed = [Requirements.of_expressions(term, registry) for term in self._terms(claim)]
            if not alternatives or not allowed:
                alternatives = alternatives or allowed
                continue
            pairs = [(earlier, later) for earlier in alternatives for later in allowed]
            # If no pair is compatible, Karpenter keeps them all, and contradictions turn into absence.
            alternatives = [earlier & later for earlier, later in [p for p in pairs if p[0].intersects(p[1])] or pairs]
        return tuple(alternatives)

    def _terms(self, claim: PersistentVolumeClaim) -> Terms:
        if claim.volume:
            volume = self.volumes.get(claim.volume)
            if volume is None:
                raise _Missing
            return tuple(_movable(volume))
        if not claim.storage_class:
            return ()
        storage_class = self.classes.get(claim.storage_class)
        if storage_class is None:
            raise _Missing
        return tuple(term for term in storage_class.topologies if term)

    def _attached(self, pod: Pod, name: str) -> Iterator[Attachment]:
        for claim in self._claims(pod, name, missing_is_fine=True):
            driver = self._driver(claim)
            if driver:
                yield driver, f"{claim.namespace}/{claim.name}"

    def _driver(self, claim: PersistentVolumeClaim) -> str:
        """Return the CSI driver that attaches a claim's volume, or an empty string if none does (spec 9.5)."""
        if claim.volume:
            volume = self.volumes.get(claim.volume)
            if volume is None:
                raise _Missing
            return volume.driver
        storage_class = self.classes.get(claim.storage_class or "")
        return csi_driver(storage_class) if storage_class else ""

    def _claims(self, pod: Pod, name: str, *, missing_is_fine: bool) -> Iterator[PersistentVolumeClaim]:
        for volume in pod.volumes:
            claim = self.claims.get((pod.namespace, volume.claim_of(name)))
            if claim is not None:
                yield claim
            elif not missing_is_fine:
                raise _Missing


def csi_driver(storage_class: StorageClass) -> str:
    """Return the CSI driver that provisions the volumes of a class, including classes of in-tree plugins."""
    return _CSI_NAMES.get(storage_class.provisioner, storage_class.provisioner)


def _movable(volume: PersistentVolume) -> Iterator[tuple[Expression, ...]]:
    """Yield the terms of a volume. A local one does not tie a pod to its machine: the hostname is ignored (S-116)."""
    for term in volume.terms:
        kept = tuple(e for e in term if e.key != HOSTNAME) if volume.local else term
        if kept or (term and volume.local):
            yield kept
