"""Suggested NodePools: their prices are those of their plans, they keep what has to be kept, and none goes below the bound."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cutlist import Allowances, Criteria, InputError, NodePool, SourceText, plan, suggest
from cutlist.core.errors import Problems
from cutlist.documents.parsing import parse_documents
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.first_pools import pools_on
from cutlist.optimization.pool_terms import FirstPool, PoolTerms
from cutlist.optimization.restrictions import restrictions
from cutlist.optimization.savings_plans import Rate, Rates
from cutlist.optimization.spare import with_spare
from cutlist.optimization.tolerations import tolerant_workloads
from cutlist.planning.inputs import PlanInputs
from cutlist.runners import InProcess
from cutlist.runners.runner import always
from cutlist.verbs.suggest.edits import NodePoolSources, edits_of, labels_in, unwritten, written
from cutlist.verbs.suggest.opening import bound_sentence
from cutlist.verbs.suggest.progress import CANDIDATES, RESTRICTIONS, SearchProgress, SearchWatch
from cutlist.verbs.suggest.rule_check import ANY_DAY
from cutlist.verbs.suggest.saving_words import verdict
from cutlist.verbs.suggest.search_words import search_sentence
from cutlist.verbs.suggest.space import Space
from cutlist.verbs.suggest.suggestions import Suggestion, Suggestions
from cutlist.verbs.suggest.variants import variants_of
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, buffer, deployment, inputs_of, pool
from tests.unit.property.planned_inputs import small_region
from tests.unit.runners.jobs import Backwards
from tests.unit.verbs.few_types import of_few_types, suggested

AMD64 = "{key: kubernetes.io/arch, operator: In, values: [amd64]}"
ZONES = """topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
         labelSelector: {matchLabels: {app: web}}}"""
PLANS = 12


@pytest.fixture(scope="module")
def inputs() -> PlanInputs:
    """One NodePool and two kinds of pods of unlike shape, in a region with few types."""
    requirements = f"[{ON_DEMAND}, {AMD64}]"
    made = inputs_of(
        pool(requirements=requirements),
        deployment("web", 9, "900m", "1Gi", ZONES),
        deployment("data", 5, "1", "7Gi"),
        zones=("us-west-2a", "us-west-2b", "us-west-2c"),
    )
    return replace(made, catalog=small_region())


@pytest.fixture(scope="module")
def progress() -> list[SearchProgress]:
    """What is said of the search of `found` while it lasts."""
    return []


@pytest.fixture(scope="module")
def found(inputs: PlanInputs, progress: list[SearchProgress]) -> Suggestions:
    return suggested(inputs, Allowances(arm64=True, spot=True), plans=PLANS, watch=progress.append)


def test_who_waits_hears_how_many_candidates_are_planned_and_then_what_restrictions_cost(found, progress):
    candidates = [(of.done, of.of) for of in progress if of.what == CANDIDATES]
    assert candidates == [(number, PLANS) for number in range(1, found.plans + 1)]
    restrictions = progress[len(candidates) :]
    assert [(of.what, of.done) for of in restrictions] == [(RESTRICTIONS, n) for n in range(1, restrictions[0].of + 1)]


def test_each_price_is_that_of_the_plan_of_its_manifests(inputs, found):
    assert len(found.options) > 1
    for option in found.options:
        changed = {p.name: p for p in map(NodePool.from_manifest, option.manifests)}
        pools = {**{p.name: p for p in inputs.node_pools}, **changed}
        totals = plan(replace(inputs, node_pools=tuple(pools.values()))).totals
        assert (totals.price_per_hour, totals.nodes) == (option.figures.price, option.figures.nodes)


def test_no_price_is_below_the_bound_and_the_best_is_not_above_the_given(found):
    assert all(found.bound <= option.figures.price for option in found.options)
    assert found.options[0].figures.price <= found.current.price


def test_in_no_scenario_is_a_price_below_its_bound_or_do_more_pods_wait(found):
    outlook = found.outlook
    for option in found.options:
        each = (option.figures, *option.elsewhere)
        assert option.expected == pytest.approx(outlook.mean([figures.price for figures in each]))
        assert outlook.bound <= option.expected <= outlook.expected
        for figures, today, bound in zip(each, outlook.today, outlook.bounds, strict=True):
            assert figures.price >= bound
            assert figures.pending_pods <= today.pending_pods


def test_the_parts_of_the_edits_add_up_to_what_is_saved(found):
    best = found.best
    assert {part.unit.node_pool for part in best.parts} == {edit.node_pool for edit in best.edits}
    assert sum(part.saves for part in best.parts) == pytest.approx(found.current.price - best.figures.price)


def test_limits_stay_whole(inputs):
    """Each option has those of today, or parts of all of them in one proportion."""
    limited = replace(inputs, node_pools=tuple(map(with_limits, inputs.node_pools)))
    whole = limited.node_pools[0].limits
    for option in suggested(limited, plans=40).options:
        both = [changed.limits for changed in option.pools]
        assert all(sum(of[name].nanos for of in both) == limit.nanos for name, limit in whole.items() if len(both) > 1)
        for limits in both:
            parts = [limits[name].nanos / limit.nanos for name, limit in whole.items()]
            assert max(parts) - min(parts) < 0.001
            assert len(both) > 1 or parts[0] == 1


def with_limits(of: NodePool, cpu: str = "300") -> NodePool:
    manifest = of.manifest()
    limits = {"cpu": cpu, "memory": "600Gi"}
    return NodePool.from_manifest({**manifest, "spec": {**manifest["spec"], "limits": limits}})


def test_a_strong_bound_is_at_least_as_high_and_below_every_price(inputs, found):
    strong = suggested(inputs, Allowances(arm64=True, spot=True), plans=1, bound="strong")
    assert found.bound <= strong.bound <= found.options[0].figures.price
    assert (found.bound_kind, strong.bound_kind) == ("linear", "strong")


def test_savings_plans_have_rows_where_their_rates_are_known(inputs):
    rates = Rates((Rate("*", "*", "1y", 0.2, "a list of today"), Rate("x9", "*", "3y", 0.5, "")))
    rows = {w.what: w.figures.price for w in suggest(inputs, Allowances(), plans=1, rates=rates).what_if}
    assert rows["all on-demand, 1-year savings plan (a list of today)"] == pytest.approx(0.8 * rows["all on-demand"], rel=0.05)
    assert not any("3-year" in what for what in rows)


def test_options_are_cheapest_first_and_one_of_them_is_recommended(found):
    prices = [option.figures.price for option in found.options]
    assert prices == sorted(prices)
    assert 0 <= found.recommended < len(prices)
    assert found.plans <= PLANS


def test_edits_say_what_changes(found):
    words = [edit.words for option in found.options for edit in option.edits]
    assert "NodePool general: kubernetes.io/arch In amd64 becomes In amd64, arm64" in words


def test_restrictions_are_priced_one_at_a_time(inputs, found):
    prices = {restriction.what: restriction.price for restriction in found.restrictions}
    assert "on-demand only in NodePool general" in prices
    assert list(prices.values()) == sorted(prices.values(), reverse=True)
    # Without the spread, by a plan of manifests that never had it.
    loose = inputs_of(
        pool(requirements=f"[{ON_DEMAND}, {AMD64}]"),
        deployment("web", 9, "900m", "1Gi"),
        deployment("data", 5, "1", "7Gi"),
        zones=inputs.zones,
    )
    cheaper = plan(replace(loose, catalog=inputs.catalog)).totals.price_per_hour
    saved = found.current.price - cheaper
    assert prices.get("zone spread of deployment/web", 0.0) == pytest.approx(max(saved, 0.0))


def test_bounds_on_nodes_are_kept(inputs):
    many = suggested(inputs, Allowances(min_nodes=7), plans=PLANS)
    assert all(option.figures.nodes >= 7 for option in many.options)


def test_bounds_that_no_plan_keeps_are_a_mistake(inputs):
    with pytest.raises(InputError, match="none of the plans has that many nodes"):
        suggest(inputs, Allowances(min_nodes=500), plans=3)


def test_without_nodes_there_is_nothing_to_suggest():
    with pytest.raises(InputError, match="launches no node"):
        suggest(inputs_of(pool()), Allowances(), plans=3)


def test_pods_that_wait_now_may_wait_and_no_others():
    made = inputs_of(
        pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge')}]"),
        deployment("web", 4, "500m"),
        deployment("huge", 1, "900"),
    )
    answer = suggest(replace(made, catalog=small_region()), Allowances(), plans=6)
    assert answer.current.pending == (("deployment/huge", 1),)
    assert all(option.figures.pending == answer.current.pending for option in answer.options)


def test_the_same_inputs_give_the_same_answer(inputs, found):
    assert suggested(inputs, Allowances(arm64=True, spot=True), plans=PLANS) == found


def test_where_candidates_are_planned_changes_nothing(inputs, found):
    """Elsewhere their outcomes come in another order, from copies of the inputs."""
    assert suggested(inputs, Allowances(arm64=True, spot=True), plans=PLANS, runner=Backwards()) == found


def test_only_the_lines_that_change_are_written(found):
    text = NODE_CLASS + "---" + pool(requirements=f"\n      - {ON_DEMAND}\n      - {AMD64} # keep")
    option = next(o for o in found.options if any("arm64" in e.after for e in o.edits))
    edited = written(option.pools, SourceText("pools.yaml", text))
    assert [d.name for d in edited.edited] == ["general"]
    assert "values: [amd64, arm64]} # keep\n" in edited.text
    assert edited.text.startswith(NODE_CLASS)


def test_a_copy_that_launches_first_is_written_after_its_original(inputs):
    variants = variants_of((inputs, Allowances()))
    choice = (("general", PoolTerms(less_cpu=16, first=FirstPool(100, PoolTerms(less_cpu=8)))),)
    pools = variants.chosen(choice)
    assert [e.words for e in edits_of(None, pools[1], inputs.node_pools[0])] == [
        "NodePool general-first: copy of NodePool general",
        "NodePool general-first: weight 1",
        "NodePool general-first: karpenter.k8s.aws/instance-cpu Lt 8",
    ]
    text = NODE_CLASS + "---" + pool(requirements=f"[{ON_DEMAND}, {AMD64}] # keep") + "---\n# the end\n" + deployment()
    edited = written(pools, SourceText("pools.yaml", text))
    assert edited.text.startswith(NODE_CLASS)
    assert edited.text.endswith("---\n# the end\n" + deployment())
    objects = [d.data for d in parse_documents(edited.text, "pools.yaml", Problems()) if d.kind == "NodePool"]
    assert [o["metadata"]["name"] for o in objects] == ["general", "general-first"]
    changed = tuple(map(NodePool.from_manifest, objects))
    figures = CostAndRisk.of(plan(replace(inputs, node_pools=changed)))
    assert figures == variants.with_choice(choice)


def test_a_patch_has_what_it_sets_and_its_nodepool_the_rest(inputs):
    original, copy = pools_on(inputs.node_pools[0], PoolTerms(less_cpu=16, first=FirstPool(100, PoolTerms(less_cpu=8))))
    base = SourceText("base.yaml", pool(requirements=f"[{ON_DEMAND}, {AMD64}]"))
    patch = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: general}\nspec: {weight: 3}\n"
    own = patch.replace("{weight: 3}", f"{{template: {{spec: {{requirements: [{ON_DEMAND}]}}}}}}")
    for text, is_in_patch in ((patch, False), (own, True)):
        texts = [base, SourceText("patch.yaml", text)]
        edited = [written([original, copy], each, NodePoolSources.of(texts)) for each in texts]
        assert ["instance-cpu" in each.text.partition("general-first")[0] for each in edited] == [not is_in_patch, is_in_patch]
        assert ["general-first" in each.text for each in edited] == [True, False]


def test_a_copy_in_a_list_is_added_to_it(inputs):
    original, copy = pools_on(inputs.node_pools[0], PoolTerms(first=FirstPool(100, PoolTerms(less_cpu=8))))
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [original.manifest()]})
    edited = written([copy], SourceText("pools.json", text))
    assert [item["metadata"]["name"] for item in json.loads(edited.text)["items"]] == ["general", "general-first"]
    assert (labels_in([copy], edited), unwritten([copy], [edited])) == (["NodePool general-first"], [])
    assert unwritten([copy], []) == ["NodePool general-first"]


def test_other_circumstances_are_planned(inputs, found):
    """Each as the plan of manifests that say so."""
    figures = {other.what: other.figures for other in found.what_if}
    assert figures["all on-demand"] == found.current
    spot = inputs_of(
        pool(requirements=f"[{ON_DEMAND.replace('on-demand', 'spot')}, {AMD64}]"),
        deployment("web", 9, "900m", "1Gi", ZONES),
        deployment("data", 5, "1", "7Gi"),
        zones=inputs.zones,
    )
    assert figures["all spot"].price == plan(replace(spot, catalog=inputs.catalog)).totals.price_per_hour


def test_autoscalers_are_planned_at_both_ends():
    scaler = """
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 8
"""
    made = inputs_of(pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]"), deployment(replicas=4), scaler)
    outlook = suggested(replace(made, catalog=small_region()), plans=1).outlook
    nodes = {scenario.name: today.nodes for scenario, today in zip(outlook.scenarios, outlook.today, strict=True)}
    assert (nodes["minimum"], nodes["now"], nodes["maximum"]) == (2, 4, 8)


def test_min_values_are_kept():
    """Fewer families, or one capacity type, would break them: such plans leave pods pending and are not options."""
    requirements = """[{key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand], minValues: 2},
      {key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, c6g, r5], minValues: 3}]"""
    made = inputs_of(pool(requirements=requirements), deployment(replicas=3))
    answer = suggest(replace(made, catalog=small_region()), Allowances(), plans=8)
    assert all(option.figures.pending == () for option in answer.options)
    assert {other.what: other.figures.pending_pods for other in answer.what_if}["all spot"] == 3


def test_restrictions_that_are_not_priced_are_counted(inputs):
    left = iter([True])
    answer = suggest(inputs, Allowances(), plans=2, may_go_on=lambda: next(left, False))
    assert (answer.restrictions, answer.what_if) == ((), ())
    assert answer.unpriced == len(list(restrictions(inputs))) > 0


@pytest.mark.slow
def test_an_option_that_places_more_pods_than_today_has_their_bound(inputs):
    limited = replace(inputs, node_pools=tuple(with_limits(of, cpu="6") for of in inputs.node_pools))
    before = suggested(limited, plans=1)
    assert before.current.pending
    with InProcess().team(variants_of, (limited, Allowances())) as team:
        criteria, watch = Criteria(spot_types=1), SearchWatch(1)
        space = Space(limited, (), team, "linear", always, always, criteria, of_few_types(), ANY_DAY, watch)
        placing = tuple(replace(figures, pending=()) for figures in space.outlook.today)
        option = space.with_bounds(Suggestion(placing[0], (), (), elsewhere=placing[1:]), always)
        assert space.with_bounds(before.best, always) == before.best
    free = suggested(inputs, plans=1)
    assert option.bounds[0] == free.bound > before.bound
    assert all(bound >= today for bound, today in zip(option.bounds, before.outlook.bounds, strict=True))
    answer = replace(before, options=(replace(option, figures=free.current),), recommended=0)
    assert answer.above_bound(free.current, answer.best) == pytest.approx(free.current.price / free.bound - 1)
    assert f"It places {before.current.pending_pods} more pods than today" in bound_sentence(answer)
    assert "It places" not in bound_sentence(before)


def test_bounds_have_their_own_time(inputs, found):
    """Once it is over they are the quick ones, and the search goes on with these."""
    left = iter([True])
    answer = suggested(inputs, plans=3, may_prove=lambda: next(left, False))
    weighed = sum(scenario.weight > 0 for scenario in answer.outlook.scenarios)
    assert (answer.bound_kind, answer.outlook.quick, answer.plans) == ("linear", weighed - 1, 3)
    assert 0 < answer.outlook.bound <= answer.best.expected
    assert bound_sentence(answer).endswith(f"Time was short: the least of {weighed - 1} scenarios is known less exactly.")
    assert "Time was short" not in bound_sentence(found)
    never = suggested(inputs, plans=1, may_prove=lambda: False)
    assert (never.bound_kind, never.outlook.quick) == ("quick", 0)


def test_what_was_not_judged_in_every_scenario_is_not_offered(inputs):
    left = iter([True] * 3)
    answer = suggested(inputs, Allowances(arm64=True), may_go_on=lambda: next(left, False))
    assert (answer.best.written, answer.plans, answer.is_complete) == ((), 0, False)
    every = len(answer.outlook.scenarios) + answer.outlook.unplanned
    assert len(answer.outlook.scenarios) < every
    said = f"Stopped after {len(answer.outlook.scenarios)} of {every} scenarios and before the search"
    assert search_sentence(answer).startswith(said)
    assert verdict(answer).endswith(" a month, and time was over before the search")


def test_spare_room_is_bought_in_every_plan_and_written_with_the_workloads(inputs):
    answer = suggest(inputs, Allowances(spare=40), plans=4)
    cheapest = answer.options[0]
    assert [(b.name, b.percentage) for b in cheapest.buffers] == [("spare-deployment-web", 40), ("spare-deployment-data", 40)]
    text = NODE_CLASS + "---" + pool(requirements=f"[{ON_DEMAND}, {AMD64}]")
    workloads = (deployment("web", 9, "900m", "1Gi", ZONES), deployment("data", 5, "1", "7Gi") + "# the end\n")
    edited = written(cheapest.written, SourceText("all.yaml", "---".join((text, *workloads)))).text
    again = inputs_of(edited.removeprefix(NODE_CLASS + "---"), zones=inputs.zones)
    assert CostAndRisk.of(plan(replace(again, catalog=inputs.catalog))) == cheapest.figures
    assert answer.current.price > suggest(inputs, Allowances(), plans=1).current.price
    assert answer.bound <= cheapest.figures.price


def test_a_workload_with_a_buffer_keeps_that_alone():
    own = buffer("{scalableRef: {apiGroup: apps, kind: Deployment, name: web}, percentage: 50}")
    whole = inputs_of(pool(), deployment(), own)
    with pytest.raises(InputError, match="no workload can have spare room"):
        with_spare(whole, 10)
    assert with_spare(whole, 0) == (whole, ())


def test_a_copy_that_is_kept_for_workloads_is_written_with_their_tolerations(inputs):
    """What is written is planned at the price that the variant has."""
    variants = variants_of((inputs, Allowances(workloads=True)))
    kept = next(k for k in variants.kept_for("general") if k.workloads == ("deployment/data",))
    choice = (("general", PoolTerms(first=FirstPool(100, PoolTerms(less_cpu=5), kept))),)
    copy = variants.chosen(choice)[1]
    assert "NodePool general-first: taints dedicated=general-first:NoSchedule" in [
        e.words for e in edits_of(None, copy, inputs.node_pools[0])
    ]
    objects = (copy, *tolerant_workloads(inputs.documents, [kept]))
    parts = (
        pool(requirements=f"[{ON_DEMAND}, {AMD64}]"),
        deployment("web", 9, "900m", "1Gi", ZONES),
        deployment("data", 5, "1", "7Gi"),
    )
    edited = written(objects, SourceText("all.yaml", "---".join(parts)))
    assert labels_in(objects, edited) == ["NodePool general-first", *(f"Deployment {w.name}" for w in objects[1:])]
    again = replace(inputs_of(edited.text, zones=inputs.zones), catalog=inputs.catalog)
    assert CostAndRisk.of(plan(again)) == variants.with_choice(choice) != variants.with_choice(())


def test_a_taint_that_a_pool_has_keeps_no_copy_of_it():
    tolerant = deployment("batch", extra="tolerations: [{key: team, operator: Exists}]")
    for taints, count in (("", 1), ("taints: [{key: team, effect: NoSchedule}]", 0)):
        variants = variants_of((inputs_of(pool(extra=taints), deployment(), tolerant), Allowances()))
        assert len(variants.kept_for("general")) == count


def test_spare_room_and_changed_workloads_exclude_each_other(inputs):
    with pytest.raises(InputError, match="copies of the workloads"):
        suggest(inputs, Allowances(workloads=True, spare=10), plans=1)


def test_a_nodepool_that_has_the_name_of_a_copy_is_not_written_twice():
    text = NODE_CLASS + "---" + pool() + "---" + pool("general-first")
    changed = inputs_of(pool(), pool("general-first", requirements=f"[{AMD64}]")).node_pools[-1]
    assert changed.name == "general-first"
    for files in ([text], [NODE_CLASS + "---" + pool("general-first"), pool()]):
        sources = [SourceText(f"{number}.yaml", file) for number, file in enumerate(files)]
        edited = [written([changed], source, NodePoolSources.of(sources)) for source in sources]
        assert sum(of.text.count("name: general-first") for of in edited) == 1
        assert sum("kubernetes.io/arch" in of.text for of in edited) == 1
