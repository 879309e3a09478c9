"""Which pods of a cluster Karpenter takes up at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Manifest = Mapping[str, Any]


def is_provisionable(manifest: Manifest) -> bool:
    """Tell whether a pod object waits for a node and Karpenter looks at it: marked unschedulable, of no DaemonSet or node."""
    spec, status = manifest.get("spec") or {}, manifest.get("status") or {}
    owners = (manifest.get("metadata") or {}).get("ownerReferences") or ()
    return (
        any(c.get("type") == "PodScheduled" and c.get("reason") == "Unschedulable" for c in status.get("conditions") or ())
        and not spec.get("nodeName")
        and not status.get("nominatedNodeName")
        and not any(o.get("kind") in ("DaemonSet", "Node") for o in owners)
    )
