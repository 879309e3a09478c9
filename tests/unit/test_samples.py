"""`make test` proves each behaviour once: what it leaves to `make check-all` repeats what it has."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.conftest import QUICK_AND_THOROUGH, beyond_samples, kind_of_skip

_TIMES = {"tests/policies/test_measuring.py"}
"""Files that measure time and show nothing else: the tests beside them show what is measured."""


def item(name: str, mark: pytest.Mark | None) -> SimpleNamespace:
    return SimpleNamespace(nodeid=name, get_closest_marker=lambda _: mark)


def left(names: list[str], **sample: object) -> list[str]:
    """The tests of these names that a sample leaves to `make check-all`."""
    return [each.nodeid for each in beyond_samples([item(name, pytest.mark.sampled(**sample).mark) for name in names])]


def test_no_file_is_left_out_of_the_quick_run(request: pytest.FixtureRequest) -> None:
    """Wherever a test is thorough, its file has another that is not: the behaviour is proved at each change."""
    quick, thorough = request.config.stash[QUICK_AND_THOROUGH]
    assert sorted(thorough - quick - _TIMES) == []


def test_of_a_sampled_test_the_first_and_every_nth_remain() -> None:
    assert left([f"a.py::test_it[{n}]" for n in range(5)], one_in=3) == [f"a.py::test_it[{n}]" for n in (1, 2, 4)]


def test_each_test_has_a_sample_of_its_own() -> None:
    assert left(["a.py::test_it[x]", "a.py::test_other[x]", "a.py::test_it[y]"], one_in=2) == ["a.py::test_it[y]"]


def test_each_kind_is_in_a_sample() -> None:
    """The letters at the beginning of a name are its kind."""
    names = [f"a.py::test_it[{name}]" for name in ("a1", "a2", "b1", "b2", "mix-gpu-1")]
    assert left(names, one_in=10, kinds=True) == ["a.py::test_it[a2]", "a.py::test_it[b2]"]


def test_what_has_no_sample_is_not_left_out() -> None:
    assert beyond_samples([item("a.py::test_it[x]", None)]) == []


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("no engine: `pulumi` is not on PATH, and `make engine` was not run", "for want of `make engine`"),
        ("Skipped: `make helm` builds it", "for want of `make helm`"),
        ("npm is missing", "for other reasons"),
    ],
)
def test_a_skipped_test_is_counted_with_what_it_wanted(reason: str, kind: str) -> None:
    assert kind_of_skip(reason) == kind
