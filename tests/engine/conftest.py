"""An engine for each group of tests, or a word about what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.engine import MISSING, Engine, available


@pytest.fixture(scope="module")
def engine_with_plugins(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """Return an engine of its own for the tests of a module, which starts its providers as users' engines do."""
    if not available():
        pytest.skip(MISSING)
    return Engine.made(tmp_path_factory.mktemp("engine"))


@pytest.fixture(scope="module")
def engine(engine_with_plugins: Engine) -> Iterator[Engine]:
    """Return an engine of its own for the tests of a module, attached to its providers."""
    with engine_with_plugins.attached() as engine:
        yield engine


@pytest.fixture
def project(engine: Engine, tmp_path: Path) -> Iterator[Path]:
    """An empty project in Python with a stack, which is removed after the test, so that the next one can have it."""
    engine.host("python")
    (tmp_path / "Pulumi.yaml").write_text("name: written\nruntime: python\n")
    engine.run("stack", "init", "dev", folder=tmp_path)
    yield tmp_path
    engine.run("stack", "rm", "dev", "--yes", "--force", folder=tmp_path)
