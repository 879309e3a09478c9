"""A setting of a plan counts in all places, or its declaration says why not: each is set there, and reaches the plan."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, get_type_hints

import click
import pytest
from click.testing import CliRunner

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.setting import Advice, Edge, Kind, Setting
from cutlist.planning import read_inputs
from cutlist.settings.nodes import OUTLOOK
from cutlist.settings.planning import EXTERNAL_CLASSES, PLAN, PlanSettings, with_defaults
from cutlist.settings.words import spelled
from cutlist.verbs.gate.answer import default_gates, gate
from cutlist.verbs.suggest import fleet_searches
from cutlist.verbs.suggest.fleet_file import read_fleet
from cutlist_cli import gate_inputs, input_options, main
from cutlist_cli.assistants.roots import Roots
from cutlist_cli.assistants.tools import tools
from cutlist_cli.commands import load
from tests.recorded import PROJECT
from tests.settings import Reached, received, value_of
from tests.unit.planning.manifests import pool

PLANNING = (
    "diff",
    "disrupt",
    "explain",
    "gate",
    "interrupt",
    "nodes",
    "plan",
    "serve",
    "simulate",
    "suggest",
    "types",
    "upgrade",
    "why",
)
each_setting = pytest.mark.parametrize("setting", PLAN, ids=lambda setting: setting.name)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """What the reading of a plan's inputs is asked for, in a folder of its own."""
    kept: dict[str, Any] = {}

    def read(_paths: Sequence[str], **settings: Any) -> None:
        kept.update(settings)
        raise Reached

    def judge(_paths: object, _gates: object, _today: object, settings: Mapping[str, Any], *_: Any, **__: Any) -> None:
        kept.update(settings)
        raise Reached

    monkeypatch.setattr(input_options, "read_inputs", read)
    monkeypatch.setattr(fleet_searches, "read_inputs", read)
    monkeypatch.setattr(gate_inputs, "gate", judge)
    for variable in (name for setting in PLAN for name in setting.variables):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return kept


def on_the_line(setting: Setting) -> list[str]:
    """Return a setting as options, with the region, which every plan needs."""
    value = value_of(setting)
    values = value if isinstance(value, list) else [value]
    words = [setting.flag] if value is True else [f"{setting.flag}={text}" for text in values]
    return [*words, *([] if setting.name == "region" else ["--region=us-west-2"])]


def reached(asked: Mapping[str, Any], setting: Setting) -> bool:
    return received(asked.get(setting.name)) == value_of(setting)


@each_setting
@pytest.mark.parametrize("command", ["plan", "gate"])
def test_on_the_command_line(command: str, setting: Setting, asked: dict[str, Any]) -> None:
    assert setting.counts(Edge.COMMAND_LINE)
    CliRunner().invoke(main, [command, "-f", "pools.yaml", *on_the_line(setting)])
    assert reached(asked, setting)


@pytest.mark.parametrize("command", PLANNING)
def test_every_command_that_plans_has_all_of_them(command: str) -> None:
    loaded = load(command)
    assert loaded is not None
    assert {setting.name for setting in PLAN} <= {param.name for param in loaded.params}


@each_setting
def test_in_the_projects_settings(setting: Setting, asked: dict[str, Any]) -> None:
    Path("cutlist.yaml").write_text(json.dumps({"region": "us-west-2", setting.key: value_of(setting)}))
    result = CliRunner().invoke(main, ["plan", "-f", "pools.yaml"])
    if setting.counts(Edge.PROJECT_FILE):
        assert reached(asked, setting)
    else:
        assert (result.exit_code, f"{setting.key}: is not a field here" in result.stderr) == (2, True)


@each_setting
def test_in_the_file_of_a_fleet(setting: Setting, asked: dict[str, Any]) -> None:
    assert setting.counts(Edge.FLEET_FILE)
    Path("pools.yaml").write_text("")
    environment = {"name": "shop", "file": "pools.yaml", "region": "us-west-2", setting.key: value_of(setting)}
    Path("fleet.yaml").write_text(json.dumps({"environments": [environment]}))
    (read,) = read_fleet("fleet.yaml")
    with pytest.raises(Reached):
        fleet_searches.read_search(read)
    assert reached(asked, setting)


@each_setting
def test_in_the_tools_of_assistants(setting: Setting, asked: dict[str, Any], tmp_path: Path) -> None:
    for tool in tools():
        name, beside = setting.spelled(Edge.ASSISTANT), {} if setting.name == "region" else {"region": "us-west-2"}
        assert (name in tool.inputs) == setting.counts(Edge.ASSISTANT)
        if tool.name == "plan" and name in tool.inputs:
            words = tool.words({"file": ["pools.yaml"], **beside, name: value_of(setting)}, Roots((str(tmp_path.resolve()),)))
            CliRunner().invoke(main, words)
            assert reached(asked, setting)


