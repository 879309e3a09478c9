"""Mistakes in an EC2NodeClass as a stranger meets them: the line, the path, what is allowed, and nothing but that."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def make(*changes: tuple[str, str], extra: str = "") -> tuple[int, str, str]:
        text = NODE_CLASS.lstrip()
        for old, new in changes:
            text = text.replace(old, new)
        (tmp_path / "class.yaml").write_text(text + extra)
        (tmp_path / "rest.yaml").write_text("\n---\n".join((pool(), deployment())))
        result = CliRunner().invoke(
            main, ["plan", "-f", "class.yaml", "-f", "rest.yaml", "--region", "us-west-2", "--width", "200"]
        )
        return result.exit_code, result.stdout, " ".join(result.stderr.split())

    return make


@pytest.mark.parametrize(
    ("alias", "reported"),
    [
        ("ubuntu@latest", "bottlerocket"),
        ("al2032@latest", "did you mean al2023@latest?"),
        ("al2023", "did you mean al2023@latest?"),
        ("windows2022@v1", "did you mean windows2022@latest?"),
    ],
)
def test_an_unknown_alias(run, alias, reported):
    """The line and the path of the term, the families that there are or the nearest alias; exit code 2 and no plan."""
    code, out, err = run(("al2023@v20260625", alias))
    assert (code, out) == (2, "")
    assert "class.yaml:6 spec.amiSelectorTerms[0].alias: " in err
    assert reported in err
    assert err.endswith("Found 1 problem.")


def test_a_block_device_without_size(run):
    """Neither a size nor a snapshot to take it from: what to write is in the message."""
    code, out, err = run(extra="  blockDeviceMappings: [{deviceName: /dev/xvda, ebs: {volumeType: gp3}}]\n")
    assert (code, out) == (2, "")
    assert "class.yaml:9 spec.blockDeviceMappings[0].ebs: snapshotID or volumeSize must be defined" in err
    assert "volumeSize" in err.partition("did you mean ")[2]


def test_no_pods_at_all(run):
    """Valid, and no node is of any use: the plan says so above all else, with exit code 0."""
    code, out, err = run(extra="  kubelet: {maxPods: 0}\n")
    assert (code, err) == (0, "")
    assert "pending  1 pod of deployment/web: NodePool general: the pod needs room for 1 pod and the largest" in out
    assert "  - EC2NodeClass default: spec.kubelet.maxPods is 0, so its nodes take no pod" in out
