"""Label keys, and what a cloud provider registers about them (spec: scheduling 2.3).

A `LabelRegistry` is a value that is passed to the code that builds requirements. There is no process-wide registry, so one
process can plan for several providers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

NODEPOOL: Final = "karpenter.sh/nodepool"
CAPACITY_TYPE: Final = "karpenter.sh/capacity-type"
REGISTERED: Final = "karpenter.sh/registered"
INITIALIZED: Final = "karpenter.sh/initialized"
ZONE: Final = "topology.kubernetes.io/zone"
REGION: Final = "topology.kubernetes.io/region"
INSTANCE_TYPE: Final = "node.kubernetes.io/instance-type"
ARCH: Final = "kubernetes.io/arch"
OS: Final = "kubernetes.io/os"
LINUX: Final = "linux"
WINDOWS: Final = "windows"
WINDOWS_BUILD: Final = "node.kubernetes.io/windows-build"
HOSTNAME: Final = "kubernetes.io/hostname"
ZONE_ID: Final = "topology.k8s.aws/zone-id"

SPOT: Final = "spot"
ON_DEMAND: Final = "on-demand"
RESERVED: Final = "reserved"
CAPACITY_TYPES: Final = (SPOT, ON_DEMAND, RESERVED)

AWS_GROUP: Final = "karpenter.k8s.aws"
AUTO_GROUP: Final = "eks.amazonaws.com"
AZURE_GROUP: Final = "karpenter.azure.com"
AKS_GROUP: Final = "kubernetes.azure.com"
MANAGED_BY: Final = "app.kubernetes.io/managed-by"
COMPUTE_TYPE: Final = f"{AUTO_GROUP}/compute-type"
AWS_GPU_COUNT: Final = f"{AWS_GROUP}/instance-gpu-count"
AUTO_GPU_COUNT: Final = f"{AUTO_GROUP}/instance-gpu-count"
AZURE_GPU_COUNT: Final = f"{AZURE_GROUP}/sku-gpu-count"
AWS_GPU_NAME: Final = f"{AWS_GROUP}/instance-gpu-name"
AUTO_GPU_NAME: Final = f"{AUTO_GROUP}/instance-gpu-name"
AZURE_GPU_NAME: Final = f"{AZURE_GROUP}/sku-gpu-name"
AWS_ACCELERATOR_COUNT: Final = f"{AWS_GROUP}/instance-accelerator-count"
AUTO_ACCELERATOR_COUNT: Final = f"{AUTO_GROUP}/instance-accelerator-count"

_CORE_NORMALIZED: Final = MappingProxyType(
    {
        "failure-domain.beta.kubernetes.io/zone": ZONE,
        "failure-domain.beta.kubernetes.io/region": REGION,
        "beta.kubernetes.io/arch": ARCH,
        "beta.kubernetes.io/os": OS,
        "beta.kubernetes.io/instance-type": INSTANCE_TYPE,
    }
)


def domain(key: str) -> str:
    """Return the part of a label key before its first slash, or an empty string for a key without one."""
    return key.split("/", 1)[0] if "/" in key else ""


def _within(where: str, domains: Iterable[str]) -> bool:
    return any(where == d or where.endswith("." + d) for d in domains)


@dataclass(frozen=True, slots=True)
class LabelRegistry:
    """What is known about label keys under one provider.

    `well_known` keys may be undefined on a node that does not exist yet; keys of `restricted_domains` may not be used freely,
    except in the `open_domains` inside them; `normalized` maps old spellings to today's, and `empty_values` holds the meaning
    of an empty value under an old spelling.
    """

    well_known: frozenset[str]
    restricted_domains: frozenset[str]
    open_domains: frozenset[str] = frozenset()
    normalized: Mapping[str, str] = field(default_factory=lambda: _CORE_NORMALIZED)
    empty_values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    well_known_resources: frozenset[str] = frozenset()
    well_known_values: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    reservation_id: str | None = None

    def normalize(self, key: str) -> str:
        """Return today's spelling of a key (S-21)."""
        return self.normalized.get(key, key)

    def normalize_values(self, key: str, values: Iterable[str]) -> tuple[str, ...]:
        """Return the values under today's spelling of a key, given the key as it was written."""
        meant = self.empty_values.get(key, "")
        return tuple(value or meant for value in values)

    def is_restricted(self, key: str) -> bool:
        """Tell whether users may not put this key on nodes: the hostname, and keys in or below a restricted domain."""
        if key in self.well_known:
            return False
        if key == HOSTNAME:
            return True
        where = domain(key)
        return _within(where, self.restricted_domains) and not _within(where, self.open_domains)

    def extended(
        self,
        *,
        well_known: Iterable[str] = (),
        restricted_domains: Iterable[str] = (),
        open_domains: Iterable[str] = (),
        normalized: Mapping[str, str] | None = None,
        empty_values: Mapping[str, str] | None = None,
        well_known_resources: Iterable[str] = (),
        well_known_values: Mapping[str, Iterable[str]] | None = None,
        reservation_id: str | None = None,
    ) -> LabelRegistry:
        """Return this registry with a provider's additions."""
        values = {**self.well_known_values, **{k: frozenset(v) for k, v in (well_known_values or {}).items()}}
        return LabelRegistry(
            well_known=self.well_known | frozenset(well_known),
            restricted_domains=self.restricted_domains | frozenset(restricted_domains),
            open_domains=self.open_domains | frozenset(open_domains),
            normalized=MappingProxyType({**self.normalized, **(normalized or {})}),
            empty_values=MappingProxyType({**self.empty_values, **(empty_values or {})}),
            well_known_resources=self.well_known_resources | frozenset(well_known_resources),
            well_known_values=MappingProxyType(values),
            reservation_id=reservation_id or self.reservation_id,
        )


