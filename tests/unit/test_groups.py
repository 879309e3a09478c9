"""Tests of a group run on one worker, so that what they share is made once."""

from __future__ import annotations

import os

import pytest


@pytest.mark.xdist_group("groups")
def test_a_group_is_part_of_the_name_by_which_tests_are_handed_out(request: pytest.FixtureRequest):
    """The group is part of the name by which tests are handed out; pytest 9.2 took it away from pytest-xdist 3.8."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("all tests run in one process")
    assert request.node.nodeid.endswith("@groups")
