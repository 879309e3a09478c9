"""Autoscalers, which decide the number of replicas along with the manifest: HorizontalPodAutoscaler and KEDA's ScaledObject."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.shapes import Report

Manifest = Mapping[str, Any]
Target = tuple[str, str, str]  # namespace, kind, name

KEDA_MAXIMUM: Final = 100
"""How many replicas of a ScaledObject, or jobs of a ScaledJob, there are at most if none is written (C-34)."""
_KEDA: Final = "ScaledObject"
_PAUSED_AT: Final = "autoscaling.keda.sh/paused-replicas"
BOUNDS: Final = {
    "HorizontalPodAutoscaler": ("minReplicas", "maxReplicas"),
    "ScaledObject": ("minReplicaCount", "maxReplicaCount"),
}


@dataclass(frozen=True, slots=True)
class Autoscaler:
    """The range of replicas of a workload, and the object that sets it."""

    kind: str
    name: str
    target: Target
    low: int
    high: int

    @staticmethod
    def read(manifest: Manifest) -> Autoscaler:
        """Return a HorizontalPodAutoscaler (by default from 1 replica) or a ScaledObject (by default 0 to 100)."""
        metadata, spec, kind = manifest["metadata"], manifest["spec"], manifest["kind"]
        reference = spec["scaleTargetRef"]
        target = (metadata.get("namespace") or "default", reference.get("kind") or "Deployment", reference["name"])
        low, high = _range_of_keda(metadata, spec) if kind == _KEDA else (_or(spec.get("minReplicas"), 1), spec["maxReplicas"])
        return Autoscaler(kind, metadata["name"], target, low, high)

    def is_off(self, written: int | None) -> bool:
        """Tell whether a written zero keeps it from scaling: a HorizontalPodAutoscaler leaves 0 replicas as they are unless its
        own minimum is 0 (C-1). KEDA scales from 0 (C-34)."""
        return written == 0 and self.low > 0 and self.kind != _KEDA

    def replicas(self, written: int | None, *, in_cluster: bool = False) -> int:
        """Return the replicas to plan for: those written, limited to the range; the lower end if none or 0 are written.

        A zero in a file is where a workload begins, and a plan is for the workload at work. A zero `in_cluster` is its state:
        it stays, where it keeps the autoscaler from scaling (C-1).
        """
        if in_cluster and self.is_off(written):
            return 0
        return min(max(written or 0, self.low), self.high)

    def in_words(self, written: int | None) -> str:
        """Return the range that it allows a workload with this number of written replicas."""
        span = f"{self.kind} {self.name} may make it {self.low} to {self.high}"
        return f"{span} once it has a replica, since it leaves the written 0 as they are" if self.is_off(written) else span


def _range_of_keda(metadata: Manifest, spec: Manifest) -> tuple[int, int]:
    """Return the fewest and most replicas that a ScaledObject sets (C-34, C-35)."""
    paused = (metadata.get("annotations") or {}).get(_PAUSED_AT)
    if isinstance(paused, str) and paused.isdecimal():
        return int(paused), int(paused)
    idle = spec.get("idleReplicaCount")
    low = spec.get("minReplicaCount") or 0
    return low if idle is None else min(idle, low), spec.get("maxReplicaCount") or KEDA_MAXIMUM


def check_bounds(manifest: Manifest, report: Report) -> None:
    """Report a lower bound above the upper one."""
    low, high = BOUNDS[manifest["kind"]]
    spec = manifest["spec"]
    if spec.get(low) is not None and spec.get(high) is not None and spec[low] > spec[high]:
        report.add(f"spec.{low}", f"{spec[low]} is more than {high}, which is {spec[high]}", f"up to {spec[high]}")


def _or(value: int | None, default: int) -> int:
    return default if value is None else value
