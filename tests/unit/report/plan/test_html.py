"""The plan as a page: one file that asks the network for nothing, whatever names hold, and that says what the plan says."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given

from cutlist.core.notes import Note
from cutlist.planning.model import FilledNode, PendingPods, Plan, PodShare
from cutlist.planning.model.explanation import Explanations
from cutlist.planning.model.restrictions import PricedRestriction
from cutlist.planning.model.settled import Settled
from cutlist.report.html.types_chart import ChosenTypes
from cutlist.report.plain import visible
from cutlist.verbs.diff.html import diff_html
from cutlist.verbs.explain.html import explain_html
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.types.html import types_html
from tests.examples import examples
from tests.unit.report.hostile import ALL, hostile_plan, texts
from tests.unit.report.pages import taken
from tests.unit.report.plan.large import large_plan
from tests.unit.report.samples import ON_DEMAND, PLAN, SPOT, TYPES, UNPRICED
from tests.unit.report.test_diff_and_explain import DIFFERENCE, EXPLANATION, hostile

_BEFORE = replace(PLAN, nodes=(replace(SPOT, count=5), ON_DEMAND), pending=(PendingPods("web", 1, "too big"),))
_EXISTING = replace(PLAN, existing=(FilledNode("ip-10-0-0-1", (PodShare("deployment/web", 2),)),))
PAGES = {
    "plan": plan_html(PLAN, TYPES),
    "changes": plan_html(PLAN, TYPES, _BEFORE),
    "existing": plan_html(_EXISTING, TYPES, PLAN),
    "same": plan_html(PLAN, (), PLAN),
    "empty": plan_html(Plan("us-west-2")),
    "hostile": plan_html(hostile_plan(ALL[0]), (), PLAN),
    "difference": diff_html(DIFFERENCE),
    "types": types_html(AllowedTypes("us-west-2", TYPES, notes=PLAN.warnings), chosen=ChosenTypes.by_plan(PLAN)),
    "no types": types_html(AllowedTypes("us-west-2", ())),
    "explanation": explain_html(Explanations("us-west-2", (EXPLANATION,))),
    "explanations": explain_html(Explanations("us-west-2", (hostile(ALL[0])[1], EXPLANATION))),
}
_each = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


@_each
def test_a_page_is_one_well_formed_file(page):
    """Every element is closed, ids are there once, and what links and labels refer to is there."""
    found = taken(page)
    assert found.faults == []
    ids = found.values("id")
    assert len(ids) == len(set(ids))
    links = [link.removeprefix("#") for link in found.values("href")]
    assert {*links, *found.values("aria-labelledby"), *found.values("for"), *found.values("aria-describedby")} <= set(ids)


@_each
def test_a_page_asks_nobody_for_anything(page):
    """No element loads, sends or leads elsewhere, and no text of the style sheet or the script names an address."""
    found = taken(page)
    assert not {"img", "link", "iframe", "object", "embed", "form", "base", "audio", "video"} & set(found.tags)
    assert found.values("src") == []
    assert all(link.startswith("#") for link in found.values("href"))
    own = "".join(re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", page, re.DOTALL))
    assert not re.search(r"url\(|@import|https?:|fetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|import\(", own)


@_each
def test_the_policy_lets_our_style_and_script_act_and_nothing_else(page):
    """What may act is known by its hash; there is no style attribute and no handler, so nothing else is needed."""
    found = taken(page)
    policy = next(a["content"] for tag, a in found.elements if a.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert (rules["default-src"], rules["base-uri"], rules["form-action"]) == ("'none'", "'none'", "'none'")
    assert set(rules["style-src"].split()) == {_hash(style) for style in re.findall(r"<style>(.*?)</style>", page, re.DOTALL)}
    assert set(rules["script-src"].split()) == {
        _hash(script) for script in re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    }
    assert set(rules) == {"default-src", "style-src", "script-src", "base-uri", "form-action"}
    assert not [name for _, attributes in found.elements for name in attributes if name == "style" or name.startswith("on")]


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


@_each
def test_headings_go_down_one_step_at_a_time(page):
    """A screen reader's list of headings is the outline of the page, with one title."""
    levels = [int(tag[1]) for tag, _ in taken(page).elements if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_the_first_screen_says_what_it_costs_why_and_what_to_do():
    text = taken(PAGES["plan"]).text
    for said in (
        "What it costs A month From about $152 $128 to $196, as far as prices are known without 1 node of unknown price",
        "$106 on-demand, 70% 2 nodes $46 spot, 30% 2 nodes",
        "What to do 2 pods get no node 2 × deployment/trainer",
        "Risk 2 nodes are spot: the cloud may take them back, with 12 pods there. The fullest node takes 8 pods with it",
        "Further figures Price per hour about $0.208",
        "CPU requested 48% 97.1 of 199.2 cores",
    ):
        assert said in text
    assert "<h1>4 nodes for 21 pods in " in PAGES["plan"]
    assert "<h1>No new nodes in " in plan_html(replace(PLAN, nodes=()))


_RESTRICTED = replace(
    PLAN,
    bound_per_hour=0.1,
    bound_kind="quick",
    drivers=(PricedRestriction("zone spread of a", 0.05, ("a",), "topologySpreadConstraints[zone]"),),
)
_SETTLED = replace(
    PLAN,
    settled=Settled(
        price_before=0.3, price=0.2, nodes=3, commands=4, moves=5, seconds=90, end="stable", nodes_before=4, existing=0
    ),
)


def test_what_makes_most_of_the_cost_is_named_with_its_kind():
    """The restriction, the NodePool and the workload that cost most, then the next; no amount stands there twice."""
    text = taken(plan_html(_RESTRICTED)).text
    first = "about $37 is the price of a restriction: zone spread of a, 24% of the price topologySpreadConstraints[zone]"
    assert f"Why it costs that {first} $30 is deployment/web: 8 pods, 20% of the price $16 is" in text
    assert "on the best nodes that are allowed, these pods cost at least about $73 a month." in text
    assert "bound" not in text


@pytest.mark.parametrize("plan", [PLAN, _RESTRICTED, _SETTLED, replace(PLAN, nodes=(SPOT, ON_DEMAND))])
@pytest.mark.parametrize("before", [None, _BEFORE])
def test_no_figure_stands_twice_in_the_first_screen(plan, before):
    page = plan_html(plan, (), before)
    first = taken(page.partition("<header>")[2].partition('<section aria-labelledby="figures">')[0]).text
    amounts = re.findall(r"\$[\d,.]*\d", first)
    assert len(amounts) == len(set(amounts))
    assert amounts


def test_a_requirement_stands_in_words():
    reason = "no instance type that it allows satisfies the pod's karpenter.k8s.aws/instance-cpu Lt 16"
    text = taken(plan_html(replace(PLAN, pending=(PendingPods("web", 1, reason),)))).text
    assert "instance-cpu below 16" in text
    assert " Lt " not in text


def test_the_map_names_nodes_with_their_price_and_fill():
    text = taken(PAGES["plan"]).text
    assert "general c7g.xlarge on-demand: $106 a month; cpu 99%, memory 36% c7g.xlarge on-demand $106 99%" in text
    assert "general 2 × m7g.large spot: $46* a month; cpu 81%, memory 63%" in text
    assert "training p5.48xlarge on-demand: price unknown; cpu 47%, memory 60% p5.48xlarge on-demand 100%" in text


def test_nodes_are_groups_by_node_pool_type_and_capacity_that_open_to_nodes_pods_and_other_types():
    """The most expensive first; a group says what its nodes have together, each row what equal nodes have."""
    other = replace(SPOT, count=3, zones=SPOT.zones[:1], pods=(PodShare("deployment/web", 5),), candidates=SPOT.candidates[:2])
    text = taken(plan_html(replace(PLAN, nodes=(SPOT, ON_DEMAND, other)))).text
    assert text.index("m7g.large or 1 to 2 others general spot 5 a b c 27 100 81% 63% $0.160* $115*") < text.index(
        "c7g.xlarge general on-demand 1 b 1 54 99% 36% $0.145 $105"
    )
    assert "4 × deployment/web, 2 × shop/deployment/api 2 a b c 12 40 81% 63% $0.062* $45*" in text
    assert "5 × deployment/web 3 a 15 60 81% 63% $0.095* $70*" in text
    assert "3 nodes may instead be, per hour each: m6g.large $0.0313*" in text
    assert "2 nodes may instead be, per hour each: m6g.large $0.0313* m7g.xlarge $0.0641*" in text


def test_lists_of_other_types_that_look_the_same_are_one():
    """Nodes in several zones have the same other types, each in its own zone."""
    zones = ("us-west-2a", "us-west-2b")
    nodes = [
        replace(SPOT, zones=(zone,), candidates=tuple(replace(c, zones=(zone,)) for c in SPOT.candidates)) for zone in zones
    ]
    text = taken(plan_html(replace(PLAN, nodes=tuple(nodes)))).text
    assert text.count("ay instead be") == 1
    assert "May instead be, per hour each: m6g.large $0.0313* m7g.xlarge $0.0641*" in text


def test_small_tables_of_nodes_are_open_and_large_ones_are_folded():
    assert '<tr class="node">' in PAGES["plan"]
    many = tuple(replace(SPOT, pods=(PodShare("deployment/web", n + 1),)) for n in range(13))
    page = plan_html(replace(PLAN, nodes=many))
    assert page.count('<tr class="node" hidden>') == 14
    assert '<tr class="node">' not in page


def test_prices_are_shown_by_node_pool_namespace_and_workload():
    text = taken(PAGES["plan"]).text
    for said in (
        "By NodePool NodePool Nodes Pods CPU Memory Of the price $/month general 3 13 90% 54% 100% $152",
        "By namespace",
        "By workload",
        "shop 4 10% $16",
        "ml 8 - unknown",
    ):
        assert said in text


def test_pending_pods_stand_with_their_reasons_node_pool_by_node_pool():
    text = taken(PAGES["plan"]).text
    assert "2 × deployment/trainer No NodePool offers nvidia.com/mig-1g.5gb;" in text
    assert "general no instance type has nvidia.com/mig-1g.5gb" in text


def test_what_would_help_is_said():
    page = plan_html(replace(PLAN, pending=(PendingPods("web", 1, "too big", (), "raise the limit of pool general"),)))
    assert "What would help: raise the limit of pool general" in taken(page).text


def test_changes_stand_before_everything_else():
    text = taken(PAGES["changes"]).text
    assert text.index("2 fewer nodes, 1 more pending pod") < text.index("Map of the nodes")
    assert "m7g.large general spot 5 2 $114* $46* -$68*" in text
    assert "p5.48xlarge training on-demand - 1 - unknown unknown" in text
    assert "deployment/trainer 0 → 2 see below web 1 → 0 too big" in text
    assert "No change: nodes, price and pending pods are as before." in taken(PAGES["same"]).text


def test_sums_have_their_difference_to_the_earlier_plan():
    """Its direction as a shape, and whether it is good as a colour; what is the same has none."""
    before = replace(PLAN, nodes=(replace(SPOT, count=5), ON_DEMAND, UNPRICED), pending=())
    page = plan_html(PLAN, (), before)
    assert '<small class="fall good">about $70 less (31%)</small>' in page
    assert '<small class="fall">3 fewer</small>' in page
    assert '<small class="rise bad">2 more</small>' in page
    assert "points" not in taken(plan_html(PLAN, (), PLAN)).text
    assert "rise" not in taken(plan_html(PLAN, (), PLAN)).values("class")


def test_a_reason_or_a_note_stands_once_also_beside_an_earlier_plan():
    """The change names who starts to wait, the list below says why; a new note is marked in its list."""
    two = (PendingPods("deployment/a", 1, "too big"), PendingPods("deployment/b", 2, "too big"))
    plan = replace(PLAN, pending=two, warnings=(Note("a", "careful"), *PLAN.warnings))
    text = taken(plan_html(plan, (), PLAN)).text
    assert text.count("too big") == 1
    assert text.count("careful") == 1
    assert "deployment/a deployment/b 0 → 1 0 → 2 see below" in text
    assert "1 warning or assumption below is marked as new." in text
    assert "new careful" in text


def test_existing_nodes_that_take_pods_are_listed():
    text = taken(PAGES["existing"]).text
    assert "ip-10-0-0-1 2 × deployment/web" in text
    assert "ip-10-0-0-1 deployment/web 0 2" in text


def test_a_plan_without_nodes_is_a_page_without_tables():
    found = taken(PAGES["empty"])
    assert found.tags["table"] == 0
    assert "Every pod finds a node" in found.text


def test_types_are_charted_for_the_node_pools_in_use():
    found = taken(PAGES["plan"])
    assert found.tags["svg"] == 3
    assert "Chosen: 1 of c7g.xlarge, 2 of m7g.large." in next(
        a["aria-label"] for tag, a in found.elements if a.get("class") == "chart"
    )


def _harmless(text: str) -> str:
    """Return a name of the same length: the map lists what it has no room to name."""
    return "x" * len(visible(text))


@pytest.mark.parametrize("text", ALL)
def test_hostile_names_are_words_on_the_page(text):
    """Each is there to be read, nothing of it acts, and no character of it moves what stands beside it."""
    page = plan_html(hostile_plan(text), (), PLAN)
    assert taken(page).tags == taken(plan_html(hostile_plan(_harmless(text)), (), PLAN)).tags
    assert page.isascii()
    assert page.replace("\n", "").isprintable()
    assert " ".join(visible(text).split()) in taken(page).text
    assert taken(page).faults == []


@examples(0.6)
@given(texts)
def test_no_text_brings_an_element_or_an_attribute_of_its_own(text):
    found, harmless = taken(plan_html(hostile_plan(text or "x"))), taken(plan_html(hostile_plan(_harmless(text or "x"))))
    assert found.tags == harmless.tags
    assert {name for _, attributes in found.elements for name in attributes} == {
        name for _, attributes in harmless.elements for name in attributes
    }


def test_equal_plans_are_the_same_page():
    assert plan_html(PLAN, TYPES, _BEFORE) == PAGES["changes"]


def test_rows_beyond_the_first_wait_until_they_are_asked_for():
    """They are in the page, which is thus complete without a script, but are not laid out at first."""
    page = plan_html(large_plan(nodes=120, node_pools=120))
    assert page.count('<tbody id="node-table-') == 120
    assert page.count(' hidden>\n<tr class="sum">') == 70
    assert "Show the other 70 rows" in page
    assert page.count("<tbody hidden>") == 37  # workloads and namespaces beyond 10, NodePools beyond 20, in parts of these


def test_a_reason_that_many_workloads_share_stands_once():
    pending = tuple(PendingPods(f"deployment/d{n}", 2, "too big") for n in range(30))
    found = taken(plan_html(replace(PLAN, nodes=(UNPRICED,), pending=pending)))
    assert found.text.count("too big") == 1
    assert "and 26 more workloads for the same reason" in found.text


def test_reasons_beyond_the_first_are_folded():
    pending = tuple(PendingPods(f"deployment/d{n}", 1, f"the pod needs {n} cpu") for n in range(12))
    found = taken(plan_html(replace(PLAN, pending=pending)))
    assert "and 10 more reasons 1 × deployment/d2 the pod needs 2 cpu" in found.text
    assert found.tags["details"] == 1 + taken(plan_html(replace(PLAN, pending=()))).tags["details"]


def test_notes_are_listed_by_kind():
    page = taken(plan_html(replace(PLAN, warnings=(Note("a", "careful"),), assumptions=(Note("b", "assumed"),))))
    assert "Warnings careful Assumptions assumed" in page.text