def test_what_does_not_count_somewhere_has_a_reason() -> None:
    assert all(len(reason.split()) > 3 for setting in PLAN for reason in setting.unset.values())


def test_functions_take_all_of_them_with_the_types_that_they_have() -> None:
    """What a TypedDict says about a setting is what its declaration says."""
    hints = get_type_hints(PlanSettings)
    assert hints.keys() == {setting.name for setting in PLAN}
    for setting in PLAN:
        assert (hints[setting.name] is bool) == (setting.kind is Kind.FLAG)
        assert str(hints[setting.name]).startswith("collections.abc.Sequence") == setting.several
    assert with_defaults({}).keys() == hints.keys()


def test_an_option_says_what_the_declaration_says() -> None:
    """No command declares a setting of a plan a second time."""
    for command in PLANNING:
        loaded = load(command)
        assert loaded is not None
        options = {param.name: param for param in loaded.params if isinstance(param, click.Option)}
        for setting in OUTLOOK if command == "nodes" else PLAN:
            assert (options[setting.name].help or "").startswith(setting.described(Edge.COMMAND_LINE))


@pytest.mark.parametrize(
    ("edge", "message"),
    [
        (Edge.PYTHON, "zones: zone 'q' is not in us-west-2"),
        (Edge.COMMAND_LINE, "--zone: zone 'q' is not in us-west-2"),
        (Edge.PROJECT_FILE, "cutlist.yaml zone: zone 'q' is not in us-west-2"),
    ],
    ids=lambda value: value.name if isinstance(value, Edge) else "",
)
def test_a_mistake_is_in_the_words_of_its_edge(edge: Edge, message: str, tmp_path: Path, monkeypatch) -> None:
    """The setting is named as whoever set it writes it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    Path("pools.yaml").write_text("")
    if edge is Edge.PYTHON:
        with pytest.raises(InputError, match=message):
            read_inputs.read_inputs(["pools.yaml"], region="us-west-2", zones=["q"], allow_empty=True)
        return
    if edge is Edge.PROJECT_FILE:
        Path("cutlist.yaml").write_text("zone: q\n")
    words = ["--zone", "q"] if edge is Edge.COMMAND_LINE else []
    result = CliRunner().invoke(main, ["plan", "-f", "pools.yaml", "--region", "us-west-2", "--allow-empty", *words])
    assert f"\n{message}" in f"\n{result.stderr}"


def test_what_to_do_is_in_the_words_of_the_edge() -> None:
    """A way by a setting that does not count there is not offered."""
    advice = Advice.of("add the class", ("name it with ", EXTERNAL_CLASSES))
    assert advice.spelled(Edge.PYTHON) == "add the class, or name it with external_classes"
    assert advice.spelled(Edge.COMMAND_LINE) == "add the class, or name it with --external-class"
    assert advice.spelled(Edge.FLEET_FILE) == "add the class, or name it with external-class"
    assert advice.spelled(Edge.COMPONENT) == "add the class, or name it with externalClasses"
    assert advice.spelled(Edge.ASSISTANT) == "add the class, or name it with external_class"
    assert advice.spelled(Edge.STACK) == "add the class"


def test_an_absence_may_be_allowed_where_that_can_be_said() -> None:
    problems = Problems()
    problems.add_absence(Place("apps"), "no workload is in the input", "workloads")
    texts = {edge: spelled(problems.found, edge)[0].allowed for edge in (Edge.COMMAND_LINE, Edge.COMPONENT, Edge.STACK)}
    assert texts == {
        Edge.COMMAND_LINE: "workloads, or --allow-empty",
        Edge.COMPONENT: "workloads, or allowEmpty",
        Edge.STACK: "workloads",
    }


def test_gates_name_what_to_do_as_the_command_line_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A violation names the command that helps, with the options of the call that are not the usual ones."""
    monkeypatch.chdir(tmp_path)
    Path("pools.yaml").write_text(pool())
    Path("kustomization.yaml").write_text("resources: [pools.yaml]\npatches: [{path: patch.yaml}]\n")
    result = CliRunner().invoke(main, ["gate", "-f", ".", "--region", "us-west-2", "-o", "json"])
    assert 'cutlist plan -f . --region us-west-2 --kustomize"' in result.stdout
    found = gate(["."], default_gates(), date(2026, 1, 5), PlanSettings(region="us-west-2"))
    assert "cutlist plan -f . --region us-west-2 --kustomize'" in str(found.report)


@pytest.mark.parametrize(
    ("page", "edge"),
    [("first-plan.md", Edge.PROJECT_FILE), ("suggest.md", Edge.FLEET_FILE), ("stacks.md", Edge.STACK)],
)
def test_pages_name_every_setting_that_counts_there(page: str, edge: Edge) -> None:
    text = (PROJECT / "docs" / page).read_text("utf-8")
    assert [s.name for s in PLAN if s.counts(edge) and f"`{s.spelled(edge)}`" not in text] == []
