"""NodePools, node classes and their budgets."""

from __future__ import annotations

from tests.gates.trick import Trick, Wanted
from tests.unit.policy.rules import subjects as s

TRICKS = (
    Trick("limits of an object without any", (s.drop(s.POOL, "spec.limits"),), "NP-01"),
    Trick("limits that only an update knows", (s.unknown(s.POOL, "spec.limits"),), "NP-01", Wanted.OPEN),
    Trick("an ordinary pool", (s.POOL, s.CLASS, s.PLAN), "", Wanted.PASSES),
)
