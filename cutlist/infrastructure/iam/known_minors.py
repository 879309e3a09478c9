"""The minor versions of Karpenter whose permissions are known."""

from __future__ import annotations

from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.karpenter_versions import NEWEST, Minor, noted_version

FIRST: Final = Minor(1, 0)
LATEST: Final = NEWEST.line


def known_minor(text: str, place: Place, problems: Problems) -> Minor:
    """The minor of an exact version such as `1.14.1`. A mistake is noted, and the latest stands in for one whose permissions
    are not known."""
    version = noted_version(text, place, problems)
    if version is None:
        return LATEST
    if not FIRST <= version.line <= LATEST:
        problems.add(place, f"the permissions of Karpenter {version} are not known", f"{FIRST} to {LATEST}")
        return LATEST
    return version.line
