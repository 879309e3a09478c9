"""`--helm` of the commands: charts in plans, settings of a project, and inputs that only name what is elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.sample import POOLS
from tests.unit.delivery.checkouts import CHART, checkout, stand_in, words

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: redis, namespace: shop}
spec: {chart: {spec: {chart: redis, sourceRef: {kind: HelmRepository, name: charts}}}}
"""


@pytest.fixture
def helm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(checkout(tmp_path / "deploy", {**CHART, "release.yaml": RELEASE}))
    folder = stand_in(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(main, [*words, "--region", "us-west-2"])


def test_a_chart_is_planned_with_its_values(helm: Path) -> None:
    """Any of the options asks for it."""
    result = run("plan", "-f", "charts/web", "-f", str(POOLS), "--helm-values", "charts/web/values-prod.yaml", "-o", "json")
    assert result.exit_code == 0, result.output
    assert [pod["workload"] for node in json.loads(result.stdout)["nodes"] for pod in node["pods"]]
    assert words(helm)[2:5] == ["./charts/web", "--values", "charts/web/values-prod.yaml"]


def test_settings_of_a_project_ask_for_it(helm: Path) -> None:
    """Files of values are relative to the settings."""
    Path("cutlist.yaml").write_text(
        "helm-values: charts/web/values-prod.yaml\nhelm-kube-version: '1.34'\nhelm-api-version: [a/v1]\n"
    )
    assert run("explain", "deployment/web-web", "-f", "charts/web", "-f", str(POOLS)).exit_code == 0
    values, *versions = words(helm)[4:]
    assert values.endswith("charts/web/values-prod.yaml")
    assert versions == ["--include-crds", "--kube-version", "1.34", "--api-versions", "a/v1"]


@pytest.mark.parametrize("command", ["plan", "validate", "gate", "explain"])
@pytest.mark.parametrize("option", [[], ["--helm"]])
def test_what_is_elsewhere_alone_is_no_answer(helm: Path, command: str, option: list[str]) -> None:
    """The command that renders it is named."""
    words = [command, *(["deployment/web"] if command == "explain" else []), "-f", "release.yaml", *option]
    region = [] if command == "validate" else ["--region", "us-west-2"]
    result = CliRunner().invoke(main, [*words, *region])
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    assert "helm template redis redis --repo <address of HelmRepository charts> --namespace shop" in said
