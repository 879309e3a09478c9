"""A stack's change is judged by the gates, Figures and settings of the base, and by no state that only a cluster has."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.gates.judges import WEB, put
from tests.gates.workloads import with_pool
from tests.written_project import write_project

DISCOUNT = "apiVersion: cutlist/v1\nkind: Figures\nprices: {onDemandDiscount: 99%, spotDiscount: 99%}\n"
PROGRAM = """
from pulumi_cutlist.plan import NodePlan
NodePlan("nodes", {"region": "us-west-2", "sources": ["k8s"]MORE})
"""
GATES = "{shop:gates: {rules: {PL-01: {perHour: 0.1}, NP-05: {level: off, reason: few types}}}}"


@pytest.fixture(scope="module")
def at_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with a project whose plan costs more than its gates allow."""
    folder = tmp_path_factory.mktemp("shop")
    write_project(folder, PROGRAM.replace("MORE", ""), GATES)
    (folder / "k8s").mkdir()
    (folder / "k8s/all.yaml").write_text(with_pool(WEB))
    for words in (
        ["init", "-q", "-b", "main", "."],
        ["add", "-A"],
        ["-c", "user.email=a@example.com", "-c", "user.name=a", "commit", "-qm", "first"],
    ):
        subprocess.run(["git", *words], check=True, capture_output=True, cwd=folder)
    return folder


@pytest.fixture
def repository(at_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    subprocess.run(["git", "clone", "-q", str(at_base), str(tmp_path / "shop")], check=True, capture_output=True)
    monkeypatch.chdir(tmp_path / "shop")
    return tmp_path / "shop"


def gated(*words: str) -> Result:
    return CliRunner().invoke(main, ["gate", "--stack", "dev", "--width", "1000", *words])


EDITS = {
    "a discount": ("k8s/figures.yaml", DISCOUNT, "onDemandDiscount 99%, spotDiscount 99%, which lowers this plan from $"),
    "a higher ceiling": ("Pulumi.dev.yaml", f"config: {GATES.replace('0.1', '500')}\n", "perHour of PL-01 was 0.1 and is 500"),
    "fewer replicas": (
        "__main__.py",
        PROGRAM.replace("MORE", ', "replicas": ["x=1"]'),
        "replicas was not set and is ['x=1'], which lowers this plan from $",
    ),
    "a feature gate": (
        "__main__.py",
        PROGRAM.replace("MORE", ', "feature_gates": {"node_overlay": True}'),
        "controller.featureGates.NodeOverlay was not set and is true; it counts as it is",
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_what_a_change_does_to_the_judge_of_a_stack_is_a_finding_and_does_not_count(edit: str, repository: Path):
    file, text, finding = EDITS[edit]
    Path(file).write_text(text)
    result = gated("--base", "main")
    assert (result.exit_code, finding in result.output) == (1, True), result.output
    assert "PL-01 NodePlan/nodes: $" in result.output


def test_a_stack_as_the_base_has_it_has_no_such_finding(repository: Path):
    result = gated("--base", "main")
    assert (result.exit_code, "GT-1" in result.output) == (1, False), result.output


def test_figures_of_a_stack_without_a_base_are_named(repository: Path):
    Path("k8s/figures.yaml").write_text(DISCOUNT)
    result = gated()
    assert result.exit_code == 0, result.output
    assert "it counts, because nothing says how it was before the change" in result.output
    assert "which lowers this plan from $" in result.output


def test_a_folder_is_the_base_of_a_stack(repository: Path, at_base: Path):
    Path("k8s/figures.yaml").write_text(DISCOUNT)
    result = gated("--before", str(at_base))
    assert (result.exit_code, "the plan is judged by what the base has" in result.output) == (1, True), result.output


def test_what_only_a_cluster_has_hides_nothing_in_a_stack(repository: Path):
    Path("Pulumi.dev.yaml").write_text(f"config: {GATES.replace('0.1', '0.35')}\n")
    Path("k8s/all.yaml").write_text(with_pool(put(WEB, name="y"), put(WEB, deletionTimestamp="2020-01-01T00:00:00Z")))
    result = gated()
    assert (result.exit_code, "deletionTimestamp of Deployment/x: not counted" in result.output) == (1, True), result.output
    assert "PL-01 NodePlan/nodes: $" in result.output


def test_a_stack_that_was_not_there_is_judged_by_its_own_gates(repository: Path):
    Path("Pulumi.new.yaml").write_text(f"config: {GATES}\n")
    result = CliRunner().invoke(main, ["gate", "--stack", "new", "--base", "main", "--width", "1000"])
    assert (result.exit_code, "the gates are not at the base yet; it counts as it is" in result.output) == (1, True)
