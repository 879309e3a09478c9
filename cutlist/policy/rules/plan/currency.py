"""The currency of a plan's prices, in the words of findings."""

from __future__ import annotations

from cutlist.core.wording import currency_sign
from cutlist.policy.rules.parts import Resource


def sign_of(plan: Resource) -> str:
    """Return the sign that precedes amounts of a plan: `$`, or the code of its currency."""
    return currency_sign(plan.at("measures", "currency").text or "USD")
