"""Standard streams that are closed, full or endless."""

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import signal
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist.documents.files import MAX_BYTES
from cutlist_cli import __main__, application, logs, main, terminal
from cutlist_cli.failures import failure


def test_a_full_disk_is_no_defect_of_cutlist():
    error = failure(OSError(errno.ENOSPC, "No space left on device"), "cutlist plan")
    assert (error.exit_code, error.message) == (2, "the answer cannot be written: no space left on device")


def test_an_error_of_the_system_that_is_no_stream_is_unexpected():
    assert failure(OSError(errno.ECHILD, "No child processes"), "cutlist plan").exit_code == 70


def test_without_standard_output_nothing_is_answered(monkeypatch: pytest.MonkeyPatch):
    written = io.StringIO()
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with pytest.raises(SystemExit) as end:
        __main__.run()
    assert (end.value.code, written.getvalue()) == (2, "error: standard output is closed, so the answer cannot be written\n")


def test_a_process_does_not_look_for_garbage_at_its_end(monkeypatch: pytest.MonkeyPatch):
    thresholds, at_end = [], []
    monkeypatch.setattr(gc, "set_threshold", lambda *counts: thresholds.append(counts))
    monkeypatch.setattr(atexit, "register", at_end.append)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(application, "main", lambda: None)
    __main__.run()
    assert (thresholds[0][0] >= 100_000, at_end) == (True, [gc.freeze])


def test_closed_input_and_errors_are_replaced(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert not __main__._lacks_output()
    assert sys.stdin.read() == ""
    print("lost", file=sys.stderr)  # noqa: T201 - it must not fail


def test_an_error_that_cannot_be_written_leaves_the_exit_code(monkeypatch: pytest.MonkeyPatch):
    """What standard error still holds then goes nowhere: it would fail again when the interpreter ends."""
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stderr", full)
        terminal.write_error("a message\n")
        assert os.path.samestat(os.fstat(full.fileno()), os.stat(os.devnull))


def test_standard_input_has_the_limit_of_a_file():
    text = b"# \n" * (MAX_BYTES // 3 + 100)
    result = CliRunner().invoke(main, ["plan", "-f", "-", "--region", "us-west-2"], input=text)
    assert (result.exit_code, "<stdin>: is larger than 128 MiB; split it" in result.stderr) == (2, True)


def test_a_log_has_a_limit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(logs, "_MAX_BYTES", 2**20)
    path = tmp_path / "karpenter.log"
    path.write_text("x" * (2**20 + 1))
    result = CliRunner().invoke(main, ["history", "-f", str(path)])
    assert (result.exit_code, "is larger than 1 MiB; split it" in result.stderr) == (2, True)


@pytest.mark.skipif(not os.path.ismount("/proc"), reason="this system has no /proc")
@pytest.mark.parametrize("words", [("validate", "-f"), ("history", "-f"), ("plan", "--region", "us-west-2", "-f")])
def test_files_of_the_system_are_refused(words: tuple[str, ...], tmp_path: Path):
    """Reading /proc/kmsg never ends, and /proc/self/environ holds secrets."""
    link = tmp_path / "pools.yaml"
    link.symlink_to("/proc/self/environ")
    for path in ("/proc/self/environ", str(link)):
        result = CliRunner().invoke(main, [*words, path])
        assert result.exit_code == 2
        assert "is a file of the system, which is not read" in " ".join(result.stderr.split())


def test_only_so_many_problems_are_shown(tmp_path: Path):
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n" * 1_500)
    result = CliRunner().invoke(main, ["validate", "-f", str(path)])
    assert "The first 1,000 are shown.\nFound 1,499 problems." in result.output


def test_a_working_folder_that_is_removed_is_no_defect():
    error = failure(FileNotFoundError(errno.ENOENT, "No such file or directory"), "cutlist plan")
    assert (error.exit_code, error.message) == (2, "the working folder no longer exists")
