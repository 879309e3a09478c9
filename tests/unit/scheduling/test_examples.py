"""The examples in docstrings give what they say."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["claim_order", "nearly_sorted"])
def test_examples(name: str):
    """Each module has some."""
    result = doctest.testmod(importlib.import_module(f"cutlist.scheduling.{name}"))
    assert result.attempted
    assert not result.failed
