"""What gates say in each form: text, Markdown, JSON, SARIF and JUnit."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from cutlist.core.errors import Place, Problem
from cutlist.core.records import json_of
from cutlist.policy.gates import Report
from cutlist.policy.rules import Resource
from cutlist.verbs.gate.junit import gate_junit
from cutlist.verbs.gate.markdown import LONGEST, gate_markdown, mark
from cutlist.verbs.gate.sarif import gate_sarif
from cutlist.verbs.gate.text import render_gate
from cutlist.verbs.plan.answer import plan
from tests.unit.planning.manifests import ON_DEMAND, deployment, inputs_of, pool
from tests.unit.policy.gates.test_judge import ENDLESS, exemption, report
from tests.unit.policy.rules import subjects as s
from tests.unit.policy.rules.subjects import named, put
from tests.unit.report.comments import OURS, rendered, tags, without_code
from tests.unit.report.hostile import ALL, hostile_plan


@pytest.fixture(scope="module")
def made() -> Report:
    """A report with every sort of outcome and hostile names."""
    hostile = named(put(ENDLESS, "spec.weight", 7), "a|b`<x>@team\x1b[31m")
    return report(
        ENDLESS, hostile, s.CLASS, s.plan_of("general", hostile.name), rules={"NP-13": "off"}, exemptions=[exemption()]
    )


def test_text_begins_with_what_stops_the_change(made: Report):
    shown = render_gate(made, 100)
    assert shown.startswith("Stops the change\n  NP-01 NodePool/")
    assert "\x1b" not in shown
    assert "repair: add spec.limits" in shown
    assert "protects from: unlimited spending" in shown
    assert "until 2026-06-01 by shop: moving" in shown
    assert "Switched off: NP-13." in shown
    assert all(len(line) <= 60 for line in render_gate(made, 60).splitlines())


def test_of_a_rule_with_very_many_findings_the_first_are_shown():
    """The count says how many others there are, and all of them are shown if that is asked."""
    gate_report = report(*(named(put(ENDLESS, "spec.weight", 1 + n % 100), f"pool-{n}") for n in range(103)), s.CLASS)
    unalike = replace(gate_report, outcomes=tuple(replace(o, found=f"{o.found} of {o.about}") for o in gate_report.outcomes))
    shown, whole = render_gate(unalike, 200), render_gate(unalike, 200, verbose=True)
    assert shown.count("  NP-01 NodePool/") == 100
    assert "  NP-01: 3 further findings; --verbose shows them" in shown
    assert whole.count("  NP-01 NodePool/") == 103
    assert "further" not in whole


def test_undetermined_outcomes_are_one_line_unless_all_are_wanted():
    """Files that nobody has read are named anyway."""
    gate_report = report(s.POOL, s.CLASS, s.PLAN, put(s.GROUP, "files", ["https://example.com/pools.yaml"]))
    shown, whole = render_gate(gate_report, 200), render_gate(gate_report, 200, verbose=True)
    folded = sorted({o.rule for o in gate_report.outcomes if gate_report.sort(o) == "unknown"} - {"OB-02"})
    assert len(folded) > 3
    assert f"\n  {', '.join(folded)}: what they need" in shown
    assert "which objects are in files" in shown
    undetermined = shown.partition("Undetermined\n")[2].replace(", ".join(folded), "")
    assert "OB-02" in undetermined
    assert [rule in undetermined for rule in folded] == [False] * len(folded)
    assert all(f"\n  {rule} " in whole for rule in folded)


def test_what_is_said_alike_of_several_objects_is_said_once():
    chart = Resource("kubernetes:helm.sh/v4:Chart", "b", {"chart": "raw"})
    shown = render_gate(report(s.POOL, s.CLASS, s.PLAN, chart, replace(chart, name="a")), 200)
    assert "OB-03 Chart/a, Chart/b: what its chart renders has not been reviewed" in shown
    assert shown.count("helm template") == 1


def test_json_has_every_outcome(made: Report):
    data = json.loads(json_of(made))
    assert data["passed"] is False
    assert data["counts"]["stopping"] == len([o for o in data["outcomes"] if o["stops"]]) > 0
    assert {o["verdict"] for o in data["outcomes"]} == {"violated", "exempt", "cannot tell"}
    assert all(o["protects"] for o in data["outcomes"])


def test_sarif_has_a_rule_for_each_result(made: Report):
    (run,) = json.loads(gate_sarif(made))["runs"]
    assert {r["ruleId"] for r in run["results"]} == {r["id"] for r in run["tool"]["driver"]["rules"]}
    assert {(r["kind"], r["level"]) for r in run["results"]} >= {("fail", "error"), ("open", "none")}
    assert [r for r in run["results"] if r.get("suppressions")]
    assert all(r["locations"] if isinstance(r["locations"], list) else False for r in run["results"])


def test_sarif_names_files_by_uris():
    problem = Problem(Place("node pools/größe #1.yaml", line=3), "found text")
    (run,) = json.loads(gate_sarif(report(problems=(problem,))))["runs"]
    (location,) = run["results"][0]["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "node%20pools/gr%C3%B6%C3%9Fe%20%231.yaml"
    assert location["physicalLocation"]["region"] == {"startLine": 3}


def test_junit_fails_by_what_stops_the_change(made: Report):
    suite = ElementTree.fromstring(gate_junit(made))  # noqa: S314 - our own text
    failing = [case for case in suite if case.findall("failure")]
    assert [case.attrib["name"][:5] for case in failing] == ["NP-01", "OB-01"]
    assert int(suite.attrib["failures"]) == 2
    assert int(suite.attrib["tests"]) == len(list(suite))


def test_markdown_is_one_comment_that_the_next_run_finds(made: Report):
    inputs = inputs_of(pool(requirements=f"[{ON_DEMAND}]"), deployment(), deployment("huge", cpu="900"))
    shown = gate_markdown(made, (plan(inputs),))
    assert shown.startswith(f"{mark()}\n### Cutlist: stopped by 2 violations")
    assert "| general | 1 × " in shown
    assert "pending" in shown
    assert "@team" not in shown
    assert "<x>" not in shown
    assert "a&#124;b" in shown


@pytest.mark.parametrize("text", ALL)
def test_hostile_names_do_nothing_in_a_comment(text):
    """No markup, no mention, no link and no reference to a number comes out of a name or a finding."""
    hostile = report(named(put(ENDLESS, "spec.weight", 7), text), s.CLASS, s.PLAN)
    page = rendered(gate_markdown(hostile, (hostile_plan(text),)))
    assert tags(page) <= OURS
    assert not re.search(r"@\w|#\d|\bhttps?://", without_code(page.replace(mark(), "")))


def test_markdown_fits_into_a_comment(made: Report):
    many = replace(made, outcomes=made.outcomes * 500)
    shown = gate_markdown(many)
    assert len(shown) < LONGEST + 500
    assert shown.count("<details>") == shown.count("</details>")
    assert "does not fit" in shown


def test_what_passes_says_so_in_every_form():
    passed = report(s.POOL, s.CLASS, s.PLAN)
    assert render_gate(passed).splitlines()[-1].startswith("Passed: ")
    assert "### Cutlist: passed" in gate_markdown(passed)
    assert "<failure" not in gate_junit(passed)
    assert json.loads(json_of(passed))["passed"] is True


INVISIBLE = "\x00\x07\x1b[2J\x85\x9b\u200b\u202e\u2066\ufeff\ufffe"


@pytest.mark.parametrize("view", [gate_junit, gate_sarif, json_of, gate_markdown, render_gate], ids=lambda view: view.__name__)
def test_nothing_invisible_and_no_command_of_a_build_server_is_in_any_form(view):
    """C0 and C1 controls, bidi marks, ends of CDATA, and what a runner of GitHub or Azure reads in a log as a command."""
    name = f"]]>{INVISIBLE} ::error file=x::y ##vso[task.complete] ##[error]z [a](http://b.example)"
    problem = Problem(Place(f"{name}.yaml", line=3), f"a message {name}", name, name)
    gate_report = report(named(ENDLESS, name), s.CLASS, problems=(problem,))
    shown = view(gate_report)
    if view is json_of:
        shown.encode("ascii")
    else:
        shown = json.dumps(json.loads(shown), ensure_ascii=False) if view is gate_sarif else shown
        assert not set(INVISIBLE) - {"[", "2", "J"} & set(shown)
    assert "##vso[" not in shown
    assert "##[" not in shown
    if view is gate_junit:
        ElementTree.fromstring(shown)  # noqa: S314 - our own text
    if view is render_gate:
        assert not [line for line in shown.splitlines() if line.strip().startswith("::")]
    if view is gate_sarif:
        texts = [result["message"]["text"] for result in json.loads(shown)["runs"][0]["results"]]
        assert not [text for text in texts if re.search(r"(?<!\\)\[a\]\(", text)]


def test_what_is_marked_as_secret_is_in_no_form():
    canary = "CANARY-hunter2"
    resource = replace(named(ENDLESS, f"pool-{canary}"), secrets=frozenset({canary}))
    unread = Problem(Place("a.yaml"), f"is {canary!r}")
    gate_report = report(resource, s.CLASS, problems=(unread,))
    for view in (gate_junit, gate_sarif, json_of, gate_markdown, render_gate):
        shown = view(gate_report)
        assert "CANARY" not in shown
        assert "secret" in shown


def test_what_stands_under_a_secret_name_is_in_no_form():
    helm = replace(s.CLASS, data={**s.CLASS.data, "values": {"grafana": {"adminPassword": "CANARY-hunter2"}}})
    gate_report = report(ENDLESS, helm, problems=(Problem(Place("a.yaml"), "is 'CANARY-hunter2'"),))
    assert all("CANARY" not in view(gate_report) for view in (gate_junit, gate_sarif, json_of, gate_markdown, render_gate))


def test_sarif_names_files_whose_names_are_no_text():
    (run,) = json.loads(gate_sarif(report(problems=(Problem(Place("\udcff.yaml"), "a message"),))))["runs"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "%FF.yaml"


def test_the_name_of_a_resource_is_no_secret_although_a_value_repeats_it():
    release = Resource(
        "kubernetes:helm.toolkit.fluxcd.io/v2:HelmRelease", "postgres", {"spec": {"values": {"passwordSecret": "postgres"}}}
    )
    shown = render_gate(report(s.POOL, s.CLASS, s.PLAN, release), 200)
    assert "OB-03 HelmRelease/postgres:" in shown
