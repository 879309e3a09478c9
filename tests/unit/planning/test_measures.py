"""A plan in the figures that gates look at: the most that limits allow, size, zones, what can be launched."""

from __future__ import annotations

import pytest
import yaml

from cutlist.catalog.prices import usd
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.measures import Measures, PoolMeasures
from cutlist.verbs.plan.answer import plan, plan_with_measures
from cutlist.verbs.types.answer import types
from tests.unit.planning import test_azure as azure
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, overlay, pool

LARGE = TYPES.format("m5.large, c5.xlarge")


def of(inputs: PlanInputs) -> Measures:
    made, figures = plan_with_measures(inputs)
    assert made == plan(inputs)
    return figures


def pool_of(requirements: str, spec: str = "") -> tuple[PoolMeasures, PlanInputs]:
    inputs = inputs_of(pool(requirements=f"[{requirements}]", spec=spec))
    return of(inputs).pools[0], inputs


def highest(inputs: PlanInputs) -> dict[str, float]:
    """The on-demand price of each type; it is the same in all zones."""
    return {row.name: usd(row.on_demand) or 0.0 for row in types(inputs)[0].types}


DISK = 20 * 0.08 / 730
"""An hour of 20 GiB of gp3 in us-west-2, which Karpenter gives each node of AL2023."""


# I-76: the worst case of H8. A node is billed with its disk.
def test_the_most_a_pool_may_cost_is_its_limit_times_the_dearest_price_of_a_unit():
    found, inputs = pool_of(f"{LARGE}, {ON_DEMAND}", "limits: {cpu: 100}")
    prices = highest(inputs)
    assert found.most_per_hour == pytest.approx(
        100 * max((prices["m5.large"] + DISK) / 2, (prices["c5.xlarge"] + DISK) / 4), abs=1e-6
    )
    assert found.most_by == "limit cpu 100"


def test_of_several_limits_the_one_that_binds_first_counts():
    found, inputs = pool_of(f"{LARGE}, {ON_DEMAND}", "limits: {cpu: 100, nodes: 2}")
    assert found.most_per_hour == pytest.approx(2 * (max(highest(inputs).values()) + DISK), abs=1e-6)
    assert found.most_by == "limit nodes 2"


def test_without_a_limit_nothing_bounds_the_cost():
    found, _ = pool_of(f"{LARGE}, {ON_DEMAND}")
    assert (found.most_per_hour, found.most_by) == (None, "no limit bounds it")


@pytest.mark.parametrize("limits", ["cpu: '1e300'", "nodes: '1e400'", "cpu: '2e21'"])
def test_a_limit_beyond_any_amount_bounds_nothing(limits: str):
    found, _ = pool_of(f"{LARGE}, {ON_DEMAND}", f"limits: {{{limits}}}")
    assert (found.most_per_hour, found.most_by) == (None, "no limit bounds it")


def test_a_limit_on_what_some_types_do_not_have_bounds_nothing():
    """Four GPUs are not a bound where machines without any may be launched as well."""
    mixed = TYPES.format("g5.xlarge, m5.large")
    found, _ = pool_of(f"{mixed}, {ON_DEMAND}", 'limits: {nvidia.com/gpu: "4"}')
    assert found.most_per_hour is None
    alone, inputs = pool_of(f"{TYPES.format('g5.xlarge')}, {ON_DEMAND}", 'limits: {nvidia.com/gpu: "4"}')
    assert alone.most_per_hour == pytest.approx(4 * (highest(inputs)["g5.xlarge"] + DISK), abs=1e-6)


def test_a_limit_of_nothing_costs_nothing():
    found, _ = pool_of(f"{LARGE}, {ON_DEMAND}", 'limits: {cpu: "0"}')
    assert found.most_per_hour == 0.0


