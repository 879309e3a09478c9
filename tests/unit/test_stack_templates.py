"""Objects in templates of CloudFormation are read as far as they are known before a deployment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cutlist.core.errors import InputError, Problems
from cutlist.core.notes import Notes
from cutlist.documents.cloudformation.stack_templates import StackTemplates
from cutlist.documents.collecting import collect_documents, read_documents
from cutlist.documents.delivery.fetching import ChartSource
from cutlist.documents.document import Document
from cutlist.documents.folders import Charts, Reading
from cutlist.documents.terraform.partly_known import MARK
from tests.unit.delivery.checkouts import stand_in, words

MANIFEST = "Custom::AWSCDK-EKS-KubernetesResource"


def in_stack(folder: Path, **resources: dict[str, Any]) -> tuple[tuple[Document, ...], Notes]:
    """The objects in a template with these resources, and the notes."""
    data = {"Parameters": {"Weight": {"Type": "Number", "Default": 7}}, "Resources": resources}
    (folder / "App.template.json").write_text(json.dumps(data))
    problems, notes = Problems(allow_empty=True), Notes()
    documents = collect_documents([folder], problems, notes=notes)
    problems.raise_if_any()
    return documents, notes


def pool(*weight: Any) -> dict[str, Any]:
    """A NodePool whose weight is put together from parts."""
    text = '[{"apiVersion":"karpenter.sh/v1","kind":"NodePool","metadata":{"name":"p"},"spec":{"weight":'
    return {"Type": MANIFEST, "Properties": {"Manifest": {"Fn::Join": ["", [text, *weight, "}}]"]]}}}


def test_parts_of_a_text_are_joined(tmp_path: Path) -> None:
    """F-13: with the defaults of parameters."""
    documents, _ = in_stack(tmp_path, Pool=pool({"Ref": "Weight"}))
    (document,) = documents
    assert document.data["spec"] == {"weight": 7}
    assert document.place.address == "Pool"


def test_what_only_a_deployment_knows_is_open_if_a_plan_needs_it(tmp_path: Path) -> None:
    """F-13."""
    documents, notes = in_stack(tmp_path, Pool=pool({"Fn::GetAtt": ["X", "Weight"]}))
    assert documents == ()
    (opened,) = notes.ledger.open
    assert opened.why == "not planned: spec.weight of NodePool p is known only after a deployment"


def test_patches_and_charts_are_open(tmp_path: Path) -> None:
    """F-13: with what fetches the chart; Karpenter's own is not."""
    chart = {"Chart": "nginx", "Release": "web", "Repository": "https://charts.example.com", "Version": "1.2.3"}
    _, notes = in_stack(
        tmp_path,
        Patch={"Type": "Custom::AWSCDK-EKS-KubernetesPatch", "Properties": {"ResourceName": "deployment/coredns"}},
        Chart={"Type": "Custom::AWSCDK-EKS-HelmChart", "Properties": chart},
        Own={"Type": "Custom::AWSCDK-EKS-HelmChart", "Properties": {"Chart": "karpenter"}},
    )
    first, second = notes.ledger.open
    assert first.why == "a patch of deployment/coredns, which only a deployment applies"
    assert second.command == f"cutlist plan -f {tmp_path} --helm --fetch"


