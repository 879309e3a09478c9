"""`cutlist diff` of files with themselves at a revision: the merge base with the default branch, or a named one."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.sample import POOLS, WORKLOADS

Write = Callable[[str, str], None]
PROJECT = "region: us-west-2\nfile: [pools.yaml, apps]\n"
MORE = ("replicas: 12", "replicas: 24")


def run(*arguments: str) -> Result:
    """Run the command; the region is that of the project."""
    return CliRunner().invoke(main, ["diff", *arguments])


def text_of(*arguments: str) -> str:
    """Return what a call says, as one line."""
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def replicas_in(*arguments: str) -> list[tuple[str, str | None, str | None]]:
    """Return the changed fields of workloads, each with its values."""
    result = run(*arguments, "-o", "json")
    assert result.exit_code == 0, result.output
    objects: list[dict[str, Any]] = json.loads(result.stdout)["objects"]
    return [(field["path"], field["before"], field["after"]) for one in objects for field in one["fields"]]


def git(*arguments: str) -> None:
    """Run git in the working directory as a user with a name."""
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments], check=True, capture_output=True)


def commit(message: str = "change") -> None:
    """Commit everything."""
    git("add", "-A")
    git("commit", "-q", "-m", message)


def edit(file: str, before: str, after: str) -> None:
    """Replace a text in a file."""
    text = Path(file).read_text()
    assert before in text
    Path(file).write_text(text.replace(before, after))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a project's file; it is the working directory, on the branch `main`."""
    for variable in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(variable, raising=False)
    folder = tmp_path / "shop"
    (folder / "apps").mkdir(parents=True)
    (folder / "pools.yaml").write_text(POOLS.read_text())
    (folder / "apps" / "web.yaml").write_text(WORKLOADS.read_text())
    (folder / "cutlist.yaml").write_text(PROJECT)
    (folder / "beside.yaml").write_text(WORKLOADS.read_text().replace("name: ", "name: other-"))
    monkeypatch.chdir(folder)
    git("init", "-q", "-b", "main")
    commit()
    return folder


@pytest.mark.usefixtures("project")
def test_without_arguments_the_working_tree_is_compared_with_the_merge_base():
    """What main did since the branch began is no change of the branch."""
    git("checkout", "-q", "-b", "more")
    edit("apps/web.yaml", *MORE)
    commit()
    git("checkout", "-q", "main")
    edit("apps/web.yaml", "cpu: 500m", "cpu: 250m")
    commit()
    git("checkout", "-q", "more")
    assert replicas_in() == [("spec.replicas", "12", "24")]
    said = text_of()
    assert "its merge base with main: pools.yaml, apps." in said
    assert "From the merge base with main to the working tree" in said


@pytest.mark.usefixtures("project")
def test_changes_that_are_not_committed_count():
    """Those of tracked files and new files; on the default branch itself, they are what differs from its last commit."""
    edit("apps/web.yaml", *MORE)
    Path("apps/new.yaml").write_text(WORKLOADS.read_text().replace("name: ", "name: new-"))
    data = json.loads(run("-o", "json").stdout)
    assert [(one["name"], one["change"]) for one in data["objects"]] == [
        ("new-trainer", "added"),
        ("new-web", "added"),
        ("web", "changed"),
    ]


@pytest.mark.usefixtures("project")
def test_files_that_git_ignores_do_not_count():
    """Alone, in a folder, and where the project names them."""
    Path(".gitignore").write_text("*.local.yaml\nrendered/\n")
    edit("cutlist.yaml", "apps]", "apps, mine.local.yaml]\nrecursive: true")
    commit()
    for file in ("apps/web.local.yaml", "apps/rendered/web.yaml", "mine.local.yaml"):
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).write_text(WORKLOADS.read_text().replace("name: ", "name: new-"))
    assert "No change" in text_of()


@pytest.mark.usefixtures("project")
def test_where_nothing_differs_it_says_so():
    """With exit code 0, even if asked for another one."""
    result = run("--strict")
    assert (result.exit_code, "No change" in result.stdout) == (0, True)