def test_a_pool_is_described_by_what_it_may_launch_however_requirements_are_written():
    """`NotIn` of everything else leaves t3 just as `In` does."""
    tricky = "{key: karpenter.k8s.aws/instance-category, operator: NotIn, values: [m, c, r, g, p, i]}"
    small = "{key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ['3']}"
    found, _ = pool_of(f"{tricky}, {small}, {ON_DEMAND}")
    assert "t" in found.categories
    assert found.is_general
    assert found.spot_types == 0
    assert found.on_demand_types == found.types


def test_nodes_processors_and_pending_pods_are_counted():
    inputs = inputs_of(
        pool(requirements=f"[{TYPES.format('m5.large')}, {ON_DEMAND}]", extra="expireAfter: 24h"),
        deployment("web", replicas=3, cpu="1500m"),
        deployment("huge", cpu="900"),
    )
    found = of(inputs)
    assert (found.nodes, found.new_nodes, found.vcpus, found.spot_nodes) == (3, 3, 6.0, 0)
    assert list(found.pending) == ["deployment/huge"]


def test_workloads_that_are_never_to_be_moved_are_named():
    held = deployment("import").replace(
        "metadata: {labels: {app: import}}",
        'metadata: {labels: {app: import}, annotations: {karpenter.sh/do-not-disrupt: "true"}}',
    )
    for_a_time = deployment("train").replace(
        "metadata: {labels: {app: train}}",
        "metadata: {labels: {app: train}, annotations: {karpenter.sh/do-not-disrupt: 4h}}",
    )
    assert of(inputs_of(pool(requirements=f"[{LARGE}]"), held, for_a_time)).held == ("deployment/import",)


def test_objects_whose_pods_are_not_counted_are_named():
    """What another tool renders is not an object yet, and a kind without a pod template keeps no pods as far as is known."""
    template = "{spec: {containers: [{name: main, image: a}]}}"
    crowd = f"apiVersion: acme.io/v1\nkind: Crowd\nmetadata: {{name: small}}\nspec: {{size: 2, template: {template}}}\n"
    beside = f"apiVersion: acme.io/v1\nkind: Crowd\nmetadata: {{name: large}}\ntemplate: {template}\n"
    rendered = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: redis}\nspec: {chart: {}}\n"
    without = "apiVersion: acme.io/v1\nkind: Setting\nmetadata: {name: a}\nspec: {containers: many}\n"
    assert of(inputs_of(pool(), crowd, beside, rendered, without)).uncounted == (
        "Crowd large: no document of kind PodKinds says how many pods it keeps",
        "Crowd small: no document of kind PodKinds says how many pods it keeps",
    )


def test_an_earlier_plan_gives_the_price_before():
    inputs = inputs_of(pool(requirements=f"[{TYPES.format('m5.large')}, {ON_DEMAND}]"), deployment())
    planned = plan(inputs)
    assert plan_with_measures(inputs, planned)[1].before == planned.totals.price_per_hour
    assert of(inputs).before is None


def test_a_price_that_an_overlay_sets_counts():
    large = TYPES.format("m5.large")
    priced = overlay(f'{{requirements: [{large}], price: "4"}}')
    inputs = inputs_of(pool(requirements=f"[{large}, {ON_DEMAND}]", spec="limits: {cpu: 10}"), priced)
    assert of(inputs).pools[0].most_per_hour == pytest.approx(5 * (4 + DISK), abs=1e-6)


def test_a_pool_on_azure_is_described_by_azures_own_labels():
    text = azure.pool(azure.ON_DEMAND, "{key: karpenter.azure.com/sku-family, operator: In, values: [D, B]}")
    inputs = azure.inputs_of(text.replace("spec:\n", "spec:\n  limits: {cpu: 16}\n", 1))
    (found,) = of(inputs).pools
    assert found.categories == ("B", "D")
    assert found.families > 5
    assert found.oldest_generation is not None


def waiting(name: str, seconds: int, extra: str = "{}") -> str:
    """A Deployment whose pods take so long to end; `extra` is more of the pod's spec."""
    more = "".join(f"\n      {key}: {value}" for key, value in yaml.safe_load(extra).items())
    return deployment(name, extra=f"terminationGracePeriodSeconds: {seconds}{more}")


