"""What a plan breaks is shown where its workload, its budget or its NodePool is written."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist import PlanSettings
from cutlist.verbs.gate.answer import GateResult, default_gates, gate
from cutlist_cli import main

POOL = "examples/shop/pools.yaml"
WORKLOADS = """\
apiVersion: v1
kind: Service
metadata: {name: db, namespace: data.team}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: data.team}
spec:
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}, annotations: {karpenter.sh/do-not-disrupt: "true"}}
    spec:
      nodeSelector: {karpenter.sh/capacity-type: reserved}
      containers: [{name: db, image: db:1}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: db, namespace: data.team}
spec: {maxUnavailable: 0, selector: {matchLabels: {app: db}}}
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> GateResult:
    folder = tmp_path_factory.mktemp("written")
    (folder / "db.yaml").write_text(WORKLOADS)
    pools = Path(POOL).read_text("utf-8").replace("name: general", "name: general.v2").replace('["4"]', '["8"]')
    (folder / "pools.yaml").write_text(pools.replace("[c, m, r]", "[m]").replace("[amd64]", "[arm64]"))
    settings = PlanSettings(region="us-west-2")
    return gate([str(folder)], default_gates(), date(2026, 1, 5), settings)


@pytest.mark.parametrize(
    ("rule", "where"),
    [
        ("PL-03", "db.yaml:5 (document 2)"),
        ("PL-09", "db.yaml:5 (document 2)"),
        ("PL-12", "db.yaml:5 (document 2)"),
        ("PL-11", "db.yaml:17 (document 3)"),
        ("NP-06", "pools.yaml:15 (document 2)"),
        ("PL-01", "measures.pricePerHour"),
    ],
)
def test_a_finding_of_the_plan_has_the_file_and_line_of_its_object(result: GateResult, rule: str, where: str) -> None:
    """A figure of the whole plan has none."""
    places = {str(o.place).rpartition("/")[2] for o in result.report.outcomes if o.rule == rule}
    assert places == {where}


def test_the_path_of_the_figure_stays_for_programs(result: GateResult) -> None:
    paths = {o.rule: o.path for o in result.report.outcomes}
    assert paths["PL-03"] == "measures.pending.data.team/statefulset/db"
    assert paths["PL-09"] == "measures.held[0]"


def test_reviews_of_code_mark_the_line_of_the_workload(tmp_path: Path) -> None:
    """SARIF has a physical place, so that the finding stands beside the line in a pull request."""
    (tmp_path / "db.yaml").write_text(WORKLOADS)
    answer = CliRunner().invoke(main, ["gate", "-f", POOL, "-f", str(tmp_path), "--region", "us-west-2", "-o", "sarif"])
    results = json.loads(answer.stdout)["runs"][0]["results"]
    (pending,) = [r for r in results if r["ruleId"] == "PL-03"]
    physical = pending["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"].endswith("/db.yaml")
    assert physical["region"] == {"startLine": 5}
