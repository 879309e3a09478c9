"""Views of suggested NodePools: what holds of an option stands where the option is shown."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cutlist.verbs.suggest.columns import fleet_csv
from cutlist.verbs.suggest.html import fleet_html, suggest_html
from cutlist.verbs.suggest.markdown import fleet_markdown, suggest_markdown
from cutlist.verbs.suggest.record import suggest_json
from cutlist.verbs.suggest.text import render_fleet, render_suggestions
from tests.unit.report.suggestions import fleet, suggestions

LIMITS = "The limits fit the current replicas"


@pytest.mark.parametrize("view", [render_suggestions, suggest_markdown, suggest_html])
def test_an_option_that_sets_limits_says_how_long_these_fit(view):
    answer = suggestions()
    assert [option.sets_limits for option in answer.options] == [False, True, False]
    assert view(answer).count(LIMITS) == 1
    assert LIMITS not in view(replace(answer, options=answer.options[:1], recommended=0))


def test_programs_read_which_options_set_limits():
    options = json.loads(suggest_json(suggestions()))["options"]
    assert [option["limitsFitNow"] for option in options] == [False, True, False]


@pytest.mark.parametrize("view", [render_fleet, fleet_markdown, fleet_html, fleet_csv])
def test_an_environment_whose_option_sets_limits_says_how_long_these_fit(view):
    assert " ".join(view(fleet()).split()).count("the limits fit the current replicas") == 1
