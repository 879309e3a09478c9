"""The role that EC2 needs in an account before it sells spot instances to it (spec: aws-infrastructure 6)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

SERVICE: Final = "spot.amazonaws.com"
"""In every partition."""
ROLE: Final = "AWSServiceRoleForEC2Spot"


class SpotRoleMode(StrEnum):
    """What a stack does for the role: nothing; own it, which one stack of an account may; or see to it that it is there."""

    SKIP = "skip"
    CREATE = "create"
    ENSURE = "ensure"
