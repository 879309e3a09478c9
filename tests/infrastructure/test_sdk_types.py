"""What components give to the SDKs' classes, and to one another, is compared with types by the type check."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pinned import needs_pinned
from tools.stubs.generate import COMPONENTS, HERE, SDKS, generate

ROOT = Path(__file__).parents[2]
RIGHT = """
import pulumi
import pulumi_aws as aws
import pulumi_azure_native as azure
import pulumi_eks
import pulumi_kubernetes as k8s

def make(arn: pulumi.Output[str], cluster: aws.eks.Cluster, of_pulumi: pulumi_eks.Cluster) -> None:
    aws.sqs.Queue("queue", message_retention_seconds=300, tags={"team": arn})
    aws.cloudwatch.EventTarget("target", rule="rule", arn=arn, retry_policy={"maximum_retry_attempts": 10})
    k8s.core.v1.ConfigMap("map", metadata={"name": "map"}, data={"key": arn})
    azure.network.NatGateway("nat", resource_group_name="group", sku={"name": "Standard"}, opts=pulumi.ResourceOptions())
    pulumi.export("certificate", cluster.certificate_authority.apply(lambda authority: authority.data))
    pulumi.export("group", of_pulumi.cluster_security_group_id)
"""
BROKEN = {
    "an unknown input": ("message_retention_seconds=300", "retention=300", 'Unexpected keyword argument "retention"'),
    "an input of another type": ("message_retention_seconds=300", 'message_retention_seconds="300"', 'incompatible type "str"'),
    "an input that is missing": ('rule="rule", ', "", 'Missing named argument "rule"'),
    "an unknown input of a nested one": ("maximum_retry_attempts", "maximum_attempts", "incompatible type"),
    "a nested input of another type": (": 10}", ": [10]}", "incompatible type"),
    "another type in metadata": ('{"name": "map"}', '{"name": 1}', "incompatible type"),
    "a value that the SDK's enumeration lacks": ('{"name": "Standard"}', '{"name": 3}', "incompatible type"),
    "an input of AKS that is missing": ('resource_group_name="group", ', "", 'Missing named argument "resource_group_name"'),
    "an unknown output": ("cluster.certificate_authority", "cluster.certificate", 'has no attribute "certificate"'),
    "an unknown output of a component": ("cluster_security_group_id", "group_id", 'has no attribute "group_id"'),
    "an unknown output of a nested one": ("authority.data", "authority.text", 'has no attribute "text"'),
    "an unknown class": ("aws.sqs.Queue(", "aws.sqs.Line(", 'has no attribute "Line"'),
}

WHOLE_CLUSTER = COMPONENTS / "aws" / "whole_cluster"
OF_KARPENTER, OF_BOTH = ((WHOLE_CLUSTER / name).read_text() for name in ("karpenter_part_args.py", "part_args.py"))
JOINING = ("whole_cluster/*", "cluster/auto_mode", "facts", "identity/service_accounts")
OF_AKS = (COMPONENTS / "azure" / "whole_cluster" / "provisioning_plan.py").read_text()
BROKEN_PARTS = {
    "a name that a part does not know": (OF_KARPENTER, '"isolated_vpc"', '"isolated"', 'Extra key "isolated"'),
    "a value of another type": (
        OF_KARPENTER,
        '"adopt": self.is_adopted',
        '"adopt": "yes"',
        'TypedDict item "adopt" has type "bool"',
    ),
    "an input that a part needs": (OF_KARPENTER, '            "node_role_arns": LATER,\n', "", 'Missing key "node_role_arns"'),
    "a plain value that comes later": (OF_KARPENTER, '"node_pools": node_pools', '"node_pools": LATER', 'has type "list[str]"'),
    "the inputs of another part": (OF_KARPENTER, "-> InterruptionArgs", "-> DiscoveryArgs", "Incompatible return value type"),
    "an input that the call does not have": (
        OF_KARPENTER,
        '"static_profile", ',
        '"static_profiles", ',
        "Incompatible return value",
    ),
    "a name that a part of AKS does not know": (
        OF_AKS,
        '"own_kubelet_identity": inputs',
        '"kubelet": inputs',
        'Extra key "kubelet"',
    ),
    "a name in one of two parts": (OF_BOTH, "vpc_id=vpc", "vpc=vpc", 'Unexpected keyword argument "vpc"'),
    "common inputs that a part lacks": (
        OF_BOTH,
        'self._bound(args)\n        if "tags"',
        'self._tag(args)\n        if "tags"',
        "Tagged",
    ),
}


@needs_pinned("pulumi_aws", "pulumi_azure_native", "pulumi_eks", "pulumi_kubernetes")
def test_the_stubs_are_those_of_the_installed_sdks():
    """`python -m tools.stubs.generate` after a change of an SDK, or of what components use."""
    written = {path.relative_to(HERE).as_posix(): path.read_text() for path in HERE.rglob("*.pyi")}
    current = generate()
    assert sorted(written) == sorted(current)
    assert [path for path in current if current[path] != written[path]] == []


@pytest.fixture(scope="module")
def checked(tmp_path_factory) -> dict[str, list[str]]:
    """What one run of the type check says of all snippets, by file."""
    folder = tmp_path_factory.mktemp("snippets")
    snippets = {"right": RIGHT}
    for number, (old, new, _) in enumerate(BROKEN.values()):
        assert RIGHT.count(old) == 1
        snippets[f"broken{number}"] = RIGHT.replace(old, new)
    for number, (module, old, new, _) in enumerate(BROKEN_PARTS.values()):
        assert module.count(old) == 1
        snippets[f"parts{number}"] = module.replace(old, new)
    for name, text in snippets.items():
        (folder / f"{name}.py").write_text(text)
    files = [str(folder / f"{name}.py") for name in snippets]
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        str(ROOT / "pyproject.toml"),
        "--cache-dir",
        str(ROOT / ".mypy_cache"),
    ]
    answer = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True)
    errors = [line for line in answer.stdout.splitlines() if ": error: " in line]
    return {name: [line for line in errors if f"{name}.py:" in line] for name in snippets}


@pytest.mark.typed
def test_right_inputs_pass_the_type_check(checked):
    assert checked["right"] == []


@pytest.mark.typed
@pytest.mark.parametrize("number", range(len(BROKEN)), ids=list(BROKEN))
def test_a_wrong_input_fails_the_type_check(checked, number):
    expected = list(BROKEN.values())[number][2]
    assert any(expected in line for line in checked[f"broken{number}"]), checked[f"broken{number}"]


@pytest.mark.typed
@pytest.mark.parametrize("number", range(len(BROKEN_PARTS)), ids=list(BROKEN_PARTS))
def test_a_wrong_input_between_parts_fails_the_type_check(checked, number):
    expected = list(BROKEN_PARTS.values())[number][3]
    assert any(expected in line for line in checked[f"parts{number}"]), checked[f"parts{number}"]


def test_parts_pass_no_mapping_of_anything_to_one_another():
    """What joins the parts takes and returns the inputs that each part declares."""
    untyped = []
    for path in (path for name in JOINING for path in sorted((COMPONENTS / "aws").glob(f"{name}.py"))):
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef):
                annotations = [argument.annotation for argument in function.args.args] + [function.returns]
                texts = [ast.unparse(annotation) for annotation in annotations if annotation is not None]
                untyped += [
                    f"{path.name}: {function.name}" for text in texts if text in ("Mapping[str, Any]", "dict[str, Any]")
                ]
    assert untyped == []


def test_no_component_hides_inputs_from_the_type_check():
    """Inputs come by name: a mapping of anything behind ** would be checked for nothing."""
    hidden = []
    for path in sorted(COMPONENTS.rglob("*.py")):
        tree = ast.parse(path.read_text())
        imports = [alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        aliases = {alias.asname or alias.name for alias in imports if alias.name in SDKS}
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and ast.unparse(call.func).split(".")[0] in aliases:
                names = [ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg is None]
                hidden += [f"{path.name}: {ast.unparse(call.func)}(**{name})" for name in names]
    # What users give for ManagedCluster beside what Cutlist knows is compared with the SDK when the stack is built.
    assert hidden == ["inputs.py: azure.containerservice.ManagedCluster(**further)"]