@pytest.mark.usefixtures("project")
def test_where_nothing_is_read_that_is_a_mistake():
    """An answer about no file would look like one without a change."""
    Path("empty").mkdir()
    edit("cutlist.yaml", "[pools.yaml, apps]", "empty")
    commit()
    result = run()
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the folder holds no manifests" in " ".join(result.stderr.split())


def test_the_branch_that_the_remote_names_comes_first(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A clone knows it as origin/HEAD."""
    git("checkout", "-q", "-b", "trunk")
    edit("apps/web.yaml", *MORE)
    commit()
    subprocess.run(["git", "clone", "-q", str(project), str(tmp_path / "clone")], check=True, capture_output=True)
    monkeypatch.chdir(tmp_path / "clone")
    git("checkout", "-q", "-b", "work")
    edit("apps/web.yaml", "replicas: 24", "replicas: 25")
    assert replicas_in() == [("spec.replicas", "24", "25")]
    assert "its merge base with origin/trunk" in text_of()


def test_the_files_of_the_project_count_for_a_named_revision_too(project: Path):
    """Those beside them do not."""
    edit("apps/web.yaml", *MORE)
    edit("beside.yaml", *MORE)
    assert replicas_in("--git", "main") == [("spec.replicas", "12", "24")]


def test_a_project_without_such_a_file_is_read_as_a_whole(project: Path, monkeypatch: pytest.MonkeyPatch):
    """In the root of its repository; below it nothing says what to read."""
    Path("cutlist.yaml").unlink()
    commit()
    edit("apps/web.yaml", *MORE)
    assert replicas_in("--region", "us-west-2") == [("spec.replicas", "12", "24")]
    assert "the whole repository" in text_of("--region", "us-west-2")
    monkeypatch.chdir(project / "apps")
    result = run("--region", "us-west-2")
    assert result.exit_code == 2
    assert "nothing says which files to compare" in " ".join(result.stderr.split())


@pytest.mark.usefixtures("project")
def test_the_project_is_compared_as_its_file_had_it_then():
    """A file that the change adds to it is new, one that it takes out is removed."""
    Path("more.yaml").write_text(WORKLOADS.read_text().replace("name: ", "name: more-"))
    edit("cutlist.yaml", "apps", "more.yaml")
    objects = json.loads(run("-o", "json").stdout)["objects"]
    assert {(one["name"], one["change"]) for one in objects} == {
        ("more-trainer", "added"),
        ("more-web", "added"),
        ("trainer", "removed"),
        ("web", "removed"),
    }


@pytest.mark.usefixtures("project")
def test_replicas_that_the_projects_file_chooses_are_a_change_with_its_part():
    """Each side has those of its file; a choice for a workload that only one side has is no change."""
    edit("cutlist.yaml", "region: us-west-2", "region: us-west-2\nreplicas: [web=5]")
    commit()
    edit("cutlist.yaml", "web=5", "web=50, new-web=3")
    edit("apps/web.yaml", "cpu: 500m", "cpu: 400m")
    Path("apps/new.yaml").write_text(WORKLOADS.read_text().replace("name: ", "name: new-"))
    data = json.loads(run("-o", "json").stdout)
    parts = {one["name"]: one["pricePerMonthChange"] for one in data["because"]["edits"]}
    (choice,) = (one for one in data["because"]["edits"] if one["name"] == "replicas")
    assert [(field["before"], field["after"]) for field in choice["fields"]] == [
        ('["web=5", "new-web=3"]', '["web=50", "new-web=3"]')
    ]
    assert parts["replicas"] > 0
    assert round(sum(parts.values()) + (data["because"]["togetherPerMonth"] or 0), 2) == data["perMonth"]["difference"]


@pytest.mark.usefixtures("project")
def test_the_default_spread_of_a_file_that_the_project_names_is_an_edit():
    """Of the file as it was on each side, though its name is the same."""
    constraint = "{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}"
    edit("cutlist.yaml", "region: us-west-2", 'region: us-west-2\nkarpenter: "1.15"\nscheduler-config: spread.txt')
    Path("spread.txt").write_text("podTopologySpread: {defaultConstraints: []}")
    commit()
    Path("spread.txt").write_text(f"podTopologySpread: {{defaultConstraints: [{constraint}]}}")
    edit("apps/web.yaml", "cpu: 500m", "cpu: 510m")
    data = json.loads(run("-o", "json").stdout)
    parts = {one["name"]: one["pricePerMonthChange"] for one in data["because"]["edits"]}
    assert list(parts) == ["scheduler-config", "web"]
    assert abs(parts["scheduler-config"]) > abs(parts["web"])
    assert round(sum(parts.values()), 2) == data["perMonth"]["difference"]


@pytest.mark.usefixtures("project")
def test_replicas_on_the_command_line_count_for_both_sides():
    edit("apps/web.yaml", *MORE)
    assert "No change" not in text_of()
    assert "The plan is the same" in text_of("--replicas", "web=5")


@pytest.mark.usefixtures("project")
def test_the_first_files_of_a_repository_are_all_new():
    """There is a plan for nothing to compare them with."""
    git("rm", "-q", "-r", "--cached", ".")
    git("commit", "-q", "-m", "nothing")
    data = json.loads(run("-o", "json").stdout)
    assert {one["change"] for one in data["objects"]} == {"added"}
    assert (data["before"]["totals"]["nodes"], data["after"]["totals"]["nodes"]) == (0, 1)


@pytest.mark.usefixtures("project")
def test_one_environment_of_the_project_is_compared():
    """With its own files; which one is meant has to be said."""
    Path("cutlist.yaml").write_text(
        "region: us-west-2\nenvironments:\n  a: {file: [pools.yaml, apps]}\n  b: {file: [pools.yaml, beside.yaml]}\n"
    )
    commit()
    edit("apps/web.yaml", *MORE)
    assert "No change" in text_of("--environment", "b")
    assert replicas_in("--environment", "a") == [("spec.replicas", "12", "24")]
    result = run()
    assert result.exit_code == 2
    assert "cutlist diff --environment a" in " ".join(result.stderr.split())


def test_one_environment_of_folders_is_compared(project: Path):
    """Two folders with the same objects are two clusters."""
    for name in ("one", "two"):
        (project / name).mkdir()
        (project / name / "web.yaml").write_text(WORKLOADS.read_text().replace("cpu: 500m", f"cpu: {len(name)}00m"))
        (project / name / "pools.yaml").write_text(POOLS.read_text())
    edit("two/web.yaml", "replicas: 12", "replicas: 6")
    git("rm", "-q", "-r", "-f", "apps", "cutlist.yaml", "beside.yaml", "pools.yaml")
    commit()
    edit("two/web.yaml", "replicas: 6", "replicas: 7")
    region = ("--region", "us-west-2")
    assert "No change" in text_of("--environment", "one", *region)
    assert replicas_in("--environment", "two", *region) == [("spec.replicas", "6", "7")]


def test_outside_of_a_repository_there_is_nothing_to_compare_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The message says so, and what else there is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    result = run("-f", str(POOLS), "--region", "us-west-2")
    said = " ".join(result.stderr.split())
    assert result.exit_code == 2
    assert "there is nothing to compare the folder with: not a git repository" in said
    assert "OLD and NEW" in said


@pytest.mark.usefixtures("project")
def test_without_a_commit_in_common_there_is_nothing_to_compare_with():
    """A branch that began from nothing, and a repository without any of the branches."""
    git("checkout", "-q", "--orphan", "island")
    commit("island")
    said = " ".join(run().stderr.split())
    assert "has no commit in common with main" in said
    assert "--git" in said
    git("branch", "-q", "-D", "main")
    result = run()
    assert result.exit_code == 2
    assert "it has no commit on origin/HEAD, main or master" in " ".join(result.stderr.split())


@pytest.mark.thorough
@pytest.mark.usefixtures("project")
def test_a_change_of_the_sample_takes_less_than_a_second_of_a_processor():
    """The whole command with three edits whose parts need eight plans; the least of some runs, since other work disturbs."""
    edit("apps/web.yaml", *MORE)
    edit("apps/web.yaml", "cpu: 500m", "cpu: 700m")
    edit("pools.yaml", "[c, m, r]", "[m, r]")
    command, taken = [sys.executable, "-m", "cutlist_cli", "diff", "-o", "json"], []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        answer = subprocess.run(command, check=True, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    because = json.loads(answer.stdout)["because"]
    assert (because["exact"], len(because["edits"])) == (True, 3)
    assert min(taken) < 1
