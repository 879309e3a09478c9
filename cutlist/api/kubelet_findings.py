"""The findings of the controller on an EC2NodeClass that the API server accepted: its kubelet settings, and sharing of GPUs.

The class's condition shows only the first check that fails (spec: VA15-12, VA15-92).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.findings import Finding, Reported, Stage
from cutlist.api.gpu_sharing import SHARING, read_sharing
from cutlist.api.kubelet_checks import dropped_fields, expression_fault, structural_faults
from cutlist.api.kubelet_expressions import GATE
from cutlist.api.strict_decoding import Fault
from cutlist.core.errors import Layer
from cutlist.core.karpenter.feature_gates import GPU_DEVICES

_KUBELET: Final = "spec.kubelet"
_SHARING_STATEMENT: Final = "VA15-92"


def kubelet_findings(stored: Mapping[str, Any], family: str, gates: frozenset[str]) -> Iterator[Finding]:
    """Yield the controller's findings: every fault of the settings themselves, else the first of the later checks."""
    kubelet = (stored.get("spec") or {}).get("kubelet") or {}
    structural = structural_faults(kubelet) if kubelet else []
    if structural:
        yield from (_finding(f"{_KUBELET}.{fault.path}", fault) for fault in structural)
        return
    fault = expression_fault(kubelet, enabled=GATE in gates) or dropped_fields(kubelet, family)
    if fault is not None:
        yield _finding(f"{_KUBELET}.{fault.path}", fault)
        return
    sharing = _sharing_fault((stored.get("metadata") or {}).get("annotations") or {}, gates)
    if sharing is not None:
        yield _finding(sharing.path, sharing)


def _finding(path: str, fault: Fault) -> Finding:
    shown = f"{fault.message}; the class is not ready and launches nothing"
    reported = (Reported(path, fault.message, Stage.RUNTIME),)
    return Finding(path, shown, layer=Layer.RUNTIME, reported=reported, statements=fault.statement)


def _sharing_fault(annotations: Mapping[str, str], gates: frozenset[str]) -> Fault | None:
    path = f"metadata.annotations.{SHARING}"
    try:
        sharing = read_sharing(annotations.get(SHARING) or "")
    except ValueError as problem:
        return Fault(path, f"annotation {SHARING}, {problem}", statement=_SHARING_STATEMENT)
    if sharing is not None and GPU_DEVICES not in gates:
        message = f"annotation {SHARING} enables GPU sharing, but the {GPU_DEVICES} feature gate is disabled"
        return Fault(path, message, statement=_SHARING_STATEMENT)
    return None
