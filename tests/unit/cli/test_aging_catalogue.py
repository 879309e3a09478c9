"""Values of NodePools that are newer than the catalogue, in every command: warned of, never refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist_cli import main

ROOT = Path(__file__).resolve().parents[3]
SNAPSHOT = ROOT / "docs/snapshots/demo.yaml"
VALUES = "{key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, m6i, c5, c7id]}"


@pytest.fixture
def pools(tmp_path: Path) -> Path:
    written = (ROOT / "docs/examples/pools.yaml").read_text()
    file = tmp_path / "pools.yaml"
    file.write_text(written.replace("requirements:\n", f"requirements:\n        - {VALUES}\n", 1))
    assert "c7id" in file.read_text()
    return file


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["plan", "-f", ROOT / "docs/examples/app.yaml"], True),
        (["types"], True),
        (["gate"], True),
        (["disrupt", "-f", SNAPSHOT], True),
        (["interrupt", "-f", SNAPSHOT], False),
        (["explain", "web", "-f", ROOT / "docs/examples/app.yaml"], False),
        (["validate"], False),
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
    old = ROOT / "docs/examples/pools.yaml"
    result = CliRunner().invoke(main, ["diff", str(old), str(pools), "--region", "us-west-2"])
    assert result.exit_code == 0, result.output
    assert "instance-family c7id; did you mean c7i?" in " ".join(result.stdout.split())
