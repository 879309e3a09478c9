"""The command that answers vectors."""

from __future__ import annotations

import json

from tests.conformance.__main__ import KINDS, main


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
