"""What is said of the measures that a NodePlan's diff hides."""

from __future__ import annotations

from typing import Any

from pulumi_cutlist.node_plans.changed_measures import changed_measures


def plan(**measures: Any) -> dict[str, Any]:
    return {"region": "eu-west-1", "measures": measures}


def test_fields_of_objects_come_first_then_figures_with_both_values():
    """Digests are not shown: the paths say what was edited."""
    before = plan(
        objects={"NodePool/general": {"spec.limits": "a1", "spec.weight": "b2"}}, nodes=3, pools={"general": {"types": 100}}
    )
    after = plan(
        objects={"NodePool/general": {"spec.limits": "c3", "spec.weight": "b2"}}, nodes=3, pools={"general": {"types": 90}}
    )
    said = changed_measures(before, after)
    assert said.endswith("these differ: NodePool general spec.limits, pools.general.types 100 -> 90")


def test_objects_that_come_and_go_are_named_and_many_changes_are_counted():
    before = plan(objects={"NodePool/old": {"spec.limits": "a1"}}, **{f"figure{number}": number for number in range(8)})
    after = plan(objects={"EC2NodeClass/new": {"spec.role": "a1"}}, **{f"figure{number}": number + 1.5 for number in range(8)})
    said = changed_measures(before, after)
    assert "EC2NodeClass new is new, NodePool old is removed, figure0 0 -> 1.5" in said
    assert said.endswith("and 4 more")


def test_equal_measures_and_other_inputs_say_nothing():
    assert changed_measures(plan(nodes=3), {**plan(nodes=3.0), "region": "eu-west-2"}) == ""
    assert changed_measures({}, {}) == ""
