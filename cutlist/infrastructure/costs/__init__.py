"""What the resources of a program cost by the hour, as far as their inputs tell. No account, no Pulumi, no clock."""

from __future__ import annotations

from cutlist.infrastructure.costs.bill import Bill, Component
from cutlist.infrastructure.costs.charges import Charge, Resource, State
from cutlist.infrastructure.costs.rules import charges_of

__all__ = ["Bill", "Charge", "Component", "Resource", "State", "charges_of"]
