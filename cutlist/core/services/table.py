"""The table of services. Whoever reads the sources again changes rows here, and nothing else."""

from __future__ import annotations

from typing import Final

from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.core.labels import AKS_GROUP, AUTO_GROUP, AZURE_GROUP
from cutlist.core.services.facts import BuiltInClass, BuiltInPool, ClusterLimit, GateState, Service
from cutlist.core.source import Source

_GUIDE: Final = "docs.aws.amazon.com/eks/latest/userguide"
_LEARN: Final = "learn.microsoft.com/azure/aks"
_NOTES: Final = "AKS release notes"
BASE: Final = "Base"
AUTOMATIC: Final = "Automatic"
"""The SKUs of a cluster of AKS."""


def _aks_issue(number: int, day: str) -> Source:
    return Source(day, f"github.com/Azure/AKS issue {number}")


def _roadmap(number: int, day: str) -> Source:
    return Source(day, f"github.com/aws/containers-roadmap issue {number}")


_LIMITS: Final = Source("2026-02-15", f"{_LEARN}/node-auto-provisioning")
_NETWORKS: Final = Source("2026-08-21", f"{_LEARN}/node-auto-provisioning-networking")
_PUBLIC_IPS: Final = Source("2026-08-21", f"{_LEARN}/use-node-public-ips")

NAP_LIMITS: Final = (
    ClusterLimit(
        ("enableRBAC",), "Kubernetes RBAC that is off", "enableRBAC true, the default", Source("2025-06-17", _NOTES), (False,)
    ),
    ClusterLimit(
        ("publicNetworkAccess",),
        "public network access that is off",
        "publicNetworkAccess Enabled; a private cluster needs no more than enablePrivateCluster",
        _aks_issue(5881, "2026-07-29"),
        ("Disabled", "SecuredByPerimeter"),
    ),
    ClusterLimit(("networkProfile", "networkPlugin"), "kubenet", "azure, none", Source("2025-01-30", _NOTES), ("kubenet",)),
    ClusterLimit(("networkProfile", "networkPolicy"), "Calico", "cilium, azure, none", _NETWORKS, ("calico",)),
    ClusterLimit(("networkProfile", "ipFamilies"), "IPv6", "IPv4 alone", _LIMITS, ("IPv6",)),
    ClusterLimit(
        ("networkProfile", "loadBalancerSku"), "a Basic load balancer in your own network", "standard", _LIMITS, ("basic",)
    ),
    ClusterLimit(
        ("servicePrincipalProfile",),
        "a service principal",
        "a managed identity",
        _LIMITS,
        possible=(("clientId", "msi"), ("client_id", "msi")),  # how AKS writes a managed identity there
    ),
    ClusterLimit(("windowsProfile",), "Windows", "Linux alone", _LIMITS),
    ClusterLimit(("osType",), "a pool of Windows", "Linux", _LIMITS, ("Windows",), pools=True),
    ClusterLimit(
        ("osSKU",),
        "Flatcar",
        "Ubuntu or AzureLinux",
        Source("2026-08-21", f"{_LEARN}/flatcar-container-linux-for-aks"),
        ("Flatcar",),
        pools=True,
    ),
    ClusterLimit(
        ("enableAutoScaling",),
        "the cluster autoscaler",
        "a fixed count, or the feature AllowClusterAutoscalerAndNAP and autoscalerBeside",
        Source("2025-09-29", f"{_LEARN}/use-node-auto-provisioning"),
        (True,),
        pools=True,
    ),
    ClusterLimit(
        ("podSubnetID",),
        "a subnet for pods (dynamic allocation of addresses)",
        "none: pods of an overlay need no subnet",
        _NETWORKS,
        pools=True,
    ),
    ClusterLimit(
        ("enableNodePublicIP",), "a public address for each node", "none, the default", _PUBLIC_IPS, (True,), pools=True
    ),
    ClusterLimit(
        ("powerState", "code"),
        "a pool that is stopped",
        "a running one, or none",
        Source("2026-08-21", f"{_LEARN}/start-stop-nodepools"),
        ("Stopped",),
        pools=True,
    ),
)
"""What a cluster with node auto-provisioning cannot have (Z-74)."""

AKS: Final = Service(
    "AKS Node Auto Provisioning",
    AZURE_GROUP,
    KarpenterVersion(1, 14, 0),
    KarpenterVersion(1, 14, 0),
    Source("2026-07-17", _NOTES),
    (
        GateState("NodeOverlay", True, Source("2026-03-05", _NOTES)),
        GateState("StaticCapacity", True, _aks_issue(5396, "2026-04-16")),
        GateState("NodeRepair", True, Source("2026-07-17", _NOTES), is_inferred=True),  # acts on the signal of spot by it alone
        GateState("SpotToSpotConsolidation", False, _aks_issue(5428, "2026-08-03")),
        GateState("CapacityBuffer", False, _aks_issue(5873, "2026-07-22")),
        GateState("ReservedCapacity", False, Source("2026-08-09", "karpenter-provider-azure v1.14.2 has no reservations")),
    ),
    (
        BuiltInPool("default", "default", f"on-demand, amd64, family D, with the label {AKS_GROUP}/mode: user"),
        BuiltInPool(
            "system-surge",
            "default",
            f"on-demand, amd64, family D, with the label {AKS_GROUP}/mode: system and the taint CriticalAddonsOnly",
        ),
    ),
    ("default", "system-surge"),
    Source("2026-07-17", f"{_NOTES}; class of system-surge: github.com/Azure/karpenter-provider-azure issue 1230"),
    NAP_LIMITS,
    (
        BuiltInClass(BASE, "Ubuntu", "", Source("2025-10-12", _NOTES)),
        BuiltInClass(
            AUTOMATIC,
            "AzureLinux",
            "Required",
            Source("2026-07-24", f"{_NOTES} of 2024-07-16 (AzureLinux); {_LEARN}/intro-aks-automatic (LocalDNS)"),
        ),
    ),
)

EKS_AUTO: Final = Service(
    "EKS Auto Mode",
    AUTO_GROUP,
    None,
    None,
    Source("2026-11-28", f"{_GUIDE}/automode.html names none"),
    (
        GateState("SpotToSpotConsolidation", True, _roadmap(2612, "2025-05-06")),
        GateState("NodeRepair", True, Source("2026-11-28", f"{_GUIDE}/node-repair.html")),  # at the times of 1.14
        GateState("StaticCapacity", True, Source("2025-11-19", f"{_GUIDE}/auto-change.html")),
        GateState("ReservedCapacity", True, Source("2026-11-28", f"{_GUIDE}/ml-node-pools.html")),
        GateState("NodeOverlay", False, _roadmap(2690, "2025-10-15")),
    ),
    (
        BuiltInPool("general-purpose", "default", "on-demand, amd64, categories c, m and r, generation 5 and later"),
        BuiltInPool(
            "system",
            "default",
            "on-demand, amd64 and arm64, categories c, m and r, generation 5 and later, with the taint CriticalAddonsOnly",
        ),
    ),
    ("default",),
    Source("2026-11-28", f"{_GUIDE}/set-builtin-node-pools.html"),
    unknown_gates=("CapacityBuffer",),
)

SERVICES: Final = (AKS, EKS_AUTO)
