"""NodePools whose nodes are no better than another's are left out for the quick bound, which stays the same."""

from __future__ import annotations

from random import Random

import pytest
import yaml

from cutlist.optimization.bound import bound_of
from cutlist.optimization.pool_supply import placed_market
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.plan.answer import inputs_by_controller
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, deployment, inputs_of, pool

FAMILIES = f"[{ON_DEMAND}, {{key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, c5, r5]}}]"


def _of_own_class(name: str, pods: int, memory: int, disk: int, labels: str = "{}") -> tuple[str, str]:
    """Return a NodePool and its class, whose nodes have a number of pods, reserved memory in MiB, and a disk in GiB."""
    node_class = yaml.safe_load(NODE_CLASS)
    node_class["metadata"]["name"] = name
    node_class["spec"]["kubelet"] = {"maxPods": pods, "kubeReserved": {"memory": f"{memory}Mi"}}
    node_class["spec"]["blockDeviceMappings"] = [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": f"{disk}Gi"}}]
    own = pool(name, FAMILIES).replace("name: default", f"name: {name}")
    own = own.replace("template:", f"template:\n    metadata: {{labels: {labels}}}")
    return own, yaml.safe_dump(node_class)


def _bounds(inputs: PlanInputs) -> tuple[float, float, int, int]:
    """Return the bound with and without NodePools that are no better than another, and the number of NodePools in each."""
    parts = [ready for _, ready in inputs_by_controller(inputs).values()]
    every, best = (placed_market(parts, {}, in_zones=False, only_best=only) for only in (False, True))
    pools = [len({option.node_pool for option in market.options}) for market in (every, best)]
    return bound_of(every, "quick").price, bound_of(best, "quick").price, *pools


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("seed", range(6))
def test_the_bound_stays_the_same(seed):
    random = Random(seed)  # noqa: S311 - the same inputs on every run, not secrets
    documents = []
    for n in range(5):
        figures = (random.choice((4, 8, 30)), random.choice((200, 700, 3000)), random.choice((20, 60)))
        documents += _of_own_class(f"p{n}", *figures, labels=f"{{team: t{n % 3}}}")
    for n in range(4):
        extra = f"nodeSelector: {{team: t{n}}}" if n < 3 and random.random() < 0.5 else ""
        cpu, memory = f"{random.randint(1, 40) * 100}m", f"{random.randint(1, 24) * 256}Mi"
        documents.append(deployment(f"w{n}", random.randint(1, 12), cpu, memory, extra))
    every, best, pools, of_best = _bounds(inputs_of(*documents))
    assert best == every > 0
    assert of_best <= pools


@pytest.mark.parametrize("count", [2, 4, 8])
def test_of_many_classes_the_best_is_listed(count):
    """More pods than there are make no node better; the class with the least reserved memory and the smallest disk is."""
    documents = [document for n in range(count) for document in _of_own_class(f"p{n}", 20 + n, 300 + n, 20 + n)]
    every, best, pools, of_best = _bounds(inputs_of(*documents, deployment(replicas=3)))
    assert every == best > 0
    assert (pools, of_best) == (count, 1)


def test_what_is_better_in_one_figure_stays():
    """One class has more memory, the other more pods, of which there are enough to fill both."""
    documents = (*_of_own_class("p0", 5, 200, 20), *_of_own_class("p1", 50, 2000, 20))
    every, best, pools, of_best = _bounds(inputs_of(*documents, deployment(replicas=60, cpu="100m", memory="128Mi")))
    assert every == best
    assert pools == of_best == 2
