"""Programs that end early, hang, or lay hands on what watches them: no gate lets one pass, and each is told why."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.gates.programs import PROGRAMS, Hostile


def gated(folder: Path, program: str, *options: str, command: str = "gate") -> Result:
    (folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (folder / "Pulumi.dev.yaml").write_text("config: {}\n")
    (folder / "__main__.py").write_text(program)
    return CliRunner().invoke(main, [command, "--stack", "dev", "--project-dir", str(folder), *options])


@pytest.mark.parametrize("hostile", PROGRAMS, ids=lambda hostile: hostile.name)
def test_a_hostile_program_passes_no_gate(tmp_path: Path, hostile: Hostile) -> None:
    result = gated(tmp_path, hostile.program, "--time-limit", str(hostile.time_limit), "--width", "400")
    assert (result.exit_code, hostile.sentence in " ".join(result.output.split())) == (hostile.code, True), result.output
    assert "Traceback" not in result.output
    assert "should not have happened" not in result.output