CHART = "a" * 64


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({"Chart": "web", "Repository": "https://charts.example.com"}, ChartSource("https://charts.example.com", "web", "1")),
        ({"Chart": "web", "Repository": "oci://r.example.com/x/app"}, ChartSource("oci://r.example.com/x", "app", "1")),
        ({"ChartAssetURL": f"s3://assets/{CHART}.zip"}, f"asset.{CHART}"),
    ],
)
def test_a_chart_of_cdk_is_a_release_with_its_values(
    tmp_path: Path, properties: dict[str, Any], expected: ChartSource | str
) -> None:
    """F-13: from a repository, from a registry under the whole address, or an asset of the program beside the template."""
    (tmp_path / f"asset.{CHART}").mkdir()
    (tmp_path / f"asset.{CHART}/Chart.yaml").write_text("name: web\n")
    values = {"Fn::Join": ["", ['{"replicas":2,"role":"', {"Fn::GetAtt": ["Role", "Arn"]}, '"}']]}
    data = {"Release": "shop", "Version": "1", "Namespace": "live", "Values": values, "SkipCrds": True, **properties}
    template = json.dumps({"Resources": {"Chart": {"Type": "Custom::AWSCDK-EKS-HelmChart", "Properties": data}}})
    templates = StackTemplates(Problems(), Notes())
    assert [*templates.documents([(str(tmp_path / "App.template.json"), template)])] == []
    (installed,) = templates.releases
    release = installed.release
    assert (release.name, release.namespace, release.definitions, installed.why_not) == ("shop", "live", False, "")
    assert release.values == ({"replicas": 2, "role": MARK},)
    if isinstance(expected, str):
        assert templates.charts == {str(tmp_path / expected)}
    else:
        assert installed.source == expected


def test_an_asset_of_cdk_is_rendered_once_as_the_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-13: not by itself with its own values as well."""
    helm = stand_in(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(helm), prepend=":")
    out = tmp_path / "cdk.out"
    (out / f"asset.{CHART}").mkdir(parents=True)
    (out / f"asset.{CHART}/Chart.yaml").write_text("name: web\n")
    chart = {"Release": "shop", "Values": '{"a":1}', "ChartAssetURL": {"Fn::Sub": f"s3://x-${{AWS::Region}}/{CHART}.zip"}}
    template = {"Resources": {"Chart": {"Type": "Custom::AWSCDK-EKS-HelmChart", "Properties": chart}}}
    (out / "App.template.json").write_text(json.dumps(template))
    problems, notes = Problems(allow_empty=True), Notes()
    collect_documents([out], problems, reading=Reading(recursive=True, charts=Charts()), notes=notes)
    assert (problems.found, words(helm)[:3]) == ([], ["template", "shop", str(out / f"asset.{CHART}")])
    assert notes.ledger.open == ()


@pytest.mark.parametrize(
    ("chart", "named"),
    [
        ({"Chart": "karpenter", "Version": "1.14.1", "Release": "karpenter"}, "karpenter 1.14.1"),
        ({"Chart": "oci://registry.example.com/karpenter/karpenter-crd", "Version": {"Ref": "Unknown"}}, "karpenter-crd"),
        ({"Repository": "oci://registry.example.com/karpenter/karpenter", "Version": "1.15.0"}, "karpenter 1.15.0"),
    ],
)
def test_the_chart_of_karpenter_itself_is_named(tmp_path: Path, chart: dict[str, Any], named: str) -> None:
    """F-13: nothing of it is open, and a plan follows the version that the user chooses."""
    _, notes = in_stack(tmp_path, Own={"Type": "Custom::AWSCDK-EKS-HelmChart", "Properties": chart}, Pool=pool("7"))
    assert notes.ledger.open == ()
    (text,) = [note.text for note in notes.all() if note.code == "chart-of-karpenter"]
    assert text.startswith("Karpenter's own chart, whose values are not read; --karpenter says which version a plan follows: ")
    assert text.endswith(f": {named} ({tmp_path}/App.template.json Own)")


def test_templates_may_be_yaml(tmp_path: Path) -> None:
    """F-13: with the short forms of functions, and manifests in YAML."""
    (tmp_path / "stack.yaml").write_text(
        """Parameters:
  Name: {Type: String, Default: web}
Resources:
  Web:
    Type: AWSQS::Kubernetes::Resource
    Properties:
      Manifest: !Sub |
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${Name}-${!kept}"}
"""
    )
    (document,) = read_documents([tmp_path])
    assert document.name == "web-${kept}"


def test_a_template_that_cannot_be_read_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("Resources:\n  A: {Type: AWS::X::Y, B: *none}\n")
    with pytest.raises(InputError, match=r"a\.yaml: is a template of CloudFormation that cannot be read"):
        read_documents([tmp_path])
