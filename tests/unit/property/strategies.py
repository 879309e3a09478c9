"""What the property tests draw from: small worlds, so that keys and values meet often."""

from __future__ import annotations

from hypothesis import strategies as st

from cutlist.core.quantity import NANO, Format, Quantity
from cutlist.core.requirement import Expression, Requirement
from cutlist.core.requirements import Requirements

WORDS = ("a", "b", "c", "0", "1", "2", "3", "5", "07", "7", "9", "-1", "+3", " 7", "7_0", "")
KEYS = ("k", "l", "topology.kubernetes.io/zone")

words = st.sampled_from(WORDS)
bounds = st.integers(-2, 10).map(str)
minimums = st.none() | st.integers(1, 5)


@st.composite
def expressions(draw, keys=KEYS) -> Expression:
    """Any well-formed expression."""
    key, floor = draw(st.sampled_from(keys)), draw(minimums)
    operator = draw(st.sampled_from(["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"]))
    if operator in ("In", "NotIn"):
        return Expression(key, operator, tuple(draw(st.lists(words, max_size=4))), floor)
    if operator in ("Exists", "DoesNotExist"):
        return Expression(key, operator, (), floor)
    return Expression(key, operator, (draw(bounds),), floor)


def built(e: Expression) -> Requirement:
    return Requirement.of(e.key, e.operator, e.values, e.min_values)


def requirements(key: str = "k") -> st.SearchStrategy[Requirement]:
    """Requirements on one key: simple ones, and combinations of up to three."""
    parts = st.lists(expressions(keys=(key,)).map(built), min_size=1, max_size=3)
    return parts.map(lambda found: Requirements(found)[key])


requirement_sets = st.lists(expressions(), max_size=5).map(Requirements.of_expressions)

quantities = st.builds(Quantity, st.integers(-(10**30), 10**30), st.sampled_from(Format))
whole_quantities = st.builds(Quantity, st.integers(-(2**63), 2**63).map(lambda n: n * NANO), st.sampled_from(Format))
quantity_texts = st.from_regex(
    r"[+-]?[0-9]{0,12}(\.[0-9]{0,12})?([numkMGTPE]?|[KMGTPE]i|[eE][+-]?[0-9]{1,2})", fullmatch=True
).filter(bool)

resources = st.sampled_from(["cpu", "memory", "pods", "gpu"])
resource_lists = st.dictionaries(resources, st.integers(-(10**12), 10**12))
sane_lists = st.dictionaries(resources, st.integers(0, 10**12))
