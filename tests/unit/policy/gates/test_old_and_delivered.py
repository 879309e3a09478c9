"""What the gates say of objects of old versions, and of objects that Flux and Argo CD apply."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from cutlist.policy.gates import Report, Verdict
from cutlist.settings.planning import PlanSettings
from cutlist.verbs.gate.answer import default_gates, gate
from cutlist.verbs.validate.answer import validate
from tests.sample import SHOP
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool

OLD = SHOP / "old" / "v1beta1.yaml"
PROVISIONER = SHOP / "old" / "provisioner.yaml"
RELEASE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cache, namespace: shop}
spec:
  interval: 10m
  chart: {spec: {chart: cache, version: 18.0.0, sourceRef: {kind: HelmRepository, name: charts}}}
"""
PREVIEWS = """
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: previews, namespace: argocd}
spec:
  generators: [{pullRequest: {github: {owner: a, repo: b}}}]
  template: {spec: {source: {repoURL: "https://example.com/a.git", path: k}, destination: {name: c, namespace: n}}}
"""


def report_on(*files: Path, region: str | None = "us-west-2") -> Report:
    settings = PlanSettings(region=region) if region else PlanSettings()
    return gate(files, default_gates(), date(2026, 6, 1), settings).report


def found(report: Report, rule: str, verdict: Verdict = Verdict.VIOLATED) -> list[str]:
    """What a rule says, each with the object that it is about."""
    return [f"{o.about}: {o.found}" for o in report.outcomes if o.rule == rule and o.verdict is verdict]


@pytest.mark.parametrize("file", [OLD, PROVISIONER])
def test_an_object_of_an_old_version_has_a_plan_in_the_gates_too(file: Path):
    """As `cutlist plan` makes it; no rule says that there is none."""
    report = report_on(file, SHOP / "workloads.yaml")
    assert found(report, "GT-03") == []
    refused = [o.advice for o in report.outcomes if o.rule == "OB-01" and o.verdict is Verdict.VIOLATED]
    assert refused == ["run cutlist convert on its file"] * 2


def test_the_other_rules_judge_what_a_conversion_would_write():
    """With the places of the file as it is."""
    assert found(report_on(OLD, SHOP / "workloads.yaml"), "NP-04") == ["NodePool/general: no terminationGracePeriod"]


def test_validate_and_the_gates_refuse_the_same_objects_with_the_same_words():
    """No Karpenter that can be chosen serves them; a plan warns of both."""
    validation = validate([OLD])
    assert [problem.message for problem in validation.problems] == [
        text.partition(": ")[2] for text in reversed(found(report_on(OLD, SHOP / "workloads.yaml"), "OB-01"))
    ]
    assert validation.warnings == ()


def test_objects_that_flux_and_argo_apply_are_undetermined(tmp_path: Path):
    """Also those without a command that renders them; no pods of theirs are called uncounted."""
    file = tmp_path / "all.yaml"
    file.write_text("---".join((NODE_CLASS, pool(), deployment(), RELEASE, PREVIEWS)))
    for region in ("us-west-2", None):
        report = report_on(file, region=region)
        assert found(report, "PL-10") == []
        previews, release = sorted(found(report, "GT-04", Verdict.UNKNOWN))
        assert previews.startswith(f"ApplicationSet previews ({file}:")
        assert release.startswith(f"HelmRelease cache ({file}:")
        assert "helm template cache" in release
