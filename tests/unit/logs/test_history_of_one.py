"""What Karpenter did about some nodes or pods alone."""

from __future__ import annotations

import json

import pytest

from cutlist.core.errors import InputError
from cutlist.verbs.history.answer import history
from cutlist.verbs.history.text import render_history
from tests.unit.logs.test_history import event, line

_TWO = "disrupting nodeclaim(s) via delete, terminating 2 nodes (3 pods) node-a/m5.large/spot, node-b/m5.xlarge/on-demand"
_LAUNCH = {"NodeClaim": {"name": "general-x1"}, "instance-type": "c6i.large", "capacity-type": "spot", "zone": "us-west-2b"}
_EVENTS = [
    event("Pod should schedule on: nodeclaim/general-x1, node/node-b", "Pod", "web-1", "Nominated"),
    event(
        "NodeClaim general-x9 nominated for this pod failed to launch: no capacity", "Pod", "api-1", "InsufficientCapacityError"
    ),
]
_LOG = "\n".join((line(_TWO), line("launched nodeclaim", **_LAUNCH), *map(json.dumps, _EVENTS)))


def test_a_node_has_its_commands_alone():
    answer = history(_LOG, nodes=["node-a"])
    assert [[ending.node.name for ending in story.endings] for story in answer.stories] == [["node-a"]]
    assert (answer.failed, answer.launched) == ((), ())
    assert len(history(_LOG).stories[0].endings) == 2


def test_a_nodeclaim_has_its_launch():
    answer = history(_LOG, nodes=["general-x1"])
    assert (answer.stories, [of.claim for of in answer.launched]) == ((), ["general-x1"])
    assert "launched general-x1 as c6i.large spot us-west-2b" in render_history(answer)


def test_a_pod_has_the_nodes_that_events_name_and_the_launches_that_it_waited_for():
    """With or without its namespace, which the events of a pod do not repeat."""
    scheduled = history(_LOG, pods=["shop/web-1"])
    assert [of.claim for of in scheduled.launched] == ["general-x1"]
    assert [ending.node.name for story in scheduled.stories for ending in story.endings] == ["node-b"]
    assert [failed.claim for failed in history(_LOG, pods=["api-1"]).failed] == ["general-x9"]


@pytest.mark.parametrize(("asked", "near"), [({"nodes": ["node-c"]}, "node-a"), ({"pods": ["web-2"]}, "web-1")])
def test_a_name_that_nothing_is_about_is_an_error(asked, near):
    """So an answer without commands is never mistaken for a quiet node."""
    with pytest.raises(InputError, match="nothing in the log is about") as error:
        history(_LOG, **asked)
    assert near in str(error.value)
