"""`cutlist gate --base`: the verdict on the present files, and what changed in them since a revision."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.sample import POOLS, WORKLOADS

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sample in a repository of its own, with twice the replicas in the working tree, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("pools.yaml").write_text(POOLS.read_text())
    Path("apps.yaml").write_text(WORKLOADS.read_text())
    Path("gates.yaml").write_text("environment: development\nrules: {PL-06: {percent: 10}}\n")
    Path("cutlist.yaml").write_text("region: us-west-2\nfile: [pools.yaml, apps.yaml]\ngates: gates.yaml\n")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "begin"]):
        subprocess.run([*GIT, *words], check=True)
    apps = Path("apps.yaml").read_text()
    assert "replicas: 12" in apps
    Path("apps.yaml").write_text(apps.replace("replicas: 12", "replicas: 24"))
    return tmp_path


def gate(*words: str) -> Result:
    return CliRunner().invoke(main, ["gate", *words])


def test_the_change_comes_before_the_verdict():
    result = gate("--base", "HEAD")
    text = " ".join(result.stdout.split())
    assert result.exit_code == 0, result.output
    assert text.startswith("From pools.yaml and 1 more path at HEAD to pools.yaml and 1 more path")
    assert text.index("deployment/web: replicas 12 to 24") < text.index("Passed: ")


def test_the_plan_of_the_revision_is_the_last_one():
    """PL-06 compares with it; without a revision it has nothing to compare with."""
    assert "PL-06 NodePlan/nodes: $0.0944 to $0.187 an hour" in gate("--base", "HEAD").stdout
    assert "PL-06 NodePlan/nodes: $" not in gate().stdout


def test_the_page_has_the_verdict_and_the_change():
    result = gate("--base", "HEAD", "-o", "html")
    assert "Cutlist: passed</title>" in result.stdout
    assert "replicas 12 to 24" in result.stdout
    assert 'id="gate-advisory"' in result.stdout


def test_without_a_revision_the_page_has_the_plan():
    page = gate("-o", "html").stdout
    assert "Cutlist: passed</title>" in page
    assert "Map of the nodes" in page


def test_a_comment_of_an_environment_is_its_own():
    Path("cutlist.yaml").write_text(
        "region: us-west-2\ngates: gates.yaml\nenvironments: {'eu --> west': {file: [pools.yaml, apps.yaml]}}\n"
    )
    lines = gate("--environment", "eu --> west", "-o", "markdown").stdout.splitlines()
    assert lines[0] == "<!-- cutlist gate eu____west -->"
    assert lines[1].startswith("### Cutlist of eu --")


def test_an_unknown_revision_is_a_mistake_in_the_option():
    result = gate("--base", "nope")
    assert result.exit_code == 2
    assert result.stderr.startswith("--base: this repository has no revision 'nope'")


def test_standard_input_has_no_earlier_revision():
    """It would be compared with itself."""
    result = CliRunner().invoke(main, ["gate", "-f", "-", "--base", "HEAD"], input=Path("pools.yaml").read_text())
    assert result.exit_code == 2
    assert "standard input has no earlier revision for --base; name files of the repository" in " ".join(result.stderr.split())


def test_the_change_is_that_of_the_repaired_files():
    """NC-01 is repaired before the sides are compared: what it writes is the default, which is no change."""
    written = POOLS.read_text()
    loose = written.replace("  amiSelectorTerms:", "  metadataOptions: {httpTokens: optional}\n  amiSelectorTerms:", 1)
    assert loose != written
    Path("pools.yaml").write_text(loose)
    shown = gate("--base", "HEAD", "--write").stdout
    assert "httpTokens: required" in Path("pools.yaml").read_text()
    assert "httpTokens" not in shown


def test_a_file_with_manifests_is_no_plan_and_a_folder_is_named_as_another_base():
    """It is the nearest thing to try for whoever has no repository."""
    result = gate("--before", "pools.yaml")
    assert result.exit_code == 2
    assert "pools.yaml: holds 2 documents" in result.stderr
    assert "or a folder with the files as they were" in " ".join(result.stderr.split())
