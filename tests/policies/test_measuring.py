"""What the measurement of gates prints."""

from __future__ import annotations

import re

import pytest

from tools.benchmarks.__main__ import main

pytestmark = pytest.mark.xdist_group("pack")


@pytest.mark.thorough
def test_the_pack_is_measured_beside_one_that_does_nothing(capsys: pytest.CaptureFixture[str]):
    """`make bench` is run by whoever releases; that a pack starts and answers is shown by other tests."""
    assert main(["gates", "-n", "1", "--stack", "dev"]) == 0
    shown = capsys.readouterr().out
    rows = re.findall(r"^\| ([\w' ]+) \| ([\d.]+) s \| ([\d.]+) ms \| ([\d.]+) ms \| (\S+) \|$", shown, re.MULTILINE)
    assert [name for name, *_ in rows] == ["one empty policy", "Cutlist's"]
    assert all(0 < float(average) <= float(slowest) for _, _, average, slowest, _ in rows)
    assert re.search(r"^500 resources without an engine: \d+\.\d{3} s of the processor$", shown, re.MULTILINE)
