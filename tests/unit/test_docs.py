"""The pages: what they link to is there, and their manifests and Python programs are right.

`tests/unit/pages` runs their commands.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from cutlist_cli import main
from tests.documentation import section
from tests.sample import SHOP, WORKLOADS

_PROJECT = Path(__file__).resolve().parents[2]
# The pages for users; the specification and the decisions have tables of contents and tests of their own.
_PAGES = [_PROJECT / "README.md", *sorted((_PROJECT / "docs").glob("*.md"))]
_each_page = pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.relative_to(_PROJECT).as_posix())


@_each_page
def test_links_lead_somewhere(page):
    """Every relative link of a page is a file of the project."""
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@_each_page
def test_pages_are_merged(page):
    """No page has both sides of a conflict."""
    assert re.findall(r"^(?:<{7}|>{7}) .*", page.read_text(), re.MULTILINE) == []


def test_the_objects_on_the_page_of_auto_mode_are_right(monkeypatch):
    """The NodeClass and NodePool that the page shows give the example's pods their nodes, without a warning."""
    shown = re.findall(r"```yaml\n(.*?)```", (_PROJECT / "docs" / "auto-mode.md").read_text(), re.DOTALL)
    arguments = ["plan", "-f", str(WORKLOADS), "-f", "-", "--region", "us-west-2", "-o", "json"]
    result = CliRunner().invoke(main, arguments, input=shown[0])
    made = json.loads(result.stdout)
    assert [node["nodePool"] for node in made["nodes"]] == ["spot"]
    assert made["warnings"] == []


def test_each_option_of_a_simulation_has_its_question():
    """Options of any plan, such as those on input and output, are not about time."""
    context = Context(main)
    simulation, plan = (main.get_command(context, name) for name in ("simulate", "plan"))
    of_plans = {parameter.name for parameter in plan.params}
    own = {o for parameter in simulation.params if parameter.name not in of_plans for o in parameter.opts}
    rows = re.findall(r"^\| (`--[^|]*) \| ([^|]*\?[^|]*) \|$", (_PROJECT / "docs" / "simulation.md").read_text(), re.MULTILINE)
    asked = {option for options, _ in rows for option in re.findall(r"--[a-z-]+", options)}
    assert own
    assert asked == own


@pytest.mark.slow
def test_python_examples_run(monkeypatch):
    """What the page on Python shows does what it says."""
    monkeypatch.chdir(SHOP)
    blocks = re.findall(r"```python\n(.*?)```", section("showing.md", "Plans in Python"), re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/showing.md", "exec"), names)  # noqa: S102 - our own page
    assert names["before"].totals.pods > 0
    assert names["change"].nodes
    assert names["coming"].trajectory.steps
