"""Where a page comes from: above its heading and in its title, with every name as words."""

from __future__ import annotations

from datetime import date

import pytest

from cutlist.report.html.origin import PageOrigin, add_origin
from cutlist.verbs.plan.html import plan_html
from tests.unit.report.hostile import ALL
from tests.unit.report.pages import taken
from tests.unit.report.samples import PLAN

_ORIGIN = PageOrigin("shop", "prod", "0123abcd", True, date(2026, 11, 30), "1.2")


def test_a_page_says_project_environment_commit_day_and_version():
    page = taken(add_origin(plan_html(PLAN), _ORIGIN))
    line = "shop · prod · commit 0123abcd with changes that are not committed · 2026-11-30 · Cutlist 1.2"
    assert f"{line} 4 nodes for 21 pods" in page.text
    assert page.text.startswith("shop, prod: Plan for us-west-2 ")


def test_what_is_not_known_is_left_out():
    page = taken(add_origin(plan_html(PLAN), PageOrigin("shop", made=date(2026, 11, 30))))
    assert "shop · 2026-11-30 4 nodes" in page.text
    assert add_origin(plan_html(PLAN), PageOrigin()) == plan_html(PLAN)


@pytest.mark.parametrize("text", ALL)
def test_hostile_names_are_words(text):
    made = add_origin(plan_html(PLAN), PageOrigin(text, text, text))
    assert made.isascii()
    assert taken(made).tags == taken(add_origin(plan_html(PLAN), PageOrigin("x", "x", "x"))).tags
