"""The table of the layouts: what comes through of each, and what stays open."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.layouts.checkouts import checkout
from tests.layouts.expected import FOLDER, Answer, Run, answer, expected, layouts, options

PAGE = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- repositories: begin -->\n", "<!-- repositories: end -->\n"
_HEAD = "| repository | command | what comes through | what stays open |\n|---|---|---|---|\n"


def table() -> str:
    """Return the table: for each layout its first command, and the first that plans if that one does not."""
    return _HEAD + "".join(row for layout in layouts() for row in _rows(layout))


def _rows(layout: str) -> list[str]:
    """Return the rows of a layout."""
    title = (FOLDER / layout / "EXPECTED.md").read_text("utf-8").splitlines()[0].removeprefix("# ")
    rows = []
    for run in (run for run in expected(layout)[1] if run.words[0] == "plan"):
        given = _answer(run)
        if given.plan or not rows:
            words = " ".join(("cutlist", *options(run)))
            rows.append(f"| {title if not rows else ''} | `{words}` | {_through(given)} | {_open(given)} |\n")
        if given.plan:
            break
    return rows


def _answer(run: Run) -> Answer:
    """Return the answer of a command in a checkout of its layout."""
    with TemporaryDirectory() as top, checkout(run.layout, Path(top)) as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("XDG_CACHE_HOME", f"{top}/cache")
        return answer(options(run), with_plan=True)


def _through(given: Answer) -> str:
    """Say which pods are planned, or which environments are named."""
    if not given.plan:
        names = [line.partition(":")[0] for line in given.text.splitlines() if ": is " in line]
        return f"{', '.join(f'`{name}`' for name in names)}, with the command for each"
    pods = given.pods()
    pools = sorted({node["nodePool"] for node in given.plan["nodes"]})
    named = f"NodePool{'s' if len(pools) > 1 else ''} {', '.join(pools)}"
    return f"{sum(pods.values())} pods of {len(pods)} workload{'s' if len(pods) > 1 else ''}; {named}"


def _open(given: Answer) -> str:
    """Say what of the input is in no plan."""
    if not given.plan:
        return "all, until an environment is chosen"
    return ", ".join(f"`{each['what'].partition(' (')[0]}`" for each in given.plan["inputs"]["open"]) or "nothing"
