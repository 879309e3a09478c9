"""The first commands in repositories as teams lay them out answer as their EXPECTED.md says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.layouts.checkouts import checkout
from tests.layouts.expected import Run, answer, broken, expected, layouts, options
from tests.layouts.page import BEGIN, END, PAGE, table

RUNS = [run for layout in layouts() for run in expected(layout)[1]]


@pytest.mark.sampled(one_in=4, kinds=True)
@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run.layout}: {run.name}")
def test_the_answer_is_the_expected_one(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, programs: Callable[..., None]
) -> None:
    """F-1 to F-13, GO-1: each statement of the layout about this command."""
    if run.layout == "terraform-classes-git-pools":
        pytest.importorskip("hcl2")
    programs(*(name for name in ("helm", "kustomize") if f"--{name}" in run.words))
    with checkout(run.layout, tmp_path) as folder:
        monkeypatch.chdir(folder)
        given = answer(options(run), with_plan=run.needs_plan)
    assert broken(run.statements, given) == [], given.text


@pytest.mark.thorough
def test_the_page_has_the_table_of_all_layouts(programs: Callable[..., None]) -> None:
    """`python -m tests.layouts` writes it. It runs every command again that the tests above judge one by one."""
    pytest.importorskip("hcl2")
    programs("helm", "kustomize")
    assert PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0] == table()
