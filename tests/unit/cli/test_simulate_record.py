"""`cutlist simulate --record`: the passes and rounds of a run as files."""

from __future__ import annotations

import json

import pytest

from cutlist.core.errors import InputError
from cutlist.simulation.recording.recorder import DISRUPT, SCHEDULE, Recording
from cutlist_cli.simulate import RecordingFolder
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


@pytest.mark.thorough
@pytest.mark.slow
def test_a_round_that_is_not_validated_yet_is_left_to_the_run_that_goes_on(tmp_path):
    week = trace(tmp_path, "time,deployment/web", "0,2", "10m,60")
    result = run("--trace", week, "--until", "11m16s", "--record", str(tmp_path / "rounds"))
    assert result.exit_code == 0, result.output
    note = "the last round of disruption waits for its validation: the run that goes on records it"
    assert note in " ".join(result.stdout.split())


def test_what_several_recordings_share_is_written_once(tmp_path):
    folder = RecordingFolder(str(tmp_path / "new"))
    for number in (1, 2):
        folder.add(Recording(f"{number}-{SCHEDULE}", SCHEDULE, {"number": number}, {}, {"types/a.json": [number]}))
    assert json.loads((tmp_path / "new/types/a.json").read_text()) == [1]
    assert json.loads((tmp_path / f"new/2-{SCHEDULE}.json").read_text()) == {"number": 2}
    assert (tmp_path / f"new/2-{SCHEDULE}.json").stat().st_mode & 0o077 == 0
    assert folder.summary.startswith("recorded 2 passes of the provisioner and 0 rounds")


def test_the_second_part_of_a_run_goes_into_the_folder_of_the_first_but_not_twice(tmp_path):
    recordings = [Recording(f"{number}-{SCHEDULE}", SCHEDULE, {}, {}, {"types/a.json": []}) for number in (1, 2)]
    RecordingFolder(str(tmp_path / "new")).add(recordings[0])
    second = RecordingFolder(str(tmp_path / "new"), goes_on=True)
    second.add(recordings[1])
    assert second.summary.startswith("recorded 1 pass of the provisioner")
    with pytest.raises(InputError, match=f"has 2-{SCHEDULE}.json already; allowed: a folder without"):
        RecordingFolder(str(tmp_path / "new"), goes_on=True).add(recordings[1])


def test_a_file_is_no_folder_for_recordings(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file; allowed: a new or an empty folder"):
        RecordingFolder(str(tmp_path / "file"))


def test_several_runs_are_not_recorded(tmp_path):
    result = run("--seeds", "2", "--record", str(tmp_path / "rounds"))
    assert result.exit_code == 2
    assert "--record is for a single run" in result.stderr
