"""Plans that were written down and then damaged: `diff` compares them, or names the file and the path."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.unit.report.samples import PLAN

REMOVED = object()
JUNK = ("text", -1, 1e308, None, ["a"], {"a": None}, REMOVED)


def members(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each member, one of those in a list or mapping that are alike."""
    items = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, member in items:
        yield (*path, key)
        yield from members(member, (*path, key))


def mutated(data: Any, path: tuple[Any, ...], junk: Any) -> Any:
    data = copy.deepcopy(data)
    parent = data
    for key in path[:-1]:
        parent = parent[key]
    if junk is REMOVED:
        del parent[path[-1]]
    else:
        parent[path[-1]] = junk
    return data


@pytest.mark.slow
@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: "removed" if junk is REMOVED else repr(junk))
def test_a_mutated_plan_is_compared_or_refused(junk: Any, tmp_path: Path):
    """Exit code 0, or 2 with the file and the path of the member."""
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    data = PLAN.to_dict()
    before.write_text(json.dumps(data))
    for path in members(data):
        after.write_text(json.dumps(mutated(data, path, junk)))
        result = CliRunner().invoke(main, ["diff", str(before), str(after), "-o", "json"])
        assert result.exit_code in (0, 2), (path, result.output, result.stderr)
        if result.exit_code == 2 and path[0] != "version":
            assert "after.json" in result.stderr.replace("\n", ""), (path, result.stderr)
            assert path[0] in result.stderr, (path, result.stderr)
