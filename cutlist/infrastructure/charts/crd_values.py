"""The values of the chart that brings Karpenter's CRDs (spec: aws-infrastructure 7.2)."""

from __future__ import annotations

from typing import Any, Final

from cutlist.infrastructure.charts.settings import RELEASE
from cutlist.infrastructure.karpenter_versions import KarpenterVersion

KEEP: Final = {"helm.sh/resource-policy": "keep"}
_CONVERTING: Final = (KarpenterVersion(1, 0, 0), KarpenterVersion(1, 1, 0))
"""From the first, and before the second, CRDs name the webhook that converts between v1beta1 and v1."""


def crd_values(version: KarpenterVersion, namespace: str, *, keep: bool) -> dict[str, Any]:
    """The values. Kept CRDs stay when the release goes; without that, every NodePool and NodeClass goes with them."""
    made: dict[str, Any] = {"additionalAnnotations": dict(KEEP)} if keep else {}
    first, after = _CONVERTING
    if first <= version < after:
        made["webhook"] = {"enabled": True, "serviceName": RELEASE, "serviceNamespace": namespace}
    return made
