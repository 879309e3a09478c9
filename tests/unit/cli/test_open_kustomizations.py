"""A kustomization that only kustomize builds: one open part, which ends no answer about the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.unit.api.manifests import CLASS, POOL
from tests.unit.layouts import deployment

REGION = ("--region", "us-west-2")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A NodePool and a workload, and an overlay with replacements beside them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    files = {
        "nodes/pool.yaml": yaml.safe_dump_all([POOL, CLASS]),
        "apps/web.yaml": deployment("web"),
        "overlay/kustomization.yaml": "resources: [api.yaml]\nreplacements: [{path: r.yaml}]\n",
        "overlay/api.yaml": deployment("api"),
        "overlay/r.yaml": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_rest_is_planned_and_the_plan_says_at_least(repository: Path) -> None:
    """With the reason and the command; JSON has it as data, and --strict fails."""
    text = run("plan", "-f", ".", "-R", *REGION)
    assert text.output.startswith("At least about $")
    assert "only kustomize applies its replacements" in " ".join(text.output.split())
    answer = run("plan", "-f", ".", "-R", *REGION, "-o", "json", "--strict")
    (opened,) = json.loads(answer.stdout)["inputs"]["open"]
    assert (text.exit_code, answer.exit_code, opened["form"]) == (0, 1, "kustomization")
    assert opened["command"] == "cutlist plan -f . -R --region us-west-2 --kustomize"


def test_gates_cannot_tell(repository: Path) -> None:
    """The rule that all input is readable has no verdict on it."""
    outcomes = json.loads(run("gate", "-f", ".", "-R", *REGION, "-o", "json").stdout)["outcomes"]
    found = [(of["rule"], of["verdict"]) for of in outcomes if of["object"] == "./overlay/kustomization.yaml"]
    assert found == [("GT-04", "cannot tell")]


@pytest.mark.parametrize("command", ["plan", "validate", "gate", "suggest"])
def test_alone_it_is_no_success(command: str, repository: Path) -> None:
    """Nothing is read, so nothing is right."""
    answer = run(command, "-f", "overlay", *REGION)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert "not built, because only kustomize applies its replacements" in " ".join(answer.output.split())
