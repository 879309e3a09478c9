"""Stand-ins for inputs that may be known late."""

from __future__ import annotations

import pytest
from pulumi_cutlist.inputs.late_forms import Whereabouts, stand_in

WHERE = Whereabouts("111122223333", "cn-north-1")


@pytest.mark.parametrize(
    ("path", "start"),
    [
        (".admins.me", "arn:aws-cn:iam::111122223333:role/cutlist-late-"),
        (".network.adopted.private_subnets[1].id", "subnet-0"),
        (".network.adopted.network_id", "/subscriptions/"),
        (".controller_identity.volumeKeyArns[0]", "arn:aws-cn:kms:cn-north-1:111122223333:key/"),
        (".publicAccessCidrs[3]", "198.18."),
    ],
)
def test_a_stand_in_has_the_form_of_its_input(path: str, start: str):
    """In either spelling, and in the cluster's partition, account and region; equal paths have equal ones."""
    text = stand_in(path, WHERE)
    assert text is not None
    assert text.startswith(start)
    assert text == stand_in(path, WHERE) != stand_in(f".other{path}", WHERE)


@pytest.mark.parametrize("path", ["", ".region", ".badmins.me", ".admins", ".tags.team", ".subnets[0]"])
def test_an_input_that_no_plan_looks_into_has_none(path: str):
    assert stand_in(path, WHERE) is None
