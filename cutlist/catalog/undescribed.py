"""EC2 instance types of which Karpenter knows only the limits: no public document describes their hardware, so no plan has
them.

They are in the table of interface limits of Karpenter's AWS provider 1.15.1, of 2026-08-06. On 2026-11-23, neither AWS's
specification pages nor public lists made from its API described them.
"""

from __future__ import annotations

from typing import Final

_SMALL: Final = ("medium", "large", "xlarge", "2xlarge", "4xlarge", "8xlarge")
_LARGE: Final = (*_SMALL, "12xlarge", "16xlarge")
_SIZES: Final = {"c7g-flex": _SMALL, "m7g-flex": _SMALL, "c8g-flex": _LARGE, "m8g-flex": _LARGE, "c7i": ("32xlarge",)}

UNDESCRIBED_TYPES: Final = frozenset(f"{family}.{size}" for family, sizes in _SIZES.items() for size in sizes)
UNDESCRIBED_FAMILIES: Final = frozenset(family for family in _SIZES if family.endswith("-flex"))
WHY_UNDESCRIBED: Final = (
    "Karpenter 1.15.1 lists its limits (2026-08-06), but no public document has its hardware; "
    "`cutlist catalog update` reads it from an account"
)
