"""User data of Bottlerocket nodes: settings in TOML, to which Karpenter adds its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from cutlist.api.durations import in_go
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.providers.aws.userdata.bootstrap import Bootstrap
from cutlist.providers.aws.userdata.bottlerocket_settings import RESERVED_MEMORY, Settings, read_settings
from cutlist.providers.aws.userdata.toml_text import write_toml

_MOUNT_COMMAND: Final = "000-mount-instance-storage"
_LEGACY_DIRECTORIES: Final = ("--dirs", "/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods")
_BINDS_BY_DEFAULT: Final = (1, 46)  # from this version on, images know which directories belong on local disks
_NUMBER: Final = re.compile(r"[-+]?[0-9]+", re.ASCII)

_AS_WRITTEN: Final = {
    "maxPods": "max-pods",
    "systemReserved": "system-reserved",
    "kubeReserved": "kube-reserved",
    "evictionHard": "eviction-hard",
    "evictionSoft": "eviction-soft",
    "evictionMaxPodGracePeriod": "eviction-max-pod-grace-period",
    "cpuCFSQuota": "cpu-cfs-quota-enforced",
}
_AS_TEXT: Final = {
    "imageGCHighThresholdPercent": "image-gc-high-threshold-percent",
    "imageGCLowThresholdPercent": "image-gc-low-threshold-percent",
}


def bottlerocket(node: Bootstrap) -> str:
    """Return the user's settings, overridden by those of NodeClass, NodeClaim and cluster.

    Settings of `settings.kubernetes` that Karpenter does not know are dropped, as is everything outside of `settings`; the
    user's other settings are kept. Labels are added to the user's, taints replace them.
    """
    settings = read_settings(node.own)
    if not node.karpenter.does(Behaviour.BOTTLEROCKET_KEEPS_RESERVED_MEMORY):
        settings.kubernetes.pop(RESERVED_MEMORY, None)
    settings.kubernetes.update(_of_cluster(node))
    settings.kubernetes.update(_of_kubelet(node.kubelet))
    settings.kubernetes["node-labels"] = {**settings.kubernetes.get("node-labels", {}), **node.labels}
    settings.kubernetes["node-taints"] = _taints(node)
    if node.raid0:
        settings.commands = {**(settings.commands or {}), _MOUNT_COMMAND: _mount_command(node.image_version)}
    return write_toml(_document(settings))


def _document(settings: Settings) -> dict[str, Any]:
    tables: dict[str, Any] = {**settings.others, "kubernetes": settings.kubernetes_fields()}
    if settings.commands is not None:
        tables["bootstrap-commands"] = settings.commands_fields()
    return {"settings": tables}


def _of_cluster(node: Bootstrap) -> dict[str, Any]:
    settings = {
        "cluster-name": node.cluster.name,
        "api-server": node.cluster.endpoint,
        "cluster-certificate": node.cluster.ca_bundle or None,  # None removes the user's
    }
    return {**settings, "cluster-dns-ip": node.cluster_dns} if node.cluster_dns else settings


def _of_kubelet(kubelet: Mapping[str, Any]) -> dict[str, Any]:
    settings = {setting: kubelet[name] for name, setting in _AS_WRITTEN.items() if name in kubelet}
    settings |= {setting: str(kubelet[name]) for name, setting in _AS_TEXT.items() if name in kubelet}
    if "evictionSoftGracePeriod" in kubelet:
        grace = kubelet["evictionSoftGracePeriod"]
        settings["eviction-soft-grace-period"] = {signal: in_go(text) for signal, text in grace.items()}
    return settings


def _taints(node: Bootstrap) -> dict[str, list[str]]:
    by_key: dict[str, list[str]] = {}
    for taint in node.taints:
        by_key.setdefault(taint.key, []).append(f"{taint.value}:{taint.effect}")
    return by_key


def _mount_command(image_version: str) -> dict[str, Any]:
    bind = ("apiclient", "ephemeral-storage", "bind")
    known = () if binds_by_default(image_version) else _LEGACY_DIRECTORIES
    return {
        "commands": [["apiclient", "ephemeral-storage", "init"], [*bind, *known]],
        "mode": "always",
        "essential": True,
    }


def binds_by_default(image_version: str) -> bool:
    """Tell whether an image of this version mounts local disks without a list of directories; False when the version is
    unknown."""
    if image_version == "latest":
        return True
    numbers = image_version.lstrip("v").split(".")
    if len(numbers) < 3 or not all(map(_NUMBER.fullmatch, numbers[:2])):
        return False
    major, minor = map(int, numbers[:2])
    return major > _BINDS_BY_DEFAULT[0] or (major == _BINDS_BY_DEFAULT[0] and minor >= _BINDS_BY_DEFAULT[1])
