"""Roles on Azure: the definitions that the facts name, and assignments whose names stay."""

from __future__ import annotations

import re
import uuid

from hypothesis import given
from hypothesis import strategies as st

from cutlist.infrastructure.aks import roles
from cutlist.infrastructure.aks.roles import assignment_name, definition_name
from tests.recorded import SPEC

OF_THE_FACTS = (
    roles.NETWORK_CONTRIBUTOR,
    roles.READER,
    roles.KEY_USER,
    roles.IDENTITY_OPERATOR,
    roles.MACHINE_CONTRIBUTOR,
)
TEXTS = st.text(min_size=1, max_size=40)


def test_each_role_has_the_definition_that_the_facts_name():  # Z-8
    rows = re.findall(r"\| ([A-Z][\w ]+) \| ([0-9a-f-]{36}) \|", (SPEC / "azure.md").read_text())
    assert {role.name: role.guid for role in OF_THE_FACTS} == dict(rows)


def test_the_controller_has_three_roles():  # Z-13
    assert [role.name for role in roles.CONTROLLER_ROLES] == [
        "Virtual Machine Contributor",
        "Network Contributor",
        "Managed Identity Operator",
    ]


@given(TEXTS, TEXTS, TEXTS)
def test_the_name_of_an_assignment_is_a_guid_and_the_same_each_time(scope, principal, definition):  # Z-8
    name = assignment_name(scope, principal, definition)
    assert str(uuid.UUID(name)) == name
    assert name == assignment_name(scope, principal, definition)


def test_another_scope_principal_or_role_has_another_name():  # Z-8
    names = {assignment_name(*three) for three in (("s", "p", "r"), ("S2", "p", "r"), ("s", "p2", "r"), ("s", "p", "r2"))}
    assert len(names) == 4


def test_ids_of_azure_are_equal_in_any_case():  # Z-8
    assert assignment_name("/subscriptions/S", "P", "R") == assignment_name("/Subscriptions/s", "p", "r")


def test_names_do_not_change_from_one_release_to_the_next():  # Z-8
    """Another name would make a second assignment, which Azure refuses."""
    assert assignment_name("scope", "principal", "role") == "85925119-a912-5336-ab8a-9e2fb3622836"
    assert definition_name("scope", "role") == "c1b73da0-7f08-5f9b-8467-d10cefe1f854"
