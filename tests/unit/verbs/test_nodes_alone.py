"""The nodes of a plan alone are those that the whole plan has."""

from __future__ import annotations

import pytest

from cutlist import plan, read_inputs
from cutlist.verbs.plan.nodes_alone import nodes_alone
from tests.sample import SHOP


@pytest.mark.parametrize(
    ("files", "settings"),
    [
        (("pools.yaml", "workloads.yaml"), {}),
        (("pools.yaml", "snapshot.yaml", "workloads.yaml"), {}),
        (("node-groups",), {}),
        (("pools.yaml", "volumes"), {}),
        (("pools.yaml", "workloads.yaml"), {"built_in_pools": ["general-purpose"]}),  # two controllers
        (("aks",), {"region": "westeurope", "karpenter": "1.14"}),
    ],
)
def test_they_are_those_of_the_plan(files, settings):
    inputs = read_inputs([str(SHOP / name) for name in files], **{"region": "us-west-2", **settings})
    whole, alone = plan(inputs), nodes_alone(inputs)
    assert alone.nodes == whole.nodes
    assert alone.totals.price_per_hour == whole.totals.price_per_hour
