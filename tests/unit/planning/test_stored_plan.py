"""Plans that were written down read back, and what is not a plan is refused by the name of its file."""

from __future__ import annotations

import json

import pytest

from cutlist.core.errors import InputError
from cutlist.planning.stored_plan import read_plan
from cutlist.report import yaml
from cutlist.verbs.plan.json import plan_json
from tests.unit.report.samples import LAUNCHED, PLAN


@pytest.mark.parametrize("plan", [PLAN, LAUNCHED])
def test_a_plan_reads_back_from_json_and_from_yaml(tmp_path, plan):
    (tmp_path / "plan.json").write_text(plan_json(plan))
    (tmp_path / "plan.yaml").write_text(yaml.from_json(plan_json(plan)))
    assert read_plan(tmp_path / "plan.json") == plan
    assert read_plan(str(tmp_path / "plan.yaml")) == plan


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("{}", "has no plan", id="an object"),
        pytest.param("[1, 2]", "has no plan", id="a list"),
        pytest.param("7", "has no plan", id="a number"),
        pytest.param("", "holds nothing; allowed: one plan", id="nothing"),
        pytest.param("a: 1\n---\nb: 2\n", "2 documents", id="two documents"),
        pytest.param('{"version": 1, "region": ', "plan.yaml", id="a part of a file"),
        pytest.param('{"version": 99}', "version 99", id="a plan of a later version"),
    ],
)
def test_what_is_no_plan_is_refused_with_its_file(tmp_path, text, message):
    file = tmp_path / "plan.yaml"
    file.write_text(text)
    with pytest.raises(InputError) as refused:
        read_plan(file)
    (problem,) = refused.value.problems
    assert message in str(problem)
    assert problem.place.source == str(file)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.json"):
        read_plan(tmp_path / "nowhere.json")


def test_standard_input_may_hold_the_plan():
    assert read_plan("-", plan_json(PLAN).encode()) == PLAN


def test_of_a_preview_it_is_the_first_plan(tmp_path):
    (tmp_path / "preview.json").write_text(json.dumps({"plans": [json.loads(plan_json(plan)) for plan in (LAUNCHED, PLAN)]}))
    assert read_plan(tmp_path / "preview.json") == LAUNCHED


def test_a_folder_is_no_plan(tmp_path):
    """And is refused as that, not as one without manifests."""
    with pytest.raises(InputError, match="cannot be read: is a directory"):
        read_plan(tmp_path)
