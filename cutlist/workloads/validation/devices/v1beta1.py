"""What is wrong with objects of `resource.k8s.io/v1beta1`, which are checked in the form of v1 (W-84)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cutlist.core.setting import Advice
from cutlist.workloads.validation.refusals import Refusals

VERSION: Final = "resource.k8s.io/v1beta1"
_EXACTLY: Final = re.compile(r"(?<=\])\.exactly\b")
_OF_DEVICE: Final = re.compile(r"^(spec\.devices\[\d+\])\.(?!name\b)")


@dataclass(frozen=True, slots=True)
class WrittenRefusals(Refusals):
    """Collects refusals of an object in the form of v1 at the paths of v1beta1, which its file has. The API server names some
    by the one, some by the other path."""

    def add(self, path: str, message: str, allowed: str | Advice = "", meant: str = "") -> None:
        """Add a mistake at a path of v1."""
        Refusals.add(self, _written(path), message, allowed, meant)

    def add_at(self, written: str, path: str, message: str, allowed: str = "", meant: str = "") -> None:
        """Add a mistake whose path the API server shortens."""
        Refusals.add_at(self, _written(written), _written(path), message, allowed, meant)


def _written(path: str) -> str:
    """Return the path in v1beta1 of a path in v1."""
    return _OF_DEVICE.sub(r"\1.basic.", _EXACTLY.sub("", path))
