"""Plans that were written down and then damaged: `diff` compares them, or names the file and the path."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.mutations import REMOVED, member_paths, mutated
from tests.unit.report.samples import PLAN

JUNK = ("text", -1, 1e308, None, ["a"], {"a": None}, REMOVED)


@pytest.mark.sampled(one_in=4)
@pytest.mark.slow
@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: "removed" if junk is REMOVED else repr(junk))
def test_a_mutated_plan_is_compared_or_refused(junk: Any, tmp_path: Path):
    """Exit code 0, or 2 with the file and the path of the member."""
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    data = PLAN.to_dict()
    before.write_text(json.dumps(data))
    for path in list(member_paths(data, most=1))[1:]:
        after.write_text(json.dumps(mutated(data, path, junk)))
        result = CliRunner().invoke(main, ["diff", str(before), str(after), "-o", "json"])
        assert result.exit_code in (0, 2), (path, result.output, result.stderr)
        if result.exit_code == 2 and path[0] != "version":
            assert "after.json" in result.stderr.replace("\n", ""), (path, result.stderr)
            assert path[0] in result.stderr, (path, result.stderr)
