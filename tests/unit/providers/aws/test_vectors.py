"""Every recorded list of instance types is answered as Karpenter's AWS provider answered it."""

from __future__ import annotations

import importlib.util
import json
import sys
from types import ModuleType

import pytest

from tests.shared import SHARED, VECTORS, needs_shared

pytestmark = needs_shared

#
FILES = sorted(path.name for path in (VECTORS / "aws").glob("*.json")) if VECTORS else []


@pytest.fixture(scope="module")
def judge() -> ModuleType:
    """The comparison that comes with the vectors."""
    assert SHARED is not None
    spec = importlib.util.spec_from_file_location("compare_types", SHARED / "tools" / "compare_types.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", FILES)
def test_every_case_of_a_file_is_answered_right(judge: ModuleType, name: str):
    """All cases of the file get the recorded answer."""
    from tests.conformance import aws_types

    assert VECTORS is not None
    path = VECTORS / "aws" / name
    assert judge.diff_cases(json.loads(path.read_text()), aws_types.answer(path)) == []
