"""Views of suggested NodePools: the order in which they say things, and what stands in each."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from cutlist.optimization.scenarios import Scenario
from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.report.restrictions import restriction_costs
from cutlist.verbs.suggest.columns import change_in_words
from cutlist.verbs.suggest.edit_words import part_sentences
from cutlist.verbs.suggest.edits import PoolEdit
from cutlist.verbs.suggest.html import suggest_html
from cutlist.verbs.suggest.markdown import pull_request, suggest_markdown
from cutlist.verbs.suggest.record import suggest_json
from cutlist.verbs.suggest.saving_words import mean_sentence, part_saved, verdict
from cutlist.verbs.suggest.search_words import search_sentence
from cutlist.verbs.suggest.suggestions import LeftPending, WhatIf
from cutlist.verbs.suggest.text import render_suggestions
from cutlist.verbs.suggest.usage_words import usage_sentences
from cutlist.workloads.usage import UseRisk
from tests.unit.report.pages import taken
from tests.unit.report.suggestions import suggestions

IN_ORDER = ("a month less", "On average", "It gives up:", "+new general", "general Lt 16")


@pytest.mark.parametrize("view", [render_suggestions, suggest_markdown, pull_request])
def test_the_money_is_first_then_what_it_costs_otherwise_then_the_diff(view):
    text = " ".join(view(suggestions()).replace("\\", "").split())
    places = [text.index(words) for words in IN_ORDER]
    assert places == sorted(places)


def test_a_page_has_the_money_the_edits_and_what_they_take_then_the_yaml_and_the_options():
    text = taken(suggest_html(suggestions())).text
    said = (
        "47% less a month with 2 edits",
        "A month with today's pods, then $1,547.60 $1,372.40 a month less Now $2,920.00",
        "over 2 scenarios; now $3,832.50",
        "general below 16: saves $1,460.00 a month",
        "It gives up: 20 instead of 600 instance types",
        "+new general",
        "2 NodePool general: general below 16; limits.cpu 1",
    )
    places = [text.index(words) for words in said]
    assert places == sorted(places)
    assert " Lt " not in text


def test_no_amount_stands_twice_in_the_first_screen_of_a_page():
    first = taken(suggest_html(suggestions()).partition("<header>")[2].partition('<section aria-labelledby="diff"')[0]).text
    amounts = re.findall(r"\$[\d,.]*\d", first)
    assert len(amounts) == len(set(amounts)) > 3


def test_options_are_points_that_lie_apart_each_with_its_name():
    """What costs and risks as much as another option shares its point."""
    drawn = suggest_html(suggestions()).partition('<svg class="chart points"')[2].partition("</svg>")[0]
    assert drawn.count("<circle") == 3
    labels = re.findall(r"<text [^>]*>([^<]*)</text>", drawn)
    assert {"now, 3", "1", "&#10003; 2 (recommended)"} <= set(labels)
    alone = replace(suggestions(), options=(suggestions().options[2],), recommended=0)
    assert "<circle" not in suggest_html(alone)


def test_a_text_fits_on_sixty_lines_whatever_there_is_to_say():
    answer = suggestions()
    lines = tuple(f"+{n}" for n in range(200))
    many = {"what_if": answer.what_if * 10, "restrictions": answer.restrictions * 20}
    long = replace(answer, diffs=(replace(answer.diffs[0], lines=lines),), **many)
    for width in (60, 100):
        text = render_suggestions(long, width=width)
        assert len(text.splitlines()) <= (60 if width == 100 else 75)
    assert "184 more lines" in text


def test_the_files_of_a_diff_are_told_apart_where_their_paths_are_long():
    answer = suggestions()
    folder = "/".join(["clusters"] * 20)
    for room in (1, 16):  # lines of the first file, which leave some for the second or none
        lines = tuple(f"+{n}" for n in range(room))
        diffs = tuple(replace(answer.diffs[0], source=f"{folder}/{name}.yaml", lines=lines) for name in ("pools", "web"))
        shown = [line for line in render_suggestions(replace(answer, diffs=diffs)).splitlines() if "clusters/" in line]
        assert [line.rpartition("/")[2] for line in shown] == ["pools.yaml", "web.yaml"]


def test_each_edit_says_what_it_saves_or_costs():
    text = " ".join(render_suggestions(suggestions()).split())
    assert "general Lt 16: saves $1,460.00 a month" in text
    assert "limits.cpu 1: costs $87.60 a month" in text


def test_spot_is_told_in_words():
    answer = suggestions()
    best = replace(answer.best, figures=replace(answer.best.figures, interruptions=3.4, at_once=0.12))
    shown = render_suggestions(replace(answer, options=(best,), recommended=0))
    assert "one interruption every 9 days; at most 12% of the pods go at once" in " ".join(shown.split())


def test_a_plan_for_fewer_pods_is_no_saving():
    answer = suggestions()
    nothing = replace(answer.what_if[0], figures=replace(answer.current, price=0.0, nodes=0, pending=(("web", 30),)))
    for view in (render_suggestions, suggest_markdown, suggest_html):
        assert "-100%" not in view(replace(answer, what_if=(nothing,)))


def test_each_form_says_which_cheaper_choices_leave_pods_pending():
    said = (
        "Not offered: 14 choices that cost less now (from $365.00 a month) and leave more pods of a workload pending than "
        "today, most often deployment/general in the scenario 'general doubled'."
    )
    for form in (render_suggestions, suggest_markdown, suggest_html):
        assert said in " ".join(form(suggestions()).replace("\\", "").replace("&#39;", "'").split())
    left = json.loads(suggest_json(suggestions()))["leftPending"]
    assert left == {
        "choices": 14,
        "scenario": "general doubled",
        "workload": "deployment/general",
        "pricePerHour": 0.5,
    }
    assert "Not offered" not in search_sentence(replace(suggestions(), left_pending=None))
    one = replace(suggestions(), left_pending=LeftPending(1, "replicas times 4", 0.5, "deployment/web"))
    one_said = (
        "Not offered: 1 choice that costs less now ($365.00 a month) and leaves more pods of deployment/web pending than today "
        "in the scenario 'replicas times 4'."
    )
    assert search_sentence(one).endswith(one_said)


def test_what_is_not_offered_is_listed_with_its_rule_on_request():
    rule = "NP-05 NodePool/general: 1 instance type on spot"
    assert rule not in render_suggestions(suggestions())
    assert "1 cheaper option would break a rule (--show-refused)" in " ".join(render_suggestions(suggestions()).split())
    assert rule in " ".join(render_suggestions(suggestions(), shows_refused=True).split())


def test_programs_read_scenarios_parts_and_refusals():
    data = json.loads(suggest_json(suggestions()))
    assert [scenario["name"] for scenario in data["scenarios"]] == ["now", "general"]
    assert data["bound"]["expectedPerHour"] == 3.0
    assert [part["savesPerHour"] for part in data["options"][1]["parts"]] == [2.0, -0.12]
    assert data["refused"][0]["breaks"] == ["NP-05 NodePool/general: 1 instance type on spot"]


@pytest.mark.parametrize(
    ("ended", "sentence"),
    [
        ({"is_complete": True, "most_plans": 300}, "12 candidates planned; nothing further was found"),
        ({"most_plans": 300}, "The search was stopped after 12 candidates of 300; more time may find more (--seconds)"),
        ({"most_plans": 12}, "12 candidates planned; more may find more (--plans)"),
    ],
)
def test_a_search_says_how_far_it_got(ended, sentence):
    assert sentence in " ".join(render_suggestions(replace(suggestions(), **ended)).split())


def test_with_measured_use_both_parts_are_said_first():
    """$2,190 by use, of which the NodePools save what is above $1,547.60."""
    said = "Requests by measured use save $730.00 a month, and the NodePools save $642.40 a month beyond that."
    for view in (render_suggestions, suggest_html):
        assert said in " ".join(view(suggestions()).split())


def test_requests_by_use_say_what_use_they_do_not_stand():
    answer = suggestions()
    risks = (UseRisk("web", "memory", 380, 410, 400), UseRisk("web", "cpu", 100, 90, 300))
    shown = render_suggestions(replace(answer, usage=replace(answer.usage, risks=risks)))
    said = (
        "Risk: 1 of 2 requests is below the 99th percentile of its use (web memory); requests of memory are up to 5% below the "
        "most"
    )
    assert said in " ".join(shown.split())


def test_words_agree_with_numbers():
    answer = suggestions()
    one = answer.usage.changes[0]
    lines = part_sentences(replace(answer, options=(replace(answer.best, requests=(None,)),), recommended=0))
    assert lines[0].startswith("1 request of 1 workload, by measured use: saves $")
    two = replace(answer.usage, changes=(one, one))
    lines = part_sentences(replace(answer, usage=two, options=(replace(answer.best, requests=(None,)),), recommended=0))
    assert lines[0].startswith("2 requests of 1 workload, by measured use: save $")
    assert "2 requests of 3 workloads change:" in usage_sentences(replace(answer, usage=two))[0]
    assert "1 request of 3 workloads changes:" in usage_sentences(answer)[0]


@pytest.mark.parametrize(
    ("then", "before", "said"),
    [(99.5, 100.0, "less than 1%"), (100.0, 100.0, "as much as today"), (80.0, 100.0, "20%"), (103.0, 100.0, "3% more")],
)
def test_no_part_is_none_of_something(then, before, said):
    assert part_saved(then, before) == said


def test_with_requests_alone_the_mean_is_compared_with_nothing():
    answer = suggestions()
    alone = replace(answer.best, pools=(), edits=(), requests=(None,), expected=answer.outlook.expected)
    said = mean_sentence(replace(answer, options=(alone,), recommended=0))
    assert said.startswith("On average over 2 scenarios $3,832.50 a month by measured use; at worst, ")
    assert "instead of" not in said


def test_requests_that_rise_are_no_saving():
    answer = suggestions()
    cheap = replace(answer.usage, before=replace(answer.usage.before, price=1.0))
    said = verdict(replace(answer, usage=cheap))
    assert said == "$817.60 a month more, as measured use exceeds requests: $1,547.60 instead of $730.00"


def test_an_edit_that_pays_in_other_scenarios_alone_says_so():
    answer = suggestions()
    best = replace(answer.best, parts=(replace(answer.best.parts[0], saves=0.0),))
    lines = part_sentences(replace(answer, usage=None, options=(best,), recommended=0))
    assert lines[0].endswith("saves nothing with today's pods, but $1,277.50 a month on average")


def test_lost_zones_that_cost_the_same_are_one_row():
    answer = suggestions()
    zones = [Scenario(f"zone-{name}", f"zone {name} lost", 1.0, zone=name) for name in "abc"]
    today, then = answer.outlook.today[1], answer.best.elsewhere[0]
    outlook = replace(
        answer.outlook,
        scenarios=(*answer.outlook.scenarios, *zones),
        today=(*answer.outlook.today, today, today, replace(today, price=77.0)),
        bounds=(*answer.outlook.bounds, 1.0, 1.0, 1.0),
    )
    best = replace(answer.best, elsewhere=(*answer.best.elsewhere, then, then, then))
    shown = render_suggestions(replace(answer, outlook=outlook, options=(best,), recommended=0, usage=None, running=None))
    assert "one of 2 zones lost" in shown
    assert "zone c lost" in shown
    assert "zone a lost" not in shown


def test_what_was_not_priced_is_not_said_to_cost_nothing():
    assert restriction_costs(RestrictionPrices((), 5)) == ["5 restrictions not priced"]
    assert restriction_costs(RestrictionPrices((), 0)) == ["no restriction costs anything"]
    assert restriction_costs(RestrictionPrices(suggestions().restrictions, 5))[-1] == "5 more restrictions not priced"


def test_a_requirement_beside_another_one_is_said_alone():
    edit = PoolEdit("general", "a.io/size", "NotIn nano", "NotIn nano and In large")
    assert edit.words == "NodePool general: a.io/size also In large"
    assert PoolEdit("general", "a.io/cpu", "Gt 3 and Lt 33", "Gt 3 and Lt 32").words.endswith("becomes Gt 3 and Lt 32")


@pytest.mark.parametrize(
    ("after", "said"), [(100.0, "0%"), (100.04, "0%"), (100.3, "+0.3%"), (99.6, "-0.4%"), (110.0, "+10%"), (50.0, "-50%")]
)
def test_a_change_that_rounds_to_none_has_a_decimal_or_no_sign(after, said):
    of = suggestions().current
    assert change_in_words(replace(of, price=100.0), replace(of, price=after)) == said


def test_what_costs_less_with_arm64_says_how_to_look_there():
    """The table of circumstances alone leaves a reader with a figure and no next step."""
    answer = suggestions()
    said = "--allow arm64 looks among NodePools with arm64, too."
    for price, expected in ((3.0, True), (4.0, False), (None, False)):
        arm64 = WhatIf("arm64 allowed", replace(answer.current, price=price))
        shown = " ".join(search_sentence(replace(answer, what_if=(arm64,))).split())
        assert (said in shown) is expected
    waiting = WhatIf("arm64 allowed", replace(answer.current, price=3.0, pending=(("web", 30),)))
    assert said not in " ".join(search_sentence(replace(answer, what_if=(waiting,))).split())
