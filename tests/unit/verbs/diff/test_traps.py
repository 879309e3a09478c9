"""Traps in a change are named, each with its NodePool, its figures and what helps; what is no trap is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import yaml

from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.diff.answer import diff
from cutlist.verbs.diff.traps.trap import IDLE, LIMITS, REMOVED, SPOT, Trap
from tests.sample import SNAPSHOT
from tests.unit.verbs.diff.test_because import deployment, inputs, pool

FAMILY: Final = "karpenter.k8s.aws/instance-family"
ONE_GPU: Final = {"key": "karpenter.k8s.aws/instance-gpu-count", "operator": "In", "values": ["1"]}
ON_DEMAND: Final = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]}
ONLY_SPOT: Final = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]}


def of_families(name: str, families: list[str], *requirements: Mapping[str, Any], **spec: Any) -> dict[str, Any]:
    """Return a NodePool of some families of instances."""
    made = pool(name, *requirements, **spec)
    made["spec"]["template"]["spec"]["requirements"][0] = {"key": FAMILY, "operator": "In", "values": families}
    return made


def on_gpus(name: str, replicas: int) -> dict[str, Any]:
    """Return a Deployment whose pods ask for a GPU each."""
    made = deployment(name, replicas)
    (container,) = made["spec"]["template"]["spec"]["containers"]
    container["resources"]["limits"] = {"nvidia.com/gpu": "1"}
    return made


def scaled(name: str, most: int) -> dict[str, Any]:
    """Return an autoscaler of a Deployment."""
    reference = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}
    spec = {"scaleTargetRef": reference, "minReplicas": 1, "maxReplicas": most}
    return {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": name}, "spec": spec}


def traps(before: PlanInputs, after: PlanInputs) -> tuple[Trap, ...]:
    """Return the traps of a change."""
    return diff(before, after).traps


def test_a_gpu_that_idles_since_pods_share_a_larger_machine_is_named():
    """Three pods on four GPUs; with one GPU for each machine the plan costs less, so that is what helps."""
    alone = of_families("gpu", ["g6"], ONE_GPU, ON_DEMAND)
    (trap,) = traps(inputs(alone, on_gpus("train", 3)), inputs(of_families("gpu", ["g6"], ON_DEMAND), on_gpus("train", 3)))
    assert (trap.code, trap.node_pool) == (IDLE, "gpu")
    assert "3 pods share a g6.12xlarge: 1 of 4 nvidia.com/gpu on it idles, about $" in trap.text
    assert "before, they were on g6.xlarge" in trap.text
    assert trap.fix.startswith(
        "karpenter.k8s.aws/instance-gpu-count In 1 in the requirements of NodePool gpu: the plan then costs $"
    )


def test_the_remedy_is_one_that_places_the_pods():
    """A family without smaller machines has none to allow."""
    before, after = (inputs(of_families("gpu", ["p4d"], ON_DEMAND), on_gpus("train", count)) for count in (8, 3))
    (trap,) = traps(before, after)
    assert "5 of 8 nvidia.com/gpu on it idles" in trap.text
    assert trap.fix.startswith("in NodePool gpu, allow types with as many nvidia.com/gpu as its pods ask for")


def test_gpus_that_are_all_used_or_idle_as_before_are_no_trap():
    pools = of_families("gpu", ["g6"], ON_DEMAND)
    assert traps(inputs(pools, on_gpus("train", 3)), inputs(pools, on_gpus("train", 4))) == ()
    assert traps(inputs(pools, on_gpus("train", 3)), inputs(pools, on_gpus("train", 3), deployment("web", 1))) == ()


def test_spot_flexibility_below_what_karpenter_needs_is_named():
    """The requirement that was narrowed is what helps."""
    wide = of_families("general", ["m5", "m6i", "m7i", "c5", "c6i", "c7i"], ONLY_SPOT)
    narrow = of_families("general", ["m5"], ONLY_SPOT)
    (trap,) = traps(inputs(wide, deployment("web", 6)), inputs(narrow, deployment("web", 6)))
    assert (trap.code, trap.node_pool) == (SPOT, "general")
    assert "below 15, Karpenter replaces no single spot node by a cheaper one" in trap.text
    assert f"allow more types by the requirement {FAMILY} of NodePool general, at least 15" in trap.fix


def test_spot_flexibility_that_most_nodes_lose_is_named_where_a_few_had_none():
    """One workload fits few types on both sides; now the other does too."""
    few, many = {FAMILY: "m5"}, [deployment("web", 30)]
    bound = deployment("bound", 1, cpu="3")
    bound["spec"]["template"]["spec"]["nodeSelector"] = few
    apart = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "kubernetes.io/hostname"}
    for workload in many:
        rules = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [apart]}}
        workload["spec"]["template"]["spec"]["affinity"] = rules
    wide = of_families("general", ["m5", "m6i", "m7i", "c5", "c6i", "c7i"], ONLY_SPOT)
    narrow = of_families("general", ["m5"], ONLY_SPOT)
    (trap,) = traps(inputs(wide, bound, *many), inputs(narrow, bound, *many))
    assert trap.code == SPOT
    assert "before: below 15" in trap.text
    assert traps(inputs(wide, bound, *many), inputs(wide, bound, bound | {"metadata": {"name": "other"}}, *many)) == ()


def test_few_types_are_no_trap_on_demand_or_where_nothing_is_consolidated_or_as_before():
    families = ["m5", "m6i", "m7i", "c5", "c6i", "c7i"]
    web = deployment("web", 6)
    empty = {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "5m"}
    narrowed = [
        (of_families("general", families, ON_DEMAND), of_families("general", ["m5"], ON_DEMAND)),
        (of_families("general", families, ONLY_SPOT), of_families("general", ["m5"], ONLY_SPOT, disruption=empty)),
        (of_families("general", ["m5"], ONLY_SPOT), of_families("general", ["m6i"], ONLY_SPOT)),
    ]
    for before, after in narrowed:
        assert traps(inputs(before, web), inputs(after, web)) == ()


def test_limits_that_stop_the_plan_at_the_autoscalers_maximum_are_named():
    """Today's pods have a node, and those of the maximum do not."""
    before = inputs(pool("general", ON_DEMAND, cpu=1000), deployment("web", 4, cpu="3"), scaled("web", 40))
    after = inputs(pool("general", ON_DEMAND, cpu=64), deployment("web", 4, cpu="3"), scaled("web", 40))
    found = diff(before, after)
    assert not found.comparison.after.pending
    (trap,) = found.traps
    assert (trap.code, trap.node_pool) == (LIMITS, "general")
    assert "at the maximum of the autoscalers, its limits leave" in trap.text
    assert "(deployment/web " in trap.text
    assert "before, all had one" in trap.text
    raised = int(trap.fix.removeprefix("raise limits.cpu from 64 to ").split()[0])
    assert traps(before, inputs(pool("general", ON_DEMAND, cpu=raised), deployment("web", 4, cpu="3"), scaled("web", 40))) == ()


