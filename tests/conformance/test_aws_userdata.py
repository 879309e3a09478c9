"""Every recorded user data, NodeClass hash, drift and set of tags is answered as Karpenter's AWS provider answered it."""

from __future__ import annotations

import json

import pytest

from cutlist.core.karpenter.baselines import BASELINES
from cutlist.providers.aws.node_class_hash import stored_hash
from tests.conformance.judges import launch as judge
from tests.recorded import VECTORS

# H-1
FILES = sorted(path.name for path in (VECTORS / "aws-userdata").glob("*.json"))


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("name", FILES)
def test_every_case_of_a_file_is_answered_right(name: str):
    """All cases of the file get the recorded answer, hashes to the last digit."""
    from tests.conformance import aws_userdata

    path = VECTORS / "aws-userdata" / name
    assert judge.diff_cases(json.loads(path.read_text()), aws_userdata.answer(path), hash_values=True) == []


def test_every_stored_class_has_the_recorded_hash():
    """The classes as an API server stores them have the hashes that Karpenter 1.14 computed."""
    # H-1, H-2
    rows = json.loads((VECTORS / "api" / "hash" / "ec2nodeclass.json").read_text())
    assert len(rows) > 50
    wrong = [
        r["name"] for r in rows if stored_hash(r["stored"]["spec"], r.get("caBundle") or "", BASELINES[0]) != str(r["hash"])
    ]
    assert wrong == []
