"""The table of services. Whoever reads the sources again changes rows here, and nothing else."""

from __future__ import annotations

from typing import Final

from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.core.labels import AKS_GROUP, AUTO_GROUP, AZURE_GROUP
from cutlist.core.services.facts import BuiltInClass, BuiltInPool, ClusterLimit, Fact, GateState, Service

_GUIDE: Final = "docs.aws.amazon.com/eks/latest/userguide"
_LEARN: Final = "learn.microsoft.com/azure/aks"
_NOTES: Final = "AKS release notes"
BASE: Final = "Base"
AUTOMATIC: Final = "Automatic"
"""The SKUs of a cluster of AKS."""


def _aks_issue(number: int, day: str) -> Fact:
    return Fact(f"github.com/Azure/AKS issue {number}", day)


def _roadmap(number: int, day: str) -> Fact:
    return Fact(f"github.com/aws/containers-roadmap issue {number}", day)


_LIMITS: Final = Fact(f"{_LEARN}/node-auto-provisioning", "2026-02-15")
_NETWORKS: Final = Fact(f"{_LEARN}/node-auto-provisioning-networking", "2026-08-21")
_PUBLIC_IPS: Final = Fact(f"{_LEARN}/use-node-public-ips", "2026-08-21")

NAP_LIMITS: Final = (
    ClusterLimit(
        ("enableRBAC",), "Kubernetes RBAC that is off", "enableRBAC true, the default", Fact(_NOTES, "2025-06-17"), (False,)
    ),
    ClusterLimit(
        ("publicNetworkAccess",),
        "public network access that is off",
        "publicNetworkAccess Enabled; a private cluster needs no more than enablePrivateCluster",
        _aks_issue(5881, "2026-07-29"),
        ("Disabled", "SecuredByPerimeter"),
    ),
    ClusterLimit(("networkProfile", "networkPlugin"), "kubenet", "azure, none", Fact(_NOTES, "2025-01-30"), ("kubenet",)),
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
        Fact(f"{_LEARN}/flatcar-container-linux-for-aks", "2026-08-21"),
        ("Flatcar",),
        pools=True,
    ),
    ClusterLimit(
        ("enableAutoScaling",),
        "the cluster autoscaler",
        "a fixed count, or the feature AllowClusterAutoscalerAndNAP and autoscalerBeside",
        Fact(f"{_LEARN}/use-node-auto-provisioning", "2025-09-29"),
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
        Fact(f"{_LEARN}/start-stop-nodepools", "2026-08-21"),
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
    Fact(_NOTES, "2026-07-17"),
    (
        GateState("NodeOverlay", True, Fact(_NOTES, "2026-03-05")),
        GateState("StaticCapacity", True, _aks_issue(5396, "2026-04-16")),
        GateState("NodeRepair", True, Fact(_NOTES, "2026-07-17"), is_inferred=True),  # acts on the signal of spot by it alone
        GateState("SpotToSpotConsolidation", False, _aks_issue(5428, "2026-08-03")),
        GateState("CapacityBuffer", False, _aks_issue(5873, "2026-07-22")),
        GateState("ReservedCapacity", False, Fact("karpenter-provider-azure v1.14.2, which has no reservations", "2026-08-09")),
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
    Fact(f"{_NOTES}; class of system-surge: github.com/Azure/karpenter-provider-azure issue 1230", "2026-07-17"),
    NAP_LIMITS,
    (
        BuiltInClass(BASE, "Ubuntu", "", Fact(_NOTES, "2025-10-12")),
        BuiltInClass(
            AUTOMATIC,
            "AzureLinux",
            "Required",
            Fact(f"{_NOTES} of 2024-07-16 (AzureLinux); {_LEARN}/intro-aks-automatic (LocalDNS)", "2026-07-24"),
        ),
    ),
)

EKS_AUTO: Final = Service(
    "EKS Auto Mode",
    AUTO_GROUP,
    None,
    None,
    Fact(f"{_GUIDE}/automode.html names none", "2026-11-28"),
    (
        GateState("SpotToSpotConsolidation", True, _roadmap(2612, "2025-05-06")),
        GateState("NodeRepair", True, Fact(f"{_GUIDE}/node-repair.html", "2026-11-28")),  # at the times of 1.14
        GateState("StaticCapacity", True, Fact(f"{_GUIDE}/auto-change.html", "2025-11-19")),
        GateState("ReservedCapacity", True, Fact(f"{_GUIDE}/ml-node-pools.html", "2026-11-28")),
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
    Fact(f"{_GUIDE}/set-builtin-node-pools.html", "2026-11-28"),
    unknown_gates=("CapacityBuffer",),
)

SERVICES: Final = (AKS, EKS_AUTO)
