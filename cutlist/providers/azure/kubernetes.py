"""Versions of Kubernetes as people and nodes write them, such as `1.33` and `v1.33.5`."""

from __future__ import annotations

import re
from typing import Final

_NUMBERS: Final = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?")


def numbers(version: str) -> tuple[int, ...]:
    """Its numbers in order: two, or three where the patch is told. ValueError for a text that does not begin with a version."""
    match = _NUMBERS.match(version)
    if match is None:
        raise ValueError(version)
    return tuple(int(number) for number in match.groups() if number is not None)


def minor(version: str) -> tuple[int, ...]:
    """The first two of its numbers. ValueError as above."""
    return numbers(version)[:2]


def is_behind(kubelet: str, control_plane: str) -> bool:
    """Whether a node is older than the control plane, for which AKS replaces it; it does not for a newer one (spec: azure 7).

    A version without a patch says nothing of patches, and a text that is no version nothing at all.
    """
    try:
        pairs = list(zip(numbers(kubelet), numbers(control_plane), strict=False))
    except ValueError:
        return False
    return [ours for ours, _ in pairs] < [theirs for _, theirs in pairs]
