"""Objects that are tested as a whole have the mistakes that looking at each of their paths finds."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.core.shapes import Fields, Paths, Report, Rule, quick_test_of
from cutlist.documents.parsing import given_documents
from cutlist.state import checks, statuses
from cutlist.workloads import check
from tests.unit.workloads.whole_objects import NODE, NODE_CLAIM, POD, changed

KINDS: dict[str, tuple[Rule, dict[str, Any]]] = {
    "Pod": (check.fields_shape("Pod"), POD),
    "Node": (check.fields_shape("Node"), NODE),
    "Node of a cluster": (checks._RULES["Node"], NODE),
    "NodeClaim": (checks._RULES["NodeClaim"], NODE_CLAIM),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_test_lets_pass_what_has_no_mistake_and_nothing_else(name: str, monkeypatch: pytest.MonkeyPatch):
    rule, whole = KINDS[name]
    variants = [whole, *changed(whole)]
    test = quick_test_of(rule)
    assert test is not None
    tested, found = [test(value) for value in variants], [_mistakes(rule, value) for value in variants]
    monkeypatch.setattr(Fields, "_fits", lambda _, __: False)
    assert [_mistakes(rule, value) for value in variants] == found
    assert [value for value, passes, mistakes in zip(variants, tested, found, strict=True) if passes and mistakes] == []
    assert tested[0]
    assert sum(tested) > len(variants) // 20


@pytest.mark.parametrize("whole", [POD, NODE, NODE_CLAIM], ids=lambda whole: whole["kind"])
def test_a_status_that_passes_its_test_is_kept_whole(whole: dict[str, Any], monkeypatch: pytest.MonkeyPatch):
    """Each part that cannot be read is left out as if none of it were tested as a whole."""
    documents = given_documents([of for of in changed(whole) if of.get("status") != whole["status"]], "d", Problems())
    assert documents
    at_once, one_by_one = Notes(), Notes()
    kept = statuses.with_readable_statuses(documents, at_once)
    monkeypatch.setattr(statuses, "_is_readable", lambda _: False)
    assert statuses.with_readable_statuses(documents, one_by_one) == kept
    assert at_once.all() == one_by_one.all()


def _mistakes(rule: Rule, value: Any) -> list[str]:
    problems = Problems()
    rule(value, "", Report(Paths(), problems))
    return [str(problem) for problem in problems.found]
