"""What a NodePlan and a stack read: files and folders, and what they say when nothing of it needs nodes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pulumi
import pytest
import yaml
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from tests.infrastructure.projects import ROOT, record, without_cluster

PROGRAM = """
import json, pathlib
from pulumi_cutlist.plan import NodePlan

NodePlan("nodes", {"region": "us-west-2", **json.loads(pathlib.Path("given.json").read_text())})
"""
POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: shared}
      requirements: [{key: kubernetes.io/os, operator: In, values: [linux]}]
  limits: {cpu: "100"}
"""


def plan(folder: Path, **given: object) -> Recording:
    (folder / "__main__.py").write_text(PROGRAM)
    (folder / "given.json").write_text(json.dumps(given))
    return Program(folder, folder, "shop", "dev").run(Mode.PREVIEW)


def refusal(folder: Path, **given: object) -> str:
    with pytest.raises(InputError) as error:
        plan(folder, **given)
    return str(error.value)


def pods(recording: Recording) -> int:
    [node_plan] = recording.of_type("cutlist:index:NodePlan")
    return sum(pool["pods"] for pool in node_plan.inputs["nodePools"].values())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """NodePools at the top, workloads below."""
    shutil.copytree(ROOT / "stacks/dev", tmp_path / "dev")
    return tmp_path


def test_workloads_in_subfolders_alone_are_no_plan(folder):
    message = refusal(folder, sources=["dev"])
    assert message.startswith("dev: no workload is in the input")
    assert message.endswith("or allow_empty")


def test_a_folder_of_subfolders_says_which_input_reads_them(folder):
    (folder / "dev/node-pools.yaml").rename(folder / "pools.yaml")
    message = refusal(folder, sources=["pools.yaml", "dev"])
    assert "allowed: recursive reads dev/workloads, or allow_empty" in message
    assert "--" not in message


def test_subfolders_are_read_where_that_is_asked_for(folder):
    assert pods(plan(folder, sources=["dev"], recursive=True)) == pods(plan(folder, sources=["dev", "dev/workloads"])) > 0


def test_a_plan_of_nothing_may_be_meant(folder):
    assert pods(plan(folder, sources=["dev"], allow_empty=True)) == 0


def test_pools_that_a_program_gives_need_no_workloads(folder):
    """Nothing was to be read, so nothing is missing."""
    node_class = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "shared"}}
    node_class["spec"] = {"role": "nodes", "amiSelectorTerms": [{"alias": "al2023@latest"}]}
    terms = [{"tags": {"karpenter.sh/discovery": "shop"}}]
    node_class["spec"] |= {"subnetSelectorTerms": terms, "securityGroupSelectorTerms": terms}
    assert pods(plan(folder, manifests=[yaml.safe_load(POOL), node_class])) == 0


def test_a_class_that_is_elsewhere_can_be_named(folder):
    """The mistake names the input and no option of the command line."""
    (folder / "pools.yaml").write_text(POOL)
    given = {"sources": ["pools.yaml", "dev/workloads/shop.yaml"]}
    message = refusal(folder, **given)
    assert "add the EC2NodeClass to the input, or name it with external_classes" in message
    assert "--" not in message
    assert pods(plan(folder, **given, external_classes=["shared"])) > 0


# VA15-9
def test_a_plan_is_made_with_the_gates_that_are_named(folder):
    """By the names that the charts' inputs have; what needs a gate that is off has no effect."""
    terms = [{"tags": {"a": "b"}}]
    spec = {"role": "nodes", "amiSelectorTerms": [{"alias": "al2023@latest"}], "kubelet": {"maxPods": "vcpus * 10"}}
    shared = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "shared"}}
    shared["spec"] = {**spec, "subnetSelectorTerms": terms, "securityGroupSelectorTerms": terms}
    given = {"manifests": [yaml.safe_load(POOL), shared], "allow_empty": True}
    assert plan(folder, **given, aws_feature_gates={"node_class_cel": True}).of_type("cutlist:index:NodePlan")
    assert "NodeClassCEL feature gate is disabled" in refusal(folder, **given)
    assert "aws_feature_gates.node_class" in refusal(folder, **given, aws_feature_gates={"node_class": True})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A stack whose workloads moved one folder down."""
    root = without_cluster(tmp_path)
    (root / "stacks/dev/workloads").rename(root / "stacks/dev/below")
    (root / "stacks/dev/workloads").mkdir()
    (root / "stacks/dev/below").rename(root / "stacks/dev/workloads/shop")
    return root


def test_a_stack_says_that_it_read_no_workload(project):
    with pytest.raises(pulumi.RunError) as error:
        record(project, "dev", Mode.PREVIEW)
    assert "stacks/dev/workloads: the folder holds no manifests; allowed: recursive reads " in str(error.value)
    assert "--" not in str(error.value)


def test_a_stack_whose_folder_has_no_workload_has_no_plan(project):
    (project / "stacks/dev/workloads/space.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
    with pytest.raises(pulumi.RunError, match="no workload is in the input"):
        record(project, "dev", Mode.PREVIEW)


def test_a_stack_reads_subfolders_where_its_file_says_so(project):
    file = project / "stacks/Pulumi.dev.yaml"
    file.write_text(file.read_text().replace("config:\n", "config:\n  cutlist:recursive: true\n", 1))
    assert pods(record(project, "dev", Mode.PREVIEW)) > 0


def test_a_stack_without_a_class_is_given_no_advice_that_it_cannot_take(project):
    file, pools = project / "stacks/Pulumi.dev.yaml", project / "stacks/dev/node-pools.yaml"
    file.write_text(file.read_text().replace("config:\n", "config:\n  cutlist:recursive: true\n", 1))
    pools.write_text(POOL)
    with pytest.raises(pulumi.RunError) as error:
        record(project, "dev", Mode.PREVIEW)
    assert str(error.value).endswith("allowed: add the EC2NodeClass to the input")
