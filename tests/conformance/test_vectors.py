"""The recorded cases of algebra and of API objects, one test a file, judged by the vectors' own score program."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from cutlist import AKSNodeClass, CapacityBuffer, EC2NodeClass, NodeClaim, NodeOverlay, NodePool
from cutlist.api.model import without_nulls
from cutlist.core.errors import InputError, Layer
from cutlist.core.karpenter.baselines import BASELINES
from tests.conformance import algebra, api_hash, api_validate, convert, score
from tests.recorded import VECTORS

TYPES = {one.KIND: one for one in (AKSNodeClass, CapacityBuffer, EC2NodeClass, NodeClaim, NodeOverlay, NodePool)}

# S-1, S-2, S-3, S-4: quantities; S-13 to S-17, S-19 to S-22, S-25 to S-27: requirements; S-28, S-29: pod requirements.
FILES = sorted(algebra.QUESTIONS)

# Two messages list a Go map, in an order that changes from run to run: its members are compared, not their order.
RANDOM_LIST = re.compile(r"(?<=operator) (\S*) not in \[(.*?)\]|valid values from: \[(.*?)\]")


def in_any_order(message: str) -> str:
    return RANDOM_LIST.sub(lambda found: " ".join(sorted(re.findall(r"\w[\w-]*", found.group()))), message)


def ordered(answer: dict[str, Any], recorded: list[dict[str, Any]]) -> dict[str, Any]:
    """The answer with the recorded message where both say the same but for the order of a random list."""
    for number, case in enumerate(recorded):
        mine = answer[str(number)]
        if "error" in case and in_any_order(case["error"]) == in_any_order(mine["error"]):
            mine["error"] = case["error"]
    return answer


@pytest.mark.parametrize("name", FILES)
def test_every_case_of_a_file_is_answered_right(name):
    """All cases of the file get the recorded answer."""
    path = VECTORS / "algebra" / f"{name}.json"
    answer = algebra.answer(path)
    if name == "validation":
        answer = ordered(answer, json.loads(path.read_text()))
    wrong = {case: differences for case, differences in score.cases_of("algebra", str(path), answer) if differences}
    assert not wrong


def test_every_file_of_the_vectors_is_answered():
    """No file of the vectors is left out."""
    assert sorted(path.stem for path in (VECTORS / "algebra").glob("*.json")) == FILES


def api_files(*, of_hashes: bool) -> list[str]:
    """The files of API objects by folder and name; conversions are looked at elsewhere."""
    found = (path for path in sorted((VECTORS / "api").glob("*/*.json")) if path.parent.name != "convert")
    return [f"{path.parent.name}/{path.name}" for path in found if (path.parent.name == "hash") == of_hashes]


# V-1 to V-67, V-70 to V-94, V-96 to V-103, V-115 to V-120: verdicts, words, defaults, readiness; V-52, V-59 to V-62: budgets.
@pytest.mark.sampled(one_in=4, kinds=True)
@pytest.mark.parametrize("name", api_files(of_hashes=False))
def test_every_verdict_on_an_object_is_right(name):
    """Accepted or not, at which paths, in which words, what is stored, whether it is ready, its hash, what budgets let go."""
    path = VECTORS / "api" / name
    wrong = {case: d for case, d in score.cases_of("validate", str(path), api_validate.answer(path)) if d}
    assert not wrong


# V-132 V-133 V-134 V-135 V-136 H-1 H-2 H-3 H-4 H-5 H-6 H-7
@pytest.mark.parametrize("name", api_files(of_hashes=True))
def test_every_hash_is_right(name):
    """Of the stored object."""
    path = VECTORS / "api" / name
    wrong = {case: d for case, d in score.cases_of("hash", str(path), api_hash.answer(path)) if d}
    assert not wrong


def test_rows_that_name_another_have_its_hash():
    """H-2: what the vectors call the same is the same."""
    for name in api_files(of_hashes=True):
        path = VECTORS / "api" / name
        answers = api_hash.answer(path)
        named = [case for case in json.loads(path.read_text()) if "sameAs" in case]
        assert named
        assert [answers[case["name"]] for case in named] == [answers[case["sameAs"]] for case in named]


def accepted() -> list[Any]:
    """The objects of the vectors that the API server took and that are ready, each with its kind."""
    found = []
    for name in api_files(of_hashes=False):
        cases = [] if name.endswith("next.json") else json.loads((VECTORS / "api" / name).read_text())
        found += [case["object"] for case in cases if case["accepted"] and case.get("ready", True) and "old" not in case]
    return found


def test_what_karpenter_1_14_takes_is_read_and_written_back():
    """As it was, but for what we refuse on purpose; and what is stored of it is judged alike."""
    refused: dict[str, int] = {}
    for manifest in accepted():
        kind, problems = TYPES[manifest["kind"]], []
        try:
            read = kind.from_manifest(manifest, BASELINES[0])
        except InputError as error:
            problems = [p.layer for p in error.problems]
            refused[manifest["kind"]] = refused.get(manifest["kind"], 0) + 1
        assert set(problems) <= {Layer.LINT}
        if not problems:
            assert read.manifest() == without_nulls(manifest)
            assert kind.from_manifest(read.manifest(), BASELINES[0]) == read
            assert kind.from_manifest(read.stored(), BASELINES[0]).stored() == read.stored()
    assert refused.keys() <= {"NodePool", "EC2NodeClass", "CapacityBuffer"}


CONVERSIONS = sorted(path.stem for path in (VECTORS / "api" / "convert").glob("*.json"))


# V-122 V-123 V-124 V-126 V-127 V-128
@pytest.mark.parametrize("name", CONVERSIONS)
def test_every_conversion_of_a_file_is_that_of_the_webhook(name):
    """Verdict on the old object, conversion and verdict on the new one are as recorded, in both directions."""
    path = VECTORS / "api" / "convert" / f"{name}.json"
    answer = convert.answer(path)
    wrong = {case: differences for case, differences in score.cases_of("convert", str(path), answer) if differences}
    assert not wrong


def test_there_are_recorded_conversions():
    """The test above looks at something."""
    assert len(CONVERSIONS) == 3
