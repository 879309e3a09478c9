"""The structure of an AKSNodeClass, `karpenter.azure.com`: all fields, their types, ranges, defaults (spec: azure 2)."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from cutlist.api.fields import Field, StringConstraints
from cutlist.api.model import (
    Condition,
    Count,
    Duration,
    GoDuration,
    Int32,
    Items,
    Metadata,
    Model,
    Observed,
    Texts,
    help_text,
    stored,
)

API_VERSION: Final = "karpenter.azure.com/v1beta1"
OLD_VERSION: Final = "karpenter.azure.com/v1alpha2"
KIND: Final = "AKSNodeClass"

_SIZE: Final = r"^\d+(E|P|T|G|M|K|Ei|Pi|Ti|Gi|Mi|Ki)$"
_PORTS: Final = r"^\d+ \d+$"
_ZONE: Final = r"^(\.|[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*\.?)$"
_SUBNET: Final = (
    r"(?i)^\/subscriptions\/[^\/]+\/resourceGroups\/[a-zA-Z0-9_\-().]{0,89}[a-zA-Z0-9_\-()]"
    r"\/providers\/Microsoft\.Network\/virtualNetworks\/[^\/]+\/subnets\/[^\/]+$"
)

PATTERNS_IN_WORDS: Final = {
    _SIZE: "a size such as 50Mi",
    _PORTS: "the first and the last port, such as 32768 60999",
    _ZONE: "a DNS zone such as example.com; or . for the root",
    _SUBNET: "the whole id of a subnet: /subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/"
    "NETWORK/subnets/NAME",
}

ImageFamily = Literal["Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux"]
FipsMode = Literal["FIPS", "Disabled"]
Size = Annotated[str, StringConstraints(pattern=_SIZE)]
Percent = Annotated[Int32, Field(ge=0, le=100)]


class AksKubelet(Model):
    """Settings of the kubelet. What AKS reserves for itself cannot be changed."""

    cpu_manager_policy: Literal["none", "static"] = stored("none")
    cpu_cfs_quota: bool = stored(True)
    cpu_cfs_quota_period: GoDuration = stored("100ms")
    image_gc_high_threshold_percent: Percent | None = None
    image_gc_low_threshold_percent: Percent | None = None
    topology_manager_policy: Literal["restricted", "best-effort", "none", "single-numa-node"] = stored("none")
    allowed_unsafe_sysctls: Items[str] | None = None
    container_log_max_size: Size = stored("50Mi")
    container_log_max_files: Annotated[Int32, Field(ge=2)] = stored(5)
    pod_pids_limit: int | None = None
    fail_swap_on: bool | None = None


class Security(Model):
    """How the disks of a node are protected."""

    encryption_at_host: bool | None = None


class TrustedLaunch(Model):
    """Trusted launch of the machine, since releases after 1.14."""

    secure_boot: bool | None = None
    vtpm: bool | None = None


class NextSecurity(Security):
    """How the disks of a node are protected, and trusted launch, in releases after 1.14."""

    trusted_launch: TrustedLaunch | None = None


class Gpu(Model):
    """Whether AKS installs the driver of a GPU."""

    mode: Literal["Driver", "None"] = stored("Driver")


class ArtifactStreaming(Model):
    """Whether container images are streamed while containers start."""

    enabled: bool | None = None


class DnsOverride(Model):
    """How the node's own DNS cache treats a zone."""

    zone: Annotated[str, StringConstraints(min_length=1, max_length=254, pattern=_ZONE)]
    query_logging: Literal["Error", "Log"]
    protocol: Literal["PreferUDP", "ForceTCP"]
    forward_destination: Literal["ClusterCoreDNS", "VnetDNS"]
    forward_policy: Literal["Sequential", "RoundRobin", "Random"]
    max_concurrent: Count
    cache_duration: Duration
    serve_stale_duration: Duration
    serve_stale: Literal["Verify", "Immediate", "Disable"]


_BY_ZONE: Final[dict[str, Any]] = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["zone"]}
DnsOverrides = Annotated[Items[DnsOverride], Field(max_length=100, json_schema_extra=_BY_ZONE)]


class LocalDns(Model):
    """A DNS cache on every node. `vnet_dns_overrides` are for pods with dnsPolicy Default, the others for all other pods."""

    mode: Literal["Preferred", "Required", "Disabled"]
    vnet_dns_overrides: DnsOverrides
    kube_dns_overrides: DnsOverrides


