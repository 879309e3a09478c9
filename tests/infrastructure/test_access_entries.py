"""Access to a new cluster for others than its administrators."""

from __future__ import annotations

from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from tests.infrastructure.aws_stand_in import ACCOUNT
from tests.infrastructure.joined_program import NEW, OBJECTS, joined

ENTRY = "aws:eks/accessEntry:AccessEntry"
ASSOCIATION = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
TEAM, ROBOT = f"arn:aws:iam::{ACCOUNT}:role/Team", f"arn:aws:iam::{ACCOUNT}:user/robot"


def recorded(**entries: Any) -> Recording:
    return joined("KarpenterCluster", {**NEW, **OBJECTS, "control_plane": {"access_entries": entries}}, Mode.PREVIEW)


def test_principals_get_a_policy_for_namespaces_and_groups_of_their_own():
    made = recorded(
        team={"principal_arn": TEAM, "policy": "edit", "namespaces": ["shop", "shop-*"]},
        robot={"principal_arn": ROBOT, "groups": ["deployers"], "user_name": "robot"},
    )
    entries = {one.inputs["principalArn"]: one.inputs for one in made.of_type(ENTRY)}
    policies = {one.name: one.inputs for one in made.of_type(ASSOCIATION)}
    team = next(inputs for name, inputs in policies.items() if name.endswith("-access-team"))
    assert team["policyArn"] == "arn:aws:eks::aws:cluster-access-policy/AmazonEKSEditPolicy"
    assert team["accessScope"] == {"type": "namespace", "namespaces": ["shop", "shop-*"]}
    assert entries[ROBOT]["kubernetesGroups"] == ["deployers"]
    assert entries[ROBOT]["userName"] == "robot"
    assert [name for name in policies if "robot" in name] == []


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"principal_arn": TEAM}, "control_plane.access_entries.team: the principal could do nothing"),
        ({"principal_arn": TEAM, "policy": "edits"}, "did you mean edit?"),
        ({"principal_arn": TEAM, "groups": ["system:masters"]}, "'system:masters' is reserved"),
        ({"principal_arn": TEAM, "groups": ["a"], "namespaces": ["shop"]}, "limit a policy, and this entry has no policy"),
        ({"principal_arn": NEW["admins"]["deployer"], "policy": "view"}, "has an access entry already, that of deployer"),
        ({"principal_arn": "Team", "policy": "view"}, "control_plane.access_entries.team.principal_arn"),
        ({"principal_arn": TEAM, "policy": "view", "namespaces": ["Shop"]}, "control_plane.access_entries.team.namespaces[0]"),
    ],
)
def test_mistakes_are_reported_before_anything_is_made(entry, said):
    with pytest.raises(InputError) as raised:
        recorded(team=entry)
    assert said in str(raised.value)
