"""Asking recorded questions again, with programs that stand for those of `tools/oracle/`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.conformance.reask import main, questions
from tests.conformance.score import files_of
from tests.recorded import VECTORS

NAME = "s001-mixed-suffixes"
# Writes beside each scenario the answer that the record has, as it was or without its claims.
PROGRAM = f"""#!{sys.executable}
import json, pathlib, sys
for file in map(pathlib.Path, sys.argv[3:]):
    answer = json.loads((pathlib.Path({str(VECTORS)!r}) / "scheduling" / f"{{file.stem}}.answer.json").read_text())
    if SPOILT:
        answer["claims"] = []
    file.with_name(f"{{file.stem}}.answer.json").write_text(json.dumps(answer))
"""


def program(folder: Path, *, spoilt: bool) -> str:
    file = folder / "schedule"
    file.write_text(PROGRAM.replace("SPOILT", str(spoilt)))
    file.chmod(0o755)
    return str(file)


def test_equal_answers_are_counted(tmp_path, capsys):
    """With the options before or after the names."""
    assert main(["schedule", "--program", program(tmp_path, spoilt=False), NAME]) == 0
    assert capsys.readouterr().out == "1 asked, 0 answered differently\n"


def test_a_different_answer_is_shown_and_written(tmp_path, capsys):
    """Question and new answer, in the form of the record."""
    folder = tmp_path / "new"
    assert main(["schedule", NAME, "--program", program(tmp_path, spoilt=True), "--write", str(folder)]) == 1
    shown = capsys.readouterr().out
    assert f"{NAME}.json {NAME}.json: " in shown
    assert shown.endswith("1 asked, 1 answered differently\n")
    assert json.loads((folder / f"{NAME}.answer.json").read_text())["claims"] == []
    assert (folder / f"{NAME}.json").is_file()


DEVICES = "count-two"
# The same for a scenario with devices, whose types it finds beside it.
OF_DEVICES = f"""#!{sys.executable}
import json, pathlib, sys
for file in map(pathlib.Path, sys.argv[3:]):
    assert (file.parent / json.loads(file.read_text())["instanceTypes"]).is_file()
    answer = json.loads((pathlib.Path({str(VECTORS)!r}) / "devices" / f"{{file.stem}}.answer.json").read_text())
    if SPOILT:
        answer["devices"] = {{}}
    file.with_name(f"{{file.stem}}.answer.json").write_text(json.dumps(answer))
"""


@pytest.mark.parametrize("spoilt", [False, True])
def test_devices_are_asked_again_with_their_types(spoilt, tmp_path, capsys):
    """Devices count as part of an answer."""
    file = tmp_path / "schedule"
    file.write_text(OF_DEVICES.replace("SPOILT", str(spoilt)))
    file.chmod(0o755)
    assert main(["devices", "--program", str(file), DEVICES]) == int(spoilt)
    assert capsys.readouterr().out.endswith(f"1 asked, {int(spoilt)} answered differently\n")


def test_objects_are_asked_of_the_program_for_their_provider():
    """Both together ask all, but for what only a CRD to come can answer."""
    aws, azure = set(questions("validate", VECTORS)), set(questions("validate-azure", VECTORS))
    assert not aws & azure
    assert aws | azure == {file for file in files_of("validate", VECTORS) if file.stem != "next"}
    assert {file.parent.name for file in azure} == {"aksnodeclass", "nodepool"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--program", sys.executable, "nosuch"], "no recorded file of kind schedule is called nosuch"),
        (["--program", "nowhere", NAME], "--program nowhere is not a program; tools/oracle/README.md says how to build one"),
    ],
)
def test_what_is_not_there_is_named(arguments, said, capsys):
    """With exit code 2, before anything is asked."""
    with pytest.raises(SystemExit) as end:
        main(["schedule", *arguments])
    assert end.value.code == 2
    assert said in capsys.readouterr().err
