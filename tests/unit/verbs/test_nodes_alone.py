"""The nodes of a plan alone are those that the whole plan has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import plan, read_inputs
from cutlist.planning.cloud import KeptPredictions
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
    kept, whole = KeptPredictions(), plan(inputs)
    nodes_alone(inputs, kept)
    alone = nodes_alone(inputs, kept)
    nodes = [replace(node, candidates=(), capacity_types=()) for node in whole.nodes]
    assert [replace(node, candidates=(), capacity_types=()) for node in alone.nodes] == nodes
    assert alone.totals.price_per_hour == whole.totals.price_per_hour
