"""Changes of the versions of a cluster that runs: which step comes first, and what a way back needs."""

from __future__ import annotations

import pytest

from cutlist.core.errors import Place
from cutlist.infrastructure.charts.steps import step_notes, step_problems
from cutlist.infrastructure.control_plane import ControlPlaneFacts, problems
from cutlist.infrastructure.inputs import HERE
from cutlist.infrastructure.version_changes import Versions, node_version_problems, version_problems, way_back

AT, NODES = Place(path="version"), Place(path="systemNodes.version")


def refusals(before: Versions, after: Versions) -> list[str]:
    return [str(problem) for problem in version_problems(before, after, AT, NODES)]


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (
            ("1.33", "1.33", "1.15.1"),
            "1.35",
            "EKS upgrades by one minor version at a time; allowed: 1.34, in an update of its own",
        ),
        (("1.36", "1.36", "1.15.1"), "1.34", "EKS goes back by one minor version at a time; allowed: 1.35"),
        (
            ("1.36", "1.36", "1.15.1"),
            "1.35",
            "system nodes run 1.36, and nodes cannot be newer than the control plane; allowed: ",
        ),
        (("1.35", "1.35", "1.9.0"), "1.36", "does not fit Kubernetes 1.36; allowed: first karpenterVersion 1.13.0 or later"),
    ],
)
def test_a_step_that_eks_would_not_make_names_the_one_before(before, after, says):  # I-85
    [refusal] = refusals(Versions(*before), Versions(after, after, "1.15.1"))
    assert says in refusal


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("1.35", "1.35", "1.15.1"), "1.36"),
        (("1.36", "1.35", "1.15.1"), "1.35"),
        (("1.36", "", "1.15.1"), "1.35"),
        (("1.36", "1.36", "1.9.0"), "1.36"),
        (("", "", ""), "1.36"),
        (("1.35", "1.35", "latest"), "1.36"),
    ],
)
def test_a_step_that_eks_makes_is_not_refused(before, after):
    assert refusals(Versions(*before), Versions(after, after, "1.15.1")) == []


def test_only_a_way_back_says_what_eks_demands():  # I-85
    assert "within 7 days of the upgrade" in way_back(Versions("1.36"), Versions("1.35"))
    assert way_back(Versions("1.35"), Versions("1.36")) == way_back(Versions("1.35"), Versions("1.35")) == ""


@pytest.mark.parametrize(("nodes", "right"), [("1.36", True), ("1.33", True), ("1.32", False), ("1.37", False), ("36", False)])
def test_nodes_are_not_newer_and_at_most_three_minors_older(nodes, right):
    assert (not list(node_version_problems(nodes, "1.36", NODES))) is right


def test_a_version_that_eks_does_not_have_is_refused():  # I-85
    """Karpenter 1.15 supports Kubernetes 1.37; EKS has it once its calendar does, or once EKS itself says so."""
    plane = {"zones": ["eu-west-1a", "eu-west-1b"], "admins": {"me": "arn:aws:iam::111122223333:role/Me"}, "version": "1.37"}
    [problem] = problems(ControlPlaneFacts(**plane, karpenter_version="1.15.1"), HERE)
    assert str(problem).startswith("version: EKS is not known to have Kubernetes 1.37: its calendar of 2026-")
    assert problems(ControlPlaneFacts(**plane, karpenter_version="1.15.1", later_versions=("1.37",)), HERE) == []


def steps(before: str, after: str) -> tuple[list[str], list[str]]:
    olds, news = {"karpenter_version": before}, {"karpenter_version": after}
    return [str(problem) for problem in step_problems(HERE, olds, news)], list(step_notes(olds, news))


def test_a_way_back_of_karpenter_says_what_is_lost():  # I-87
    refused, [note] = steps("1.15.1", "1.14.3")
    assert refused == []
    assert note.startswith("Karpenter goes back from 1.15.1 to 1.14.3")
    assert "cutlist upgrade --from 1.14.3 --target 1.15.1" in note
    _, [note] = steps("1.14.3", "1.5.0")
    assert "nodeoverlays.karpenter.sh and all their objects are removed" in note


def test_objects_are_converted_on_the_way():  # I-87
    [refusal], _ = steps("0.37.0", "1.2.0")
    assert "allowed: first 1.0.14 in an update of its own" in refusal
    [refusal], _ = steps("1.2.0", "0.37.0")
    assert "cannot be converted back for 0.37.0" in refusal
    assert steps("1.13.0", "1.15.1") == steps("1.15.1", "1.15.1") == ([], [])
