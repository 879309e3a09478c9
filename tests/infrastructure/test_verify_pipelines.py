"""The shell steps of the action and the template that verify a cluster, run with a stand-in for the command."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from cutlist_cli import main

ROOT = Path(__file__).resolve().parents[2]
ACTION, TEMPLATE = ROOT / "tools/integrations/github/verify/action.yml", ROOT / "tools/integrations/gitlab/cutlist-verify.yml"
# Writes its arguments down; each call of verify ends with the next of some statuses, and then with the last one again.
STAND_IN = """#!/bin/sh
echo "$*" >> calls
if [ "$1" = verify ]; then
  echo "the answer"
  read -r status rest < statuses
  if [ -n "$rest" ]; then echo "$rest" > statuses; fi
  exit "$status"
fi
"""


def script_of(path: Path) -> str:
    data = yaml.safe_load(path.read_text())
    steps: list[Any] = data["runs"]["steps"] if "runs" in data else data["cutlist-verify"]["script"]
    return str(steps[-1]["run"] if isinstance(steps[-1], dict) else steps[-1])


def run(path: Path, folder: Path, statuses: str, **inputs: str) -> tuple[int, list[list[str]]]:
    """The exit code of the last step, and the calls of cutlist."""
    (folder / "bin").mkdir()
    for name, text in {"cutlist": STAND_IN, "sleep": "#!/bin/sh\n"}.items():
        (folder / "bin" / name).write_text(text)
        (folder / "bin" / name).chmod(0o755)
    (folder / "statuses").write_text(f"{statuses}\n")
    (folder / "plan.json").write_text("{}")
    given = {"PLAN": "plan.json", "CONTEXT": "", "LOG": "", "SINCE": "", "WAIT": "600", **inputs}
    variables = {**given, **{f"CUTLIST_{name}": value for name, value in given.items()}}
    variables |= {"RUNNER_TEMP": ".", "GITHUB_STEP_SUMMARY": "summary", "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script_of(path)]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False, timeout=60)
    calls = (folder / "calls").read_text().splitlines() if (folder / "calls").exists() else []
    return done.returncode, [call.split() for call in calls]


both = pytest.mark.parametrize("path", [ACTION, TEMPLATE], ids=["github", "gitlab"])


@both
def test_the_job_waits_until_nodes_came_as_planned(path, tmp_path):
    """Nodes take minutes: until then the cluster has no NodeClaim, or pods wait."""
    code, calls = run(path, tmp_path, "2 1 0")
    assert code == 0
    assert [call[0] for call in calls] == ["snapshot", "verify"] * 3


@both
@pytest.mark.parametrize("status", [1, 2])
def test_the_job_fails_when_its_time_is_over(path, status, tmp_path):
    code, calls = run(path, tmp_path, str(status), WAIT="0")
    assert (code, len(calls)) == (status, 2)


@both
def test_without_a_plan_nothing_is_asked(path, tmp_path):
    assert run(path, tmp_path, "0", PLAN="nowhere.json") == (2, [])


@both
def test_the_calls_are_ones_that_the_command_understands(path, tmp_path):
    _, calls = run(path, tmp_path, "0", LOG="karpenter.log", SINCE="2026-01-05T12:00:00Z")
    for name, *arguments in calls:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        command.make_context(name, arguments)
    assert "--strict" in calls[1]
    assert calls[1][calls[1].index("--log") + 1] == "karpenter.log"


def test_the_action_shows_the_answer_and_passes_inputs_as_variables_alone(tmp_path):
    run(ACTION, tmp_path, "1", WAIT="0")
    assert (tmp_path / "summary").read_text() == "the answer\n"
    for step in yaml.safe_load(ACTION.read_text())["runs"]["steps"]:
        assert "${{" not in step["run"]
