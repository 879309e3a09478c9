"""Which versions of Kubernetes AKS makes clusters of (spec: azure 1.2)."""

from __future__ import annotations

import re
from typing import Final

from cutlist.infrastructure.aks.notes import Notes
from cutlist.infrastructure.versions import known_kubernetes

_VERSION: Final = re.compile(r"1\.[0-9]+(\.[0-9]+)?", re.ASCII)
_READ: Final = "2026-11"
_LAST_MONTH: Final = {
    "1.27": "2025-07",
    "1.28": "2026-02",
    "1.29": "2026-04",
    "1.30": "2026-07",
    "1.31": "2026-11",
    "1.32": "2027-03",
    "1.33": "2027-06",
    "1.34": "2027-11",
    "1.35": "2028-03",
}
"""The month in which the long-term support of a minor version ends, from "AKS Kubernetes release calendar", LTS versions, of
learn.microsoft.com/azure/aks/supported-kubernetes-versions as it stood when 1.35 was the newest; held against `_READ`."""
_OFFERED: Final = tuple(minor for minor, month in _LAST_MONTH.items() if month >= _READ)


def check_kubernetes(version: str, path: str, notes: Notes) -> bool:
    """Report a text that is not a version, and return whether it is one. Warn about a version that Karpenter, and so AKS, is
    not known to support."""
    if not _is_version(version, path, notes):
        return False
    known = known_kubernetes()
    if _minor(version) not in known:
        text = f"Kubernetes {_minor(version)} is not one that Karpenter is known for; AKS may not have it"
        notes.warn(path, text, ", ".join(known))
    return True


def check_new_kubernetes(version: str, path: str, notes: Notes) -> bool:
    """Report a version that no new cluster can have, and return whether one can. Newer ones than the table's pass with a
    warning."""
    if not _is_version(version, path, notes):
        return False
    minor, newest = _minor(version), _OFFERED[-1]
    if minor in _OFFERED:
        return True
    if _number(minor) < _number(newest):
        notes.refuse(path, f"AKS makes no cluster of Kubernetes {minor} any more", ", ".join(_OFFERED), newest)
        return False
    notes.warn(path, f"Kubernetes {minor} is newer than those that AKS is known to have", ", ".join(_OFFERED))
    return True


def _is_version(version: str, path: str, notes: Notes) -> bool:
    if _VERSION.fullmatch(version):
        return True
    notes.refuse(path, f"{version!r} is not a version of Kubernetes", 'a version such as "1.33" or "1.33.5", in quotes')
    return False


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _number(minor: str) -> int:
    return int(minor.partition(".")[2])
