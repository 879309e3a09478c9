"""The way from one Karpenter to another in steps, and the steps that cause a difference."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.karpenter.baselines import BASELINES, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.karpenter.steps import Cause, ReleaseStep, causes, steps_between
from tests.examples import examples

HASHES = Cause("hashes have another version", "VA15-20")
OLD, PATCH, _, NEW = BASELINES
SETS = st.frozensets(st.sampled_from(list(Behaviour)), max_size=6)


def caused(before: Baseline, after: Baseline, answer_of, differences) -> dict[str, tuple[str, ...]]:
    """The statements behind each difference."""
    steps = steps_between(before, after, HASHES)
    return {key: tuple(c.statements for c in of) for key, of in causes(before, steps, answer_of, differences).items()}


@pytest.mark.parametrize(("before", "after"), list(combinations(BASELINES, 2)))
def test_steps_lead_from_one_karpenter_to_the_other(before: Baseline, after: Baseline) -> None:
    """With one behaviour each, after hashes, gates and flags."""
    steps = steps_between(before, after, HASHES)
    known = [before, *(step.karpenter for step in steps)]
    assert replace(known[-1], release=after.release, aws_release=after.aws_release) == after
    sizes = [len(karpenter.behaviours) for karpenter in known]
    assert all(second - first == (step.cause != HASHES) for first, second, step in zip(sizes, sizes[1:], steps, strict=False))
    assert [step.cause for step in steps].count(HASHES) == (before.ec2_node_class_hash != after.ec2_node_class_hash)


def test_there_is_no_step_between_a_karpenter_and_itself() -> None:
    """And so no difference."""
    assert all(steps_between(baseline, baseline, HASHES) == () for baseline in BASELINES)
    assert causes(OLD, (), str, lambda *_: ["anything"]) == {}


@given(SETS)
@examples(0.3)
def test_a_difference_is_caused_by_the_behaviours_that_it_depends_on(wanted: frozenset[Behaviour]) -> None:
    """Whatever others there are."""

    def answer_of(karpenter: Baseline) -> frozenset[Behaviour]:
        return karpenter.behaviours & wanted

    def differences(first: frozenset[Behaviour], second: frozenset[Behaviour]) -> list[str]:
        return [behaviour.name for behaviour in first ^ second]

    of_each = {behaviour.name: (behaviour.statements,) for behaviour in wanted}
    assert caused(OLD, NEW, answer_of, differences) == of_each


@given(SETS.filter(bool))
@examples(0.3)
def test_a_value_that_changes_several_times_has_each_cause_in_the_order_of_the_table(wanted: frozenset[Behaviour]) -> None:
    """One that needs two behaviours at once is caused by the later of them."""
    ordered = [behaviour for behaviour in Behaviour if behaviour in wanted]

    def changes(first: int, second: int) -> list[str]:
        return ["number"] if first != second else []

    each = caused(OLD, NEW, lambda karpenter: len(karpenter.behaviours & wanted), changes)
    assert each["number"] == tuple(behaviour.statements for behaviour in ordered)
    both = caused(OLD, NEW, lambda karpenter: int(wanted <= karpenter.behaviours), changes)
    assert both["number"] == (ordered[-1].statements,)


def test_equal_ends_need_no_answer_in_between() -> None:
    """Few answers are computed where few steps matter."""
    computed: list[int] = []

    def answer_of(karpenter: Baseline) -> bool:
        computed.append(len(karpenter.behaviours))
        return karpenter.does(Behaviour.MIN_VALUES_COUNT_ALLOWED_VALUES)

    steps = steps_between(PATCH, NEW, HASHES)
    assert causes(PATCH, steps, answer_of, lambda a, b: ["x"] if a != b else []) == {}
    assert computed == [2, len(Behaviour)]
    computed.clear()
    caused(OLD, NEW, answer_of, lambda a, b: ["x"] if a != b else [])
    assert len(computed) <= 8


def test_a_version_of_a_hash_is_a_step_of_its_own() -> None:
    """Before any behaviour, since what is computed in a new way has the new version."""
    [first, *_] = steps_between(OLD, NEW, HASHES)
    assert first == ReleaseStep(replace(NEW, behaviours=OLD.behaviours), HASHES)
    assert all(step.cause != HASHES for step in steps_between(OLD, PATCH, HASHES))
