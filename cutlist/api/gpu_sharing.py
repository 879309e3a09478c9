"""The sharing of GPUs that an annotation of an EC2NodeClass asks for (spec: VA15-92)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

SHARING: Final = "karpenter.k8s.aws/nvidia-consumable-capacity"
"""The annotation."""
ALLOWED: Final = '"disabled", "memory", "unlimited", or a positive integer share count'
_COUNT: Final = re.compile(r"[+]?[0-9]++", re.ASCII)


@dataclass(frozen=True, slots=True)
class ConsumableGpu:
    """How several claims share a GPU: by its memory, and also in `shares` parts if that is not 0. A claim that names no amount
    of memory takes all of it with `takes_all`, else none."""

    shares: int = 0
    takes_all: bool = False


_MODES: Final[dict[str, ConsumableGpu | None]] = {
    "": None,
    "disabled": None,
    "memory": ConsumableGpu(takes_all=True),
    "unlimited": ConsumableGpu(),
}


def read_sharing(mode: str) -> ConsumableGpu | None:
    """Return the sharing that the annotation's value asks for, None for none. Raises ValueError for a value that the controller
    refuses."""
    if mode in _MODES:
        return _MODES[mode]
    if _COUNT.fullmatch(mode) is None or not 1 <= int(mode) < 2**63:
        raise ValueError(f'"{mode}" is not one of {ALLOWED}')
    return ConsumableGpu(int(mode))
