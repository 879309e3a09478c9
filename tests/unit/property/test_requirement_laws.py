"""Laws of requirements: intersection, compatibility, printing and writing back."""

from __future__ import annotations

from hypothesis import given

from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from tests.unit.property.strategies import WORDS, built, expressions, requirement_sets, requirements


def allowed(r: Requirement) -> set[str]:
    return {word for word in WORDS if r.has(word)}


@given(requirements(), requirements())
def test_intersection_allows_what_both_allow(a, b):
    """A value is allowed by both together exactly when each of them allows it."""
    assert allowed(a & b) == allowed(a) & allowed(b)


@given(requirements(), requirements())
def test_intersection_is_commutative(a, b):
    """The order of two requirements does not matter."""
    assert a & b == b & a


@given(requirements(), requirements(), requirements())
def test_intersection_is_associative_in_allowed_values(a, b, c):
    """The order in which three are combined does not matter to what they allow, nor to the minimum."""
    left, right = (a & b) & c, a & (b & c)
    assert allowed(left) == allowed(right)
    assert left.min_values == right.min_values


@given(requirements())
def test_intersection_is_idempotent(a):
    """A requirement together with itself is itself."""
    assert a & a == a


@given(requirements())
def test_exists_is_neutral(a):
    """Any value and a requirement is the requirement."""
    assert a & Requirement.exists("k") == a == Requirement.exists("k") & a


@given(requirements())
def test_nothing_is_absorbing(a):
    """No value and a requirement is not a value."""
    assert not allowed(a & Requirement.of("k", "DoesNotExist"))


@given(requirements(), requirements())
def test_intersecting_is_symmetric_and_says_what_intersection_says(a, b):
    """Two intersect when a value is left, except that two complements are never looked at so closely."""
    assert a.intersects(b) == b.intersects(a)
    both = a & b
    if both.complement:
        assert a.intersects(b)
    else:
        assert a.intersects(b) == bool(both.values)


@given(requirements())
def test_writing_back_and_reading_again_allows_no_less(a):
    """What is written back reads as the same requirement, but for exclusions inside bounds, which are lost."""
    again = Requirements(map(built, a.expressions()))["k"]
    if a.complement and a.values and (a.gte is not None or a.lte is not None):
        assert again == Requirement("k", True, gte=a.gte, lte=a.lte, min_values=a.min_values)
    else:
        assert again == a


@given(requirements())
def test_operator_and_length_say_what_is_held(a):
    """The length counts the values, and the negative operators are those a missing label satisfies."""
    assert a.is_negative == (a.operator in ("NotIn", "DoesNotExist"))
    assert (len(a) == 0) == (a.operator == "DoesNotExist")


@given(requirements())
def test_printing_tells_requirements_of_few_values_apart(a):
    """The text names the key, the operator, each value, each bound and the minimum."""
    text = str(a)
    assert text.startswith(f"k {a.operator}")
    assert (f" >={a.gte}" in text) == (a.gte is not None)
    assert (f" <={a.lte}" in text) == (a.lte is not None)
    assert text.endswith(f" minValues {a.min_values}") == (a.min_values is not None)
    shown = sorted(a.values)[:5]
    assert not shown or f"[{' '.join(shown)}" in text


@given(requirement_sets, requirement_sets)
def test_sets_combine_key_by_key(a, b):
    """Both sets together have the keys of either and the intersection where both have one."""
    both = a & b
    assert set(both) == set(a) | set(b)
    assert all(both[key] == a.get_or_any(key) & b.get_or_any(key) for key in both)
    assert both == b & a
    assert hash(both) == hash(b & a)


@given(requirement_sets)
def test_sets_are_idempotent_with_the_empty_set_neutral(a):
    """A set with itself, or with nothing, is itself."""
    assert a & a == a == a & Requirements() == Requirements() & a


@given(requirement_sets, requirement_sets)
def test_intersects_is_symmetric_and_the_absence_of_conflicts(a, b):
    """The short answer is that of the full list, from either side."""
    assert a.intersects(b) == b.intersects(a) == (not a.conflicts(b))
    assert {c.incoming.key for c in a.conflicts(b)} == {c.incoming.key for c in b.conflicts(a)}
    assert {c.incoming.key for c in a.conflicts(b)} <= set(a) & set(b)


@given(requirement_sets, requirement_sets)
def test_compatible_is_the_absence_of_a_reason(a, b):
    """The short answer is that of the explanation, and more keys may be undefined only with more allowed."""
    known = frozenset({"l"})
    assert a.compatible(b) == (not a.incompatibility(b))
    assert a.compatible(b, known) == (not a.incompatibility(b, known))
    assert a.compatible(b, known) or not a.compatible(b)
    assert a.intersects(b) or not a.compatible(b, known)


@given(requirement_sets, requirement_sets)
def test_keys_of_the_node_alone_never_matter(a, b):
    """What only the node side defines does not change the answer."""
    shared = a.without(*(key for key in a if key not in b))
    assert a.compatible(b) == shared.compatible(b)


@given(expressions())
def test_expressions_survive_the_form_of_a_manifest(e):
    """Reading what was written gives the expression again."""
    assert type(e).read(e.manifest()) == e
