"""Print how Cutlist reads each case beside the recorded answer, and how many of each verdict there are.

`python -m tests.conformance.gitops [FOLDER...]`: folders of cases; those of this package without one.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.conformance.gitops.cases import CASES, all_cases
from tests.conformance.gitops.judge import BOTH_STOP, SAME, judge


def main(folders: list[str]) -> None:
    """Print a line for each case, and what differs."""
    counts: Counter[str] = Counter()
    for case in [case for folder in folders or [str(CASES)] for case in all_cases(Path(folder))]:
        with tempfile.TemporaryDirectory() as work:
            verdict = judge(case, Path(work))
        counts[verdict.word] += 1
        print(f"{case.name:42} {verdict if verdict.word not in (SAME, BOTH_STOP) else verdict.word}")  # noqa: T201
    print(", ".join(f"{count} {word}" for word, count in counts.most_common()))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
