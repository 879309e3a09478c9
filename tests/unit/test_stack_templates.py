"""Objects in templates of CloudFormation are read as far as they are known before a deployment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cutlist.core.errors import InputError, Problems
from cutlist.core.notes import Notes
from cutlist.documents import Document, collect_documents, read_documents

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
    """F-13: with the chart's address; Karpenter's own is not."""
    chart = {"Chart": "nginx", "Release": "web", "Repository": "https://charts.example.com", "Version": "1.2.3"}
    _, notes = in_stack(
        tmp_path,
        Patch={"Type": "Custom::AWSCDK-EKS-KubernetesPatch", "Properties": {"ResourceName": "deployment/coredns"}},
        Chart={"Type": "Custom::AWSCDK-EKS-HelmChart", "Properties": chart},
        Own={"Type": "Custom::AWSCDK-EKS-HelmChart", "Properties": {"Chart": "karpenter"}},
    )
    first, second = notes.ledger.open
    assert first.why == "a patch of deployment/coredns, which only a deployment applies"
    command = "helm template web nginx --repo https://charts.example.com --version 1.2.3 -f <its values>"
    assert second.command == f"{command} | cutlist plan -f -"


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
