"""Every recorded list of instance types is answered as Karpenter's AWS provider answered it."""

from __future__ import annotations

import json

import pytest

from tests.conformance.judges import types as judge
from tests.recorded import VECTORS

#
FILES = sorted(path.name for path in (VECTORS / "aws").glob("*.json"))


# Mixtures ask at random for what each of the other files asks for alone.
@pytest.mark.parametrize("name", [pytest.param(f, marks=[pytest.mark.thorough] * (f == "mixtures.json")) for f in FILES])
def test_every_case_of_a_file_is_answered_right(name: str):
    """All cases of the file get the recorded answer."""
    from tests.conformance import aws_types

    path = VECTORS / "aws" / name
    assert judge.diff_cases(json.loads(path.read_text()), aws_types.answer(path)) == []
