"""The versions of add-ons that EKS offers for a version of Kubernetes, according to its pages (spec: aws-infrastructure
1.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeAlias

from cutlist.core.errors import Place, Problem
from cutlist.infrastructure.eks_support import is_extended

Line: TypeAlias = tuple[int, int]
"""The first two numbers of a version: its line."""

KUBE_PROXY: Final = "kube-proxy"
_KUBERNETES: Final = re.compile(r"(\d+)\.(\d+)", re.ASCII)
_SKEW: Final = 3
"""How many minors kube-proxy may be older than the API server (kubernetes.io/releases/version-skew-policy, 2026-11-23). It may
never be newer."""
VERSION: Final = re.compile(r"v(\d+)\.(\d+)\.\d+-eksbuild\.\d+", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Newest:
    """The newest line of an add-on for each minor of Kubernetes, and the page that has them."""

    lines: Mapping[str, Line]
    page: str


_NEWEST: Final = {
    "coredns": _Newest(
        {
            **dict.fromkeys(("1.30", "1.31", "1.32"), (1, 11)),
            **dict.fromkeys(("1.33", "1.34"), (1, 13)),
            **dict.fromkeys(("1.35", "1.36"), (1, 14)),
        },
        "docs.aws.amazon.com/eks/latest/userguide/managing-coredns.html",
    ),
}
"""From the pages of 2026-03 to 2026-09: for each minor, the newest line on any of them. The VPC CNI is offered
in one version for every minor (managing-vpc-cni.html, 2026-09); no page has the other add-ons' versions by minor."""


def offered_problems(name: str, version: str, kubernetes: str, at: Place, day: date | None = None) -> Iterator[Problem]:
    """Yield why EKS would refuse a version of an add-on for a minor of Kubernetes. A line that is newer than the table passes
    while the minor is in standard support on a day, since EKS may have added it."""
    allowed = offered(name, version, kubernetes)
    if allowed and (name == KUBE_PROXY or is_extended(kubernetes, day)):
        yield Problem(at, f"EKS does not offer {name} {version} for Kubernetes {kubernetes}", allowed)


def offered(name: str, version: str, kubernetes: str) -> str:
    """Return the versions of an add-on that EKS offers for a minor of Kubernetes, according to its pages, if a version is not
    among them; else an empty string."""
    form, minor = VERSION.fullmatch(version), _KUBERNETES.fullmatch(kubernetes)
    if form is None or minor is None:
        return ""
    line: Line = (int(form[1]), int(form[2]))
    if name == KUBE_PROXY:
        newest = (int(minor[1]), int(minor[2]))
        oldest = (newest[0], newest[1] - _SKEW)
        return "" if oldest <= line <= newest else f"v{_text(newest)}, or down to v{_text(oldest)}"
    last = _NEWEST[name].lines.get(kubernetes) if name in _NEWEST else None
    return f"v{_text(last)} and older" if last is not None and line > last else ""


def _text(line: Line) -> str:
    return f"{line[0]}.{line[1]}"
