"""The recorded answers of the AWS provider 1.15.1 and of its API objects, one test a file, judged as those of 1.14 are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.conformance import api_hash, api_validate, aws_launch, aws_types, aws_userdata, score
from tests.recorded import VECTORS

ROOT = VECTORS / "1.15"


def files(kind: str) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in score.files_of(kind, ROOT)]


ANSWERS: Final[Mapping[str, Callable[[Path], dict[str, object]]]] = {
    # VA15-1 to VA15-11: the open kubelet; VA15-92: sharing of GPUs; VA15-116, VA15-117: words; V15-60, V15-61: disruption.
    "validate": api_validate.answer,
    "hash": api_hash.answer,  # VA15-20 to VA15-23
    # VA15-30 to VA15-38: expressions; VA15-50: enclaves; VA15-60, VA15-61: reservations; VA15-80, VA15-81: tables.
    "aws-types": aws_types.answer,
    "aws-launch": aws_launch.answer,  # VA15-51, VA15-52, VA15-62 to VA15-66, VA15-70, VA15-91
    "aws-userdata": aws_userdata.answer,  # VA15-40 to VA15-44: settings of the kubelet; VA15-71: Bottlerocket's.
}


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in ANSWERS for name in files(kind)])
def test_every_answer_of_1_15_is_right(kind: str, name: str) -> None:
    """Whatever the recorded cases of a file have: verdicts, hashes, lists of types, requests, user data."""
    answer = ANSWERS[kind](ROOT / name)
    assert not {case: d for case, d in score.cases_of(kind, ROOT / name, answer) if d}


def test_there_are_files_of_every_kind():
    """The tests above look at something."""
    assert all(map(files, ANSWERS))
