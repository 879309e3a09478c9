"""The plan as a comment on a pull request: short, the change first, and nothing in it but what we wrote."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.notes import Note
from cutlist.planning.model import FilledNode, PendingPods, Plan, PodShare
from cutlist.report.markup import code, words
from cutlist.verbs.plan.markdown import plan_markdown
from tests.examples import examples
from tests.unit.report.comments import OURS, rendered, tags, without_code
from tests.unit.report.hostile import ALL, hostile_plan, texts
from tests.unit.report.samples import ON_DEMAND, PLAN, SPOT

LARGE = replace(
    PLAN,
    nodes=tuple(
        replace(ON_DEMAND, node_pool=f"pool-{n}", instance_type=f"m{n}.large", count=n, pods=(PodShare(f"team-{n}/job/x", 3),))
        for n in range(1, 400)
    ),
    pending=tuple(PendingPods(f"deployment/d{n}", 3, f"reason {n}", (), f"remedy {n}") for n in range(300)),
    existing=tuple(FilledNode(f"node-{n}", (PodShare("a", 1),)) for n in range(200)),
    warnings=tuple(Note(f"w{n}", f"warning {n}") for n in range(100)),
)


def _words_of(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", page)).replace("\u200b", "")


def test_a_plan_says_what_a_month_costs_in_its_first_sentence_and_then_for_what():
    _, _, sentence, _, *items = plan_markdown(PLAN).replace("\\", "").splitlines()
    assert sentence == "**From about $152 a month ($128 to $196; spot is 30% of it)**: 4 nodes for 21 pods in us-west-2"
    assert items[:3] == [
        "- about $0.208 an hour, and 1 node of unknown price; 30% of it estimated",
        "- capacity: on-demand $106 (70%, 2 nodes), spot $46 (30%, 2 nodes)",
        "- NodePools: general $152 (100%, 3 nodes), training of unknown price (1 node)",
    ]
    assert "- requested: cpu 48%, memory 60%, nvidia.com/gpu 8 of 8" in items
    assert "- **2 pods pending**" in items


def test_equal_types_are_one_row_whatever_runs_on_them():
    """With the fewest and the most other types that such a node may become."""
    others = replace(SPOT, count=1, pods=(PodShare("job/x", 1),), candidates=SPOT.candidates[:2])
    text = plan_markdown(replace(PLAN, nodes=(SPOT, others)))
    assert "| 3 | `m7g.large` or 1 to 2 others | `general` | `spot` |" in text


def test_the_change_comes_first():
    """What a reviewer looks for is in the first sentence, and the table of changes before all else."""
    text = plan_markdown(replace(PLAN, nodes=(SPOT,), pending=()), before=replace(PLAN, nodes=(SPOT, ON_DEMAND)))
    first, *_ = text.splitlines()[2:]
    assert first == "**-$106 a month (-$0.145 an hour), 1 fewer node, 2 fewer pending pods.**"
    assert text.index("| `general` | `c7g.xlarge` | `on-demand` | 1 | 0 | -$106 |") < text.index("<details>")
    assert "- `deployment/trainer`: 2 pods no longer pending" in text


def test_what_a_change_does_to_the_choice_of_types_and_zones_is_reported():
    fewer = replace(SPOT, zones=SPOT.zones[:1], candidates=SPOT.candidates[:2])
    text = plan_markdown(replace(PLAN, nodes=(fewer,)), before=replace(PLAN, nodes=(SPOT,)))
    assert "**The same price, but other types or zones.**" in text
    assert "| 2 | 2 | $0 | `1 type fewer, zones a b c -> a` |" in text


def test_a_plan_that_is_as_before_says_so():
    assert "**No change: nodes, price and pending pods are as before.**" in plan_markdown(PLAN, before=PLAN)


def test_new_warnings_stand_with_the_changes():
    later = replace(PLAN, warnings=(*PLAN.warnings, Note("x", "The limit of pool general is reached.")), pending=())
    assert "- new: The limit of pool general is reached." in plan_markdown(later, before=PLAN)


@pytest.mark.parametrize("before", [None, Plan("us-west-2"), replace(LARGE, nodes=LARGE.nodes[::2], warnings=(), existing=())])
def test_a_comment_is_under_60_lines_whatever_the_size_of_the_plan(before):
    assert len(plan_markdown(LARGE, before).splitlines()) < 60


def test_what_is_not_shown_is_counted():
    text = plan_markdown(LARGE)
    assert "| and 391 more rows |" in text
    assert "- and 891 more pods for 297 other reasons" in text


def test_tables_show_the_dearest_nodes():
    assert "`m399.large`" in plan_markdown(LARGE)
    assert "`m1.large`" not in plan_markdown(LARGE)


@pytest.mark.parametrize("text", ALL)
def test_hostile_names_are_shown_and_do_nothing(text):
    """Nothing but our own markup comes out of a name, a reason, a region or a warning; and no line is added."""
    markdown = plan_markdown(hostile_plan(text), before=PLAN)
    assert tags(rendered(markdown)) <= OURS
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u0590-\u08ff]", markdown)
    assert len(markdown.splitlines()) < 60
    assert not re.search(r"@\w|#\d|\bhttps?://", without_code(rendered(markdown)))


@examples(0.8)
@given(text=texts)
def test_no_text_brings_markup_of_its_own(text):
    page = rendered(plan_markdown(hostile_plan(text), before=PLAN))
    assert tags(page) <= OURS
    assert set(re.findall(r"<[a-z0-9]+ ([a-z]+)=", page)) <= {"style"}  # of numbers in tables


_visible = st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1, max_size=50)


@given(_visible.filter(lambda text: "|" not in text))
def test_a_name_reads_as_it_is(text):
    """Code shows exactly the name, whatever signs are in it."""
    (shown,) = re.findall(r"<code>(.*)</code>", rendered(f"- {code(text)}"))
    assert html.unescape(shown) == text or text.isspace()


@given(_visible.filter(lambda text: text.strip()))
def test_a_sentence_reads_as_it_is(text):
    page = rendered(f"- {words(text)}")
    assert tags(page) == {"ul", "li"}
    assert _words_of(page).split() == text.split()
