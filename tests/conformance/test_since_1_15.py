"""The recorded answers of the AWS provider 1.15.1 and of its API objects, one test a file, judged as those of 1.14 are."""

from __future__ import annotations

import pytest

from tests.conformance import api_hash, api_validate, aws_launch, aws_types, aws_userdata, score
from tests.recorded import VECTORS

ROOT = VECTORS / "1.15"


def files(kind: str) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in score.files_of(kind, ROOT)]


def wrong(kind: str, name: str, answer: dict[str, object]) -> dict[str, list[str]]:
    return {case: d for case, d in score.cases_of(kind, ROOT / name, answer) if d}


# VA15-1 to VA15-11: the open kubelet; VA15-92: sharing of GPUs; VA15-116, VA15-117: words; V15-60, V15-61: disruption.
@pytest.mark.parametrize("name", files("validate"))
def test_every_verdict_of_1_15_is_right(name):
    """Accepted or not, at which paths, in which words, what is stored, whether it is ready, its hash."""
    assert not wrong("validate", name, api_validate.answer(ROOT / name))


# VA15-20 to VA15-23
@pytest.mark.parametrize("name", files("hash"))
def test_every_hash_of_1_15_is_right(name):
    """Of the stored object, in version v6."""
    assert not wrong("hash", name, api_hash.answer(ROOT / name))


# VA15-30 to VA15-38: expressions; VA15-50: enclaves; VA15-60, VA15-61: reservations; VA15-80, VA15-81: tables.
@pytest.mark.parametrize("name", files("aws-types"))
def test_every_list_of_types_of_1_15_is_right(name):
    """Requirements, capacity, overhead, offerings; or why the list is missing."""
    assert not wrong("aws-types", name, aws_types.answer(ROOT / name))


# VA15-51, VA15-52, VA15-62 to VA15-66, VA15-70, VA15-91
@pytest.mark.parametrize("name", files("aws-launch"))
def test_every_launch_of_1_15_is_right(name):
    """The request, its templates, the claim after it, what is remembered."""
    assert not wrong("aws-launch", name, aws_launch.answer(ROOT / name))


# VA15-40 to VA15-44: settings of the kubelet; VA15-71: Bottlerocket's.
@pytest.mark.parametrize("name", files("aws-userdata"))
def test_all_user_data_of_1_15_is_right(name):
    """And the hashes of the classes."""
    assert not wrong("aws-userdata", name, aws_userdata.answer(ROOT / name))


def test_there_are_files_of_every_kind():
    """The tests above look at something."""
    assert all(map(files, ("validate", "hash", "aws-types", "aws-launch", "aws-userdata")))
