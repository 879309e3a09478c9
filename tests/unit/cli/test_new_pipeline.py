"""`cutlist new ci`: a pipeline for what is in a repository."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist_cli import main

WORKFLOW = Path(".github/workflows/cutlist.yml")
PIPELINE = Path(".gitlab/cutlist.yml")
SOURCE = "https://github.com/acme/cutlist@4f1c0de"
TWO = "environments:\n  dev: {file: a}\n  'eu west': {file: b}\n"


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of an empty repository, which is the working directory."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def new(*words: str) -> Result:
    return CliRunner().invoke(main, ["new", "ci", *words])


def steps() -> list[dict[str, Any]]:
    return yaml.safe_load(WORKFLOW.read_text())["jobs"]["gate"]["steps"]


def test_a_repository_without_settings_is_judged_as_a_whole():
    result = new("--source", SOURCE)
    assert result.exit_code == 0, result.output
    assert f"{WORKFLOW} gates all of the repository" in result.stdout
    assert steps()[-1] == {"uses": "acme/cutlist@4f1c0de"}


def test_each_environment_is_a_job_with_a_comment_and_a_page_of_its_own():
    Path("cutlist.yaml").write_text(TWO)
    assert new("--source", SOURCE).exit_code == 0
    job = yaml.safe_load(WORKFLOW.read_text())["jobs"]["gate"]
    assert job["strategy"]["matrix"] == {"environment": ["dev", "eu west"]}
    assert steps()[-1]["with"] == {"environment": "${{ matrix.environment }}", "page": "cutlist-${{ strategy.job-index }}"}


def test_a_single_stack_in_a_folder_is_named():
    project = Path("deploy/infra")
    project.mkdir(parents=True)
    (project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (project / "Pulumi.prod.yaml").write_text("config: {}\n")
    result = new("--source", SOURCE, "--project-dir", str(project))
    assert "gates 1 stack: prod" in result.stdout
    assert steps()[-1]["with"] == {"project-dir": "deploy/infra", "stack": "prod"}


def test_without_a_source_the_line_to_fill_in_is_named():
    result = new()
    number = next(n for n, line in enumerate(WORKFLOW.read_text().splitlines(), 1) if "OWNER" in line)
    assert f"commit to use: {WORKFLOW}:{number} (--source with --force does it)" in result.stdout
    assert new("--source", SOURCE, "--force").exit_code == 0
    assert steps()[-1] == {"uses": "acme/cutlist@4f1c0de"}


def test_a_project_outside_of_the_repository_is_not_its_own(repository: Path, monkeypatch):
    """Folders above the repository may have a Pulumi project, which commands on stacks would find."""
    inner = repository / "fleet"
    subprocess.run(["git", "init", "-q", str(inner)], check=True)
    (repository / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (repository / "Pulumi.prod.yaml").write_text("config: {}\n")
    monkeypatch.chdir(inner)
    assert f"{WORKFLOW} gates all of the repository" in new("--source", SOURCE).stdout
    assert steps()[-1] == {"uses": "acme/cutlist@4f1c0de"}


def test_gitlab_is_known_by_its_pipeline_and_by_the_remote(repository: Path):
    Path("cutlist.yaml").write_text(TWO)
    subprocess.run(["git", "remote", "add", "origin", "git@gitlab.example.com:acme/fleet.git"], check=True)
    result = new("--source", "https://gitlab.example.com/tools/cutlist@v1.0.0")
    assert result.exit_code == 0, result.output
    data = yaml.safe_load(PIPELINE.read_text())
    place = "/-/raw/v1.0.0/tools/integrations/gitlab/cutlist.yml"
    assert data["include"] == [{"remote": f"https://gitlab.example.com/tools/cutlist{place}"}]
    assert data["cutlist-gate"]["parallel"]["matrix"] == [{"CUTLIST_ENVIRONMENT": ["dev", "eu west"]}]
    assert "Add to .gitlab-ci.yml: include: [{local: .gitlab/cutlist.yml}]" in result.stdout
    assert new("--platform", "github", "--source", SOURCE).exit_code == 0
    assert WORKFLOW.exists()


def test_gitlab_takes_files_of_github_where_they_are_served():
    assert new("--platform", "gitlab", "--source", SOURCE).exit_code == 0
    remote = "https://raw.githubusercontent.com/acme/cutlist/4f1c0de/tools/integrations/gitlab/cutlist.yml"
    assert yaml.safe_load(PIPELINE.read_text())["include"] == [{"remote": remote}]


def test_a_file_is_replaced_only_by_force():
    assert new().exit_code == 0
    WORKFLOW.write_text("mine\n")
    again = new()
    assert (again.exit_code, WORKFLOW.read_text()) == (2, "mine\n")
    assert "exists already" in again.stderr
    assert "allowed: --force" in again.stderr
    assert new("--force").exit_code == 0
    assert WORKFLOW.read_text() != "mine\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--source", "acme/cutlist"), "--source: 'acme/cutlist' is not an address with a revision"),
        (("--source", "https://gitlab.example.com/a/b@c"), "is not on github.com, where workflows take actions from"),
        (("--project-dir", "nowhere"), "nowhere"),
        (("--region", "us-west-2"), "--region is for a stack; give --like"),
        (("--like", "dev", "--force"), "--force is not for a new stack, which never replaces one"),
    ],
)
def test_what_is_wrong_is_said(words: tuple[str, ...], message: str):
    result = new(*words)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert not WORKFLOW.exists()


def test_outside_of_a_repository_there_is_nowhere_to_write(tmp_path_factory: pytest.TempPathFactory, monkeypatch):
    monkeypatch.chdir(tmp_path_factory.mktemp("outside"))
    result = new()
    assert result.exit_code == 2
    assert "is in no repository of git" in result.stderr
