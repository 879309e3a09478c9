"""What Cutlist reads of small repositories, beside what the controllers' own code applies from them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.conformance.gitops.cases import Case, all_cases
from tests.conformance.gitops.judge import BOTH_STOP, NAMED, SAME, judge

PROGRAMS = Path(__file__).parents[2] / ".engine/bin"
"""Where `make helm` and `make kustomize` put what they build."""
LEFT_OUT: dict[str, str] = {}
"""Cases of which something is left out and named, each with the reason."""
NOT_YET: dict[str, str] = {
    "a01-list-of-elements": "left out and named",
    "a02-git-folders": "left out and named",
    "a03-git-files": "left out and named",
    "a04-matrix": "left out and named",
    "a05-merge": "left out and named",
    "a06-clusters": "left out and named",
    "a07-template-patch": "left out and named",
    "a08-missing-key": "left out and named",
    "a09-same-name-twice": "left out and named",
    "a10-sources-and-value-order": "left out and named",
    "a13-folders-of-files": "left out and named",
    "f07-strict-substitution": "wrong",
    "h05-charts-of-other-sources": "left out and named",
    "k02-file-outside-load-restrictions-none": "refused",
    "k12-helm-charts": "refused",
}
"""Cases that are read in another way than the controllers do, each with the difference."""


@pytest.fixture
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")


def _parameters() -> list[object]:
    marks = {name: pytest.mark.xfail(strict=True, reason=reason) for name, reason in NOT_YET.items()}
    return [pytest.param(case, id=case.name, marks=[marks[case.name]] if case.name in marks else []) for case in all_cases()]


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
