"""`cutlist validate` and `cutlist userdata` with `--karpenter`: the rules of the chosen version."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cutlist_cli import main

CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: r
  amiSelectorTerms: [{alias: %s}]
  subnetSelectorTerms: [{tags: {a: b}}]
  securityGroupSelectorTerms: [{tags: {a: b}}]
  kubelet: %s
"""


@pytest.fixture
def run(tmp_path):
    def invoke(command, kubelet, *options, alias="al2023@v20260625"):
        file = tmp_path / "class.yaml"
        file.write_text(CLASS % (alias, kubelet))
        return CliRunner().invoke(main, [command, "-f", str(file), *options])

    return invoke


def test_a_class_that_1_15_does_not_take_is_a_mistake_by_then(run):  # VA15-11
    """It was accepted before."""
    assert run("validate", "{podsPerCore: 2}", "--karpenter", "1.14", alias="bottlerocket@v1.40.0").exit_code == 0
    refused = run("validate", "{podsPerCore: 2}", "--karpenter", "1.15", alias="bottlerocket@v1.40.0")
    assert refused.exit_code == 1
    assert "not ready and launches nothing" in " ".join(refused.output.split())


def test_expressions_need_their_gate(run):  # VA15-9
    """It is off by default."""
    options = ("--karpenter", "1.15.1")
    assert run("validate", "{maxPods: vcpus * 10}", *options).exit_code == 1
    assert run("validate", "{maxPods: vcpus * 10}", *options, "--feature-gate", "NodeClassCEL").exit_code == 0


def test_a_version_that_is_not_supported_is_wrong_use(run):
    """The supported ones are named."""
    refused = run("validate", "{}", "--karpenter", "9.9")
    assert refused.exit_code == 2
    assert "1.14, 1.15" in refused.output


def test_user_data_has_the_results_for_the_instance_type(run):  # VA15-43
    """Which is needed then."""
    cluster = ("--cluster-name", "demo", "--endpoint", "https://demo.example", "--service-cidr", "10.0.0.0/16")
    options = ("--karpenter", "1.15", "--feature-gate", "NodeClassCEL", *cluster)
    kubelet = "{maxPods: vcpus * 10, kubeReserved: {cpu: vcpus * 30}}"
    assert run("userdata", kubelet, *options).exit_code == 2
    text = run("userdata", kubelet, *options, "--instance-type", "m5.xlarge", "--region", "us-west-2").output
    assert "maxPods: 40" in text
    assert "cpu: 120m" in text


POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large]}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 9
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web, resources: {requests: {cpu: 10m}}}]}
"""


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "pool.yaml").write_text(POOL)

    def invoke(kubelet, *options, region="us-west-2"):
        (tmp_path / "class.yaml").write_text(CLASS % ("al2023@v20260625", kubelet))
        return CliRunner().invoke(main, ["plan", "-f", str(tmp_path), "--region", region, "-o", "json", *options])

    return invoke


def test_a_plan_has_the_expressions_of_its_classes_where_their_gate_is_on(plan):  # VA15-30 VA15-37
    """Three pods a node in place of 29."""
    kubelet, karpenter = "{maxPods: vcpus + 1}", ("--karpenter", "1.15")
    plans = plan(kubelet, *karpenter, "--feature-gate", "NodeClassCEL"), plan("{}", *karpenter)
    assert [json.loads(planned.stdout)["totals"]["nodes"] for planned in plans] == [3, 1]
    assert plan(kubelet, *karpenter).exit_code == 2


def test_a_gate_that_means_nothing_is_refused(plan):  # VA15-110
    """Under a release without it, and in the other cloud."""
    before = plan("{}", "--karpenter", "1.14", "--feature-gate", "DRAEFA")
    assert before.exit_code == 2
    assert before.output.startswith("--feature-gate: Karpenter 1.14 has no feature gate DRAEFA of AWS\n")
    assert "allowed: a later version, since 1.15 has it" in before.output
    elsewhere = plan("{}", "--karpenter", "1.15", "--feature-gate", "DRAEFA", region="eastus")
    assert "DRAEFA of Karpenter's AWS provider, in a location of Azure" in elsewhere.output


CLAIM = """
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata:
  name: default-1
  labels: {karpenter.sh/nodepool: default}
  annotations: {karpenter.k8s.aws/ec2nodeclass-hash: "1", karpenter.k8s.aws/ec2nodeclass-hash-version: v5}
spec:
  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
  requirements: []
"""


def test_hashes_that_another_karpenter_wrote_are_a_warning(plan, tmp_path):  # VA15-24
    """So that nobody who runs 1.14 takes it that an edit of a class replaces nothing."""
    (tmp_path / "claim.yaml").write_text(CLAIM)
    texts = {
        karpenter: [w["text"] for w in json.loads(plan("{}", "--karpenter", karpenter).stdout)["warnings"]]
        for karpenter in ("1.14", "1.15")
    }
    said = "1 NodeClaim carries a hash of version v5, as Karpenter 1.14 writes"
    assert [any(text.startswith(said) for text in reported) for reported in texts.values()] == [False, True]
