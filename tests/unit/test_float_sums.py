"""The type check refuses a built-in sum of what may be floats, and takes every other sum."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy import api

RULE = Path(__file__).parents[2] / "tools" / "stubs" / "float_sums.py"
HEAD = """\
from typing import Any
from fractions import Fraction
floats: list[float]
integers: dict[str, int]
both: list[int | float | None]
parts: list[Fraction]
anything: Any
class Price(float): ...
prices: list[Price]
"""
FLOATS = (
    "sum(floats)",
    "sum(prices)",
    "sum(n or 0 for n in both)",
    "sum(integers.values(), 0.0)",
    "sum(map(float, integers))",
    "sum(anything)",
    "round(sum(n / 2 for n in integers.values()), 2)",
    "max(sum(floats), 1.0)",
)
OTHERS = ("sum(integers.values())", "sum(map(len, integers))", "sum(n > 1 for n in floats)", "sum(parts)", "max(floats)")


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    """The expressions that the rule reports, checked in one run."""
    folder = tmp_path_factory.mktemp("rule")
    (folder / "mypy.ini").write_text(f"[mypy]\nplugins = {RULE}\n")
    program = folder / "program.py"
    program.write_text(HEAD + "".join(f"{text}\n" for text in (*FLOATS, *OTHERS)))
    output = api.run(["--config-file", str(folder / "mypy.ini"), "--cache-dir", str(folder / "cache"), str(program)])[0]
    lines = [int(line.split(":")[1]) for line in output.splitlines() if line.endswith("[float-sum]")]
    assert output.count(": error: ") == len(lines), output
    return [program.read_text().splitlines()[number - 1] for number in lines]


@pytest.mark.slow
def test_sums_of_what_may_be_floats_are_reported(refused):
    assert refused == list(FLOATS)
