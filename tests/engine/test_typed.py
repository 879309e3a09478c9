"""This repository's own project, with the commands that its pages have, typed where `Pulumi.yaml` is.

What starts the program is a stand-in for Pulumi's language host; it runs the script that the real one runs.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.engine.engine import ROOT, Engine, copied
from tests.engine.language_host import PYTHON_RUNNER

pytestmark = [
    pytest.mark.xdist_group("engine-typed"),
    pytest.mark.skipif(not PYTHON_RUNNER.exists(), reason="`make engine` was not run"),
]


def test_a_stack_is_previewed_made_and_removed_as_the_page_has_it(engine_with_plugins: Engine, tmp_path: Path):
    """The program runs by itself, and its user sees the plan, also under --diff."""
    engine = engine_with_plugins
    engine.host("python")
    project = copied(tmp_path / "project")

    def typed(*command: str) -> str:
        result = engine.run(*command, "--color", "never", folder=project)
        return result.stdout + result.stderr

    assert "Created stack 'auto'" in typed("stack", "init", "auto")
    preview = typed("preview", "--diff", "--policy-pack", str(ROOT / "policies"))
    assert len(re.findall(r" a month: .* in eu-west-1", preview)) == 1
    assert "IF-18" in preview  # advice in development, as the stack says; without its gates it would end the preview
    assert "[mandatory]" not in preview
    assert engine.done() == []
    assert "in eu-west-1" in typed("up", "--yes", "--skip-preview")
    made = [urn for _, urn in engine.done()]
    assert "The resources in the stack have been deleted" in typed("destroy", "--yes", "--skip-preview")
    assert {urn for _, urn in engine.done()} <= set(made)
