"""An index of sets of requirements finds those, and only those, that comparing each would find."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.requirement import Expression, Requirement
from cutlist.core.requirement_index import RequirementIndex
from cutlist.core.requirements import Requirements

KEYS = ("team", "zone", "tier")
ALLOWED = frozenset(("zone",))


@st.composite
def _sets(draw: st.DrawFn) -> Requirements:
    expressions = []
    for key in draw(st.lists(st.sampled_from(KEYS), unique=True)):
        operator = draw(st.sampled_from(("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")))
        values = draw(st.lists(st.sampled_from("1234"), min_size=1, max_size=2, unique=True))
        number = {"Exists": 0, "DoesNotExist": 0, "Gt": 1, "Lt": 1}.get(operator, 2)
        expressions.append(Expression(key, operator, tuple(values[:number])))
    return Requirements.of_expressions(expressions)


@given(st.lists(_sets(), max_size=8), _sets())
def test_it_finds_what_is_compatible(asked, held):  # S-17, S-18, S-25
    plainly = [n for n, one in enumerate(asked) if not held.incompatibility(one, ALLOWED)]
    assert RequirementIndex(asked, ALLOWED).compatible_with(held) == plainly


def test_most_sets_are_not_compared(monkeypatch):
    """Of workloads that each name their team, a NodePool is compared with those of its own."""
    compared = []
    plainly = Requirement.intersects
    monkeypatch.setattr(Requirement, "intersects", lambda one, other: compared.append(one) or plainly(one, other))
    for teams in (10, 20, 40):
        compared.clear()
        index = RequirementIndex([Requirements.of_labels({"team": f"t{n}"}) for n in range(teams)])
        assert index.compatible_with(Requirements.of_labels({"team": "t3", "tier": "web"})) == [3]
        assert len(compared) == 1