def longest(*documents: str, pool_: str = pool(extra="terminationGracePeriod: 1h")) -> tuple[int | None, int, str]:
    """How long a drain of the NodePool lasts, how long pods that may run there want, and whose."""
    (found,) = of(inputs_of(pool_, *documents)).pools
    return found.drain_seconds, found.grace_seconds, found.grace_of


@pytest.mark.slow
def test_the_slowest_pods_that_may_run_on_a_pool_are_named():
    assert longest(waiting("web", 40), waiting("import", 7200)) == (3600, 7200, "deployment/import")
    assert longest(deployment()) == (3600, 30, "deployment/web")  # what the API server fills in
    assert longest() == (3600, 0, "")
    assert longest(waiting("web", 40), pool_=pool())[0] is None


def test_what_has_no_replicas_today_may_come_back_tomorrow():
    assert longest(waiting("import", 7200).replace("replicas: 1", "replicas: 0"))[1] == 7200


@pytest.mark.slow
@pytest.mark.parametrize(
    "elsewhere",
    [
        "nodeSelector: {kubernetes.io/arch: s390x}",
        "nodeSelector: {example.com/team: shop}",
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
        "{matchExpressions: [{key: karpenter.sh/nodepool, operator: In, values: [other]}]},"
        "{matchExpressions: [{key: karpenter.sh/nodepool, operator: NotIn, values: [general]}]}]}}}",
        "tolerations: [{operator: Exists}]",
    ],
    ids=["machine", "label", "alternatives", "not evicted"],
)
def test_pods_that_never_run_there_and_pods_that_nobody_evicts_do_not_count(elsewhere: str):
    assert longest(waiting("import", 7200, elsewhere), deployment())[1:] == (30, "deployment/web")


def test_pods_that_a_second_alternative_or_a_toleration_brings_there_count():
    second = (
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
        "{matchExpressions: [{key: karpenter.sh/nodepool, operator: In, values: [other]}]},"
        "{matchExpressions: [{key: karpenter.sh/nodepool, operator: In, values: [general]}]}]}}}"
    )
    assert longest(waiting("import", 7200, second))[1] == 7200
    tainted = pool(extra="taints: [{key: batch, effect: NoSchedule}, {key: dear, effect: PreferNoSchedule}]")
    assert longest(waiting("import", 7200), pool_=tainted)[1] == 0
    assert longest(waiting("import", 7200, "tolerations: [{key: batch, operator: Exists}]"), pool_=tainted)[1] == 7200


def test_a_pod_that_no_machine_of_the_pool_holds_does_not_count():
    small = pool(requirements=f"[{TYPES.format('m5.large')}]")
    assert longest(deployment("huge", cpu="900", extra="terminationGracePeriodSeconds: 7200"), pool_=small)[1] == 0


def test_daemons_and_pods_that_run_count_as_well():
    agent = waiting("agent", 900).replace("kind: Deployment", "kind: DaemonSet").replace("  replicas: 1\n", "")
    assert longest(agent, deployment())[1:] == (900, "daemonset/agent")
    running = """
apiVersion: v1
kind: Pod
metadata: {name: migrate}
spec: {nodeName: node-1, terminationGracePeriodSeconds: 7200, containers: [{name: main, image: img}]}
"""
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n"
    assert longest(running, node)[1:] == (7200, "pod/migrate")
    owned = running.replace("{name: migrate}", "{name: a-1, ownerReferences: [{kind: Job, name: a, controller: true}]}")
    assert longest(owned, node)[1:] == (7200, "job/a")


def test_of_single_pods_of_one_owner_the_slowest_counts():
    pods = (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p{n}, ownerReferences: [{{kind: Run, name: r, controller: true}}]}}\n"
        f"spec: {{terminationGracePeriodSeconds: {n}, containers: [{{name: main, image: img}}]}}\n"
        for n in (5, 600, 40)
    )
    assert longest(*pods)[1:] == (600, "run/r")
