"""Settings and exemptions that switch rules off without saying so."""

from __future__ import annotations

from tests.gates.trick import Trick
from tests.unit.policy.rules import subjects as s

TRICKS = (Trick("a rule that is misspelt", (s.POOL, s.CLASS), "GT-01", gates={"rules": {"NP-99": "off"}}),)
