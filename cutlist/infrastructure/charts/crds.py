"""The CRDs in each version's chart, and the values of that chart (spec: aws-infrastructure 7.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.infrastructure.charts.settings import RELEASE


@dataclass(frozen=True, slots=True)
class Crd:
    """A CRD by its name, with the versions of the chart since which and until which it is included."""

    name: str
    since: KarpenterVersion
    until: KarpenterVersion | None = None

    def is_in(self, version: KarpenterVersion) -> bool:
        """Tell whether the chart of a version includes it."""
        return version.is_within(self.since, self.until)


_START: Final = KarpenterVersion(0, 0, 0)
_BETA: Final = KarpenterVersion(0, 32, 0)
_NO_ALPHA: Final = KarpenterVersion(0, 33, 0)

CRDS: Final = (
    Crd("provisioners.karpenter.sh", _START, _NO_ALPHA),
    Crd("machines.karpenter.sh", _START, _NO_ALPHA),
    Crd("awsnodetemplates.karpenter.k8s.aws", _START, _NO_ALPHA),
    Crd("nodepools.karpenter.sh", _BETA),
    Crd("nodeclaims.karpenter.sh", _BETA),
    Crd("ec2nodeclasses.karpenter.k8s.aws", _BETA),
    Crd("nodeoverlays.karpenter.sh", KarpenterVersion(1, 7, 0)),
    Crd("capacitybuffers.autoscaling.x-k8s.io", KarpenterVersion(1, 14, 0)),
)


@dataclass(frozen=True, slots=True)
class ServedVersion:
    """A version of the API that a CRD serves, and the versions of Karpenter that serve it."""

    api: str
    since: KarpenterVersion
    until: KarpenterVersion | None = None

    def is_in(self, version: KarpenterVersion) -> bool:
        """Tell whether a version of Karpenter serves it."""
        return version.is_within(self.since, self.until)


SERVED: Final = (
    ServedVersion("v1alpha5", _START, _NO_ALPHA),
    ServedVersion("v1beta1", _BETA, KarpenterVersion(1, 1, 0)),
    ServedVersion("v1", KarpenterVersion(1, 0, 0)),
)
"""The API versions of NodePools and related kinds."""


def crds_of(version: KarpenterVersion) -> frozenset[str]:
    """Return the names of the CRDs of a version's chart."""
    return frozenset(crd.name for crd in CRDS if crd.is_in(version))


def served_by(version: KarpenterVersion) -> frozenset[str]:
    """Return the API versions in which a version of Karpenter serves NodePools."""
    return frozenset(served.api for served in SERVED if served.is_in(version))


KEEP: Final = {"helm.sh/resource-policy": "keep"}
_CONVERTING: Final = (KarpenterVersion(1, 0, 0), KarpenterVersion(1, 1, 0))
"""CRDs name the webhook that converts between v1beta1 and v1 from the first version until before the second."""


def crd_values(version: KarpenterVersion, namespace: str, *, keep: bool) -> dict[str, Any]:
    """Return the values of the chart. With `keep`, the CRDs survive the release; without it, every NodePool and NodeClass is
    deleted with them."""
    values: dict[str, Any] = {"additionalAnnotations": dict(KEEP)} if keep else {}
    first, after = _CONVERTING
    if first <= version < after:
        values["webhook"] = {"enabled": True, "serviceName": RELEASE, "serviceNamespace": namespace}
    return values
