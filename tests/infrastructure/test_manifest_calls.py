"""Files and texts of manifests that the provider for Kubernetes reads are judged without an engine, as with one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from pulumi_cutlist.stack.gate import gate_stack

from cutlist.core.errors import InputError
from cutlist.policy.gates import Judgement, Verdict
from tests.written_project import write_project

POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: of-a-file}
spec:
  template: {spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: a}, requirements: []}}
"""
READ = {
    "a file": "k8s.yaml.v2.ConfigFile('a', file='pools/pool.yaml')",
    "a file of the first kind": "k8s.yaml.ConfigFile('a', file='pools/pool.yaml')",
    "files": "k8s.yaml.v2.ConfigGroup('a', files=['pools/po*.yaml'])",
    "files of the first kind": "k8s.yaml.ConfigGroup('a', files=['pools/po*.yaml'])",
    "a text of the first kind": "k8s.yaml.ConfigGroup('a', yaml=[open('pools/pool.yaml').read()])",
    "a kustomization": "k8s.kustomize.v2.Directory('a', directory='pools')",
    "a kustomization of the first kind": "k8s.kustomize.Directory('a', directory='./pools')",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pools").mkdir()
    (tmp_path / "pools/pool.yaml").write_text(POOL)
    (tmp_path / "pools/kustomization.yaml").write_text("resources: [pool.yaml]\n")
    return tmp_path


def outcomes(project: Path, line: str) -> list[Judgement]:
    write_project(project, f"import pulumi_kubernetes as k8s\n{line}\n")
    return list(gate_stack(project, "dev", date(2026, 6, 1)).report.outcomes)


@pytest.mark.slow
@pytest.mark.parametrize("line", READ.values(), ids=READ)
def test_objects_of_files_are_judged(project: Path, line: str):
    rules = {outcome.rule for outcome in outcomes(project, line) if outcome.verdict is Verdict.VIOLATED}
    assert {"NP-01", "GT-03"} <= rules
    assert "OB-02" not in rules


def test_what_is_wrong_has_its_place_in_the_file(project: Path):
    [limit, *_] = [outcome for outcome in outcomes(project, READ["files"]) if outcome.rule == "NP-01"]
    assert (limit.place.source.endswith("pools/pool.yaml"), limit.place.line) == (True, 5)


def test_files_elsewhere_stay_open_beside_those_that_are_here(project: Path):
    line = "k8s.yaml.v2.ConfigGroup('a', files=['pools/po*.yaml', 'https://example.com/a.yaml'])"
    verdicts = {(outcome.rule, outcome.verdict) for outcome in outcomes(project, line)}
    assert {("NP-01", Verdict.VIOLATED), ("OB-02", Verdict.UNKNOWN)} <= verdicts


def test_a_file_that_is_not_here_leaves_nothing_to_judge(project: Path):
    with pytest.raises(InputError, match=r"every finding is undetermined: OB-02 ConfigFile/a"):
        outcomes(project, "k8s.yaml.v2.ConfigFile('a', file='no.yaml')")


def test_a_text_that_cannot_be_read_ends_the_program(project: Path):
    [wrong] = outcomes(project, "k8s.yaml.ConfigGroup('a', yaml=['a: ['])")
    assert (wrong.rule, wrong.level.stops) == ("GT-04", True)


def test_what_an_older_chart_renders_is_reported_as_not_looked_at(project: Path):
    line = "k8s.helm.v3.Chart('a', k8s.helm.v3.ChartOpts(chart='raw', version='1.0.0'))"
    assert [outcome.rule for outcome in outcomes(project, line)] == ["OB-03"]


def test_components_of_which_an_engine_alone_knows_the_resources_are_reported(project: Path):
    program = "import pulumi\npulumi.ComponentResource('acme:index:Pools', 'pools', {}, None, True)\n"
    uncounted = [o.found for o in outcomes(project, program + READ["a file"]) if o.rule == "GT-06"]
    assert uncounted == ["what the component pools of type acme:index:Pools makes is shown only by an engine"]
