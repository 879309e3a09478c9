"""Requirements and sets of them (spec: scheduling 2)."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import pytest

from cutlist.core.labels import AWS, CORE, HOSTNAME, ZONE
from cutlist.core.requirement import MAX_INT64, MIN_INT64, Expression, Operator, Requirement, integer
from cutlist.core.requirements import Requirements


def r(operator: str, *values: str, floor: int | None = None, key: str = "k") -> Requirement:
    return Requirement.of(key, operator, values, floor)


def those(*requirements: Requirement) -> Requirements:
    return Requirements(requirements)


def written(requirement: Requirement) -> list[tuple[str, tuple[str, ...]]]:
    return [(e.operator, e.values) for e in requirement.expressions()]


# S-13
def test_strict_bounds_are_kept_as_inclusive_ones():
    """Gt 1 is Gte 2 and Lt 1 is Lte 0, also when written back."""
    assert r("Gt", "1") == r("Gte", "2")
    assert r("Lt", "1") == r("Lte", "0")
    assert written(r("Gt", "1")) == [("Gte", ("2",))]
    assert written(r("Lt", "1")) == [("Lte", ("0",))]


# S-14
def test_a_bound_drops_values_and_is_dropped():
    """In[1,9] with Gt 1 is In[9] without a bound."""
    assert r("In", "1", "9") & r("Gt", "1") == r("In", "9")


# S-15
def test_two_bounds_print_together_and_are_written_apart():
    """Gt 1 and Lt 9 make one requirement, written back as two expressions."""
    both = r("Gt", "1") & r("Lt", "9")
    assert str(both) == "k Exists >=2 <=8"
    assert written(both) == [("Gte", ("2",)), ("Lte", ("8",))]


# S-16
def test_crossed_bounds_are_absence_with_the_larger_minimum():
    """Gt 9 with Lt 1 is DoesNotExist and keeps the larger minValues."""
    assert r("Gt", "9", floor=2) & r("Lt", "1", floor=3) == r("DoesNotExist", floor=3)


def test_exclusions_outside_the_bounds_are_tidied_away():
    """NotIn[1,2] with Gt 1 excludes only 2."""
    assert str(r("NotIn", "1", "2") & r("Gt", "1")) == "k NotIn [2] >=2"


# S-17
def test_only_negative_requirements_meet_an_undefined_custom_label():
    """Where a custom label is undefined, NotIn and DoesNotExist are fine and everything else is not."""
    node = Requirements()
    for operator, fine in [
        ("NotIn", True),
        ("DoesNotExist", True),
        ("In", False),
        ("Exists", False),
        ("Gt", False),
        ("Lte", False),
    ]:
        values = ("1",) if operator not in ("Exists", "DoesNotExist") else ()
        assert node.compatible(those(r(operator, *values)), CORE.well_known) is fine


# S-18
def test_well_known_labels_may_be_undefined_on_new_nodes_only():
    """A zone may be asked of a node to come, but not of one that exists without it."""
    pod = those(r("In", "a", key=ZONE))
    assert Requirements().compatible(pod, CORE.well_known)
    assert not Requirements().compatible(pod)


# S-19
def test_two_negative_requirements_are_compatible():
    """NotIn and DoesNotExist have no value in common, and still agree."""
    for one, two in [(r("NotIn", "x"), r("DoesNotExist")), (r("DoesNotExist"), r("NotIn", "x"))]:
        assert not one.intersects(two)
        assert those(one).compatible(those(two))
        assert those(one).intersects(those(two))


# S-20
def test_absence_and_existence_are_incompatible():
    """A node without the label cannot take a pod that wants it, and the conflict names both."""
    node, pod = those(r("DoesNotExist")), those(r("Exists"))
    assert not node.compatible(pod)
    assert [str(c) for c in node.conflicts(pod)] == ["key k, k Exists not in k DoesNotExist"]


# S-21
def test_old_keys_are_read_as_todays():
    """Beta labels of a pod constrain the labels that took their place; each provider may add spellings."""
    old = {"beta.kubernetes.io/arch": "arm64", "topology.ebs.csi.aws.com/zone": "a"}
    assert set(Requirements.of_labels(old)) == {"kubernetes.io/arch", "topology.ebs.csi.aws.com/zone"}
    assert set(Requirements.of_labels(old, AWS)) == {"kubernetes.io/arch", ZONE}
    expressions = [Expression("failure-domain.beta.kubernetes.io/zone", "In", ("a", "b")), Expression(ZONE, "In", ("b", "c"))]
    assert str(Requirements.of_expressions(expressions)) == f"{ZONE} In [b]"


# S-22
@pytest.mark.parametrize(
    ("value", "inside"), [("07", True), ("7", True), ("+8", True), (" 7", False), ("7_0", False), ("", False)]
)
def test_bounds_compare_whole_numbers_only(value, inside):
    """Leading zeros and signs count as numbers, spaces and underscores do not."""
    assert r("Gte", "7").has(value) is inside


# S-22
def test_two_spellings_of_a_number_are_two_values():
    """ "07" and "7" are different values although both are seven."""
    assert not r("In", "07").has("7")


# S-23
def test_a_contradiction_reads_as_absence():
    """Two values that exclude each other are as good as no label at all."""
    pod = those(r("In", "a"), r("In", "b"))
    assert pod["k"] == r("DoesNotExist")
    assert Requirements().compatible(pod)


# S-24
def test_a_label_becomes_defined_by_what_excludes_values():
    """After NotIn[x] the label counts as defined: another value may come, the excluded one may not."""
    node = Requirements() & those(r("NotIn", "x"))
    assert node.compatible(those(r("In", "y")))
    assert not node.compatible(those(r("In", "x")))


# S-25
def test_exclusions_that_exhaust_a_range_are_not_noticed():
    """NotIn[1] between 1 and 1 allows nothing, and still passes for intersecting Exists."""
    empty = r("NotIn", "1") & r("Gte", "1") & r("Lte", "1")
    assert not empty.has("1")
    assert empty.intersects(r("Exists"))


# S-26
@pytest.mark.parametrize("key", ["zone", "node.io/zone", "topology.kubernetes.io/zon"])
def test_a_misspelt_key_gets_a_hint(key):
    """A key that looks like a known one is answered with that one."""
    cause = Requirements().incompatibility(those(r("In", "a", key=key)), CORE.well_known)
    assert str(cause) == f'label "{key}" does not have known values (typo of "{ZONE}"?)'


def test_a_hint_may_come_from_the_nodes_own_labels():
    """Where nothing may be undefined, the labels that are there are searched."""
    cause = those(r("In", "a", key="team.io/name")).incompatibility(those(r("In", "a", key="name")))
    assert str(cause) == 'label "name" does not have known values (typo of "team.io/name"?)'


def test_a_key_like_no_other_gets_no_hint():
    """Without a similar key there is nothing to suggest."""
    assert str(Requirements().undefined(those(r("Exists")))) == 'label "k" does not have known values'


# S-27
def test_the_larger_minimum_counts():
    """minValues 3 and 5 on one key act as 5."""
    both = those(r("Exists", floor=3), r("Exists", floor=5))
    assert both["k"].min_values == 5
    assert both.has_min_values
    assert not those(r("Exists")).has_min_values


@pytest.mark.parametrize(
    ("requirement", "operator"),
    [
        (r("In", "a"), Operator.IN),
        (r("In"), Operator.DOES_NOT_EXIST),
        (r("NotIn", "a"), Operator.NOT_IN),
        (r("NotIn"), Operator.EXISTS),
        (r("Gt", "1"), Operator.EXISTS),
        (r("Gt", "1") & r("NotIn", "5"), Operator.NOT_IN),
    ],
)
def test_the_operator_is_the_plain_one(requirement, operator):
    """Bounds report Exists or NotIn; an empty list is none at all."""
    assert requirement.operator is operator


def test_the_largest_integer_has_no_successor():
    """Nothing is greater than the largest integer: Gt becomes DoesNotExist and loses its minimum."""
    assert r("Gt", str(MAX_INT64), floor=2) == r("DoesNotExist")


def test_the_smallest_integer_has_no_predecessor():
    """Below the smallest integer Karpenter comes out at the largest, so that Lt allows every number."""
    assert r("Lt", str(MIN_INT64)) == r("Lte", str(MAX_INT64))


@pytest.mark.parametrize(
    ("operand", "bound"),
    [("x", 0), ("", 0), ("1_0", 0), ("9" * 30, MAX_INT64), ("-" + "9" * 30, MIN_INT64), ("007", 7), ("9" * 5000, MAX_INT64)],
)
def test_odd_operands_of_bounds(operand, bound):
    """What is not a number acts as 0, what is too large as the largest number."""
    assert r("Gte", operand).gte == bound


def test_a_bound_without_a_value_acts_as_zero():
    """Validation refuses it earlier; here it does no harm."""
    assert r("Lte").lte == 0


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("-1", -1),
        ("+3", 3),
        ("0" * 5000 + "1", 1),
        ("9" * 5000, None),
        (str(2**63), None),
        ("٣", None),
        ("1\n", None),
    ],
)
def test_integers_are_ascii_and_have_64_bits(text, number):
    """Only plain decimal numbers of 64 bits are integers."""
    assert integer(text) == number


def test_an_unknown_operator_is_refused():
    """The message names what was found and what is allowed."""
    with pytest.raises(ValueError, match=r"'Near'.*In, NotIn, Exists"):
        r("Near")


def test_many_values_are_counted():
    """Five values are named, the others counted."""
    assert str(r("In", *"gfedcba", floor=2)) == "k In [a b c d e and 2 others] minValues 2"
    assert len(r("In", *"abc")) == 3
    assert len(r("NotIn", *"abc")) == MAX_INT64 - 3


def test_a_set_prints_sorted_and_without_the_hostname():
    """All requirements but that on the hostname, in order."""
    printed = those(r("Exists", key="b"), r("In", "n", key=HOSTNAME), r("In", "x", key="a"))
    assert str(printed) == "a In [x], b Exists"
    assert repr(printed) == "Requirements(a In [x], b Exists)"


def test_an_undefined_key_reads_as_anything():
    """Reading a key that is not there gives Exists, and it stays undefined."""
    empty = Requirements()
    assert empty.get_or_any("k") == r("Exists")
    assert "k" not in empty


def test_sets_are_values():
    """Combining, replacing and leaving out make new sets and leave the old ones as they are."""
    first, second = those(r("In", "a", "b")), those(r("In", "b", "c"), r("Exists", key="l"))
    assert str(first & second) == "k In [b], l Exists"
    assert str(second.replaced(r("In", "z"))) == "k In [z], l Exists"
    assert str(second.without("k")) == "l Exists"
    assert (str(first), str(second)) == ("k In [a b]", "k In [b c], l Exists")


def test_a_bounded_exclusion_is_written_back_without_its_values():
    """Of a bounded NotIn only the bounds are written."""
    assert written(r("NotIn", "5") & r("Gte", "1")) == [("Gte", ("1",))]


def test_every_expression_written_back_has_the_minimum():
    """minValues stands beside each entry, and sets are written in the order of their keys."""
    both = those(r("Gt", "1", floor=2), r("In", "b", "a", key="a"), r("Lt", "9"))
    assert [e.manifest() for e in both.expressions()] == [
        {"key": "a", "operator": "In", "values": ["a", "b"]},
        {"key": "k", "operator": "Gte", "values": ["2"], "minValues": 2},
        {"key": "k", "operator": "Lte", "values": ["8"], "minValues": 2},
    ]


def test_expressions_are_read_from_manifests():
    """The form of a manifest and back."""
    raw = {"key": "k", "operator": "In", "values": ["a"], "minValues": 1}
    assert Expression.read(raw) == Expression("k", "In", ("a",), 1)
    assert Expression.read(raw).manifest() == raw
    assert Expression.read({"key": "k", "operator": "Exists", "values": None}) == Expression("k", "Exists")


def test_the_largest_min_values_of_a_key_counts():
    """V-25: however often the key is listed."""
    both = [Expression("example.com/a", "Exists", (), 2), Expression("example.com/a", "NotIn", ("x",), 5)]
    assert Requirements.of_expressions(both, CORE)["example.com/a"].min_values == 5


def test_old_spellings_of_keys_act_as_todays():
    """V-35"""
    old, new = (Requirements.of_expressions([Expression(k, "In", ("m5.large",))], CORE) for k in (
        "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"))  # fmt: skip
    assert old == new


def test_requirements_from_another_process_equal_their_own():
    """Words have another hash in each process, so a set must not bring its own."""
    held = those(r("In", "a", "b"), r("Exists", key="zone"))
    program = "import pickle, sys; held = pickle.load(sys.stdin.buffer); hash(held); pickle.dump(held, sys.stdout.buffer)"
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    command = [sys.executable, "-c", program]
    env = {**os.environ, "PYTHONHASHSEED": seed}
    back = subprocess.run(command, input=pickle.dumps(held), env=env, capture_output=True, check=True).stdout
    assert pickle.loads(back) in {held}  # noqa: S301 - our own bytes
