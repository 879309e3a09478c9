"""The effect of an AKSNodeClass and the settings on all sizes, computed once (spec: azure 2.2, 4, 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cutlist.api.aksnodeclass_fields import NextSecurity
from cutlist.providers.azure.local_dns import has_local_dns
from cutlist.providers.azure.settings import AzureSettings

if TYPE_CHECKING:
    from cutlist.api.aksnodeclass import AKSNodeClass


UBUNTU: Final = "Ubuntu"
AZURE_LINUX: Final = "AzureLinux"


@dataclass(frozen=True, slots=True)
class NodeProfile:
    """The effect of an AKSNodeClass on sizes. `os_disk_gb` is in decimal gigabytes; `local_dns` says whether the cache is
    on."""

    image_family: str
    os_disk_gb: int
    max_pods: int
    memory_overhead: float
    fips: bool
    encryption_at_host: bool
    trusted_launch: bool
    local_dns: bool
    gpu_driver: bool
    artifact_streaming: bool

    @staticmethod
    def of(node_class: AKSNodeClass, settings: AzureSettings) -> NodeProfile:
        """Return the profile of a class. Its kubelet settings change nothing here (Z-40)."""
        security = node_class.security
        trusted = security.trusted_launch if isinstance(security, NextSecurity) else None
        streaming = node_class.artifact_streaming
        return NodeProfile(
            image_family=node_class.image_family,
            os_disk_gb=node_class.os_disk_size_gb,
            max_pods=node_class.max_pods or settings.default_max_pods,
            memory_overhead=settings.vm_memory_overhead_percent,
            fips=node_class.fips_mode == "FIPS",
            encryption_at_host=bool(security and security.encryption_at_host),
            trusted_launch=bool(trusted and (trusted.vtpm or trusted.secure_boot)),
            local_dns=has_local_dns(node_class, settings),
            gpu_driver=node_class.gpu is None or node_class.gpu.mode == "Driver",
            artifact_streaming=bool(streaming and streaming.enabled),
        )

    @property
    def operating_system(self) -> str:
        """Return the image family without its version, the value of the label: Ubuntu or AzureLinux."""
        return AZURE_LINUX if self.image_family == AZURE_LINUX else UBUNTU
