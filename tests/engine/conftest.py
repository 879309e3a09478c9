"""An engine for each group of tests, or a word about what is missing."""

from __future__ import annotations

import pytest

from tests.engine.engine import MISSING, Engine, available


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """Return an engine of its own for the tests of a module."""
    if not available():
        pytest.skip(MISSING)
    return Engine.made(tmp_path_factory.mktemp("engine"))
