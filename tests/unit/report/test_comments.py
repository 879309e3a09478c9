"""Every answer as a comment on a pull request: short whatever its size, and nothing in it but what we wrote."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given

from cutlist.catalog.prices import Price
from cutlist.core.notes import Note
from cutlist.planning.model import PendingPods, PoolTypes
from cutlist.planning.model.explanation import Answer, Explanation, Explanations, RelaxedPreference
from cutlist.verbs.diff.markdown import diff_markdown
from cutlist.verbs.disrupt.answer import DisruptionForecast
from cutlist.verbs.disrupt.markdown import disrupt_markdown
from cutlist.verbs.disrupt.text import render_disrupt
from cutlist.verbs.explain.markdown import explain_markdown
from cutlist.verbs.nodes.markdown import nodes_markdown
from cutlist.verbs.nodes.roster import NOT_READY, NodeRow, Roster
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.types.markdown import types_markdown
from tests.examples import examples
from tests.unit.report.comments import OURS, rendered, tags, without_code
from tests.unit.report.forecasts import hostile_forecast, hostile_nodes, nodes, to_the_end
from tests.unit.report.hostile import ALL, hostile_types, texts
from tests.unit.report.samples import PLAN, SPOT, TYPES
from tests.unit.report.test_diff_and_explain import EXPLANATION, hostile

_HOSTILE: dict[str, Callable[[str], str]] = {
    "types": lambda text: types_markdown(AllowedTypes(text, hostile_types(text), notes=(Note(text, text),))),
    "explain": lambda text: explain_markdown(Explanations(text, (hostile(text)[1],))),
    "controllers": lambda text: explain_markdown(Explanations(text, (hostile(text)[1],) * 3)),
    "nodes": lambda text: nodes_markdown(hostile_nodes(text)),
    "disrupt": lambda text: disrupt_markdown(hostile_forecast(text)),
    "diff": lambda text: diff_markdown(hostile(text)[0]),
}


def _large_roster() -> Roster:
    rows = (
        NodeRow(
            f"n-{n}",
            f"pool-{n % 30:02}",
            "m7g.large",
            price=Price(n / 1000, "list"),
            states=(NOT_READY,) if n == 7 else ("Ready",),
        )
        for n in range(600)
    )
    return replace(nodes(), nodes=tuple(sorted(rows, key=lambda r: r.pool)), launching=tuple(f"c-{n}" for n in range(30)))


def _large_forecast() -> DisruptionForecast:
    made = to_the_end()
    seen, trajectory = made.forecast, made.trajectory
    command = replace(seen.commands[0], candidates=list(seen.commands[0].candidates) * 40)
    larger = replace(seen, nodes=seen.nodes * 100, budgets=seen.budgets * 30, commands=(command,) * 3)
    return replace(
        made,
        forecast=larger,
        removals=made.removals * 50,
        oddities=tuple(f"odd {n}" for n in range(20)),
        trajectory=replace(trajectory, steps=trajectory.steps * 60),
    )


def _types(*pools: PoolTypes) -> AllowedTypes:
    return AllowedTypes("r", pools, notes=PLAN.warnings * 30)


def _large_explanation() -> Explanation:
    return replace(
        EXPLANATION,
        nodes=tuple(replace(SPOT, node_pool=f"pool-{n}") for n in range(80)),
        pending=tuple(PendingPods("web", 1, f"reason {n}", (), f"remedy {n}") for n in range(40)),
        answers=tuple(Answer(f"pool-{n}", n, 100 - n) for n in range(60)),
        given_up=tuple(RelaxedPreference(f"wish {n}", n) for n in range(50)),
        existing=tuple((f"node-{n}", 1) for n in range(90)),
    )


_LARGE: dict[str, Callable[[], str]] = {
    "types": lambda: types_markdown(_types(*(replace(TYPES[0], node_pool=f"p-{n}") for n in range(40)))),
    "one NodePool": lambda: types_markdown(_types(replace(TYPES[0], types=TYPES[0].types * 90))),
    "explain": lambda: explain_markdown(Explanations("us-west-2", (_large_explanation(),))),
    "controllers": lambda: explain_markdown(Explanations("us-west-2", (_large_explanation(),) * 5)),
    "nodes": lambda: nodes_markdown(_large_roster()),
    "disrupt": lambda: disrupt_markdown(_large_forecast()),
}


@pytest.mark.parametrize("large", _LARGE)
def test_a_comment_is_under_60_lines_whatever_its_size_and_counts_what_it_leaves_out(large):
    text = _LARGE[large]()
    assert len(text.splitlines()) < 60
    assert "more" in text


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("answer", _HOSTILE)
def test_hostile_names_are_shown_and_do_nothing(answer, text):
    """Nothing but our own markup comes out of a name, a reason or a region; and no line is added."""
    markdown = _HOSTILE[answer](text)
    assert tags(rendered(markdown)) <= OURS
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u0590-\u08ff]", markdown)
    assert len(markdown.splitlines()) == len(_HOSTILE[answer]("x").splitlines())
    assert not re.search(r"@\w|#\d|\bhttps?://", without_code(rendered(markdown)))


@pytest.mark.slow
@examples(0.2)
@given(text=texts)
def test_no_text_brings_markup_of_its_own(text):
    for answer in _HOSTILE.values():
        page = rendered(answer(text))
        assert tags(page) <= OURS
        assert set(re.findall(r"<[a-z0-9]+ ([a-z]+)=", page)) <= {"style"}  # of numbers in tables


def test_types_begin_with_the_node_pools_then_their_cheapest_types():
    text = types_markdown(AllowedTypes("us-west-2", TYPES, notes=PLAN.warnings))
    assert "| `general` | 642 | `c7g.medium` | 0.0363 | 0.0148\\* |" in text
    assert "| `nothing` | 0 | none |  |  |" in text
    assert "| `u7in-32tb.224xlarge` | 896 | 32Ti | 737 | `a b c` | - | - |" in text
    assert "| and 638 more |" in text
    assert "<summary>Findings (1)</summary>" in text
    assert "\\* Estimated price: spot estimate June 2025." in text


def test_no_more_types_are_listed_than_were_asked_for():
    text = types_markdown(AllowedTypes("us-west-2", TYPES, limit=2))
    assert "| and 640 more |" in text
    assert "m7g.metal" not in text
    assert "and 642 more" not in types_markdown(AllowedTypes("us-west-2", (PoolTypes("general", (), 0),)))


def test_an_explanation_says_how_many_pods_wait_and_what_each_node_pool_said():
    text = explain_markdown(Explanations("us-west-2", (EXPLANATION,)))
    assert text.startswith("### `shop/deployment/web` in us-west-2\n")
    price = "**about $0.34** per hour ($120 to $490 a month)"
    assert f"**15 pods**, 11 on new nodes, 2 on existing nodes, **2 pending**, {price}" in text
    assert (
        "| `gpu` | 10 | 0 | 1,350 → 667 | the pod does not tolerate nvidia.com/gpu:NoSchedule | with a toleration it fits |"
        in text
    )
    assert "| `general` | 0 | 8 | 1,350 → 667 |  |  |" in text
    assert "- 3 nodes that are there: there is no room for 1 cpu" in text
    assert "- given up without success: the soft spread over zone" in text
    assert "- without spot: NodePool general: its requirements exclude spot" in text


def test_each_controller_has_its_own_explanation():
    text = explain_markdown(
        Explanations("us-west-2", (EXPLANATION, replace(EXPLANATION, controller="EKS Auto Mode"), EXPLANATION))
    )
    assert "(self-managed Karpenter)" in text
    assert "(EKS Auto Mode)" in text
    assert text.endswith("and 1 more controller\n")


# K-63
def test_the_nodes_of_a_cluster_are_summed_up_then_listed():
    text = nodes_markdown(nodes())
    price = "**about $0.611** per hour, about $446 per month ($438 to $457), without disks"
    assert f"**4 nodes** as of 2026-01-05 11:40:00Z, {price}, cpu 35%" in text
    assert (
        "| `ip-10-0-2-21` | `general` | `m7a.large` | `spot` | `us-west-2b` | 51% | 29% | 1 | 0.032\\* | 3h | Ready |" in text
    )


def test_prices_are_in_the_currency_of_their_list():
    price = "**about CNY 0.611** per hour, about CNY 446 per month (CNY 438 to CNY 457)"
    assert price in nodes_markdown(replace(nodes(), currency="CNY"))


def test_without_a_region_no_price_is_spoken_of():
    text = nodes_markdown(nodes(region=None))
    assert "$" not in text
    assert "price" not in text.lower()


def test_nodes_that_are_not_ready_are_listed_before_dear_ones():
    text = nodes_markdown(_large_roster())
    assert "| `n-7` |" in text
    assert "| `n-599` |" in text
    assert "| `n-8` |" not in text
    assert "Being launched: `c-0`, `c-1`, `c-2`, `c-3`, `c-4` and 25 more." in text


def test_node_pools_have_a_row_where_there_are_several():
    two = Roster(0.0, (NodeRow("a", "first", pods=3), NodeRow("b", "", states=(NOT_READY,))))
    assert "| `first` | 1 | 0 | - | - | 3 |" in nodes_markdown(two)
    assert "| other nodes | 1 | 1 | - | - | 0 |" in nodes_markdown(two)
    assert "| NodePool | nodes | not ready |" not in nodes_markdown(nodes())


# K-54
def test_what_is_next_comes_first_then_what_spares_each_node():
    text = disrupt_markdown(to_the_end())
    assert "**Emptiness deletes 1 node, saves about $17 a month, about $0.0230 an hour**, as of 2026-01-05 23:40:00Z." in text
    assert "- ends `ip-10-0-3-31`: `c6a.large`, `spot`, `us-west-2c`, about $0.0210 per hour, 0 pods to move" in text
    assert "blocked: Pdb prevents pod evictions (PodDisruptionBudget=\\[shop/cache\\])" in text
    assert "stable: nothing more would be done; saves about $0.227 per hour with 1 move of 1 pod" in text


def test_a_cluster_that_nothing_is_done_to_says_so():
    made = to_the_end()
    still = replace(made, trajectory=None, forecast=replace(made.forecast, method=None, commands=()))
    assert "**Nothing is done**, as of" in disrupt_markdown(still)
    assert "Until stable" not in disrupt_markdown(still)
    paused = replace(still, forecast=replace(still.forecast, launching=("general-x7f",)))
    assert "**Paused while 1 node is launched**" in disrupt_markdown(paused)
    many = replace(still, forecast=replace(still.forecast, launching=tuple(f"c-{n}" for n in range(12))))
    assert "**Paused while 12 nodes are launched**" in disrupt_markdown(many)
    assert "c-9 and 2 more are being launched" in render_disrupt(many)
