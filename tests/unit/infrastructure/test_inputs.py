"""What the checks of all inputs share: names as other languages write them, and closed sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pulumi.provider.experimental.util import camel_case as on_the_wire

from cutlist.core.errors import Place, Problems
from cutlist.core.wording import camel_case
from cutlist.infrastructure.control_plane import AuthenticationMode
from cutlist.infrastructure.inputs import chosen, one_of

AT = Place(path="authenticationMode")
WORD = st.from_regex(r"[a-z][a-z0-9]{0,5}", fullmatch=True)


@given(st.lists(WORD, min_size=1, max_size=4).map("_".join))
def test_names_are_spelt_as_the_component_host_spells_them(name):
    assert camel_case(name) == on_the_wire(name)


@pytest.mark.parametrize("mode", AuthenticationMode)
def test_a_value_of_the_set_is_taken_as_it_is(mode):
    problems = Problems()
    assert chosen(mode.value, AuthenticationMode.API, AT, problems) is mode
    assert not problems


def test_an_unknown_value_is_reported_with_the_nearest_and_another_stands_in():
    problems = Problems()
    assert chosen("API_AND_CONFIGMAP", AuthenticationMode.API, AT, problems) is AuthenticationMode.API
    assert str(*problems.found) == (
        "authenticationMode: unknown value 'API_AND_CONFIGMAP'; "
        "allowed: CONFIG_MAP, API_AND_CONFIG_MAP, API; did you mean API_AND_CONFIG_MAP?"
    )


def test_a_value_that_is_no_text_is_in_no_set():
    assert [problem.message for problem in one_of(None, ["a"], AT)] == ["unknown value None"]


@pytest.mark.parametrize(
    ("above", "name", "path"),
    [("", "tags", "tags"), ("controlPlane", "tags", "controlPlane.tags"), ("tags", "a.b/c", "tags['a.b/c']")],
)
def test_a_member_of_a_place_has_a_path_that_reads_as_one(above, name, path):
    assert Place("prod.yaml", 2, 7, above).member(name) == Place("prod.yaml", 2, 7, path)
