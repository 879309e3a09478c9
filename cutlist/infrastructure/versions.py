"""Which versions of Kubernetes and Karpenter fit together, and what else a version decides (spec: aws-infrastructure 1.10)."""

from __future__ import annotations

import re
from typing import Any, Final

from cutlist.errors import Place, Problem

Version = tuple[int, int, int]

BASELINE: Final = "1.14.1"
"""The Karpenter that everything here is written for, and the default where a version may be left out."""

_AT_LEAST: Final[dict[str, Version]] = {
    "1.30": (0, 37, 0),
    "1.31": (1, 0, 5),
    "1.32": (1, 2, 0),
    "1.33": (1, 5, 0),
    "1.34": (1, 6, 0),
    "1.35": (1, 9, 0),
    "1.36": (1, 13, 0),
}
_WITHDRAWN: Final[dict[Version, str]] = {(1, 8, 4): "1.8.3, or 1.9.0 and later"}
_KUBERNETES: Final = re.compile(r"1\.(0|[1-9]\d*)", re.ASCII)
_KARPENTER: Final = re.compile(r"v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", re.ASCII)
_ENDS_V1BETA1: Final = (1, 1, 0)
_TAGS_WITH_V: Final = ((0, 17, 0), (0, 35, 0))
_ENDS_AL2: Final = 33


def parsed(karpenter: str) -> Version | None:
    """The numbers of an exact Karpenter version, with or without a `v`; None for anything else, such as `1.14` or `latest`."""
    match = _KARPENTER.fullmatch(karpenter)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def smallest_fit(kubernetes: str) -> str | None:
    """The first Karpenter for a version of Kubernetes, such as `1.9.0` for `1.35`; None for a version outside the table."""
    least = _AT_LEAST.get(kubernetes)
    return _text(least) if least else None


def problems(kubernetes: Any, karpenter: Any, at: Place | None = None) -> list[Problem]:
    """What is wrong with a pair of versions; nothing when they fit.

    `kubernetes` is a minor version such as `"1.34"`, `karpenter` an exact one such as `"1.14.1"`; anything else is a problem
    too, for a moving version plans upgrades that nobody asked for. Paths are `version` and `karpenterVersion` under the one of
    `at`.
    """
    root = at or Place()
    found = [*_of_kubernetes(kubernetes, _below(root, "version")), *_of_karpenter(karpenter, _below(root, "karpenterVersion"))]
    if found:
        return found
    least, chosen = _AT_LEAST[kubernetes], parsed(karpenter)
    if chosen is None or chosen >= least:
        return []
    message = f"Karpenter {_text(chosen)} does not fit Kubernetes {kubernetes}"
    return [Problem(_below(root, "karpenterVersion"), message, f"{_text(least)} and later", _text(least))]


def serves_v1beta1(karpenter: Version) -> bool:
    """Whether objects of v1beta1 are still read. From the first version that does not, a nodeClassRef needs group and kind."""
    return karpenter < _ENDS_V1BETA1


def image_tag(karpenter: Version) -> str:
    """The tag of the controller's image: some old versions have a `v` in it."""
    first, after = _TAGS_WITH_V
    return f"v{_text(karpenter)}" if first <= karpenter < after else _text(karpenter)


def has_al2_images(kubernetes: str) -> bool:
    """Whether an EC2NodeClass may name AL2 by its alias: there are no such images for later versions of Kubernetes."""
    match = _KUBERNETES.fullmatch(kubernetes)
    return match is not None and int(match[1]) < _ENDS_AL2


def _of_kubernetes(version: Any, place: Place) -> list[Problem]:
    known = ", ".join(_AT_LEAST)
    if version is None or version == "":
        return [Problem(place, "no version of Kubernetes; a default would move and plan upgrades", known)]
    if not isinstance(version, str):
        return [Problem(place, f"{version!r} is a number; write the version in quotes", known)]
    if version in _AT_LEAST:
        return []
    minor = version.removeprefix("v").rsplit(".", 1)[0]
    return [
        Problem(
            place,
            f"Kubernetes {version!r} is not one that a Karpenter is known for",
            known,
            minor if minor in _AT_LEAST else "",
        )
    ]


def _of_karpenter(version: Any, place: Place) -> list[Problem]:
    numbers = parsed(version) if isinstance(version, str) else None
    if numbers is None:
        return [Problem(place, f"{version!r} is no exact version of Karpenter", f"three numbers, such as {BASELINE}")]
    if numbers in _WITHDRAWN:
        return [Problem(place, f"Karpenter {_text(numbers)} was withdrawn for a regression", _WITHDRAWN[numbers])]
    return []


def _below(place: Place, name: str) -> Place:
    return place.at(f"{place.path}.{name}" if place.path else name)


def _text(version: Version) -> str:
    return ".".join(map(str, version))
