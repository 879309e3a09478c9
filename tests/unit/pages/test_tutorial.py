"""The tutorial, walked: from the files that it shows to the comment on a pull request, in a repository of its own."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Final

import pytest
import yaml
from click.testing import CliRunner

from cutlist_cli import main
from tests.documentation import DOCS
from tests.unit.pages.reader import _ENVIRONMENT

PAGE: Final = (DOCS / "tutorial.md").read_text("utf-8")
FILES: Final = dict(re.findall(r"^`([^`]+)`:\n\n```yaml\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))
BLOCKS: Final = re.findall(r"^```console\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
POOLS: Final = "deploy/karpenter/pools.yaml"
CI: Final = ".github/workflows/cutlist.yml"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the files of the page, whose main branch has them."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    git("config", "user.name", "shop")
    git("config", "user.email", "shop@example.com")
    git("add", "--all")
    git("commit", "-qm", "Deploy the shop")
    return tmp_path


def git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True, capture_output=True)


def edited(before: str, after: str) -> None:
    """Make an edit of the NodePool that the page asks for."""
    text = Path(POOLS).read_text("utf-8")
    assert text.count(before) == 1
    Path(POOLS).write_text(text.replace(before, after), "utf-8")


def walk(block: str) -> None:
    """Do what a block says, and find the lines that it shows among those that are printed, in their order."""
    shown = [line for line in block.splitlines() if not line.startswith("$ ")]
    for command in (line[2:] for line in block.splitlines() if line.startswith("$ ")):
        program, *arguments = shlex.split(command, comments=True)
        if program == "git":
            git(*arguments)
            continue
        result = CliRunner(env=dict(_ENVIRONMENT)).invoke(main, arguments)
        assert result.exit_code == (1 if "# exit code 1" in command else 0), result.output
        printed = iter(result.stdout.splitlines())
        assert [line for line in shown if line != "..." and line not in printed] == []


@pytest.mark.slow  # a program of six commands that each plan
def test_the_tutorial_leads_to_what_it_says(repository: Path) -> None:
    """Each command ends as the page says and prints the lines that it shows; the two edits are those that it names."""
    limits = re.findall(r"```yaml\n(  limits: .*\n)```", PAGE)
    for block in BLOCKS:
        if block.startswith("$ cutlist gate\n"):
            edited("spec:\n  template:", f"spec:\n{limits[0]}  template:")
        if block.startswith("$ cutlist diff\n"):
            edited("[on-demand]", "[spot, on-demand]")
        walk(block)
    workflow = yaml.safe_load((repository / CI).read_text("utf-8"))
    assert [*workflow["jobs"]] == ["gate"]
    assert CI in (repository / ".github/CODEOWNERS").read_text("utf-8")
