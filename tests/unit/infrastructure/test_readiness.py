"""Why an EC2NodeClass is not ready, and where `cutlist nodes` says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from cutlist.infrastructure.readiness import REASONS, unready_classes
from cutlist_cli import main

REFUSED = "CreateFleetAuthCheckFailed"


def node_class(name: str, reason: str, status: str = "False", condition: str = "ValidationSucceeded") -> dict[str, Any]:
    conditions = [
        {"type": condition, "status": status, "reason": reason},
        {"type": "Ready", "status": status, "reason": "Other"},
    ]
    return {
        "apiVersion": "karpenter.k8s.aws/v1",
        "kind": "EC2NodeClass",
        "metadata": {"name": name},
        "spec": {"role": "node", "amiSelectorTerms": [{"alias": "al2023@latest"}]},
        "status": {"conditions": conditions},
    }


# I-35
@pytest.mark.parametrize(
    ("name", "statements"),
    [
        ("CreateLaunchTemplateAuthCheckFailed", ("A3", "A4")),
        (REFUSED, ("A1", "A2", "A3", "A4")),
        ("RunInstancesAuthCheckFailed", ("A1", "A2", "A3", "A4", "B1")),
        ("ClusterCIDRResolutionFailed", ("C1",)),
        ("InstanceProfileNotFound", ("B2", "B3", "B4", "F5")),  # VA15-115: since 1.15 also for spec.instanceProfile
    ],
)
def test_a_failing_reason_names_the_statements(name, statements):
    [unready] = unready_classes([node_class("default", name)])
    assert unready.reason.statements == statements
    assert all(part in unready.reason.message for part in (name, *statements))


# I-35
def test_all_reasons_have_advice_and_are_told_apart():
    assert len({reason.name for reason in REASONS}) == len(REASONS) == 15
    assert all(reason.meaning and reason.advice for reason in REASONS)
    remembered = [reason for reason in REASONS if "30 minutes" in reason.message]
    assert [reason.name for reason in remembered] == [reason.name for reason in REASONS if "AuthCheck" in reason.name]


# VA15-9 VA15-10 VA15-36 VA15-92 VA15-115
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("KubeletExpressionsDisabled", "NodeClassCEL is off"),
        ("KubeletExpressionInvalid", "gives no number"),
        ("KubeletExpressionEvaluationFailed", "fails for an instance type"),
        ("NVIDIAConsumableCapacityInvalid", "nvidia-consumable-capacity is wrong"),
        ("DRADisabled", "DRANVIDIAGPU is off"),
        ("InstanceProfileNotFound", "the class's instance profile, or the role for it, does not exist"),
    ],
)
def test_a_reason_of_1_15_is_explained(name, words):
    [unready] = unready_classes([node_class("default", name)])
    assert words in unready.reason.message


def test_classes_are_sorted_and_other_conditions_passed_over():
    """A condition that holds counts for nothing, nor does a reason that is not known, nor an object of another kind."""
    classes = [
        node_class("b", REFUSED),
        node_class("a", "ClusterCIDRResolutionFailed", status="Unknown"),
        node_class("c", REFUSED, status="True"),
        node_class("d", "Other"),
        {**node_class("e", REFUSED), "kind": "AKSNodeClass"},
        {"kind": "EC2NodeClass", "metadata": {"name": "f"}},
    ]
    found = [(unready.name, unready.reason.name) for unready in unready_classes(classes)]
    assert found == [("a", "ClusterCIDRResolutionFailed"), ("b", REFUSED)]


def cluster(tmp_path: Path, *classes: dict[str, Any]) -> str:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "node-1", "creationTimestamp": "2026-01-05T12:00:00Z"},
        "spec": {"providerID": "aws:///us-west-2a/i-1"},
        "status": {"capacity": {"cpu": "2"}, "allocatable": {"cpu": "2"}},
    }
    file = tmp_path / "cluster.yaml"
    file.write_text(yaml.safe_dump_all([node, *classes]))
    return str(file)


def show(file: str, form: str) -> str:
    done = CliRunner().invoke(main, ["nodes", "-f", file, "-o", form])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_the_nodes_of_a_cluster_name_classes_that_are_not_ready(tmp_path, form):
    shown = " ".join(show(cluster(tmp_path, node_class("default", REFUSED)), form).replace("\\", "").split())
    assert "not ready" in shown
    assert "the role may not make the fleet of this class (statements A1, A2, A3, A4)" in shown
    assert "not ready" not in show(cluster(tmp_path), form)


def test_as_json_they_are_there_only_where_there_are_any(tmp_path):
    [unready] = json.loads(show(cluster(tmp_path, node_class("default", REFUSED)), "json"))["unreadyClasses"]
    assert (unready["name"], unready["reason"]) == ("default", REFUSED)
    assert "unreadyClasses" not in json.loads(show(cluster(tmp_path), "json"))
