"""Which versions of Kubernetes and Karpenter fit together, and other facts about versions (spec: aws-infrastructure
1.10)."""

from __future__ import annotations

from typing import Any, Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.karpenter.baselines import DEFAULT
from cutlist.core.karpenter.versions import KarpenterVersion, noted_version
from cutlist.infrastructure.inputs import HERE, Places

BASELINE: Final = DEFAULT.choice
"""The default version."""

_AT_LEAST: Final[dict[str, KarpenterVersion]] = {
    "1.30": KarpenterVersion(0, 37, 0),
    "1.31": KarpenterVersion(1, 0, 5),
    "1.32": KarpenterVersion(1, 2, 0),
    "1.33": KarpenterVersion(1, 5, 0),
    "1.34": KarpenterVersion(1, 6, 0),
    "1.35": KarpenterVersion(1, 9, 0),
    "1.36": KarpenterVersion(1, 13, 0),
    "1.37": KarpenterVersion(1, 15, 0),
}
_WITHDRAWN: Final = {KarpenterVersion(1, 8, 4): "1.8.3, or 1.9.0 and later"}


def known_kubernetes() -> tuple[str, ...]:
    """Return the minor versions of Kubernetes that some known Karpenter supports, such as `1.33`, oldest first."""
    return tuple(_AT_LEAST)


def least_karpenter(kubernetes: str) -> KarpenterVersion | None:
    """Return the first Karpenter that supports a minor version of Kubernetes; None for a minor version that is not known."""
    return _AT_LEAST.get(kubernetes)


def problems(kubernetes: Any, karpenter: Any, at: Places = HERE) -> list[Problem]:
    """Return the problems with a pair of versions, or an empty list if they fit.

    `kubernetes` is a minor version such as `"1.34"`, `karpenter` an exact one such as `"1.14.1"`; anything else is a problem,
    too, since a moving version causes upgrades that nobody requested. The problems are at `version` and `karpenterVersion`
    below `at`.
    """
    mistakes, place = Problems(), at.member("karpenterVersion")
    mistakes.extend(_of_kubernetes(kubernetes, at.member("version")))
    chosen = noted_version(karpenter, place, mistakes)
    if chosen in _WITHDRAWN:
        mistakes.add(place, f"Karpenter {chosen} was withdrawn for a regression", _WITHDRAWN[chosen])
    if mistakes or chosen is None or chosen >= _AT_LEAST[kubernetes]:
        return mistakes.found
    least = _AT_LEAST[kubernetes]
    return [Problem(place, f"Karpenter {chosen} does not fit Kubernetes {kubernetes}", f"{least} and later", str(least))]


def _of_kubernetes(version: Any, place: Place) -> list[Problem]:
    known = ", ".join(_AT_LEAST)
    if version is None or version == "":
        return [Problem(place, "no version of Kubernetes is given; a default would change over time and plan upgrades", known)]
    if not isinstance(version, str):
        return [Problem(place, f"{version!r} is a number; write the version in quotes", known)]
    if version in _AT_LEAST:
        return []
    minor = ".".join(version.removeprefix("v").split(".")[:2])
    return [
        Problem(
            place,
            f"Kubernetes {version!r} is not one that a Karpenter is known for",
            known,
            minor if minor in _AT_LEAST else "",
        )
    ]
