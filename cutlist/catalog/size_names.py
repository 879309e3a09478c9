"""The parts of an Azure VM size's name: `Standard_NC24ads_A100_v4` (spec: azure 5.4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_NAME: Final = re.compile(
    r"(?P<tier>Standard|Basic)_(?P<family>[A-Z])(?P<subfamily>[A-Z]{0,2})(?P<number>\d+)(?:-(?P<constrained>\d+))?"
    r"(?P<features>[a-z]*P?(?:C\+)?)(?:_NDR)?(?:_(?:flex|noib))?"
    r"(?:_(?:xl_)?(?P<accelerator>(?!V\d(?:_|$))[A-Z]+\d+[A-Z]*))?"
    r"(?:_(?:cc|flex|noib))?(?:_(?P<variant>\d+))?(?:_[vV](?P<version>\d))?(?P<promo>_Promo)?"
)


@dataclass(frozen=True, slots=True)
class SizeName:
    """A name in parts. `number` is the number of vCPUs in the name, `constrained` the smaller one of `E4-2s_v3`.

    `version` is 0 where the name has none; `accelerator` is empty without one; `variant` is the `8` of `M416s_8_v2`.
    """

    tier: str
    family: str
    subfamily: str
    number: int
    constrained: int | None
    features: str
    accelerator: str
    variant: str
    version: int
    promo: bool

    @property
    def series(self) -> str:
        """Return family, features and version, without number, constraint and accelerator: `NCads_v4`, `Bs`."""
        letters = f"{self.family}{self.subfamily}{self.features}"
        return f"{letters}_v{self.version}" if self.version else letters

    @property
    def letters(self) -> str:
        """Return family and subfamily, such as `DS` or `NC`."""
        return self.family + self.subfamily

    @property
    def is_arm(self) -> bool:
        """Tell whether the name says that the processor is Arm."""
        return ("p" in self.features and self.family in "BDE") or self.accelerator in ("GB200", "GB300")

    @property
    def is_premium(self) -> bool:
        """Tell whether the name says that the size supports premium disks."""
        return "s" in self.features or self.subfamily == "S"


@lru_cache(maxsize=4096)
def size_name(name: str) -> SizeName | None:
    """Return the parts of a size's name, or None for a name of another form."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    return SizeName(
        tier=match["tier"],
        family=match["family"],
        subfamily=match["subfamily"],
        number=int(match["number"]),
        constrained=int(match["constrained"]) if match["constrained"] else None,
        features=match["features"],
        accelerator=match["accelerator"] or "",
        variant=match["variant"] or "",
        version=int(match["version"] or 0),
        promo=match["promo"] is not None,
    )
