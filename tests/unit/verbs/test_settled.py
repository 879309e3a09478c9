"""The second price of a plan: what its nodes cost once Karpenter has consolidated them."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from click.testing import CliRunner

from cutlist.core.errors import InputError
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.trajectory import until_stable
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.model.settled import Settled
from cutlist.planning.planned_cluster import with_plan
from cutlist.verbs.cluster_state import FIRST_INSTANT, cluster_state_of
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.csv import plan_csv
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.settled import with_settled, with_settled_if_small
from cutlist.verbs.plan.settled_words import settled_line
from cutlist.verbs.plan.small_plans import settles_at_once
from cutlist.verbs.plan.text import render_plan, render_plan_summary
from cutlist_cli.application import main
from tests.unit.planning.manifests import NODE_CLASS, TYPES, auto_pool, deployment, inputs_of, pool

BOTH = f"[{{key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand]}}, {TYPES.format('m5.large, m5.xlarge')}]"
APART = """affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}"""
FIXED = "nodeSelector: {karpenter.sh/capacity-type: on-demand}"
PODS = (deployment("web", 2, "500m", extra=APART), deployment("fixed", 2, "250m", extra=FIXED))
"""Each pod of `fixed` makes the node on-demand that it shares with one of `web`, and one such node is enough for both."""
UNDERUTILIZED = "consolidationPolicy: WhenEmptyOrUnderutilized"


def inputs_with(disruption: str = f"{UNDERUTILIZED}, consolidateAfter: 1m", *pods: str) -> PlanInputs:
    return inputs_of(pool(requirements=BOTH, spec=f"disruption: {{{disruption}}}"), *(pods or PODS))


def settled_of(inputs: PlanInputs) -> Settled:
    settled = with_settled(plan(inputs), inputs).settled
    assert settled is not None
    return settled


@pytest.fixture(scope="module")
def settled_plan() -> Plan:
    inputs = inputs_with()
    return with_settled(plan(inputs), inputs)


def test_csv_has_the_second_price_as_a_row_of_its_own(settled_plan: Plan) -> None:
    rows = {row["kind"]: row for row in csv.DictReader(io.StringIO(plan_csv(settled_plan)))}
    settled = settled_plan.settled
    assert settled is not None
    assert float(rows["settled"]["price_per_hour"]) == settled.price
    assert rows["settled"]["reason"] == settled_line(settled_plan)
    assert float(rows["total"]["price_per_hour"]) == settled_plan.totals.price_per_hour


def test_the_second_price_is_that_of_the_cluster_to_which_nothing_more_is_done(settled_plan: Plan) -> None:
    """One of two on-demand nodes becomes a spot node, after consolidateAfter, the validation and a launch."""
    # D-16, D-39, D-48
    settled, spot = settled_plan.settled, "m5.large costs less as spot"
    assert settled is not None
    assert settled.price_before == pytest.approx(settled_plan.totals.price_per_hour)
    assert (settled.nodes_before, settled.nodes, settled.existing, settled.commands, settled.moves) == (2, 2, 0, 1, 2)
    assert settled.price < settled.price_before, spot
    assert settled.seconds == 60 + 15 + 60
    assert settled.end == "stable"
    assert settled.estimated


def test_it_is_what_the_forecast_of_disruption_ends_with(settled_plan: Plan) -> None:
    """The steps are those of `disrupt --until-stable` on the nodes of the plan."""
    inputs = inputs_with()
    cluster = cluster_state_of(with_plan(inputs, plan(inputs), FIRST_INSTANT), FIRST_INSTANT, FeatureGates())
    trajectory = until_stable(cluster)
    assert settled_plan.settled is not None
    assert settled_plan.settled.price == pytest.approx(trajectory.steps[-1].price_after)


@pytest.mark.parametrize(
    "disruption",
    [
        pytest.param("consolidationPolicy: WhenEmpty, consolidateAfter: 1m", id="only empty nodes (D-63)"),
        pytest.param(f"{UNDERUTILIZED}, consolidateAfter: Never", id="never (D-18)"),
        pytest.param(f"{UNDERUTILIZED}, consolidateAfter: 1m, budgets: [{{nodes: '0'}}]", id="no budget (D-30)"),
    ],
)
def test_what_the_nodepool_forbids_does_not_happen(disruption: str) -> None:
    """Policy, time and budgets of the NodePool count, and where nothing happens the views say nothing."""
    inputs = inputs_with(disruption)
    planned = with_settled(plan(inputs), inputs)
    assert planned.settled is not None
    assert planned.settled.commands == 0
    assert planned.settled.price == planned.settled.price_before
    assert "settled" not in render_plan(planned)
    assert "settled" not in plan_markdown(planned)
    assert "Once settled" not in plan_html(planned)


def test_a_spot_node_is_not_replaced_by_a_spot_node_without_the_feature_gate() -> None:
    """Spot nodes of a plan stay."""
    # D-49
    inputs = inputs_with(f"{UNDERUTILIZED}, consolidateAfter: 1m", deployment("web", 2, "500m", extra=APART))
    assert settled_of(inputs).commands == 0


def test_a_window_of_budgets_delays_it_and_the_answer_says_from_when_on() -> None:
    """Where a budget has a schedule, the time depends on when the pods arrive, so that is said."""
    # D-32
    closed = f"{UNDERUTILIZED}, consolidateAfter: 1m, budgets: [{{nodes: '0', schedule: '0 0 * * *', duration: 8h}}]"
    inputs = inputs_with(closed)
    settled = settled_of(inputs)
    assert (settled.commands, settled.seconds, settled.arrival) == (1, 8 * 3600 + 15 + 60, FIRST_INSTANT)
    assert "if the pods arrive on a Monday at 00:00 UTC" in settled_line(with_settled(plan(inputs), inputs))


def test_the_page_has_both_prices(settled_plan: Plan) -> None:
    page = plan_html(settled_plan)
    assert "$143" in page
    assert "A month, once settled" in page
    assert "$96.65*" in page
    assert "after 1 command that moves 2 pods within 2m15s" in page


@pytest.mark.parametrize("view", [render_plan, render_plan_summary, plan_markdown])
def test_every_text_has_both_prices(view, settled_plan: Plan) -> None:
    """The first line has both, and a line of its own says how many commands lead there."""
    words = view(settled_plan).replace("\\", "").replace("\n", " ")
    assert "$143 a month, $96.65* once settled" in words or "$143* a month, $96.65* once settled" in words
    assert "after 1 command that moves 2 pods within 2m15s" in words


def test_json_has_it_and_reads_it_back(settled_plan: Plan) -> None:
    """A plan that was written with it is read with it, and one without has null."""
    assert Plan.from_dict(settled_plan.to_dict()) == settled_plan
    assert settled_plan.to_dict()["settled"]["commands"] == 1
    assert plan(inputs_with()).to_dict()["settled"] is None


@pytest.mark.parametrize(
    ("end", "words"),
    [("churn", "it never settles"), ("horizon", "a week is over by then"), ("steps", "more would follow")],
)
def test_a_plan_that_does_not_settle_has_one_price_and_says_why(end, words, settled_plan: Plan) -> None:
    """Only a stable end is a second price."""
    assert settled_plan.settled is not None
    planned = replace(settled_plan, settled=replace(settled_plan.settled, end=end))
    assert "once settled" not in render_plan(planned)
    assert words in settled_line(planned)


def test_with_existing_nodes_both_prices_are_in_the_line_of_their_own(settled_plan: Plan) -> None:
    """The first line is about new nodes, and consolidation is about all."""
    assert settled_plan.settled is not None
    planned = replace(settled_plan, settled=replace(settled_plan.settled, existing=1))
    assert "once settled" not in render_plan(planned)
    assert "2 nodes in place of $143 for 2 nodes, 1 of which exists today" in settled_line(planned)


def test_only_plans_of_a_few_nodes_that_may_be_consolidated_settle_unasked() -> None:
    """One node, many nodes, and NodePools that consolidate only empty nodes are left out."""
    few, one = inputs_with(), inputs_with(f"{UNDERUTILIZED}, consolidateAfter: 1m", deployment())
    many = inputs_with(f"{UNDERUTILIZED}, consolidateAfter: 1m", deployment("web", 21, "500m", extra=APART))
    empty = inputs_with("consolidationPolicy: WhenEmpty, consolidateAfter: 1m")
    assert [settles_at_once(plan(i), i) for i in (few, one, many, empty)] == [True, False, False, False]


def test_nodepools_of_two_controllers_settle_only_if_asked_and_then_it_is_a_mistake() -> None:
    """Disruption is examined for one controller at a time."""
    inputs = inputs_of(pool(requirements=BOTH), auto_pool(), *PODS)
    planned = plan(inputs)
    said = with_settled_if_small(planned, inputs)
    assert replace(said, unsettled="") == planned
    reason = "not known: EKS Auto Mode and self-managed Karpenter each consolidate only the nodes of their own NodePools"
    assert settled_line(said) == reason
    assert said.unsettled in " ".join(render_plan(said).split())
    assert said.unsettled in plan_csv(said)
    with pytest.raises(InputError, match="EKS Auto Mode and to self-managed Karpenter"):
        with_settled(planned, inputs)


def test_feature_gates_that_disruption_refuses_are_no_mistake_of_a_plan() -> None:
    """RebootForRepair has no effect without NodeRepair, which forecasts refuse and plans do not."""
    # VA15-110
    figures = "apiVersion: cutlist/v1\nkind: Figures\ncontroller: {awsFeatureGates: {rebootForRepair: true}}"
    inputs = inputs_of(pool(requirements=BOTH), *PODS, figures)
    planned = plan(inputs)
    assert with_settled_if_small(planned, inputs) is planned
    with pytest.raises(InputError, match="it has no effect without the feature gate NodeRepair"):
        with_settled(planned, inputs)


def test_the_command_shows_it_unasked_for_a_small_plan_and_on_request_for_others(tmp_path) -> None:
    """Twenty nodes are followed without being asked, more with --settled."""
    files = tmp_path / "all.yaml"
    files.write_text("\n---\n".join([NODE_CLASS, pool(requirements=BOTH), *PODS]))
    many = tmp_path / "many.yaml"
    many.write_text(files.read_text().replace("replicas: 2", "replicas: 21"))

    def output(*arguments: object) -> str:
        result = CliRunner().invoke(main, ["plan", "--region", "us-west-2", *map(str, arguments)])
        assert result.exit_code == 0, result.output
        return result.output

    assert "once settled" in output("-f", files)
    assert "once settled" not in output("-f", many)
    assert "once settled" in output("-f", many, "--settled")
