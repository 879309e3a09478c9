"""The mark of a value that is only known after an update or an apply."""

from __future__ import annotations

from enum import Enum
from typing import Final


class _Unknown(Enum):
    UNKNOWN = "known only after an update"


UNKNOWN: Final = _Unknown.UNKNOWN
"""Marks a value that is only known after an update."""
LATE: Final = "is known only after an apply"
"""What a message says of such a value in OpenTofu or Terraform."""
