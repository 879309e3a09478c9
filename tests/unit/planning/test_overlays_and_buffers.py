"""NodeOverlays and CapacityBuffers in a plan."""

from __future__ import annotations

import pytest

from cutlist.core.errors import InputError
from tests.unit.planning.manifests import (
    ON_DEMAND,
    TYPES,
    buffer,
    deployment,
    inputs_of,
    overlay,
    plan_of,
    pod_template,
    pool,
)

BOTH = f"[{ON_DEMAND}, {TYPES.format('m5.large, c5.large')}]"


def test_an_overlay_changes_which_type_is_cheapest() -> None:
    """c5.large at three times its price loses to m5.large; the plan says which gate it took for open."""
    # S-43
    tripled = overlay(
        "{requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [c5.large]}], priceAdjustment: '+200%'}"
    )
    before, after = plan_of(pool(requirements=BOTH), deployment()), plan_of(pool(requirements=BOTH), deployment(), tripled)
    assert (before.nodes[0].instance_type, after.nodes[0].instance_type) == ("c5.large", "m5.large")
    assert any(n.code == "feature-gates" and "NodeOverlay" in n.text for n in after.assumptions)


def test_an_overlay_without_effect_is_a_warning() -> None:
    """Of two that set one price with the same weight, that of the earlier name is dropped."""
    # V-119
    same = "{requirements: [], price: '0.5'}"
    planned = plan_of(pool(requirements=BOTH), deployment(), overlay(same, "a"), overlay(same, "b"))
    assert [w.text for w in planned.warnings if w.code == "overlay-rejected"] == [
        "NodeOverlay a has no effect: conflict with another overlay"
    ]


def test_an_overlay_that_would_be_refused_ends_the_plan() -> None:
    """Amounts that the cloud decides cannot be overlaid."""
    # V-117
    with pytest.raises(InputError, match="invalid resource restricted"):
        plan_of(pool(requirements=BOTH), deployment(), overlay("{requirements: [], capacity: {cpu: '4'}}"))


def test_a_buffer_keeps_room_that_the_plan_shows() -> None:
    """The virtual pods of a buffer are planned like real ones, after those of equal size."""
    # S-124
    spare = buffer("{replicas: 2, scalableRef: {apiGroup: apps, kind: Deployment, name: web}}")
    planned = plan_of(pool(requirements=BOTH), deployment(replicas=1), spare)
    shares = {s.workload: s.count for n in planned.nodes for s in n.pods for _ in range(n.count)}
    assert "capacitybuffer/spare" in shares
    assert planned.totals.pods == 3


def test_a_pod_takes_the_room_of_a_buffer_where_nothing_else_is_left() -> None:
    """The kube-scheduler binds it to the node that was launched for the buffer, of which it knows nothing."""
    # S-124
    spare, template = buffer("{replicas: 1, podTemplateRef: {name: large}}"), pod_template("large", "3")
    requirements = f"[{ON_DEMAND}, {TYPES.format('m5.xlarge')}]"
    planned = plan_of(pool(requirements=requirements, spec="limits: {cpu: 4}"), deployment(cpu="2"), spare, template)
    assert [(s.workload, s.count) for n in planned.nodes for s in n.pods] == [("deployment/web", 1)]
    assert [(p.workload, p.count) for p in planned.pending] == [("capacitybuffer/spare", 1)]


def test_a_pod_template_that_a_buffer_uses_is_not_passed_over() -> None:
    """Another one is."""
    spare, template = buffer("{replicas: 2, podTemplateRef: {name: web}}"), pod_template("web", "1")
    planned = plan_of(pool(requirements=BOTH), spare, template)
    assert planned.totals.pods == 2
    assert "not-looked-at" not in {n.code for n in planned.assumptions}
    planned = plan_of(pool(requirements=BOTH), spare, template, pod_template("other", "1"))
    assert [n.text for n in planned.assumptions if n.code == "not-looked-at"] == [
        "not read, because no plan is known to depend on them: 1 PodTemplate"
    ]


def test_a_malformed_overlay_is_reported_with_its_path() -> None:
    """Bad input is not a traceback."""
    with pytest.raises(InputError, match=r"spec\.requirements\[0\]\.operator: is missing"):
        inputs_of(pool(), overlay("{requirements: [{key: a}]}"))
