"""Conditions of rules, negated or widened, are caught by a case of the rule or by a row of the table of tricks."""

from __future__ import annotations

import pytest

from cutlist.policy.registry import ALL
from tests.gates.mutations import survivors


def test_conditions_of_a_rule_are_caught() -> None:
    left, count = survivors(["IF-28"])
    assert count
    assert left == {}


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("prefix", sorted({rule.id[:2] for rule in ALL}))
def test_conditions_of_all_rules_are_caught(prefix: str) -> None:
    left, count = survivors([rule.id for rule in ALL if rule.id.startswith(prefix)])
    assert count
    assert left == {}
