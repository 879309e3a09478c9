"""The examples in docstrings give what they say."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["go_sort.lists", "go_sort.claim_order", "go_sort.nearly_sorted", "identity"])
def test_examples(name: str):
    """Each module has some."""
    result = doctest.testmod(importlib.import_module(f"cutlist.core.{name}"))
    assert result.attempted
    assert not result.failed