CORE: Final = LabelRegistry(
    well_known=frozenset({NODEPOOL, ZONE, REGION, INSTANCE_TYPE, ARCH, OS, CAPACITY_TYPE, WINDOWS_BUILD}),
    restricted_domains=frozenset({"karpenter.sh"}),
    well_known_values=MappingProxyType({CAPACITY_TYPE: frozenset(CAPACITY_TYPES)}),
)

AWS: Final = CORE.extended(
    well_known=(
        *(
            f"{AWS_GROUP}/{name}"
            for name in (
                "capacity-reservation-id",
                "capacity-reservation-type",
                "capacity-reservation-interruptible",
                "instance-hypervisor",
                "instance-encryption-in-transit-supported",
                "instance-category",
                "instance-capability-flex",
                "instance-family",
                "instance-generation",
                "instance-size",
                "instance-local-nvme",
                "instance-cpu",
                "instance-cpu-manufacturer",
                "instance-cpu-sustained-clock-speed-mhz",
                "instance-memory",
                "instance-ebs-bandwidth",
                "instance-network-bandwidth",
                "instance-gpu-name",
                "instance-gpu-manufacturer",
                "instance-gpu-count",
                "instance-gpu-memory",
                "instance-accelerator-name",
                "instance-accelerator-manufacturer",
                "instance-accelerator-count",
                "instance-tenancy",
                "placement-group-id",
                "placement-group-partition",
            )
        ),
        ZONE_ID,
        WINDOWS_BUILD,
    ),
    restricted_domains=(AWS_GROUP,),
    normalized={"topology.ebs.csi.aws.com/zone": ZONE},
    well_known_resources=(
        "vpc.amazonaws.com/pod-eni",
        "aws.amazon.com/neuron",
        "aws.amazon.com/neuroncore",
        "habana.ai/gaudi",
        "vpc.amazonaws.com/efa",
    ),
    well_known_values={f"{AWS_GROUP}/instance-tenancy": ("dedicated", "default")},
    reservation_id=f"{AWS_GROUP}/capacity-reservation-id",
)

