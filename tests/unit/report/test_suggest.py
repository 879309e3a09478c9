"""Views of suggested NodePools: what holds of an option stands where the option is shown."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cutlist.report.suggest.html import suggest_html
from cutlist.report.suggest.json import suggest_json
from cutlist.report.suggest.markdown import suggest_markdown
from cutlist.report.suggest.text import render_suggestions
from tests.unit.report.suggestions import suggestions

LIMITS = "The limits fit the replicas of now"


@pytest.mark.parametrize("view", [render_suggestions, suggest_markdown, suggest_html])
def test_an_option_that_sets_limits_says_how_long_these_fit(view):
    answer = suggestions()
    assert [option.sets_limits for option in answer.options] == [False, True, False]
    assert view(answer).count(LIMITS) == 1
    assert LIMITS not in view(replace(answer, options=answer.options[:1], recommended=0))


def test_programs_read_which_options_set_limits():
    options = json.loads(suggest_json(suggestions()))["options"]
    assert [option["limitsFitNow"] for option in options] == [False, True, False]
