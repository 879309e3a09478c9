"""The pages: every command that they show does what they say, and what they show of its answer is what it says today.

`python -m tests.unit.pages` writes today's answers into the pages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.sample import SHOP
from tests.unit.pages.blocks import PAGES, PROJECT, Shown, commands
from tests.unit.pages.elsewhere import ELSEWHERE, PRINTED
from tests.unit.pages.reader import reading

_SLOW: Final = frozenset({"showing", "suggest"})
"""Pages whose commands run for seconds."""
_THOROUGH: Final = frozenset({"simulation"})
"""Pages whose commands run for many seconds: tests of these commands read what they answer."""


def _marks(page: Path) -> list[pytest.MarkDecorator]:
    marks = [pytest.mark.xdist_group(page.as_posix())]
    marks += [pytest.mark.slow] * (page.stem in _SLOW)
    return marks + [pytest.mark.thorough] * (page.stem in _THOROUGH)


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=_marks(page), id=page.relative_to(PROJECT).as_posix())
        for page in PAGES
        if any(command.is_own for command in commands(page))
    ],
)
def test_what_a_page_says_comes_out(page: Path, tmp_path: Path) -> None:
    """A command ends with the exit code that the page shows, by default 0; only conversions report on standard error.

    What the page shows of answers and files is in them, character by character.
    """
    for part, answer in reading(page, tmp_path / "shop"):
        if not isinstance(part, Shown):
            assert answer.status in (part.status, None), f"{part.line}\n{answer.errors}"
            assert not answer.errors or "convert" in part.line, part.line
        elif part.file is not None:
            assert answer.output.endswith(part.text)
        else:
            assert part.text == part.part(answer.errors if part.is_error else answer.output)


def test_what_is_not_run_is_on_a_page() -> None:
    """Each reason not to run a command covers some command, and each stand-in for another program stands in for one."""
    programs = [program for page in PAGES for command in commands(page) for program in command.programs]
    own = [program.arguments for program in programs if program.arguments]
    assert [other for other in ELSEWHERE if not any(other.covers(arguments) for arguments in own)] == []
    lines = [" ".join(program.words) for program in programs]
    assert [beginning for beginning in PRINTED if not any(line.startswith(beginning) for line in lines)] == []


def test_the_readme_of_the_sample_project_says_what_each_file_is() -> None:
    """Whoever opens the folder finds every file and folder of it in a table, and nothing else."""
    linked = re.findall(r"\[[^]]*\]\(([\w.-]+)\)", (SHOP / "README.md").read_text("utf-8"))
    assert sorted(linked) == sorted(path.name for path in SHOP.iterdir() if path.name != "README.md")
