"""The pages: what they link to is there, the commands they show exist, and what README.md shows is what comes out.

`python -m tests.unit.test_docs` puts the output of today into README.md.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from itertools import pairwise
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cutlist_cli import main
from cutlist_cli.commands import COMMANDS

_PROJECT = Path(__file__).resolve().parents[2]
# The pages for users; the specification and the decisions have tables of contents and tests of their own.
_PAGES = [_PROJECT / "README.md", *sorted((_PROJECT / "docs").glob("*.md"))]
_each_page = pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.relative_to(_PROJECT).as_posix())


_README_PLAN = re.compile(r"(?<=<!-- plan:begin -->\n).*?(?=<!-- plan:end -->)", re.DOTALL)


def _todays_plan() -> str:
    result = CliRunner().invoke(main, [*_commands(_PROJECT / "README.md")[0], "--width", "100"])
    assert result.exit_code == 0, result.output
    nodes, below, _ = result.stdout.partition("\nPending\n")
    assert below
    return f"\n```text\n{nodes}```\n\n"


def _commands(page: Path) -> list[list[str]]:
    lines = re.findall(r"^\$ (.*cutlist .*)$", page.read_text(), re.MULTILINE)
    own = (re.split("[>|]", line.rpartition("cutlist ")[2])[0] for line in lines)
    return [shlex.split(line, comments=True) for line in own]


@_each_page
def test_links_lead_somewhere(page):
    """Every relative link of a page is a file of the project."""
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@_each_page
def test_pages_are_merged(page):
    """No page has both sides of a conflict."""
    assert re.findall(r"^(?:<{7}|>{7}) .*", page.read_text(), re.MULTILINE) == []


@_each_page
def test_pages_are_in_the_table_of_contents(page):
    """Whoever reads README.md finds every page."""
    assert page.name == "README.md" or page.relative_to(_PROJECT).as_posix() in (_PROJECT / "README.md").read_text()


@_each_page
def test_commands_on_pages_are_understood(page):
    """Every command a page shows is one that Cutlist has, with options that it takes."""
    for name, *arguments in _commands(page):
        assert name in COMMANDS
        command = main.get_command(click.Context(main), name)
        command.make_context(name, arguments)


def _on_our_files(page: Path) -> list[list[str]]:
    """The commands of a page whose files are in the project, so that whoever reads it can run them as they are."""
    found = []
    for command in _commands(page):
        files = [value for option, value in pairwise(command) if option == "-f"]
        if files and all((_PROJECT / file).exists() for file in files):
            found.append(command)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in _PAGES if _on_our_files(p)], ids=lambda page: page.name)
def test_commands_on_our_own_files_run(page, monkeypatch):
    """A command that names files of the project gives an answer, and no complaint."""
    monkeypatch.chdir(_PROJECT)
    for command in _on_our_files(page):
        result = CliRunner().invoke(main, command)
        assert result.exit_code == (1 if "--strict" in command else 0), command
        assert (result.stderr == "") == (command[0] != "convert"), command  # which reports there
        assert result.stdout


def test_the_objects_on_the_page_of_auto_mode_are_right(monkeypatch):
    """The NodeClass and NodePool that the page shows give the example's pods their nodes, without a warning."""
    monkeypatch.chdir(_PROJECT)
    shown = re.findall(r"```yaml\n(.*?)```", (_PROJECT / "docs" / "auto-mode.md").read_text(), re.DOTALL)
    arguments = ["plan", "-f", "docs/examples/app.yaml", "-f", "-", "--region", "us-west-2", "-o", "json"]
    result = CliRunner().invoke(main, arguments, input=shown[0])
    made = json.loads(result.stdout)
    assert [node["nodePool"] for node in made["nodes"]] == ["spot"]
    assert made["warnings"] == []


def test_the_figures_on_the_page_of_aks_are_those_of_its_file():
    """Whoever copies them has what the page's plan was made with."""
    (shown,) = re.findall(r"```yaml\n(.*?)```", (_PROJECT / "docs" / "aks.md").read_text(), re.DOTALL)
    assert (_PROJECT / "docs" / "aks" / "cluster.yaml").read_text().endswith(shown)


@pytest.mark.parametrize("name", ["aks.md", "consolidation.md", "upgrade.md", "user-data.md", "verify.md"])
def test_pages_show_what_comes_out(name, monkeypatch):
    """What these pages show is, character by character, how the answer of their first command ends."""
    monkeypatch.chdir(_PROJECT)
    page = _PROJECT / "docs" / name
    (shown,) = re.findall(r"```text\n(.*?)```", page.read_text(), re.DOTALL)
    assert CliRunner().invoke(main, _commands(page)[0]).stdout.endswith(shown)


def test_the_page_on_migrating_shows_what_comes_out(monkeypatch):
    """The objects and the report are, character by character, those of its first command."""
    monkeypatch.chdir(_PROJECT)
    page = _PROJECT / "docs" / "migrate.md"
    (objects,) = re.findall(r"```yaml\n(.*?)```", page.read_text(), re.DOTALL)
    (report,) = re.findall(r"```text\n(.*?)```", page.read_text(), re.DOTALL)
    result = CliRunner().invoke(main, [*_commands(page)[0], "--width", "100"])
    assert (result.stdout, result.stderr) == (objects, report)


def test_the_page_on_snapshots_shows_the_permissions():
    """The role on the page is, character by character, what `--rbac` prints."""
    (shown,) = re.findall(r"```yaml\n(.*?)```", (_PROJECT / "docs" / "snapshots.md").read_text(), re.DOTALL)
    assert CliRunner().invoke(main, ["snapshot", "--rbac"]).stdout == shown


def test_the_page_on_snapshots_shows_the_nodes(monkeypatch):
    """The nodes on the page are, character by character, what its command prints."""
    monkeypatch.chdir(_PROJECT)
    page = _PROJECT / "docs" / "snapshots.md"
    (shown,) = re.findall(r"```text\n(.*?)```", page.read_text(), re.DOTALL)
    command = next(c for c in _commands(page) if "docs/snapshots/demo.yaml" in c)
    assert CliRunner().invoke(main, command).stdout == shown


def test_pages_show_commands():
    """The check above looks at something."""
    assert sum(len(_commands(page)) for page in _PAGES) >= 8


def test_readme_shows_what_comes_out(monkeypatch):
    """The plan in README.md is, character by character, what its command prints, down to the pods that stay pending."""
    monkeypatch.chdir(_PROJECT)
    shown = _README_PLAN.search((_PROJECT / "README.md").read_text())
    assert shown is not None
    assert shown.group() == _todays_plan()


def _refresh() -> None:
    os.chdir(_PROJECT)
    readme = _PROJECT / "README.md"
    plan = _todays_plan()
    readme.write_text(_README_PLAN.sub(lambda _: plan, readme.read_text()))


@pytest.mark.slow
def test_python_examples_run(monkeypatch):
    """What the page on Python shows does what it says."""
    monkeypatch.chdir(_PROJECT)
    blocks = re.findall(r"```python\n(.*?)```", (_PROJECT / "docs" / "python.md").read_text(), re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)  # noqa: S102 - our own page
    assert names["before"].totals.pods > 0
    assert names["change"].nodes
    assert names["coming"].trajectory.steps


if __name__ == "__main__":
    _refresh()
