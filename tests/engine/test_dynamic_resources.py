"""Resources that Python code provides, on a real engine: state refers to the code by name, and runs it again at destroy."""

from __future__ import annotations

from pathlib import Path

import pulumi
import pytest

from tests.engine.engine import Engine
from tests.engine.mark import Mark

pytestmark = pytest.mark.xdist_group("engine-dynamic")


def test_a_dynamic_resource_is_created_and_deleted_by_its_own_code(engine_with_plugins: Engine, tmp_path: Path):
    """Created with the update and deleted with the destroy, for which the program does not run."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    engine = engine_with_plugins
    engine.host_dynamic_resources()
    mark = tmp_path / "mark"
    stack = engine.stack("dynamic", tmp_path, lambda: pulumi.export("path", Mark("mark", str(mark)).path))
    assert stack.up(color="never").outputs["path"].value == str(mark)
    assert mark.exists()
    assert "__provider" in str(stack.export_stack().deployment)
    stack.destroy(color="never")
    assert not mark.exists()
