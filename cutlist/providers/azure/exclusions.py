"""Sizes that Karpenter's Azure provider does not list: never, or not under an AKSNodeClass (spec: azure 5.1, 5.2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cutlist.catalog.size_names import SizeName, size_name
from cutlist.catalog.sizes import Size
from cutlist.providers.azure.gpus import AMD, registered
from cutlist.providers.azure.images import has_image
from cutlist.providers.azure.profile import AZURE_LINUX, NodeProfile

_LEAST_VCPUS: Final = 2
_LEAST_GIB: Final = 3.5
_LOCAL_DNS_VCPUS: Final = 4
_BY_AKS: Final = frozenset(
    f"Standard_{name}" for name in ("A0", "A1", "A1_v2", "B1s", "B1ms", "F1", "F1s", "E64i_v3", "E64is_v3")
) | {f"Basic_A{n}" for n in range(5)}
_CONFIDENTIAL: Final = ("DC", "EC")
ARCHITECTURES: Final = {"x64": "amd64", "Arm64": "arm64"}


@lru_cache(maxsize=4096)
def name_refusal(name: str) -> str:
    """Return why a size of this name is never used, or an empty string if its name is no reason."""
    parts = size_name(name)
    if parts is None:
        return "its name is of no form that Karpenter knows"
    return _of_parts(name, parts)


def _of_parts(name: str, parts: SizeName) -> str:
    if name in _BY_AKS or parts.tier == "Basic":
        return "AKS does not take it for nodes"
    if parts.constrained is not None:
        return "sizes with constrained vCPUs are not used"
    if parts.letters in _CONFIDENTIAL:
        return "confidential sizes are not used"
    return ""


@lru_cache(maxsize=4096)
def refusal(size: Size) -> str:
    """Return why a size is never used, or an empty string if it may be (Z-44)."""
    if size.architecture not in ARCHITECTURES:
        return "Azure does not say which architecture it has"
    if size.vcpus < _LEAST_VCPUS or size.memory_gib < _LEAST_GIB:
        return f"nodes need {_LEAST_VCPUS} vCPUs and {_LEAST_GIB} GiB of memory"
    if _has_gpus(size) and registered(size.name) is None:
        return "its GPUs are not among those that Karpenter knows"
    return name_refusal(size.name)


def _has_gpus(size: Size) -> bool:
    """Tell whether a size has GPUs or similar devices, listed or not: all of family N have some, except sizes of NG for which
    none are listed."""
    of_family = size.parts is not None and size.parts.family == "N" and size.parts.letters != "NG"
    return size.gpus > 0 or of_family


def class_refusal(size: Size, profile: NodeProfile) -> str:
    """Return why a size is not used under a class, or an empty string if it may be (Z-46, Z-47)."""
    gpu = registered(size.name)
    if gpu is not None and profile.image_family == AZURE_LINUX and not gpu.on_azure_linux:
        return "its GPUs have no driver on AzureLinux"
    if gpu is not None and profile.gpu_driver and gpu.manufacturer == AMD:
        return "AKS installs no driver for AMD GPUs; gpu.mode None takes them without"
    if profile.encryption_at_host and not size.encryption_at_host:
        return "it has no encryption at host"
    if profile.trusted_launch and not size.trusted_launch:
        return "it has no trusted launch"
    if profile.local_dns and size.vcpus < _LOCAL_DNS_VCPUS:
        return f"LocalDNS needs {_LOCAL_DNS_VCPUS} vCPUs"
    if profile.artifact_streaming and ARCHITECTURES[size.architecture] == "arm64":
        return "artifacts are not streamed to arm64"
    return ""


def starts(size: Size, profile: NodeProfile) -> bool:
    """Tell whether one of the class' images fits the size's architecture and generation of Hyper-V."""
    return has_image(ARCHITECTURES[size.architecture], size.generations, fips=profile.fips, trusted=profile.trusted_launch)
