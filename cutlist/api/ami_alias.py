"""Aliases of images: a family and a version of its images, such as `al2023@v20260625` (spec: api-objects 3.1, 3.2; A-68)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

CUSTOM: Final = "Custom"
LATEST: Final = "latest"
AL2: Final = "al2"
AL2_UNTIL: Final = "1.32"
"""The last version of Kubernetes with AL2 images."""
ALIAS_FAMILIES: Final = {
    AL2: "AL2",
    "al2023": "AL2023",
    "bottlerocket": "Bottlerocket",
    "windows2019": "Windows2019",
    "windows2022": "Windows2022",
    "windows2025": "Windows2025",
}
"""The `amiFamily` that each alias implies."""
_WINDOWS: Final = "windows"


class AmiAlias(NamedTuple):
    """The parts of an alias as they are written, empty where one is missing."""

    family: str
    version: str

    @staticmethod
    def read(text: str) -> AmiAlias:
        """Return the parts of `family@version`."""
        family, _, version = text.partition("@")
        return AmiAlias(family, version)

    @property
    def ami_family(self) -> str:
        """Return the `amiFamily` that decides defaults if none is written: Custom for an alias of an unknown family."""
        return ALIAS_FAMILIES.get(self.family, CUSTOM)

    @property
    def is_windows(self) -> bool:
        """Tell whether the images are of Windows, for which only `latest` exists."""
        return self.family.startswith(_WINDOWS)

    @property
    def is_unpinned(self) -> bool:
        """Tell whether nodes drift with every new image although a version could be named."""
        return self.version == LATEST and not self.is_windows


def alias_of(spec: Mapping[str, Any]) -> str | None:
    """Return the alias in the spec of an EC2NodeClass, or None if images are found in another way."""
    terms = spec.get("amiSelectorTerms")
    held = [term.get("alias") for term in terms if isinstance(term, Mapping)] if isinstance(terms, list | tuple) else []
    return next((alias for alias in held if isinstance(alias, str)), None)


def family_of(spec: Mapping[str, Any]) -> str:
    """Return the image family of the spec of an EC2NodeClass: as written, else that of the alias."""
    return str(spec.get("amiFamily") or AmiAlias.read(alias_of(spec) or "").ami_family)
