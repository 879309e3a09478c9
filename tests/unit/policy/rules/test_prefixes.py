"""The prefix of a rule's id leads to the folder of the rule and to the file of its guide, by the table in CONTRIBUTING.md."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
import yaml

from cutlist.policy.gates.own import OWN
from cutlist.policy.registry import ALL
from tests.recorded import PROJECT

FOLDERS = dict(re.findall(r"^\| `([A-Z]{2})` \| `(\w+)` \|", (PROJECT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE))


def test_the_table_has_every_prefix():
    """Those of the gates themselves are in one module, which the text below the table names."""
    assert {rule.id[:2] for rule in ALL} == FOLDERS.keys()
    assert {rule.id[:2] for rule in OWN} == {"GT"}


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
def test_a_rule_lies_in_the_folder_of_its_prefix(rule):
    folder = FOLDERS[rule.id[:2]]
    assert rule.check.__module__.startswith(f"cutlist.policy.rules.{folder}.")


@pytest.mark.parametrize(("prefix", "folder"), FOLDERS.items())
def test_the_guides_of_a_prefix_are_in_the_file_of_its_folder(prefix, folder):
    """Sorted by id."""
    guides = yaml.safe_load(files("cutlist.policy.guides").joinpath(f"{folder}.yaml").read_text("utf-8"))
    assert list(guides) == sorted(rule.id for rule in ALL if rule.id.startswith(prefix))
