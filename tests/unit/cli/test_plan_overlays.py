"""`cutlist plan --overlays-to`: the NodeOverlays for shared GPUs go into a file, and nothing is overwritten by mistake."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.sample import SHOP

SHARED = SHOP / "devices" / "shared.yaml"


def plan(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["plan", "--region", "us-west-2", *arguments])


def test_the_missing_overlays_are_written_beside_the_plan(tmp_path: Path) -> None:
    """The next plan, with the file, lacks none (GS-17)."""
    overlays = tmp_path / "overlays.yaml"
    result = plan("-f", str(SHARED), "--overlays-to", str(overlays))
    assert result.exit_code == 0
    assert "1 NodeOverlay is missing" in result.stdout
    assert "nvidia.com/gpu: '4'" in overlays.read_text()
    again = plan("-f", str(SHARED), "-f", str(overlays), "--overlays-to", str(tmp_path / "more.yaml"))
    assert again.exit_code == 2
    assert "there is no NodeOverlay to write" in again.output
    assert not (tmp_path / "more.yaml").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--all",), "--overlays-to is for one plan"),
        (("--watch",), "--overlays-to is for one plan"),
        ((), "one of the files that are read"),
    ],
)
def test_a_file_that_is_read_and_several_plans_are_refused(more: tuple[str, ...], message: str, tmp_path: Path) -> None:
    manifests = tmp_path / "shared.yaml"
    manifests.write_text(SHARED.read_text())
    result = plan("-f", str(manifests), "--overlays-to", str(manifests), *more)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
    assert manifests.read_text() == SHARED.read_text()


def test_a_file_in_a_folder_that_is_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "shared.yaml").write_text(SHARED.read_text())
    result = plan("-f", str(tmp_path), "--overlays-to", str(tmp_path / "overlays.yaml"))
    assert result.exit_code == 2
    assert not (tmp_path / "overlays.yaml").exists()
