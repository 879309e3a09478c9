"""Availability zones as people name them: whether a region has them, and whether they are enough."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cutlist.core.errors import Place, Problems, nearest

ZONES_AT_LEAST: Final = 2
"""What EKS asks of the subnets of a control plane."""
ZONES_WANTED: Final = 3
"""What keeps a cluster standing when a zone fails: used where the region has them."""


def check_zone(zone: str, region: str, known: Sequence[str], place: Place, problems: Problems) -> bool:
    """Note a zone that is not the region's, and return whether it is.

    `known` are the names of the region's zones. Where that is empty, the form of the name must do: the region and a letter.
    """
    if zone in known or (not known and re.fullmatch(rf"{re.escape(region)}[a-z]", zone)):
        return True
    problems.add(place, f"zone {zone!r} is not in {region}", ", ".join(known) or f"{region}a and so on", nearest(zone, known))
    return False


def check_subnet_zones(zones: Sequence[str], subnets: int | None, place: Place, problems: Problems) -> None:
    """Note subnets in too few different zones, and fewer subnets than zones are asked for; None for a number not known yet."""
    different = sorted(set(zones))
    if len(different) < ZONES_AT_LEAST:
        found = f"subnets in one zone, {different[0]}" if different else "subnets in no zone"
        problems.add(place, found, f"at least {ZONES_AT_LEAST} zones, for a zone may fail")
    elif subnets is not None and subnets < ZONES_AT_LEAST:
        problems.add(place, f"{subnets} subnet for {len(different)} zones", "at least one subnet in each zone")
