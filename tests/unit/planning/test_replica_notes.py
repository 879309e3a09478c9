"""What a plan says about workloads whose number of pods is not fixed, and about inputs without a pod."""

from __future__ import annotations

import pytest

from cutlist.planning.model import Plan
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.text import render_plan
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool


def scaled(name: str, most: int) -> str:
    return f"""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: {name}}}
spec: {{scaleTargetRef: {{name: {name}}}, maxReplicaCount: {most}}}
"""


def planned(*texts: str, replicas: tuple[str, ...] = ()) -> Plan:
    text = "\n---\n".join((NODE_CLASS, pool(), *texts))
    return plan(read_inputs(["-"], stdin=text, region="us-west-2", replicas=replicas))


def words(plan: Plan) -> str:
    return " ".join(render_plan(plan, 200).split())


ZERO = (deployment("thumbs", 0), scaled("thumbs", 30), deployment("parked", 0))


def test_a_plan_says_how_far_its_workloads_may_grow_and_how_to_plan_that():
    texts = [note.text for note in planned(deployment("web", 3), scaled("web", 20), *ZERO).assumptions]
    assert "2 workloads may grow from 3 pods to 50; `cutlist plan --replicas max` plans these" in texts


def test_at_their_maximum_workloads_do_not_grow_further():
    notes = {note.code for note in planned(*ZERO, replicas=("max",)).assumptions}
    assert "replicas-chosen" in notes
    assert "autoscaled-maximum" not in notes


def test_a_plan_of_nothing_but_zeros_begins_with_that_and_with_how_to_plan_more():
    shown = words(planned(*ZERO))
    assert shown.startswith("No pods to place: every workload has 0 pods in us-west-2")
    assert "deployment/parked, deployment/thumbs (0 to 30); `cutlist plan --replicas max` plans the most" in shown
    assert "No new nodes" not in shown


def test_nothing_is_said_of_a_maximum_where_nothing_scales_the_zeros():
    shown = words(planned(deployment("parked", 0)))
    assert "--replicas deployment/parked=N plans N pods of it" in shown
    assert "--replicas max" not in shown


@pytest.mark.parametrize("replicas", [("thumbs=2",), ("max",)])
def test_chosen_replicas_are_planned(replicas):
    whole = planned(*ZERO, replicas=replicas)
    assert whole.totals.pods == (2 if replicas == ("thumbs=2",) else 30)
    assert not whole.has_no_pods
