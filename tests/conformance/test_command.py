"""The command that answers vectors."""

from __future__ import annotations

import json

import pytest

from tests.conformance.__main__ import KINDS, main
from tests.conformance.lookup import find_file
from tests.recorded import VECTORS

NAMED = "s001-mixed-suffixes"


def test_an_unknown_kind_is_refused(capsys):
    """A kind that does not exist ends with exit code 2 and a message that names those that do."""
    assert main(["nonsense", "x.json"]) == 2
    shown = capsys.readouterr().err
    assert "unknown kind 'nonsense'" in shown
    assert all(kind in shown for kind in KINDS)


def test_no_arguments_show_the_usage(capsys):
    """Without a kind there is the usage, and exit code 2."""
    assert main([]) == 2
    assert "usage: python -m tests.conformance" in capsys.readouterr().err


def test_one_bad_file_does_not_end_the_run(tmp_path, capsys):
    """A file that cannot be answered has a line with its error, and the next file is answered."""
    bad, good = tmp_path / "missing" / "adjusted-prices.json", tmp_path / "adjusted-prices.json"
    good.write_text('[{"price": 2, "change": "+1"}]')
    assert main(["algebra", str(bad), str(good)]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["file"] == str(bad)
    assert "FileNotFoundError" in first["error"]
    assert second == {"file": str(good), "answer": {"0": {"result": 3.0}}}


def of_the_record(name: str) -> str:
    """A recorded scenario that names its instance types."""
    text = (VECTORS / "scheduling" / f"{name}.json").read_text()
    assert isinstance(json.loads(text)["instanceTypes"], str)
    return text


def test_a_scenario_may_lie_anywhere(tmp_path, capsys, monkeypatch):
    """What it names is found among the project's own answers."""
    monkeypatch.delenv("CUTLIST_VECTORS", raising=False)
    (tmp_path / "anywhere.json").write_text(of_the_record(NAMED))
    assert main(["schedule", str(tmp_path / "anywhere.json")]) == 0
    recorded = main(["schedule", str(VECTORS / "scheduling" / f"{NAMED}.json")])
    assert recorded == 0
    here, there = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert here["answer"] == there["answer"]


def test_files_beside_a_scenario_come_first(tmp_path, monkeypatch):
    """Then those of the folders above it, then `$CUTLIST_VECTORS`, then the project's own."""
    names = ("beside", "above", "above/vectors", "named")
    folders = {name: tmp_path / name for name in names}
    monkeypatch.setenv("CUTLIST_VECTORS", str(folders["named"]))
    scenario = folders["above"] / "inner" / "scenario.json"
    assert find_file(scenario, "types/tiny.json") == VECTORS / "types" / "tiny.json"
    for folder in (folders["named"], folders["above/vectors"], folders["above"], scenario.parent):
        (folder / "types").mkdir(parents=True)
        (folder / "types" / "tiny.json").write_text("[]")
        assert find_file(scenario, "types/tiny.json") == folder / "types" / "tiny.json"
    with pytest.raises(FileNotFoundError, match=r"types/none\.json: not beside"):
        find_file(scenario, "types/none.json")
