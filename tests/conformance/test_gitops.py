"""What Cutlist reads of small repositories, beside what the controllers' own code applies from them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.conformance.gitops.cases import Case, all_cases
from tests.conformance.gitops.judge import BOTH_STOP, NAMED, SAME, judge
from tests.conformance.gitops.statements import SHOWN

PROGRAMS = Path(__file__).parents[2] / ".engine/bin"
"""Where `make helm` and `make kustomize` put what they build."""
LEFT_OUT: dict[str, str] = {
    "a10-sources-and-value-order": "one source is a chart of a repository",
    "a13-folders-of-files": "one folder has Jsonnet",
    "h05-charts-of-other-sources": "the charts are in repositories and registries",
}
"""Cases of which something is left out and named, each with the reason."""
OUTSIDE: dict[str, str] = {
    "f07-strict-substitution": "a gate of the controller that the repository does not hold",
    "k02-file-outside-load-restrictions-none": "an option of the command that the repository does not hold",
}
"""Cases that differ from others only in how the oracle is asked, each with what Cutlist cannot know."""


@pytest.fixture
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")


def _parameters() -> list[object]:
    marks = {name: pytest.mark.xfail(strict=True, reason=reason) for name, reason in OUTSIDE.items()}
    return [pytest.param(case, id=case.name, marks=[marks[case.name]] if case.name in marks else []) for case in all_cases()]


@pytest.mark.sampled(one_in=5, kinds=True)
@pytest.mark.slow
@pytest.mark.usefixtures("_programs")
@pytest.mark.parametrize("case", _parameters())
def test_what_is_read_is_what_the_controllers_apply(case: Case, tmp_path: Path) -> None:
    """The same workloads, or a refusal of both; what is not applied is named."""
    missing = [program for program in case.programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"needs {' and '.join(missing)}: `make {' '.join(missing)}` builds it")
    verdict = judge(case, tmp_path)
    assert verdict.word in ((NAMED,) if case.name in LEFT_OUT else (SAME, BOTH_STOP)), str(verdict)


def test_the_cases_of_a_statement_exist() -> None:
    """Whoever follows a number finds the repositories that show it."""
    known = {case.name for case in all_cases()}
    assert {name for names in SHOWN.values() for name in names} <= known


def test_most_cases_are_read_exactly() -> None:
    """Only a few are not, each for a reason that is named."""
    assert len(all_cases()) >= 150
    assert len(LEFT_OUT) + len(OUTSIDE) <= 5
