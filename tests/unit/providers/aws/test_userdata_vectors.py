"""Every recorded user data, NodeClass hash, drift and set of tags is answered as Karpenter's AWS provider answered it."""

from __future__ import annotations

import importlib.util
import json
import sys
from types import ModuleType

import pytest

from cutlist.providers.aws.node_class_hash import stored_hash
from tests.shared import SHARED, VECTORS, needs_shared

pytestmark = needs_shared

# H-1
FILES = sorted(path.name for path in (VECTORS / "aws-userdata").glob("*.json")) if VECTORS else []


@pytest.fixture(scope="module")
def judge() -> ModuleType:
    """The comparison that comes with the vectors; it imports its neighbour by name."""
    assert SHARED is not None
    for name in ("compare_types", "compare_launch"):
        spec = importlib.util.spec_from_file_location(name, SHARED / "tools" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", FILES)
def test_every_case_of_a_file_is_answered_right(judge: ModuleType, name: str):
    """All cases of the file get the recorded answer, hashes to the last digit."""
    from tests.conformance import aws_userdata

    assert VECTORS is not None
    path = VECTORS / "aws-userdata" / name
    assert judge.diff_cases(json.loads(path.read_text()), aws_userdata.answer(path), hash_values=True) == []


def test_every_stored_class_has_the_recorded_hash():
    """The classes as an API server stores them have the hashes that Karpenter computed."""
    # H-1, H-2
    assert VECTORS is not None
    rows = json.loads((VECTORS / "api" / "hash" / "ec2nodeclass.json").read_text())
    assert len(rows) > 50
    wrong = [r["name"] for r in rows if stored_hash(r["stored"]["spec"], r.get("caBundle") or "") != str(r["hash"])]
    assert wrong == []
