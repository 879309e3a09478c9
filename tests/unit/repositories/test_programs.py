"""Programs that make objects of Kubernetes are open, with the command that shows the objects."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.unit.layouts import deployment
from tests.unit.repositories.commands import run_in

PYTHON = "name: infra\nruntime:\n  name: python\n"
NODE = "name: infra\nruntime: nodejs\n"
CDK_SOURCE = 'import * as eks from "aws-cdk-lib/aws-eks";\n'


def opened(folder: Path, files: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, str]]:
    """What is open beside a Deployment: form, what it is, and the command."""
    for path, text in {**files, "k8s/web.yaml": deployment("web")}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    answer = run_in(folder, monkeypatch, "validate", "-f", ".", "-R", "-o", "json")
    inputs = answer.data["inputs"]
    assert inputs["files"] == inputs["read"] + sum(of["files"] for of in (*inputs["openFiles"], *inputs["passedOver"]))
    return [(of["form"], of["what"], of["command"]) for of in inputs["open"]]


@pytest.mark.parametrize(
    ("project", "source", "text"),
    [
        (PYTHON, "__main__.py", "import pulumi_kubernetes as k8s\n"),
        (PYTHON, "app/nodes.py", "from pulumi_eks import Cluster\n"),
        (NODE, "index.ts", 'import * as k8s from "@pulumi/kubernetes";\n'),
        (NODE, "nodes.ts", 'import * as aws from "@pulumi/aws";\nnew aws.eks.NodeGroup("a", {});\n'),
        ("name: infra\nruntime: go\n", "main.go", 'import "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"\n'),
        ("name: infra\nruntime: dotnet\n", "Program.cs", "using Pulumi.Kubernetes.Apps.V1;\n"),
        ("name: infra\nruntime: yaml\n", "Main.yaml", "resources:\n  a:\n    type: kubernetes:apps/v1:Deployment\n"),
    ],
)
def test_a_program_of_pulumi_that_names_kubernetes_is_open(
    project: str, source: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-18: whatever its language; only one in Python can be previewed here."""
    files = {"infra/Pulumi.yaml": project, "infra/Pulumi.prod.yaml": "config: {}\n", f"infra/{source}": text}
    is_python = project == PYTHON
    command = "cutlist preview --project-dir infra -s prod" if is_python else "pulumi preview --cwd infra -s prod"
    assert opened(tmp_path, files, monkeypatch) == [("Pulumi", "infra/Pulumi.yaml", command)]


@pytest.mark.parametrize(
    "files",
    [
        {"Pulumi.yaml": PYTHON, "__main__.py": "import pulumi_aws\n"},
        {"cdk.json": "{}", "lib/stack.ts": 'import * as s3 from "aws-cdk-lib/aws-s3";\n'},
    ],
)
def test_a_program_that_names_no_kubernetes_is_passed_over(
    files: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-18: a bucket is no part of a plan."""
    assert opened(tmp_path, files, monkeypatch) == []


def test_an_app_of_cdk_is_open_until_it_is_synthesized(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-18."""
    files = {"cdk.json": "{}", "lib/stack.ts": CDK_SOURCE}
    assert opened(tmp_path, files, monkeypatch) == [("CDK", "cdk.json", "cdk synth && cutlist plan -f cdk.out")]
    template = '{"Resources": {"A": {"Type": "AWS::S3::Bucket"}}}'
    assert opened(tmp_path, {"cdk.out/A.template.json": template}, monkeypatch) == []


def test_an_app_of_cdk8s_is_open_until_it_is_synthesized(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-18."""
    command = "cdk8s synth --stdout | cutlist plan -f -"
    assert opened(tmp_path, {"cdk8s.yaml": "app: node main.js\n"}, monkeypatch) == [("cdk8s", "cdk8s.yaml", command)]
    assert opened(tmp_path, {"dist/app.k8s.yaml": deployment("api")}, monkeypatch) == []
