"""What is refused in a node class's kubelet settings (spec: api-objects 3.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cutlist.api import durations
from cutlist.api._findings import Finding
from cutlist.api.ec2nodeclass_fields import Kubelet
from cutlist.errors import nearest

RESERVABLE: Final = ("cpu", "memory", "ephemeral-storage", "pid")
SIGNALS: Final = (
    "memory.available",
    "nodefs.available",
    "nodefs.inodesFree",
    "imagefs.available",
    "imagefs.inodesFree",
    "pid.available",
)


def kubelet_findings(path: str, kubelet: Kubelet) -> Iterator[Finding]:
    """Everything that is refused; `path` is where the settings stand."""
    for field, reserved in (("systemReserved", kubelet.system_reserved), ("kubeReserved", kubelet.kube_reserved)):
        yield from _unknown_keys(f"{path}.{field}", field, reserved or {}, RESERVABLE)
        for key, quantity in (reserved or {}).items():
            if quantity.nanos < 0:
                text = f"{field} value cannot be a negative resource quantity, found {quantity}"
                yield Finding(f"{path}.{field}.{key}", text)
    for field, signals in (
        ("evictionHard", kubelet.eviction_hard),
        ("evictionSoft", kubelet.eviction_soft),
        ("evictionSoftGracePeriod", kubelet.eviction_soft_grace_period),
    ):
        yield from _unknown_keys(f"{path}.{field}", field, signals or {}, SIGNALS)
    for signal, grace in (kubelet.eviction_soft_grace_period or {}).items():
        if not durations.is_go_duration(grace):
            where = f"{path}.evictionSoftGracePeriod.{signal}"
            yield Finding(where, f"{grace!r} is not a duration", "such as 30s, 1m30s or 2m")
    yield from _soft_pairs(path, kubelet)
    high, low = kubelet.image_gc_high_threshold_percent, kubelet.image_gc_low_threshold_percent
    if high is not None and low is not None and high <= low:
        text = "imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent"
        yield Finding(f"{path}.imageGCHighThresholdPercent", f"{text}, found {high} and {low}")


def _soft_pairs(path: str, kubelet: Kubelet) -> Iterator[Finding]:
    soft, grace = kubelet.eviction_soft or {}, kubelet.eviction_soft_grace_period or {}
    for signal in soft.keys() - grace.keys():
        text = "evictionSoft OwnerKey does not have a matching evictionSoftGracePeriod"
        yield Finding(f"{path}.evictionSoft.{signal}", text)
    for signal in grace.keys() - soft.keys():
        text = "evictionSoftGracePeriod OwnerKey does not have a matching evictionSoft"
        yield Finding(f"{path}.evictionSoftGracePeriod.{signal}", text)


def _unknown_keys(path: str, field: str, given: Iterable[str], known: tuple[str, ...]) -> Iterator[Finding]:
    for key in given:
        if key not in known:
            listed = ",".join(f"'{k}'" for k in known)
            yield Finding(f"{path}.{key}", f"valid keys for {field} are [{listed}]", nearest=nearest(key, known))
