"""Kubelet settings as flags of its command line: how AL2 and Windows nodes get them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.api.durations import in_go
from cutlist.core.taints import Taint
from cutlist.providers.aws.userdata.bootstrap import Bootstrap
from cutlist.providers.aws.userdata.go_text import quoted

_COUNTS_FIRST: Final = (("--max-pods", "maxPods"), ("--pods-per-core", "podsPerCore"))
_PAIRS: Final = (
    ("--system-reserved", "systemReserved", "="),
    ("--kube-reserved", "kubeReserved", "="),
    ("--eviction-hard", "evictionHard", "<"),
    ("--eviction-soft", "evictionSoft", "<"),
)
_COUNTS_LAST: Final = (
    ("--eviction-max-pod-grace-period", "evictionMaxPodGracePeriod"),
    ("--image-gc-high-threshold", "imageGCHighThresholdPercent"),
    ("--image-gc-low-threshold", "imageGCLowThresholdPercent"),
)


def kubelet_flags(node: Bootstrap) -> list[str]:
    """Return the flags in Karpenter's order.

    Karpenter writes the entries of a setting in random order; here they are sorted.
    """
    settings = node.kubelet
    grace = {signal: in_go(text) for signal, text in (settings.get("evictionSoftGracePeriod") or {}).items()}
    flags = [
        node_labels_flag(node.labels),
        f"--register-with-taints={quoted(','.join(map(taint_text, node.taints)))}" if node.taints else "",
        *(f"{flag}={settings[name]}" for flag, name in _COUNTS_FIRST if name in settings),
        *(_pairs(flag, settings.get(name) or {}, sign) for flag, name, sign in _PAIRS),
        _pairs("--eviction-soft-grace-period", grace, "="),
        *(f"{flag}={settings[name]}" for flag, name in _COUNTS_LAST if name in settings),
    ]
    if "cpuCFSQuota" in settings:
        flags.append(f"--cpu-cfs-quota={'true' if settings['cpuCFSQuota'] else 'false'}")
    return [flag for flag in flags if flag]


def node_labels_flag(labels: Mapping[str, str]) -> str:
    """Return `--node-labels="a=b,c=d"`, or an empty string without labels."""
    return _pairs("--node-labels", labels, "=")


def taint_text(taint: Taint) -> str:
    """Return `key=value:effect`, as kubectl and the kubelet write taints."""
    named = f"{taint.key}={taint.value}" if taint.value else taint.key
    if taint.effect:
        return f"{named}:{taint.effect}"
    return f"{named}:" if taint.value else named


def _pairs(flag: str, entries: Mapping[str, str], sign: str) -> str:
    if not entries:
        return ""
    return f"{flag}={quoted(','.join(f'{key}{sign}{entries[key]}' for key in sorted(entries)))}"
