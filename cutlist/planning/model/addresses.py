"""Whether a plan fits its subnets: what its nodes and pods take of each, and when it is full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.core.records import Count, about, computed
from cutlist.planning.model.spelling import RoundedPart

FITS: Final = "fits"
FULL: Final = "does not fit"


@dataclass(frozen=True, slots=True)
class SubnetUse:
    """The addresses of one subnet. `used` are those that are taken today, `needed` those that the plan takes beyond.

    `nodes` are the new nodes in it, `missing` how many addresses are too few. `full_in_months` is when it is full at the given
    growth, None without growth; `full_on` the day of that (ISO), empty if it is not known from when to count.
    """

    name: str
    zone: Annotated[str, about("Empty for a subnet of all zones.")]
    cidr: str
    addresses: Annotated[Count, about("Those that the cloud does not keep.")]
    used: Count
    needed: Count
    nodes: Count = 0
    missing: Count = 0
    is_for_pods: Annotated[bool, about("Whether only pods get addresses of it.")] = False
    full_in_months: Annotated[float | None, about("Null without growth.")] = None
    full_on: Annotated[str, about("ISO date; empty if it is not known.")] = ""

    @property
    @computed(after="needed")
    def share(self) -> RoundedPart:
        """Return the fraction of its addresses that is taken with the plan; more than 1 if they are too few."""
        return (self.used + self.needed + self.missing) / self.addresses if self.addresses else None

    @property
    @computed(after="share")
    def verdict(self) -> str:
        """Return whether what the plan needs fits."""
        return FULL if self.missing else FITS
