"""A stack's preview as a comment on a pull request."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.infrastructure.costs import Bill
from cutlist.verbs.preview.markdown import preview_markdown
from cutlist.verbs.preview.record import ShownComponent
from tests.unit.report.comments import OURS, rendered, tags, without_code
from tests.unit.report.full_answers import a_bill
from tests.unit.report.hostile import ALL
from tests.unit.report.samples import PLAN, SPOT

COMPONENTS = [ShownComponent("eks / network", "cutlist:index:Network", 33)]


def test_it_has_the_money_the_plan_what_changes_the_bill_and_the_components() -> None:
    comment = preview_markdown("dev", 34, a_bill(), [PLAN], COMPONENTS, [replace(PLAN, nodes=(SPOT,))])
    first, *_ = comment.splitlines()
    assert first == "**\\$365 a month**: stack dev, 34 resources; \\$73 for resources, \\$292 for nodes of the plan"
    assert f"### Node plan for {PLAN.region}" in comment
    assert "before | now |" in comment
    assert "| `eks` | an hour | 1 | 73.00 |" in comment
    assert "| **total** |  |  | **365.00** |" in comment
    assert "| `eks / network` | `cutlist:index:Network` | 33 |" in comment


def test_an_earlier_plan_of_another_region_is_not_compared() -> None:
    assert "before | now |" not in preview_markdown("dev", 0, Bill(()), [replace(PLAN, region="eu-west-1")], (), [PLAN])


def test_nothing_billed_has_no_empty_parts() -> None:
    comment = preview_markdown("dev", 0, Bill(()), [], ())
    assert comment == "**Nothing has a price**: stack dev, 0 resources\n"


def test_long_bills_and_programs_are_cut_with_the_number_left_out() -> None:
    bill = a_bill()
    (component, *_) = bill.components
    many = replace(bill, components=tuple(replace(component, name=f"c-{number}") for number in range(50)))
    comment = preview_markdown("dev", 34, many, [], COMPONENTS * 30)
    assert "more charges |" in comment
    assert "| and 10 more components |" in comment
    assert len(comment.splitlines()) < 65


@pytest.mark.parametrize("text", ALL)
def test_no_name_acts_on_the_comment(text: str) -> None:
    page = rendered(preview_markdown(text, 1, a_bill(), [], [ShownComponent(text, text, 1)]))
    assert tags(page) <= OURS
    assert "@team" not in without_code(page)
