"""The AKSNodeClass: how Karpenter creates machines on Azure (spec: azure 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from cutlist.api._model import present
from cutlist.api._objects import SpecObject
from cutlist.api._reading import Source
from cutlist.api.aksnodeclass_fields import (
    API_VERSION,
    KIND,
    AksKubelet,
    AKSNodeClassStatus,
    ArtifactStreaming,
    FipsMode,
    Gpu,
    ImageFamily,
    LinuxOsConfig,
    LocalDns,
    Security,
)
from cutlist.api.aksnodeclass_kind import AKS_NODE_CLASS


@dataclass(frozen=True, slots=True, init=False)
class AKSNodeClass(SpecObject):
    """How machines are created: image, disk, network, kubelet, operating system. What is absent has the API server's default.

    `os_disk_size_gb` is in decimal gigabytes. A class may be read as `v1alpha2` or `v1beta1`, which have the same fields. Two
    classes are equal when these values are, however they were written.
    """

    API_VERSION: ClassVar = API_VERSION
    KIND: ClassVar = KIND
    _EXAMINED_AS: ClassVar = AKS_NODE_CLASS

    name: str
    labels: dict[str, str]
    annotations: dict[str, str]
    vnet_subnet_id: str | None
    os_disk_size_gb: int
    image_family: ImageFamily
    fips_mode: FipsMode | None
    kubelet: AksKubelet | None
    max_pods: int | None
    security: Security | None
    local_dns: LocalDns | None
    gpu: Gpu | None
    artifact_streaming: ArtifactStreaming | None
    linux_os_config: LinuxOsConfig | None
    tags: dict[str, str]
    deleting: bool
    status: AKSNodeClassStatus
    _source: Source = field(compare=False, repr=False)
    _written: dict[str, Any] = field(compare=False, repr=False)

    def __init__(
        self,
        *,
        name: str,
        image_family: ImageFamily | None = None,
        vnet_subnet_id: str | None = None,
        os_disk_size_gb: int | None = None,
        fips_mode: FipsMode | None = None,
        kubelet: AksKubelet | None = None,
        max_pods: int | None = None,
        security: Security | None = None,
        local_dns: LocalDns | None = None,
        gpu: Gpu | None = None,
        artifact_streaming: ArtifactStreaming | None = None,
        linux_os_config: LinuxOsConfig | None = None,
        tags: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
    ) -> None:
        """Build a class. Raises InputError with everything that the API server would refuse.

        - `image_family`: Ubuntu (the default), Ubuntu2204, Ubuntu2404 or AzureLinux.
        - `os_disk_size_gb`: 30 to 2048, 128 by default. `max_pods`: 10 to 250; by default as the network has it.
        - `linux_os_config` with a swap file needs `kubelet=AksKubelet(fail_swap_on=False)`.
        """
        spec = present(
            image_family=image_family,
            vnet_subnet_id=vnet_subnet_id,
            os_disk_size_gb=os_disk_size_gb,
            fips_mode=fips_mode,
            kubelet=kubelet,
            max_pods=max_pods,
            security=security,
            local_dns=local_dns,
            gpu=gpu,
            artifact_streaming=artifact_streaming,
            linux_os_config=linux_os_config,
            tags=tags,
        )
        self._build(name, labels, annotations, spec)
