"""The line of images from which a node of a Kubernetes version starts, and the machines that such images fit (spec: azure 6.6,
7)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_NUMBERS: Final = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?")


def numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version in order: two, or three with the patch.

    Raises ValueError for a text that does not begin with a version.
    """
    match = _NUMBERS.match(version)
    if match is None:
        raise ValueError(version)
    return tuple(int(number) for number in match.groups() if number is not None)


def minor(version: str) -> tuple[int, ...]:
    """Return the first two numbers of a version. Raises ValueError as `numbers` does."""
    return numbers(version)[:2]


def is_behind(kubelet: str, control_plane: str) -> bool:
    """Tell whether a node is older than the control plane, which makes AKS replace it; a newer node stays (spec: azure 7).

    A version without a patch is not compared by patch, and a text that is not a version not at all.
    """
    try:
        pairs = list(zip(numbers(kubelet), numbers(control_plane), strict=False))
    except ValueError:
        return False
    return [ours for ours, _ in pairs] < [theirs for _, theirs in pairs]


_UBUNTU_2404_FROM: Final = (1, 34)
_AZURE_LINUX_3_FROM: Final = (1, 32)
_FIXED: Final = {"Ubuntu2204": "22.04", "Ubuntu2404": "24.04"}
_IMAGES: Final = (("amd64", "2"), ("amd64", "1"), ("arm64", "2"))


def image_line(family: str, kubernetes: str, *, fips: bool = False, trusted: bool = False) -> str:
    """Return the release of Ubuntu or AzureLinux for a version of Kubernetes such as `1.33` (Z-57).

    Raises ValueError for a version of another form.
    """
    if family in _FIXED:
        return _FIXED[family]
    version = minor(kubernetes)
    if family == "AzureLinux":
        return "3" if version >= _AZURE_LINUX_3_FROM else "2"
    if trusted:
        return "22.04"
    if fips:
        return "20.04"
    return "24.04" if version >= _UBUNTU_2404_FROM else "22.04"


def has_image(architecture: str, generations: Collection[str], *, fips: bool, trusted: bool) -> bool:
    """Tell whether a line has an image for a machine: with FIPS or trusted launch only for amd64 of generation 2."""
    images = _IMAGES[:1] if fips or trusted else _IMAGES
    return any(arch == architecture and generation in generations for arch, generation in images)