AUTO_LABELS: Final = frozenset(
    {
        MANAGED_BY,
        COMPUTE_TYPE,
        *(
            f"{AUTO_GROUP}/instance-{name}"
            for name in (
                "accelerator-count",
                "accelerator-manufacturer",
                "accelerator-name",
                "category",
                "cpu",
                "cpu-manufacturer",
                "cpu-sustained-clock-speed-mhz",
                "ebs-bandwidth",
                "encryption-in-transit-supported",
                "family",
                "generation",
                "gpu-count",
                "gpu-manufacturer",
                "gpu-memory",
                "gpu-name",
                "hypervisor",
                "local-nvme",
                "memory",
                "network-bandwidth",
                "size",
            )
        ),
        ZONE_ID,
    }
)
"""The keys that EKS Auto Mode's first release added to the core's well-known labels, according to its messages (spec: API
4.3)."""

AUTO: Final = CORE.extended(
    well_known=(
        *AUTO_LABELS,
        *(
            f"{AUTO_GROUP}/{name}"
            for name in (
                "instance-capability-flex",
                "capacity-reservation-id",
                "capacity-reservation-type",
                "capacity-reservation-interruptible",
                "placement-group-id",
                "nodeclass",
            )
        ),
    ),
    # These are the rules of Karpenter up to 1.8, which Auto Mode keeps (spec: API 1.8, 8.1).
    restricted_domains=(AWS_GROUP, "kubernetes.io", "k8s.io"),
    open_domains=("kops.k8s.io", "node.kubernetes.io", "node-restriction.kubernetes.io"),
    normalized=AWS.normalized,
    well_known_resources=AWS.well_known_resources,
    reservation_id=f"{AUTO_GROUP}/capacity-reservation-id",
)

_TRUTH: Final = ("true", "false")
_AZURE_DISK_ZONE: Final = "topology.disk.csi.azure.com/zone"
ZONE_KEYS: Final = frozenset(
    (ZONE, "failure-domain.beta.kubernetes.io/zone", "topology.ebs.csi.aws.com/zone", _AZURE_DISK_ZONE)
)
"""The label of a zone: its name, its earlier one, and those of the drivers of volumes."""

AZURE: Final = CORE.extended(
    well_known=(
        *(
            f"{AZURE_GROUP}/{name}"
            for name in (
                "placement-scope",
                "sku-cpu",
                "sku-family",
                "sku-gpu-count",
                "sku-gpu-manufacturer",
                "sku-gpu-name",
                "sku-memory",
                "sku-name",
                "sku-networking-accelerated",
                "sku-series",
                "sku-storage-ephemeralos-maxsize",
                "sku-storage-premium-capable",
                "sku-storage-ultra-ssd",
                "sku-version",
            )
        ),
        *(
            f"{AKS_GROUP}/{name}"
            for name in (
                "cluster",
                "fips_enabled",
                "mode",
                "os-sku",
                "priority",
                "scalesetpriority",
                "sku-cpu",
                "sku-memory",
            )
        ),
    ),
    restricted_domains=(AZURE_GROUP,),
    normalized={_AZURE_DISK_ZONE: ZONE},
    empty_values={_AZURE_DISK_ZONE: "0"},  # the value of a disk without a zone
    well_known_values={
        CAPACITY_TYPE: (ON_DEMAND, SPOT),
        f"{AZURE_GROUP}/placement-scope": ("zonal", "regional"),
        f"{AZURE_GROUP}/sku-gpu-manufacturer": ("nvidia", "amd"),
        f"{AZURE_GROUP}/sku-networking-accelerated": _TRUTH,
        f"{AZURE_GROUP}/sku-storage-premium-capable": _TRUTH,
        f"{AZURE_GROUP}/sku-storage-ultra-ssd": _TRUTH,
        f"{AKS_GROUP}/fips_enabled": ("true",),
        f"{AKS_GROUP}/mode": ("system", "user"),
        f"{AKS_GROUP}/os-sku": ("Ubuntu", "AzureLinux"),
        f"{AKS_GROUP}/priority": ("regular", "spot"),
        f"{AKS_GROUP}/scalesetpriority": ("regular", "spot"),
    },
)
"""The labels that Karpenter's provider for AKS registers (spec: azure 3.1)."""