def test_a_higher_maximum_than_the_limits_hold_is_named():
    """The limits are as before; the autoscaler is what changed."""
    before, after = (
        inputs(pool("general", ON_DEMAND, cpu=64), deployment("web", 4, cpu="3"), scaled("web", most)) for most in (8, 80)
    )
    (trap,) = traps(before, after)
    assert trap.code == LIMITS
    assert traps(after, after) == ()
    assert traps(after, before) == ()


def test_nodes_that_run_count_against_the_limits_to_raise():
    """The pool has 16 vCPU that run: a limit that is enough for its new nodes alone is too low as well."""
    web, most = deployment("web", 12, cpu="3"), scaled("web", 40)
    running = [*yaml.safe_load_all(SNAPSHOT.read_text())]
    before, after = (inputs(pool("general", ON_DEMAND, cpu=cpu), web, most, *running) for cpu in (1000, 64))
    (trap,) = traps(before, after)
    raised = int(trap.fix.removeprefix("raise limits.cpu from 64 to ").split()[0])
    enough, short = (inputs(pool("general", ON_DEMAND, cpu=cpu), web, most, *running) for cpu in (raised, raised - 16))
    assert traps(before, enough) == ()
    assert [trap.fix for trap in traps(before, short)] == [trap.fix.replace("cpu from 64", f"cpu from {raised - 16}")]


def test_a_removed_node_pool_takes_its_nodes_with_it():
    """Also one that costs nothing in the plan; with the nodes of a cluster, these are named instead."""
    keeps, goes = pool("general"), pool("old", weight=10)
    (trap,) = traps(inputs(keeps, goes, deployment("web", 3)), inputs(keeps, deployment("web", 3)))
    assert (trap.code, trap.node_pool) == (REMOVED, "old")
    assert trap.text == (
        "it is removed, and its nodes are deleted at once, regardless of budgets; before, the plan has 1 node of it"
    )
    (idle,) = traps(inputs(pool("general", weight=20), goes, deployment("web", 3)), inputs(keeps, deployment("web", 3)))
    assert idle.text.endswith("regardless of budgets")
    assert traps(inputs(keeps, deployment("web", 3)), inputs(keeps, goes, deployment("web", 3))) == ()
    running = [*yaml.safe_load_all(SNAPSHOT.read_text())]
    assert traps(inputs(keeps, goes, deployment("web", 3), *running), inputs(keeps, deployment("web", 3), *running)) == ()
