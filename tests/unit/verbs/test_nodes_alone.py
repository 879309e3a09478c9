"""The nodes of a plan alone are those that the whole plan has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import plan, read_inputs
from cutlist.optimization.evaluation import CandidateInputs, CostAndRisk
from cutlist.planning.cloud import KeptPredictions
from cutlist.verbs.plan.nodes_alone import nodes_alone, nodes_and_pending
from tests.sample import SHOP
from tests.unit.planning.manifests import deployment, inputs_of, pool


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
    quick = nodes_and_pending(CandidateInputs(inputs).parts(inputs))
    assert CostAndRisk.of(quick) == CostAndRisk.of(whole)
    assert quick.totals.price_per_hour == whole.totals.price_per_hour
    assert (CostAndRisk.of(quick).at_once, CostAndRisk.of(quick).zones) == (
        CostAndRisk.of(whole).at_once,
        CostAndRisk.of(whole).zones,
    )


def test_pods_that_stay_pending_are_counted_without_reasons():
    """Some find no type, some are skipped by Karpenter."""
    skipped = deployment("skipped", 3).replace("containers:", "nodeSelector: {kubernetes.io/hostname: gone}\n      containers:")
    inputs = inputs_of(pool(), deployment("web", 4), deployment("huge", 2, "900"), skipped)
    quick, whole = nodes_and_pending(CandidateInputs(inputs).parts(inputs)), plan(inputs)
    assert CostAndRisk.of(quick).pending == CostAndRisk.of(whole).pending != ()
