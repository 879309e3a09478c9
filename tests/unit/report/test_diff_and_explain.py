"""What changes and why, screen by screen.

Whole screens are in `screens/`; `python -m tests.unit.report.test_diff_and_explain` regenerates them after a change that is
meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.cells import cell_len

from cutlist.catalog.prices import Price
from cutlist.core.errors import Place
from cutlist.core.notes import Note
from cutlist.disruption.drifted_nodes import DriftedNode
from cutlist.disruption.edits import MemberEdit, ObjectEdit, Reach
from cutlist.disruption.reasons import Reason
from cutlist.disruption.rollout import Rollout, Turn
from cutlist.planning.model.changes import Change
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.explanation import Answer, Explanation, Explanations, Narrowing, RelaxedPreference
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.because import Because, EditPart
from cutlist.verbs.diff.html import diff_html
from cutlist.verbs.diff.markdown import diff_markdown
from cutlist.verbs.diff.nodes import BlastRadius, ReplacementBudget
from cutlist.verbs.diff.objects import ChangedField, ObjectChange
from cutlist.verbs.diff.sides import Scope
from cutlist.verbs.diff.text import render_diff
from cutlist.verbs.diff.traps.trap import SPOT as SPOT_TYPES
from cutlist.verbs.diff.traps.trap import Trap
from cutlist.verbs.explain.text import render_explain
from tests.unit.disruption.claims import DAY, HOUR, NOON
from tests.unit.report.hostile import ALL, hostile_plan
from tests.unit.report.samples import PLAN, SPOT
from tests.unit.report.test_text import _SCREENS

IMAGE, LABELS = "spec.amiSelectorTerms", "spec.template.spec.requirements"
AFTER = replace(
    PLAN,
    nodes=(replace(SPOT, count=3, zones=SPOT.zones[:1]),),
    pending=PLAN.pending[:1],
    warnings=(Note("limit", "The limit of NodePool general is all but used up."),),
)
BLAST = BlastRadius(
    now=NOON,
    edits=(
        ObjectEdit("EC2NodeClass", "default", Place("pools.yaml"), (MemberEdit(IMAGE, Reach.SOME, "nodes on another image"),)),
        ObjectEdit(
            "NodePool",
            "general",
            Place("pools.yaml"),
            (MemberEdit(LABELS, Reach.SOME, "narrowed"), MemberEdit("spec.weight", Reach.NONE)),
        ),
    ),
    replaced=(
        DriftedNode("general-a", "general", "AMIDrift", (IMAGE,)),
        DriftedNode("general-b", "general", "RequirementsDrifted", (LABELS,)),
        DriftedNode("general-c", "general", "AMIDrift", (IMAGE,)),
        DriftedNode("general-d", "general", "AMIDrift", (IMAGE,)),
    ),
    possible=(DriftedNode("batch-a", "batch", "SubnetDrift", ("spec.subnetSelectorTerms",), certain=False),),
    before=(DriftedNode("general-e", "general", "NodePoolDrifted", ()),),
    spared=("general-f",),
    deleted={"old": ("old-a", "old-b")},
    rollout=Rollout(
        NOON,
        (
            Turn("ip-10-0-1-1.ec2.internal", "general-a", "general", "AMIDrift", NOON, NOON + 20, None, reason=Reason.EMPTY),
            Turn("ip-10-0-1-2", "general-b", "general", "RequirementsDrifted", NOON + HOUR, NOON + HOUR + 65, NOON + 25 * HOUR),
            Turn(
                "ip-10-0-1-3",
                "general-c",
                "general",
                "AMIDrift",
                NOON + 9 * DAY,
                NOON + 9 * DAY + 5,
                expires=True,
                why="held by a pod",
            ),
            Turn(
                "ip-10-0-1-4",
                "general-d",
                "general",
                "AMIDrift",
                why="Pdb prevents pod evictions (PodDisruptionBudget=[shop/cache])",
            ),
        ),
    ),
    managed=9,
    budgets=(ReplacementBudget("general", "10%"), ReplacementBudget("general", "0", "0 9 * * mon-fri", "8h")),
)
OBJECTS = (
    ObjectChange(
        "EC2NodeClass",
        "",
        "default",
        Change.CHANGED,
        Place("pools.yaml"),
        (ChangedField(IMAGE, [{"alias": "al2023@v1"}], [{"alias": "al2023@v2"}], Reach.SOME, "AMIDrift", "on another image"),),
    ),
    ObjectChange(
        "NodePool",
        "",
        "general",
        Change.CHANGED,
        Place("pools.yaml"),
        (
            ChangedField(f"{LABELS}[karpenter.sh/capacity-type]", None, "spot", Reach.SOME, "RequirementsDrifted", "narrowed"),
            ChangedField("spec.weight", 1, 10, which="decides which NodePool is tried first from now on"),
        ),
    ),
    ObjectChange("NodePool", "", "old", Change.REMOVED, Place("pools.yaml")),
    ObjectChange("Deployment", "shop", "web", Change.ADDED, Place("app.yaml")),
)
EDITS = (
    replace(OBJECTS[1], fields=OBJECTS[1].fields[:1]),
    replace(OBJECTS[1], fields=OBJECTS[1].fields[1:]),
    OBJECTS[0],
    OBJECTS[2],
    OBJECTS[3],
    ObjectChange("setting", "", "Karpenter", Change.CHANGED, Place(), (ChangedField("", "1.14.0", "1.15.1"),)),
)
_PARTS = (-9000, 500, 0, 0, None, 0)
BECAUSE = Because(False, tuple(EditPart(EDITS[n], part) for n, part in zip((3, 0, 1, 2, 4, 5), _PARTS, strict=True)), 193)
DIFFERENCE = Difference(
    "old/",
    "new/",
    Comparison.of(PLAN, AFTER),
    BLAST,
    OBJECTS,
    (Scope(workloads=False), Scope(workloads=True)),
    BECAUSE,
    (Trap(SPOT_TYPES, "general", "spot nodes have 9 types to choose from, 60 before", "allow more"),),
    "The files of one branch with those of another.",
)
STEPS = (
    Narrowing("its node class has in the region", 1350),
    Narrowing("the NodePool's requirements allow and EC2 offers", 667),
)
EXPLANATION = Explanation(
    workload="shop/deployment/web",
    controller="self-managed Karpenter",
    pods=15,
    nodes=(SPOT,),
    existing=(("ip-10-0-1-1", 2),),
    pending=tuple(replace(p, workload="shop/deployment/web") for p in PLAN.pending[:1]),
    answers=(
        Answer(
            "gpu",
            10,
            0,
            "the pod does not tolerate nvidia.com/gpu:NoSchedule",
            "did not tolerate taint",
            "with a toleration it fits",
            STEPS,
        ),
        Answer("general", 0, 8, narrowing=STEPS),
    ),
    given_up=(
        RelaxedPreference("preferred node affinity kubernetes.io/arch In arm64 (weight 7)", 8),
        RelaxedPreference("the soft spread over zone", 0),
    ),
    spot=("NodePool general: its requirements exclude spot",),
    price=0.3344,
    least=0.21,
    refusing=(("there is no room for 1 cpu", 3), ("the pod does not tolerate team:NoSchedule", 1)),
)


def hostile(text: str) -> tuple[Difference, Explanation]:
    """Both with this for every name."""
    turn = Turn(text, text, text, text, NOON, NOON + 1, why=text)
    drifted = DriftedNode(text, text, text, (text,))
    edit = ObjectEdit(text, text, Place(text), (MemberEdit(text, Reach.SOME, text),))
    blast = replace(
        BLAST,
        edits=(edit,),
        replaced=(drifted,),
        possible=(replace(drifted, certain=False),),
        spared=(text,),
        deleted={text: (text,)},
        rollout=Rollout(NOON, (turn,)),
        budgets=(ReplacementBudget(text, text, text, text),),
    )
    answer = Answer(text, 1, 0, text, text, text, (Narrowing(text, 1),))
    reported = replace(
        EXPLANATION,
        workload=text,
        controller=text,
        nodes=hostile_plan(text).nodes,
        pending=hostile_plan(text).pending,
        gangs=hostile_plan(text).gangs,
        existing=((text, 1),),
        refusing=((text, 1),),
        answers=(answer,),
        given_up=(RelaxedPreference(text, 1),),
        spot=(text,),
    )
    field = ChangedField(text, text, [text], Reach.SOME, text, text)
    objects = (ObjectChange(text, text, text, Change.CHANGED, Place(text), (field,)),)
    scopes = (Scope(workloads=False), Scope(node_pools=False))
    reasons = Because(False, (EditPart(objects[0], 100),), 200)
    return Difference(
        text, text, Comparison.of(PLAN, AFTER), blast, objects, scopes, reasons, (Trap(SPOT_TYPES, text, text, text),), text
    ), reported


_VIEWS: dict[str, Callable[[int], str]] = {
    "diff": lambda width: render_diff(DIFFERENCE, width),
    "explain": lambda width: render_explain(Explanations("us-west-2", (EXPLANATION,)), width),
}


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("view", _VIEWS)
def test_a_screen_is_as_kept(view, width):
    """Every character of a screen is where it was."""
    assert _VIEWS[view](width) == (_SCREENS / f"{view}-{width}.txt").read_text()


def test_a_warning_with_other_numbers_is_new_and_not_gone_as_well():
    """It is said once, as it is now."""
    one, two = (replace(PLAN, warnings=(Note("limit", f"{n} pods are left out."),)) for n in (1, 12))
    text = render_diff(replace(DIFFERENCE, comparison=Comparison.of(one, two)))
    assert "12 pods are left out." in text
    assert "1 pods are left out." not in text
    page = diff_html(replace(DIFFERENCE, comparison=Comparison.of(one, two)))
    assert "1 pods are left out." not in page.replace("12 pods", "")


def test_a_type_that_a_node_may_become_has_the_mark_of_an_estimate_though_the_node_has_none():
    published = replace(SPOT.candidates[0], price=Price(0.0312, ""))
    node = replace(SPOT, price=Price(0.0312, "list"), candidates=(published, SPOT.candidates[1]))
    text = render_explain(Explanations("us-west-2", (replace(EXPLANATION, nodes=(node,)),)), width=200)
    assert "m7g.large spot $0.0312, m6g.large spot $0.0313*" in text
    assert "* Estimated price: `cutlist types` names its source." in text


@pytest.mark.parametrize("width", [40, 80, 120, 200])
@pytest.mark.parametrize("text", ["fine", *ALL])
def test_no_line_is_wider_than_the_page_whatever_things_are_called(text, width):
    """Names are spelled out and cut; nothing acts on the terminal."""
    difference, explanation = hostile(text)
    for page in (render_diff(difference, width), render_explain(Explanations(text, (explanation,)), width)):
        assert max(map(cell_len, page.splitlines())) <= width
        assert page.replace("\n", "").isprintable()


@pytest.mark.parametrize("text", ALL)
def test_a_comment_stays_a_comment_whatever_things_are_called(text):
    """Under 60 lines, and no markup comes out of a name."""
    markdown = diff_markdown(hostile(text)[0])
    assert len(markdown.splitlines()) < 60
    paragraph = next(line for line in markdown.splitlines() if " replaced**" in line)
    assert "<img" not in paragraph or "`" in paragraph


def _write_screens() -> None:
    for view, render in _VIEWS.items():
        for width in (80, 120, 200):
            (_SCREENS / f"{view}-{width}.txt").write_text(render(width))


if __name__ == "__main__":
    _write_screens()
