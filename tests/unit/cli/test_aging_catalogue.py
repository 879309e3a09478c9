"""Values of NodePools that are newer than the catalogue, in every command: warned of, never refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist_cli import main

ROOT = Path(__file__).resolve().parents[3]
SNAPSHOT = ROOT / "examples/shop/snapshot.yaml"
VALUES = "{key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, m6i, c5, c7id]}"


@pytest.fixture
def pools(tmp_path: Path) -> Path:
    written = (ROOT / "examples/shop/pools.yaml").read_text()
    file = tmp_path / "pools.yaml"
    file.write_text(written.replace("requirements:\n", f"requirements:\n        - {VALUES}\n", 1))
    assert "c7id" in file.read_text()
    return file


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["plan", "-f", ROOT / "examples/shop/workloads.yaml"], True),
        (["types"], True),
        (["gate"], True),
        (["disrupt", "-f", SNAPSHOT], True),
        (["interrupt", "-f", SNAPSHOT], False),
        (["explain", "web", "-f", ROOT / "examples/shop/workloads.yaml"], False),
        (["validate"], True),
    ],
)
def test_no_command_refuses_a_family_that_it_does_not_know(pools: Path, command: list[str | Path], says: bool) -> None:
    """Karpenter accepts and ignores it; whoever shows warnings names it with the nearest known one."""
    region = [] if command == ["validate"] else ["--region", "us-west-2"]
    result = CliRunner().invoke(main, [*map(str, command), "-f", str(pools), *region])
    assert result.exit_code in ((0, 1) if command == ["gate"] else (0,)), result.output
    text = "no known EC2 instance type has karpenter.k8s.aws/instance-family c7id; did you mean c7i?"
    assert (text in " ".join(result.stdout.split())) is says


def test_a_diff_says_that_a_new_value_is_not_known(pools: Path) -> None:
    """The edit that brings the value brings the warning."""
    old = ROOT / "examples/shop/pools.yaml"
    result = CliRunner().invoke(main, ["diff", str(old), str(pools), "--region", "us-west-2"])
    assert result.exit_code == 0, result.output
    assert "instance-family c7id; did you mean c7i?" in " ".join(result.stdout.split())


_TWO_CLOUDS = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: x}
      requirements:
      - {key: karpenter.k8s.aws/instance-family, operator: In, values: [c7i, g7e]}
      - {key: topology.kubernetes.io/zone, operator: In, values: [us-west-2a, us-west-2z]}
      - {key: topology.kubernetes.io/region, operator: In, values: [us-west-9]}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: b}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: x}
      requirements:
      - {key: kubernetes.io/arch, operator: In, values: [amd64]}
      - {key: karpenter.azure.com/sku-family, operator: In, values: [D, QQ]}
      - {key: topology.kubernetes.io/zone, operator: In, values: [westus2-1, westus2-9]}
"""
_UNKNOWN_ANYWHERE = {
    "NodePool a: no known region has topology.kubernetes.io/region us-west-9; did you mean us-west-1?",
    "NodePool a: no known region has topology.kubernetes.io/zone us-west-2z; did you mean us-west-2a?",
    "NodePool b: no known VM size has karpenter.azure.com/sku-family QQ",
    "NodePool b: no known region has topology.kubernetes.io/zone westus2-9; did you mean westus2-1?",
}


def _warnings(*options: str) -> set[str]:
    result = CliRunner().invoke(
        main, ["validate", "-f", "-", "-o", "json", *options], input=_TWO_CLOUDS, env={"AWS_REGION": ""}
    )
    assert result.exit_code == 0, result.output
    return {warning["text"] for warning in json.loads(result.stdout)["warnings"]}


def test_without_a_region_values_are_looked_for_in_all_regions_of_the_cloud_of_each_node_pool() -> None:
    """A zone in those of the region that it names."""
    assert _warnings() == _UNKNOWN_ANYWHERE


def test_with_a_region_values_are_looked_for_in_it_and_those_of_another_cloud_in_all() -> None:
    warnings = _warnings("--region", "us-west-1")
    assert {text for text in warnings if text.startswith("NodePool b")} == {
        text for text in _UNKNOWN_ANYWHERE if text.startswith("NodePool b")
    }
    assert "NodePool a: no machine of us-west-1 has karpenter.k8s.aws/instance-family g7e" in warnings
    assert any(text.startswith("NodePool a: us-west-1 has no topology.kubernetes.io/zone us-west-2a") for text in warnings)


def test_a_region_that_is_not_known_is_refused_by_validate() -> None:
    result = CliRunner().invoke(main, ["validate", "-f", "-", "--region", "us-wst-2"], input=_TWO_CLOUDS)
    assert result.exit_code == 2
    assert "did you mean us-west-2?" in result.output
