"""What of a folder is not read is shown by every command that reads folders, whatever its answer holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.sample import POOLS, SHOP, SNAPSHOT, WORKLOADS

_REGION = ("--region", "us-west-2")
_CLUSTER = ("--cluster-name", "demo", "--endpoint", "https://demo.example", "--service-cidr", "10.100.0.0/16")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def foreign_beside(folder: Path) -> Path:
    """A policy of IAM, and a subfolder with a manifest, beside what a folder has."""
    folder.mkdir(exist_ok=True)
    (folder / "iam-policy.json").write_text('{"Version": "2012-10-17", "Statement": []}')
    (folder / "more").mkdir()
    (folder / "more" / "app.yaml").write_text(WORKLOADS.read_text())
    return folder


@pytest.fixture
def pools(tmp_path: Path) -> Path:
    folder = foreign_beside(tmp_path / "pools")
    for name in ("pools.yaml", "workloads.yaml"):
        (folder / name).write_text((SHOP / name).read_text())
    return folder


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    folder = foreign_beside(tmp_path / "cluster")
    (folder / "snapshot.yaml").write_text(SNAPSHOT.read_text())
    (folder / "pools-edited.yaml").write_text((SHOP / "next" / "pools.yaml").read_text())
    return folder


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    "arguments",
    [
        ("budgets",),
        ("userdata", *_CLUSTER, "--instance-type", "m5.large", *_REGION),
        ("types", *_REGION),
        ("explain", "deployment/web", *_REGION),
        ("convert",),
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_whose_answer_has_no_notes_show_them_beside_it(arguments: tuple[str, ...], pools: Path):
    result = run(*arguments, "-f", str(pools))
    assert result.exit_code == 0, result.output
    assert f"Note: not read, since they hold no objects of Kubernetes: {pools / 'iam-policy.json'}.\n" in result.stderr
    assert f"reads them: {pools / 'more'}.\n" in result.stderr
    assert "Note: not read" not in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [("nodes",), ("disrupt", *_REGION), ("interrupt", *_REGION)],
    ids=lambda arguments: arguments[0],
)
def test_commands_about_a_cluster_show_them_and_keep_their_json_clean(arguments: tuple[str, ...], cluster: Path):
    result = run(*arguments, "-f", str(cluster), "-o", "json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)
    assert str(cluster / "iam-policy.json") in result.stderr
    assert str(cluster / "more") in result.stderr


def test_a_status_that_is_passed_over_is_shown(tmp_path: Path):
    file = tmp_path / "nodes.yaml"
    file.write_text("apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {conditions: ready}\n")
    result = run("nodes", "-f", str(file))
    assert result.exit_code == 0, result.output
    assert "Note: parts of the status do not belong to the kind, and are ignored: node/a status.conditions.\n" in result.stderr


def test_validate_and_plan_have_them_in_their_answer_alone(pools: Path):
    for arguments in (("validate",), ("plan", *_REGION)):
        result = run(*arguments, "-f", str(pools), "--width", "200")
        assert "iam-policy.json" in result.stdout
        assert "iam-policy.json" not in result.stderr


def test_a_comparison_shows_once_what_both_sides_leave_out(pools: Path, tmp_path: Path):
    shared = foreign_beside(tmp_path / "shared")
    (shared / "extra.yaml").write_text(WORKLOADS.read_text().replace("name: web", "name: other"))
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pools.yaml").write_text(POOLS.read_text())
    result = run("diff", str(tmp_path / "old"), str(tmp_path / "new"), "-f", str(shared), *_REGION)
    assert result.exit_code == 0, result.output
    assert result.stderr.count("iam-policy.json") == 1


def test_what_was_not_read_comes_first_among_the_assumptions(pools: Path):
    (pools / "settings.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    codes = [note["code"] for note in json.loads(run("plan", "-f", str(pools), *_REGION, "-o", "json").stdout)["assumptions"]]
    assert codes[:3] == ["foreign-file", "not-looked-at", "subfolder"]
    assert codes[3:] == sorted(codes[3:])
    text = run("plan", "-f", str(pools), *_REGION, "--width", "200").stdout
    assert text.partition("Assumptions\n")[2].lstrip(" -").startswith("not read, since")
