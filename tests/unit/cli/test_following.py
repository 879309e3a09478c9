"""`cutlist serve` and `cutlist plan --watch`: answers that follow the files, mistakes and all."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist.cli import main

_EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"
pytest.importorskip("watchfiles", reason="watchfiles, which notices changes, is not installed; the extra watch has it")


@pytest.fixture
def files(tmp_path) -> Path:
    """A folder with the NodePools and the workloads of the docs."""
    for name in ("pools.yaml", "app.yaml"):
        (tmp_path / name).write_text((_EXAMPLES / name).read_text())
    return tmp_path


@pytest.fixture
def started(files) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Runs a command on that folder until the test is over."""
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", "from cutlist.cli import main; main()", *arguments]
        given = ["-f", str(files), "--region", "us-west-2"]
        running.append(subprocess.Popen([*command, *given], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


def _line(process: subprocess.Popen[str], pattern: str) -> str:
    for line in process.stdout:
        if re.search(pattern, line):
            return line
    raise AssertionError(f"ended without {pattern!r}")


def _page(address: str, wanted: str) -> str:
    """The page at an address as soon as it has these words."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with urllib.request.urlopen(address) as answer:  # noqa: S310 - our own server
            text = answer.read().decode()
        if wanted in text:
            return text
        time.sleep(0.1)
    raise AssertionError(f"no page with {wanted!r}")


def test_the_served_page_follows_the_files_into_mistakes_and_out_of_them(started, files):
    process = started("serve", "--port", "0")
    address = re.search(r"http://127\.0\.0\.1:\d+/", _line(process, "http://")).group()
    app = (files / "app.yaml").read_text()
    assert "deployment/trainer" in _page(address, "<title>Plan for us-west-2</title>")
    (files / "app.yaml").write_text(app.replace("replicas: 12", "replicas: -12"))
    assert "-12" in _page(address, "problem in the files")
    (files / "app.yaml").write_text(app.replace("replicas: 12", "replicas: 24"))
    assert "for 24 pods" in _page(address, "<title>Plan for us-west-2</title>")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130


def test_a_watched_plan_is_written_anew_at_each_change(started, files):
    process = started("plan", "--watch")
    app = (files / "app.yaml").read_text()
    assert "for 12 pods" in _line(process, "^nodes ")
    (files / "app.yaml").write_text(app.replace("replicas: 12", "replicas: -12"))
    assert _line(process, "^Found 1 problem")
    (files / "app.yaml").write_text(app.replace("replicas: 12", "replicas: 24"))
    assert "for 24 pods" in _line(process, "^nodes ")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130


@pytest.mark.parametrize("arguments", [["serve"], ["plan", "--watch"]])
def test_standard_input_cannot_be_followed(arguments):
    result = CliRunner().invoke(main, [*arguments, "-f", "-", "--region", "us-west-2"], input="")
    assert result.exit_code == 2
    assert "standard input (-f -) can be read once only" in result.stderr


def test_only_text_is_watched():
    """Other forms are for programs, which could not tell one answer from the next; the page has a command of its own."""
    result = CliRunner().invoke(main, ["plan", "--watch", "-f", str(_EXAMPLES), "--region", "us-west-2", "-o", "html"])
    assert result.exit_code == 2
    assert "cutlist serve" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--region: no region is given"),
        (["--region", "us-wst-2"], "region 'us-wst-2' is not in the catalogue"),
        (["--region", "us-west-2", "--zone", "us-west-2x"], "zone 'us-west-2x' is not in us-west-2"),
    ],
)
def test_an_option_that_no_file_can_mend_is_refused_at_once(files, monkeypatch, arguments, said):
    """A page that says so for ever would help nobody."""
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    command = [sys.executable, "-c", "from cutlist.cli import main; main()", "serve", "-f", str(files), "--port", "0"]
    result = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 2
    assert said in result.stderr
