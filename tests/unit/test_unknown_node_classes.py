"""NodePools of a kind of node class that is not known: no answer takes them for pools without types, or their nodes as free."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main

POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: GROUP, kind: KIND, name: default}
      requirements: []
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: web, image: web, resources: {requests: {cpu: 1}}}]}
"""
NODE = """
---
apiVersion: v1
kind: Node
metadata:
  name: kwok-1
  creationTimestamp: "2026-01-01T00:00:00Z"
  labels:
    karpenter.sh/nodepool: general
    karpenter.sh/capacity-type: spot
    node.kubernetes.io/instance-type: c-4x
    topology.kubernetes.io/zone: us-west-2a
spec: {providerID: "kwok://1"}
status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata:
  name: general-1
  creationTimestamp: "2026-01-01T00:00:00Z"
  labels: {karpenter.sh/nodepool: general, karpenter.sh/capacity-type: spot, node.kubernetes.io/instance-type: c-4x}
spec: {nodeClassRef: {group: GROUP, kind: KIND, name: default}, requirements: []}
status: {providerID: "kwok://1", nodeName: kwok-1, conditions: [{type: Initialized, status: "True"}]}
"""


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Run a command on a NodePool of KWOK, or of another kind."""
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.chdir(tmp_path)

    def run(verb: str, *arguments: str, more: str = "", of: tuple[str, str] = ("karpenter.kwok.sh", "KWOKNodeClass")) -> Result:
        text = f"{POOL}{more}".replace("GROUP", of[0]).replace("KIND", of[1])
        (tmp_path / "objects.yaml").write_text(text)
        region = () if verb == "validate" else ("--region", "us-west-2")
        return CliRunner().invoke(main, [verb, "-f", "objects.yaml", *region, *arguments])

    return run


@pytest.mark.parametrize("verb", ["plan", "types", "suggest"])
def test_nothing_is_planned_for_an_unknown_kind_alone(ask, verb):
    """Nothing judged is no success."""
    result = ask(verb)
    assert result.exit_code == 2
    assert "objects.yaml:8 spec.template.spec.nodeClassRef.name: NodePool general refers to KWOKNodeClass" in result.stderr
    assert "allowed: EC2NodeClass of karpenter.k8s.aws, NodeClass of eks.amazonaws.com, AKSNodeClass of" in result.stderr


def test_a_misspelt_kind_is_a_warning_of_validate(ask):
    """An API server accepts it."""
    result = ask("validate", of=("karpenter.k8s.aws", "EC2NodeClas"))
    assert result.exit_code == 0
    assert "NodePool general refers to EC2NodeClas of karpenter.k8s.aws" in result.output
    assert "did you mean EC2NodeClass?" in result.output


def test_beside_nodes_an_unknown_kind_is_a_warning(ask):
    """A cluster may have several controllers; what is known of it is shown."""
    result = ask("plan", more=NODE)
    assert result.exit_code == 0
    text = "NodePool general has no instance types: KWOKNodeClass of karpenter.kwok.sh is a kind of node class"
    assert f"{text} that Cutlist does not know" in " ".join(result.output.split())
    assert "on offer" not in result.output


@pytest.mark.parametrize(
    ("verb", "arguments", "text"),
    [
        ("nodes", (), "of unknown price"),
        ("disrupt", (), "at an unknown price"),
        ("disrupt", ("-o", "markdown"), "at an unknown price"),
        ("disrupt", ("-o", "json"), '"unpricedNodes": 1'),
        ("interrupt", (), "unknown, as is that of each node"),
        ("interrupt", ("-o", "json"), '"unpricedNodes": 1'),
    ],
)
def test_a_node_of_unknown_price_is_not_free(ask, verb, arguments, text):
    result = ask(verb, *arguments, more=NODE)
    assert result.exit_code == 0, result.output
    assert text in result.output
    assert "$0.0000" not in result.output
    assert "NodePool not found" not in result.output