class Sysctls(Model):
    """Settings of the kernel."""

    fs_aio_max_nr: Annotated[Int32, Field(ge=65_536, le=6_553_500)] | None = None
    fs_file_max: Annotated[Int32, Field(ge=8192, le=12_000_500)] | None = None
    fs_inotify_max_user_watches: Annotated[Int32, Field(ge=781_250, le=2_097_152)] | None = None
    fs_nr_open: Annotated[Int32, Field(ge=8192, le=20_000_500)] | None = None
    kernel_threads_max: Annotated[Int32, Field(ge=20, le=513_785)] | None = None
    net_core_netdev_max_backlog: Annotated[Int32, Field(ge=1000, le=3_240_000)] | None = None
    net_core_optmem_max: Annotated[Int32, Field(ge=20_480, le=4_194_304)] | None = None
    net_core_rmem_default: Annotated[Int32, Field(ge=212_992, le=134_217_728)] | None = None
    net_core_rmem_max: Annotated[Int32, Field(ge=212_992, le=134_217_728)] | None = None
    net_core_somaxconn: Annotated[Int32, Field(ge=4096, le=3_240_000)] | None = None
    net_core_wmem_default: Annotated[Int32, Field(ge=212_992, le=134_217_728)] | None = None
    net_core_wmem_max: Annotated[Int32, Field(ge=212_992, le=134_217_728)] | None = None
    net_ipv4_ip_local_port_range: Annotated[str, StringConstraints(pattern=_PORTS)] | None = None
    net_ipv4_neigh_default_gc_thresh1: Annotated[Int32, Field(ge=128, le=80_000)] | None = Field(
        default=None, alias="netIPv4NeighDefaultGcThresh1"
    )
    net_ipv4_neigh_default_gc_thresh2: Annotated[Int32, Field(ge=512, le=90_000)] | None = Field(
        default=None, alias="netIPv4NeighDefaultGcThresh2"
    )
    net_ipv4_neigh_default_gc_thresh3: Annotated[Int32, Field(ge=1024, le=100_000)] | None = Field(
        default=None, alias="netIPv4NeighDefaultGcThresh3"
    )
    net_ipv4_tcp_fin_timeout: Annotated[Int32, Field(ge=5, le=120)] | None = None
    net_ipv4_tcp_keepalive_intvl: Annotated[Int32, Field(ge=10, le=90)] | None = None
    net_ipv4_tcp_keepalive_probes: Annotated[Int32, Field(ge=1, le=15)] | None = None
    net_ipv4_tcp_keepalive_time: Annotated[Int32, Field(ge=30, le=432_000)] | None = None
    net_ipv4_tcp_max_syn_backlog: Annotated[Int32, Field(ge=128, le=3_240_000)] | None = None
    net_ipv4_tcp_max_tw_buckets: Annotated[Int32, Field(ge=8000, le=1_440_000)] | None = None
    net_ipv4_tcp_tw_reuse: bool | None = None
    net_netfilter_nf_conntrack_buckets: Annotated[Int32, Field(ge=65_536, le=524_288)] | None = None
    net_netfilter_nf_conntrack_max: Annotated[Int32, Field(ge=131_072, le=2_097_152)] | None = None
    vm_max_map_count: Annotated[Int32, Field(ge=65_530, le=262_144)] | None = None
    vm_swappiness: Annotated[Int32, Field(ge=0, le=100)] | None = None
    vm_vfs_cache_pressure: Annotated[Int32, Field(ge=0, le=100)] | None = None


class LinuxOsConfig(Model):
    """Settings of the operating system; with a swap file `fail_swap_on` of the kubelet has to be false."""

    swap_file_size: Annotated[Size | None, help_text("A swap file; kubelet.failSwapOn has to be false with it.")] = None
    sysctls: Sysctls | None = None
    transparent_huge_page_defrag: Literal["always", "defer", "defer+madvise", "madvise", "never"] | None = None
    transparent_huge_page_enabled: Literal["always", "madvise", "never"] | None = None


class AKSNodeClassSpec(Model):
    """The desired settings. `os_disk_size_gb` is in decimal gigabytes."""

    vnet_subnet_id: Annotated[
        Annotated[str, StringConstraints(pattern=_SUBNET)] | None,
        help_text("The subnet of the nodes; absent, that of the cluster."),
    ] = None
    os_disk_size_gb: Annotated[
        Int32, Field(ge=30, le=2048), help_text("The disk of the operating system and of pods, in decimal gigabytes.")
    ] = stored(128)
    image_family: Annotated[ImageFamily, help_text("The operating system of the nodes.")] = stored("Ubuntu")
    fips_mode: Annotated[FipsMode | None, help_text("FIPS for images with validated cryptography.")] = None
    kubelet: AksKubelet | None = None
    max_pods: Annotated[
        Annotated[Int32, Field(ge=10, le=250)] | None,
        help_text("Pods a node can hold, 10 to 250; absent, as the network has it."),
    ] = None
    security: Security | None = None
    local_dns: Annotated[LocalDns | None, help_text("A DNS cache on every node.")] = None
    gpu: Gpu | None = None
    artifact_streaming: ArtifactStreaming | None = None
    linux_os_config: LinuxOsConfig | None = None
    tags: Annotated[Texts, help_text("Tags of the machines. They do not count as drift.")] = Field(default_factory=dict)


class NodeImage(Observed):
    """An image that the controller found, and the requirements of machines for it."""

    id: str
    requirements: Items[dict[str, Any]] = ()


class AKSNodeClassStatus(Observed):
    """The state that the controller observed."""

    images: Items[NodeImage] = ()
    kubernetes_version: str = ""
    local_dns_state: str = ""
    conditions: Items[Condition] = ()


class AKSNodeClassFields(Model):
    """A whole AKSNodeClass as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: AKSNodeClassSpec = Field(default_factory=AKSNodeClassSpec)
    status: AKSNodeClassStatus = Field(default_factory=AKSNodeClassStatus)
