"""`cutlist simulate --record`: the passes and rounds of a run as files."""

from __future__ import annotations

import json

import pytest

from cutlist.core.errors import InputError
from cutlist.simulation.recording.recorder import DISRUPT, SCHEDULE, Recording
from cutlist_cli.simulate_record import RecordingFolder
from tests.unit.cli.test_simulate import run, trace


@pytest.mark.slow
def test_each_decision_of_a_run_has_its_files(tmp_path):
    """Scenarios name their types and their provider by files of the same folder."""
    folder = tmp_path / "rounds"
    result = run("--trace", trace(tmp_path, "time,deployment/web", "0,12", "1h,30"), "--record", str(folder))
    assert result.exit_code == 0, result.output
    passes, rounds = (sorted(folder.glob(f"*-{kind}.json")) for kind in (SCHEDULE, DISRUPT))
    assert f"recorded {len(passes)} passes of the provisioner and {len(rounds)} rounds of disruption" in result.stdout
    launches = [json.loads(file.with_suffix(".run.json").read_text())["claims"] for file in passes]
    assert any(claim["nodePool"] == "general" for claims in launches for claim in claims)
    for file in (*passes, *rounds):
        scenario = json.loads(file.read_text())
        assert scenario["provider"] in json.loads((folder / "providers.json").read_text())
        assert all((folder / types).is_file() for types in scenario["instanceTypesByNodePool"].values())
    again = run("--record", str(folder))
    assert (again.exit_code, again.stdout) == (2, "")
    assert "has files already" in again.stderr


def test_what_several_recordings_share_is_written_once(tmp_path):
    folder = RecordingFolder(str(tmp_path / "new"))
    for number in (1, 2):
        folder.add(Recording(f"{number}-{SCHEDULE}", SCHEDULE, {"number": number}, {}, {"types/a.json": [number]}))
    assert json.loads((tmp_path / "new/types/a.json").read_text()) == [1]
    assert json.loads((tmp_path / f"new/2-{SCHEDULE}.json").read_text()) == {"number": 2}
    assert (tmp_path / f"new/2-{SCHEDULE}.json").stat().st_mode & 0o077 == 0
    assert folder.summary.startswith("recorded 2 passes of the provisioner and 0 rounds")


@pytest.mark.slow
def test_the_recordings_of_a_run_in_parts_are_those_of_the_run_in_one(tmp_path):
    """The second part may go into the folder of the first, but not twice."""
    demand = ("--trace", trace(tmp_path, "time,deployment/web", "0,12", "1h,30"))
    assert run(*demand, "--record", str(tmp_path / "whole")).exit_code == 0
    parts, state = ("--record", str(tmp_path / "parts")), str(tmp_path / "state.json")
    assert run(*demand, *parts, "--until", "1h", "--save", state).exit_code == 0
    resumed = run(*demand, *parts, "--resume", state)
    assert resumed.exit_code == 0, resumed.stderr
    whole, split = (
        {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.json")}
        for folder in (tmp_path / "whole", tmp_path / "parts")
    )
    assert whole == split
    again = run(*demand, *parts, "--resume", state)
    assert again.exit_code == 2
    assert "json already; allowed: a folder without" in " ".join(again.stderr.split()).replace(" allowed:", "; allowed:")


def test_a_file_is_no_folder_for_recordings(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file; allowed: a new or an empty folder"):
        RecordingFolder(str(tmp_path / "file"))


def test_several_runs_are_not_recorded(tmp_path):
    result = run("--seeds", "2", "--record", str(tmp_path / "rounds"))
    assert result.exit_code == 2
    assert "--record is for a single run" in result.stderr
