"""Every recorded launch is answered as Karpenter's AWS provider answered it."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.shared import SHARED, VECTORS, needs_shared

pytestmark = needs_shared

#
FILES = sorted(path.name for path in (VECTORS / "aws-launch").glob("*.json")) if VECTORS else []


@pytest.fixture(scope="module")
def judge() -> Iterator[ModuleType]:
    """The comparison that comes with the vectors, which imports another from its folder."""
    assert SHARED is not None
    tools = SHARED / "tools"
    spec = importlib.util.spec_from_file_location("compare_launch", tools / "compare_launch.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tools))
        spec.loader.exec_module(module)
        yield module


@pytest.mark.parametrize("name", FILES)
def test_every_case_of_a_file_is_answered_right(judge: ModuleType, name: str):
    """All cases of the file get the recorded answer."""
    from tests.conformance import aws_launch

    assert VECTORS is not None
    path = VECTORS / "aws-launch" / name
    assert judge.diff_cases(json.loads(path.read_text()), aws_launch.answer(path)) == []
