"""Autoscalers, which decide the number of replicas along with the manifest: HorizontalPodAutoscaler and KEDA's ScaledObject."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.shapes import Report

Manifest = Mapping[str, Any]
Target = tuple[str, str, str]  # namespace, kind, name

_KEDA_MAXIMUM: Final = 100
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
        if kind == "ScaledObject":
            low, high = spec.get("minReplicaCount") or 0, spec.get("maxReplicaCount") or _KEDA_MAXIMUM
        else:
            low, high = _or(spec.get("minReplicas"), 1), spec["maxReplicas"]
        return Autoscaler(kind, metadata["name"], target, low, high)

    def replicas(self, written: int | None) -> int:
        """Return the replicas to plan for: those written, limited to the range; the lower end if none are written.

        A written zero stays zero: it switches autoscaling off. A range from zero counts as one from one.
        """
        if written == 0:
            return 0
        return min(max(written or 0, self.low, 1), self.high)


def check_bounds(manifest: Manifest, report: Report) -> None:
    """Report a lower bound above the upper one."""
    low, high = BOUNDS[manifest["kind"]]
    spec = manifest["spec"]
    if spec.get(low) is not None and spec.get(high) is not None and spec[low] > spec[high]:
        report.add(f"spec.{low}", f"{spec[low]} is more than {high}, which is {spec[high]}", f"up to {spec[high]}")


def _or(value: int | None, default: int) -> int:
    return default if value is None else value
