"""`cutlist diff --all` and `cutlist gate --all --base`: what changes in each environment since a revision."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.sample import POOLS
from tests.unit.cli.test_diff_since import commit, edit, git
from tests.unit.layouts import deployment

REGION = ("--region", "us-west-2")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def rows(*arguments: str, code: int = 0) -> dict[str, Any]:
    """The environments of an answer, by name."""
    result = run("diff", "--all", *REGION, *arguments, "-o", "json")
    assert result.exit_code == code, result.output
    return {of["name"]: of for of in json.loads(result.stdout)["environments"]}


def overlay(name: str, replicas: int) -> None:
    folder = Path("overlays", name)
    folder.mkdir(parents=True, exist_ok=True)
    counted = f"replicas: [{{name: web, count: {replicas}}}]"
    folder.joinpath("kustomization.yaml").write_text(f"resources: [../../base]\nnamespace: {name}\n{counted}\n")


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two overlays beside the NodePools of all, on a branch."""
    monkeypatch.chdir(tmp_path)
    for folder in ("nodes", "base"):
        Path(folder).mkdir()
    Path("nodes/pools.yaml").write_text(Path(POOLS).read_text())
    Path("base/web.yaml").write_text(deployment("web"))
    Path("base/kustomization.yaml").write_text("resources: [web.yaml]\n")
    overlay("dev", 1)
    overlay("prod", 20)
    git("init", "-q", "-b", "main")
    commit()
    git("checkout", "-q", "-b", "change")


def test_each_environment_has_a_row_with_what_changes_in_it() -> None:
    """Price before and now, and the nodes that an edit replaces; the first line has the sum."""
    overlay("prod", 40)
    by_name = rows()
    assert (by_name["dev"]["state"], by_name["prod"]["state"]) == ("same", "different")
    month = by_name["prod"]["perMonth"]
    assert 0 < month["before"] < month["after"]
    assert month["difference"] == round(month["after"] - month["before"], 2)
    assert by_name["prod"]["command"] == "cutlist diff -f nodes -f overlays/prod"
    answer = run("diff", "--all", *REGION, "--strict")
    assert answer.exit_code == 1
    assert answer.output.startswith(f"About +${month['difference']:,.0f} a month: 1 of 2 environments changes")


def test_environments_that_were_added_and_removed_are_rows() -> None:
    """One that was not there costs nothing before, one that is no longer there nothing now."""
    overlay("qa", 20)
    overlay("test", 20)
    for name in ("prod", "dev"):
        Path("overlays", name, "kustomization.yaml").unlink()
        os.rmdir(f"overlays/{name}")
    by_name = rows()
    assert [*by_name] == ["qa", "test", "dev", "prod"]
    assert (by_name["qa"]["perMonth"]["before"], by_name["prod"]["perMonth"]["after"]) == (0, 0)
    assert min(by_name["qa"]["perMonth"]["after"], by_name["prod"]["perMonth"]["before"]) > 0


def test_nodes_that_an_edit_of_all_replaces_are_counted_in_each() -> None:
    edit("nodes/pools.yaml", "al2023@", "bottlerocket@")
    assert all(row["replaced"] > 0 for row in rows().values())


def test_the_environments_of_the_project_are_compared_with_their_settings_of_then() -> None:
    """Its files, and those that it had; one that is new in the project has the files that it has now."""
    project = "region: us-west-2\nenvironments:\n  live: {file: [nodes, overlays/prod]}\n"
    Path("cutlist.yaml").write_text(project)
    commit()
    Path("cutlist.yaml").write_text(project.replace("prod", "dev") + "  test: {file: [nodes, overlays/dev]}\n")
    by_name = rows("--git", "HEAD")
    assert by_name["live"]["perMonth"]["difference"] < 0
    assert by_name["test"]["state"] == "same"
    assert by_name["live"]["command"] == "cutlist diff --git HEAD --environment live"


def test_a_mistake_in_one_environment_leaves_the_others() -> None:
    """The exit code is 2."""
    overlay("dev", 1)
    Path("overlays/dev/kustomization.yaml").write_text("resources: [nothing.yaml, ../../base]\nnamespace: dev\n")
    by_name = rows(code=2)
    assert (by_name["dev"]["state"], by_name["prod"]["state"]) == ("failed", "same")
    assert "nothing.yaml does not exist" in by_name["dev"]["problems"][0]["message"]


def test_gates_say_what_changes_in_each_environment() -> None:
    overlay("prod", 40)
    result = run("gate", "--all", "--base", "main", *REGION, "-o", "json")
    by_name = {of["name"]: of["perMonth"] for of in json.loads(result.stdout)["environments"]}
    assert by_name["dev"]["difference"] == 0
    assert by_name["prod"] == rows()["prod"]["perMonth"]
    assert "$/month" in run("gate", "--all", "--base", "main", *REGION).stdout


def test_files_that_are_and_were_nowhere_are_mistakes() -> None:
    """Not "No change" of nothing; a folder that a change removes is there before."""
    result = run("diff", "--all", "-f", "nodes", "-f", "nothing", *REGION)
    assert result.exit_code == 2
    assert "nothing: does not exist, neither in the working tree nor at commit " in result.output
    Path("nodes").rename("pools")
    assert run("diff", "--all", "-f", "nodes", *REGION).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("diff", "--git", "main", "-f", "-"), "standard input has no earlier revision to compare it with by --git main"),
        (("diff", "-f", "-"), "standard input has no earlier revision to compare it with;"),
        (("diff", "--all", "nodes"), "--all compares each environment with an earlier revision; leave out nodes"),
        (("diff", "--all", "--cluster", "x.yaml"), "--cluster is about one difference"),
        (("diff", "--all", "-o", "html"), "--all has no form html"),
    ],
)
def test_what_has_no_earlier_revision_is_refused(arguments: tuple[str, ...], said: str) -> None:
    """Not compared with itself, which would always be "No change"."""
    result = run(*arguments, *REGION)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


def test_workloads_of_standard_input_belong_to_both_revisions() -> None:
    """They are beside the files that are compared."""
    edit("nodes/pools.yaml", "al2023@", "bottlerocket@")
    arguments = ["diff", "--git", "main", "nodes/pools.yaml", "-f", "-", *REGION]
    result = CliRunner().invoke(main, arguments, input=deployment("web"))
    assert result.exit_code == 0, result.output
