"""Topology rules are found by the labels of their selectors."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.requirement import Expression
from cutlist.scheduling.topology import TopologyGroups
from cutlist.scheduling.topologygroup import TopologyGroup, TopologyType
from cutlist.workloads.pods import LabelSelector
from tests.unit.scheduling.builders import pod

KEYS, VALUES = st.sampled_from("abc"), st.sampled_from("xyz")
LABELS = st.dictionaries(KEYS, VALUES)
EXPRESSIONS = st.builds(Expression, KEYS, st.sampled_from(("In", "NotIn", "Exists", "DoesNotExist")), st.tuples(VALUES))
SELECTORS = st.builds(
    lambda labels, expressions: LabelSelector(tuple(labels.items()), tuple(expressions)),
    LABELS,
    st.lists(EXPRESSIONS, max_size=1),
)
RULES = st.lists(st.tuples(st.none() | SELECTORS, st.sampled_from((frozenset(("default",)), frozenset(("other",))))))


@given(RULES, LABELS)
def test_the_rules_of_a_pod_are_those_that_trying_each_finds(rules, labels):
    """In the same order."""
    groups = TopologyGroups()
    added = [TopologyGroup(TopologyType.SPREAD, "zone", namespaces, selector) for selector, namespaces in rules]
    for number, group in enumerate(added):
        groups.add(number, group)
    one = pod(labels=labels)
    assert groups.selecting(one) == [group for group in added if group.selects(one)]
    assert [*groups.values()] == added
    assert [groups.get(number) for number in range(len(added) + 1)] == [*added, None]
