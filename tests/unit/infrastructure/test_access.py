"""How nodes are let in, and where the controller's credentials come from."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.controller_access import (
    ROLE_ANNOTATION,
    Credentials,
    RequestedCredentials,
    credentials_of,
    identity_hash,
)
from cutlist.infrastructure.node_access import EntryType, LegacyMap, check_map, entry_type, map_roles, without_path

ROLE = "arn:aws:iam::111122223333:role/team/nodes"
ADMIN = {"rolearn": "arn:aws:iam::111122223333:role/admin", "username": "admin", "groups": ["system:masters"]}


@pytest.mark.parametrize(
    ("families", "kind"),
    [
        (["AL2023"], EntryType.LINUX),
        (["AL2023", "Bottlerocket", "Ubuntu"], EntryType.LINUX),
        (["Windows2022", "Windows2025"], EntryType.WINDOWS),
    ],
)
def test_the_family_of_images_tells_the_type(families, kind):  # I-18
    problems = Problems()
    assert entry_type(families, Place(path="amiFamilies"), problems) is kind
    assert not problems


def test_linux_and_windows_need_two_roles():  # I-18
    problems = Problems()
    entry_type(["AL2023", "Windows2022"], Place(path="amiFamilies"), problems)
    (problem,) = problems.found
    assert str(problem).startswith("amiFamilies: AL2023, Windows2022 would share one role")
    assert "one for Windows" in problem.allowed


def test_unknown_words_are_reported_with_the_nearest():
    problems = Problems()
    entry_type(["AL2024"], Place(path="amiFamilies"), problems)
    assert [problem.nearest for problem in problems.found] == ["AL2023"]


def test_the_map_is_written_whole_or_not_at_all():  # I-24
    """Without the other lines, or beside a component that owns the map, nothing is written."""
    problems = Problems()
    check_map(LegacyMap(None, "pulumi_eks"), Place(), problems)
    assert [str(problem.place) for problem in problems.found] == ["mapOwner", "otherMapRoles"]
    assert "role mappings of pulumi_eks" in problems.found[0].allowed
    fine = Problems()
    check_map(LegacyMap([]), Place(), fine)
    assert not fine


@pytest.mark.parametrize(("kind", "more"), [(EntryType.LINUX, []), (EntryType.WINDOWS, ["eks:kube-proxy-windows"])])
def test_a_line_of_the_map(kind, more):
    """The role without its path; all other lines before it."""
    lines = yaml.safe_load(map_roles(ROLE, kind, [ADMIN]))
    assert lines == [
        ADMIN,
        {
            "rolearn": "arn:aws:iam::111122223333:role/nodes",
            "username": "system:node:{{EC2PrivateDNSName}}",
            "groups": ["system:bootstrappers", "system:nodes", *more],
        },
    ]


def test_a_line_is_written_once():
    once = map_roles(ROLE, EntryType.LINUX, [ADMIN])
    assert map_roles(ROLE, EntryType.LINUX, yaml.safe_load(once)) == once


@given(st.lists(st.text("ab-", min_size=1), max_size=3), st.text("ab-", min_size=1))
def test_paths_are_left_out(path, name):
    bare = f"arn:aws-cn:iam::111122223333:role/{name}"
    assert without_path("/".join(["arn:aws-cn:iam::111122223333:role", *path, name])) == bare


BOTH = frozenset({"oidcProviderArn", "oidcIssuer"})


def asked(way: str, given_inputs: frozenset[str] = frozenset(), **annotations: str) -> tuple[Credentials, list[str]]:
    problems = Problems()
    way_of = credentials_of(RequestedCredentials(way, given_inputs, annotations), problems)
    return way_of, [str(problem.place) for problem in problems.found]


def test_one_way_to_credentials():  # I-34
    assert asked("pod-identity") == (Credentials.POD_IDENTITY, [])
    assert asked("irsa", BOTH) == (Credentials.IRSA, [])
    assert asked("pod-identity", BOTH)[1] == ["oidcIssuer", "oidcProviderArn"]
    assert asked("pod-identity", **{ROLE_ANNOTATION: "arn"})[1] == [f"serviceAccountAnnotations[{ROLE_ANNOTATION!r}]"]
    assert asked("irsa", frozenset({"oidcIssuer"}))[1] == ["oidcProviderArn"]
    assert asked("ISRA")[1] == ["credentials"]


@given(st.lists(st.text("ab"), min_size=1, max_size=4, unique=True))
def test_the_hash_changes_with_every_text(texts):  # I-33
    whole = identity_hash(*texts)
    assert identity_hash(*texts) == whole
    assert len(whole) == 16
    for index, text in enumerate(texts):
        assert identity_hash(*texts[:index], text + "c", *texts[index + 1 :]) != whole
