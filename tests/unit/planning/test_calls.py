"""Plans for objects built in Python."""

from __future__ import annotations

import pytest

from cutlist import EC2NodeClass, Gt, InputError, NodePool, Workloads, plan, plan_inputs, types
from tests.unit.planning.manifests import deployment, pool

DEFAULT = EC2NodeClass(name="default", role="KarpenterNodeRole-demo", ami="al2023@v20260625", discovery="demo")


def general(**more: object) -> NodePool:
    requirements = {"karpenter.k8s.aws/instance-category": ["c", "m", "r"], "karpenter.k8s.aws/instance-generation": Gt(4)}
    return NodePool(name="general", node_class=DEFAULT, requirements=requirements, **more)  # type: ignore[arg-type]


def test_a_pool_resolves_to_the_types_it_may_launch() -> None:  # K-74
    """Category and generation narrow the catalogue."""
    # K-76, K-86
    (allowed,) = types(plan_inputs([general()], region="us-west-2"))
    assert allowed.total == len(allowed.types) > 500
    assert {t.name[0] for t in allowed.types} == {"c", "m", "r"}
    assert "c4.large" not in {t.name for t in allowed.types}


def test_workloads_are_previewed_on_pools_built_in_python(tmp_path: object) -> None:
    """The class that a pool was built with comes along."""
    workloads = Workloads.read("-", stdin=deployment(replicas=3))
    planned = plan(plan_inputs([general(limits={"cpu": 1000})], workloads, region="us-west-2"))
    assert planned.totals.pods == 3
    assert planned.nodes[0].node_pool == "general"


def test_calling_twice_works() -> None:
    """The names of the package stay functions after their modules are loaded."""
    from cutlist import plan as again

    assert callable(again)
    assert again is plan


def test_a_pool_without_its_class_is_refused_together_with_an_unknown_region() -> None:
    """Both mistakes in one error."""
    import yaml

    read = NodePool.from_manifest(yaml.safe_load(pool()))
    with pytest.raises(InputError) as caught:
        plan_inputs([read], region="nowhere")
    assert len(caught.value.problems) == 2
