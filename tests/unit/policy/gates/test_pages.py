"""The page of rules is made from the rules; what the page on gates shows works; rules of other packages join in."""

from __future__ import annotations

import re
import sys
from datetime import date
from importlib.metadata import distributions
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from cutlist.core.errors import InputError
from cutlist.policy.gates import judge, read_gates
from cutlist.policy.gates.levels import Level
from cutlist.policy.registry import ALL, known_rules
from cutlist.verbs.gate.rules_page import rules_page
from cutlist_cli.gate import command
from tests.unit.policy.rules import subjects as s
from tests.unit.policy.rules.subjects import named, put

ROOT = Path(__file__).resolve().parents[4]
GATES = (ROOT / "docs" / "gates.md").read_text("utf-8")
OWN = ROOT / "examples" / "own-rules"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GATES, re.DOTALL)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an installed package, whose entry points a test may write."""
    (tmp_path / "acme-1.0.dist-info").mkdir()
    (tmp_path / "acme-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(OWN))
    yield tmp_path
    sys.modules.pop("acme_rules", None)


def register(folder: Path, target: str) -> None:
    (folder / "acme-1.0.dist-info" / "entry_points.txt").write_text(f"[cutlist.rules]\nacme = {target}\n")
    assert any(d.metadata["Name"] == "acme" for d in distributions())


def test_the_page_of_rules_is_what_the_rules_say():
    """`cutlist gate --rules > docs/rules.md` renews it."""
    assert (ROOT / "docs" / "rules.md").read_text("utf-8") == rules_page()
    assert CliRunner().invoke(command, ["--rules"]).output == rules_page()


def test_every_rule_is_on_the_page_with_its_settings():
    page = rules_page()
    for rule in ALL:
        assert f"### {rule.id} {rule.title}\n" in page
        assert all(f"- `{p.name}`, {p.shape.words}: " in page for p in rule.parameters)


def test_the_gates_of_the_page_are_understood():
    stack, project = (yaml.safe_load(text)["config"] for text in blocks("yaml")[:2])
    defaults = project["gateDefaults"]["default"]
    made = read_gates(stack["cutlist:gates"], ALL, environments=defaults)
    assert made.mistakes == ()
    assert made.levels["NC-07"] is Level.REMEDIATE
    staging = read_gates({"environment": "staging"}, ALL, environments=defaults)
    assert (staging.mistakes, staging.settings["NP-02"]["perMonth"]) == ((), 5000)


def test_the_rule_of_the_page_is_that_of_the_example():
    assert blocks("python")[0].strip() in (OWN / "acme_rules.py").read_text("utf-8")


def test_rules_of_another_package_are_applied_configured_and_listed(installed: Path):
    register(installed, "acme_rules:RULES")
    rules = known_rules()
    assert [rule.id for rule in rules[len(ALL) :]] == ["AC-01", "AC-02"]
    gates = read_gates({"rules": {"AC-01": {"label": "example.com/team"}}}, rules)
    team = put(s.POOL, "spec.template.metadata.labels", {"example.com/team": "shop"})
    without = put(named(put(s.POOL, "spec.weight", 3), "other"), "spec.template.metadata.labels", {})
    report = judge((team, without, s.CLASS, s.plan_of("general", "other")), gates, date(2026, 6, 1))
    assert [(one.rule, one.about) for one in report.stopping] == [("AC-01", "NodePool/other")]
    assert "## Rules of other packages" in CliRunner().invoke(command, ["--rules"]).output


@pytest.mark.parametrize(
    ("target", "reported"),
    [
        ("no_such_module:RULES", "cannot be loaded: ModuleNotFoundError"),
        ("acme_rules:count", "cannot be loaded: TypeError"),
        ("acme_rules:__doc__", "is not a rule"),
        ("cutlist.policy.rules.nodepools.limits:RULES", "the id NP-01 is taken"),
    ],
)
def test_a_package_whose_rules_do_not_apply_is_an_error(installed: Path, target: str, reported: str):
    register(installed, target)
    with pytest.raises(InputError, match=reported):
        known_rules()


@pytest.mark.parametrize(("id_", "says"), [("NC-01", "cutlist gate --write makes this change"), ("gt-01", "Mandatory")])
def test_one_rule_is_printed_for_a_terminal(id_: str, says: str):
    """Whatever the case of its id; no line is wider than asked for."""
    output = CliRunner().invoke(command, ["--rule", id_, "--width", "60"]).output
    assert output.startswith(id_.upper())
    assert says in " ".join(output.split())
    assert all(len(line) <= 60 for line in output.splitlines())


def test_the_example_of_a_rule_is_printed_with_the_settings_under_which_it_breaks_the_rule():
    output = CliRunner().invoke(command, ["--rule", "PL-01"]).output
    assert "Example, with {perHour: 2}\n  measures: {pricePerHour: 2.5, unpricedNodes: 0}\n" in output


def test_one_rule_in_markdown_is_its_part_of_the_page():
    output = CliRunner().invoke(command, ["--rule", "NP-01", "-o", "markdown"]).output
    assert output.startswith("### NP-01 ")
    assert output in rules_page()


def test_a_rule_that_there_is_not_is_refused_with_the_nearest_one():
    with pytest.raises(InputError, match="no rule 'NP-100'") as error:
        CliRunner().invoke(command, ["--rule", "NP-100"], catch_exceptions=False)
    assert "NP-1" in str(error.value)


def test_one_rule_has_no_form_but_text_and_markdown():
    result = CliRunner().invoke(command, ["--rule", "NP-01", "-o", "sarif"])
    assert result.exit_code == 2
    assert "text or markdown, not sarif" in result.output
