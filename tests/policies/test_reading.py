"""What a pack reads of a resource: its outputs, or what it was asked to be where an engine knows no outputs yet."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from cutlist_policies.reading import Read

POOL = "kubernetes:karpenter.sh/v1:NodePool"
ASKED = {"metadata": {"name": "general"}, "spec": {"weight": 10.0}}


def shown(props: dict[str, Any]) -> Any:
    """A resource as an engine shows it."""
    return SimpleNamespace(
        resource_type=POOL, name="eks-nodes-general", urn="urn:pulumi:x", props=props, opts=SimpleNamespace(protect=False)
    )


def test_an_object_of_a_cluster_to_come_is_what_it_was_asked_to_be():
    """In the first preview nothing is known of its provider, so the engine has no outputs."""
    [resource] = Read(shown({}), ASKED).resources
    assert (resource.name, resource.data["spec"]) == ("general", {"weight": 10})


@pytest.mark.parametrize("asked", [None, ASKED])
def test_outputs_go_before(asked):
    [resource] = Read(shown({"metadata": {"name": "batch"}}), asked).resources
    assert (resource.name, "spec" in resource.data) == ("batch", False)


def test_nothing_is_nothing():
    [resource] = Read(shown({})).resources
    assert (resource.name, resource.data) == ("eks-nodes-general", {})
