"""`suggest --write` where a chart makes the NodePools: into the values that their fields come from, or not at all."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.unit.delivery.checkouts import checkout
from tests.unit.planning.manifests import NODE_CLASS, deployment

VALUES = """\
# for each NodePool
pools:
  general:
    limits: {cpu: 100} # whole
    requirements:
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]} # for now
      - {key: node.kubernetes.io/instance-type, operator: In, values: [m5.large, m5.2xlarge, c5.large]}
"""
ALIKE = """\
  batch:
    limits: {cpu: 100}
    requirements:
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      - {key: node.kubernetes.io/instance-type, operator: In, values: [m5.large, m5.2xlarge, c5.large]}
"""
HELM = """\
#!{python}
import json, sys, yaml
values = {{}}
for path in ["charts/pools/values.yaml", *(w for before, w in zip(sys.argv, sys.argv[1:]) if before == "--values")]:
    values |= yaml.safe_load(open("{root}/" + path))
fixed = {fixed}
for name, pool in values["pools"].items():
    reference = {{"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}}
    inner = {{"nodeClassRef": reference, "requirements": [*fixed, *pool["requirements"]]}}
    spec = {{"limits": pool["limits"], "template": {{"spec": inner}}}}
    made = {{"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {{"name": name}}, "spec": spec}}
    print("---\\n# Source: pools/templates/pools.yaml\\n" + json.dumps(made))
"""
AMD64 = '[{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]'
"""What the template writes itself."""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "charts/pools/Chart.yaml": "apiVersion: v2\nname: pools\nversion: 0.1.0\n",
        "charts/pools/values.yaml": VALUES,
        "charts/pools/templates/pools.yaml": "# written by the stand-in\n",
        "web.yaml": NODE_CLASS + "---" + deployment(replicas=5, cpu="900m"),
    }
    made = checkout(tmp_path / "deploy", files)
    (tmp_path / "bin").mkdir()
    helm = tmp_path / "bin" / "helm"
    helm.write_text(HELM.format(python=sys.executable, root=made, fixed=AMD64))
    helm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    monkeypatch.chdir(made)
    return made


def run(*words: str) -> Result:
    settings = ("--region", "us-west-2", "--plans", "6", "--spot-types", "1", "--allow", "spot", "--width", "100")
    return CliRunner().invoke(main, ["suggest", "-f", "charts/pools", "-f", "web.yaml", "--helm", *settings, *words])


def test_an_option_is_written_into_the_values_that_the_chart_takes(root: Path) -> None:
    answer = run("--write", "best")
    assert answer.exit_code == 0, answer.output
    assert "charts/pools/values.yaml: NodePool general written" in answer.stderr
    written = Path("charts/pools/values.yaml").read_text()
    assert "values: [on-demand, spot]} # for now\n" in written
    assert written.startswith("# for each NodePool\n")
    assert "+      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand, spot]} # for now" in answer.stdout
    assert "kubernetes.io/arch" not in written


def test_of_equal_values_those_are_changed_that_the_nodepool_comes_from(root: Path) -> None:
    """A NodePool whose name is not its member: only rendering tells."""
    values = Path("charts/pools/values.yaml")
    values.write_text(VALUES.replace("pools:\n", "unused:\n" + ALIKE + "pools:\n"))
    answer = run("--write", "best")
    assert answer.exit_code == 0, answer.output
    unused, used = values.read_text().split("pools:\n")
    assert "spot" not in unused
    assert "spot" in used


def test_values_that_are_given_come_before_those_of_the_chart(root: Path) -> None:
    Path("prod.yaml").write_text(VALUES)
    answer = run("--helm-values", "prod.yaml", "--write", "best")
    assert answer.exit_code == 0, answer.output
    assert "prod.yaml: NodePool general written" in answer.stderr
    assert Path("charts/pools/values.yaml").read_text() == VALUES


def test_what_no_values_have_is_not_written(root: Path) -> None:
    """The template writes the requirements in another way."""
    values = VALUES.replace("requirements:\n", "requirements: &all\n")
    helm = root.parent / "bin" / "helm"
    helm.write_text(helm.read_text().replace('[*fixed, *pool["requirements"]]', 'fixed + pool["requirements"][::-1][1:]'))
    Path("charts/pools/values.yaml").write_text(values)
    answer = run("--write", "best")
    assert answer.exit_code == 1, answer.output
    assert "nothing is written: NodePool general is made by charts/pools/templates/pools.yaml" in answer.stderr
    assert Path("charts/pools/values.yaml").read_text() == values
