"""Capacity reservations as offerings name them (spec: AWS 4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.providers.aws.labels import RESERVATION_ID, RESERVATION_INTERRUPTIBLE, RESERVATION_TYPE
from cutlist.providers.instance_types import Offering

CAPACITY_BLOCK: Final = "capacity-block"


@dataclass(frozen=True, slots=True)
class Reservation:
    """A capacity reservation; `type` is `default` or `capacity-block`."""

    id: str
    type: str
    interruptible: bool

    @property
    def kind(self) -> tuple[str, bool]:
        """What one fleet request can hold only one of."""
        return self.type, self.interruptible

    @staticmethod
    def of(offering: Offering) -> Reservation:
        """The reservation of a reserved offering."""
        return Reservation(
            _value(offering, RESERVATION_ID),
            _value(offering, RESERVATION_TYPE),
            _value(offering, RESERVATION_INTERRUPTIBLE) == "true",
        )


def _value(offering: Offering, key: str) -> str:
    return min(offering.requirements.get_or_any(key).values, default="")
