"""What calendars of support mean for a plan, where the version of the cluster is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from cutlist.planning.kubernetes_support import kubernetes_of, support_notes
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.upgrade.answer import upgrade
from tests.unit.planning import azure_manifests
from tests.unit.planning.manifests import deployment, inputs_of, pool

SOON = date(2026, 11, 29)
EKSCTL = """
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: demo, region: us-west-2, version: "1.34"}
"""
FIGURES = """
apiVersion: cutlist/v1
kind: Figures
eks: {kubernetesVersion: "1.31"}
"""
AKS = """
apiVersion: cutlist/v1
kind: Figures
aks: {kubernetesVersion: "1.34"}
"""
NODE = """
apiVersion: v1
kind: Node
metadata: {name: n}
spec: {providerID: "aws:///us-west-2a/i-1"}
status: {nodeInfo: {kubeletVersion: v1.33.2-eks-1}, capacity: {cpu: "1"}, allocatable: {cpu: "1"}}
"""


@pytest.mark.parametrize(
    ("text", "minor", "part"),
    [
        (EKSCTL, "1.34", "standard support ends on 2026-12-02, in 3 days"),
        (FIGURES, "1.31", "all support ended on 2026-11-26"),
        (NODE, "1.33", "extended support since 2026-07-29"),
        (FIGURES + "---" + NODE, "1.31", "your own figures"),
    ],
)
def test_a_plan_warns_of_the_end_of_support_once(text: str, minor: str, part: str) -> None:
    """The version is that of Figures, of the cluster's own files, or of its newest node."""
    inputs = replace(inputs_of(pool(), deployment(replicas=1), text), day=SOON)
    known = kubernetes_of(inputs)
    assert known is not None
    assert known.minor == minor
    (warning,) = [note.text for note in plan(inputs).warnings if note.code == "kubernetes-support"]
    assert part in warning


def test_without_a_day_or_a_version_nothing_is_said() -> None:
    """The core has no clock, and no version is assumed."""
    assert support_notes(inputs_of(pool(), deployment(replicas=1), EKSCTL)) == []
    assert support_notes(replace(inputs_of(pool(), deployment(replicas=1)), day=SOON)) == []


def test_aks_has_a_calendar_of_its_own() -> None:
    """Support by the community ends with a month."""
    pools = azure_manifests.pool(azure_manifests.D8)
    inputs = replace(azure_manifests.inputs_of(pools, deployment(replicas=1), AKS), day=SOON)
    (note,) = support_notes(inputs)
    assert "Kubernetes 1.34 on AKS: support ends with 2026-11" in note.text


def test_an_upgrade_says_it_too() -> None:
    """Of the version that is named, or of the cluster of the inputs, and not without a day."""
    named = upgrade("1.14.1", "1.15.1", kubernetes="1.34", day=SOON)
    assert sum("standard support ends on 2026-12-02" in note for note in named.notes) == 1
    inputs = inputs_of(pool(), deployment(replicas=1), EKSCTL)
    assert sum("standard support" in note for note in upgrade("1.14.1", "1.15.1", inputs=inputs, day=SOON).notes) == 1
    assert not any("support" in note for note in upgrade("1.14.1", "1.15.1", kubernetes="1.34").notes)


def test_an_upgrade_on_aks_counts_by_the_calendar_of_aks() -> None:
    """Also where the version is named and not found."""
    inputs = azure_manifests.inputs_of(azure_manifests.pool(azure_manifests.D8), deployment(replicas=1))
    said = upgrade("1.13.0", "1.14.1", kubernetes="1.34", inputs=inputs, day=SOON).notes
    assert [note for note in said if "support" in note] == [
        "Kubernetes 1.34 on AKS: support ends with 2026-11; then it takes AKSLongTermSupport in tier Premium"
    ]
