"""CapacityBuffers and their virtual pods (spec 11.2)."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist import CapacityBuffer
from cutlist.scheduling.capacitybuffers import read_buffers, wanted_replicas
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from tests.one_pass import schedule
from tests.unit.scheduling.builders import MACHINES, REGISTRY, pod, pool

POD = {
    "metadata": {"labels": {"app": "buf"}},
    "spec": {
        "nodeName": "n",
        "containers": [{"name": "c", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}],
        "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}],
    },
}
TEMPLATE = {"kind": "PodTemplate", "metadata": {"name": "tpl"}, "template": POD}
UNREADY = {"conditions": [{"type": "ReadyForProvisioning", "status": "False"}]}
DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web"},
    "spec": {"replicas": 5, "template": POD},
}


def buffer(status: dict[str, Any] | None = None, **spec: Any) -> CapacityBuffer:
    identity = {"apiVersion": "autoscaling.x-k8s.io/v1beta1", "kind": "CapacityBuffer", "metadata": {"name": "buf", "uid": "u"}}
    return CapacityBuffer.from_manifest({**identity, "spec": spec, "status": status or {}})


def test_virtual_pods_look_like_the_template():
    """Labels and requests of the PodTemplate, without its volumes, in the buffer's namespace."""
    # S-124
    (read,) = read_buffers([buffer(podTemplateRef={"name": "tpl"}, replicas=3)], [TEMPLATE])
    assert (read.pod.labels, read.pod.volumes, read.pod.namespace) == ({"app": "buf"}, (), "default")
    assert read.pod.requests == pod().requests
    assert (read.name, read.replicas) == ("buf", 3)


def test_virtual_pods_open_claims_after_real_ones_of_their_size():
    """They are placed like pods, marked as virtual, and come behind real pods that ask for as much."""
    # S-124
    (read,) = read_buffers([buffer(podTemplateRef={"name": "tpl"}, replicas=8)], [TEMPLATE])
    real = PodBatch("web", pod(), 4, created=1e9)
    result = schedule(
        SchedulerInputs(
            pools=[pool(limits={"cpu": 8})], types={"default": MACHINES}, batches=[read.batch, real], registry=REGISTRY
        )
    )
    assert read.batch.virtual
    assert [claim.pods for claim in result.claims] == [{1: 4, 0: 4}]
    assert [(u.batch, u.count) for u in result.unplaced] == [(0, 4)]


@pytest.mark.parametrize(
    ("spec", "replicas"),
    [
        ({"replicas": 2}, 2),
        ({"percentage": 30, "scalableRef": {"kind": "Deployment", "name": "web"}}, 2),
        ({"percentage": 1, "scalableRef": {"kind": "Deployment", "name": "web"}}, 1),
        ({"replicas": 4, "percentage": 20, "scalableRef": {"kind": "Deployment", "name": "web"}}, 4),
        ({"replicas": 9, "limits": {"cpu": "3500m"}}, 3),
        ({"limits": {"cpu": "3500m", "memory": "2Gi", "example.com/other": "1"}}, 2),
    ],
)
def test_how_many_pods_a_buffer_asks_for(spec: dict[str, Any], replicas: int):
    """The larger of a number and a share of five replicas, rounded up, within what limits hold."""
    # S-124
    of_template = {} if "scalableRef" in spec else {"podTemplateRef": {"name": "tpl"}}
    assert wanted_replicas(buffer(**of_template, **spec), pod(), 5) == replicas


@pytest.mark.parametrize(
    ("spec", "scaled", "replicas"),
    [
        ({"percentage": 25}, 10, 3),
        ({"percentage": 1}, 10, 1),
        ({"percentage": 0}, 10, 0),
        ({"percentage": 25, "replicas": 2}, 10, 3),
        ({"percentage": 25, "replicas": 4}, 10, 4),
        ({"percentage": 25}, 0, 0),
        ({"percentage": 25, "replicas": 2}, 0, 2),
        ({"percentage": 25, "limits": {"cpu": "2"}}, 0, 2),
    ],
)
def test_a_number_beside_a_share_is_a_least_number(spec: dict[str, Any], scaled: int, replicas: int):
    """A share of nothing, or of a workload without replicas, keeps nothing; there limits count as if there were no share."""
    # V-121
    written = buffer(scalableRef={"kind": "Deployment", "name": "web"}, **spec)
    assert wanted_replicas(written, pod(), scaled) == replicas


def test_a_buffer_may_follow_a_workload():
    """Without a PodTemplate the pods are those of the workload that is scaled."""
    # S-124
    (read,) = read_buffers([buffer(scalableRef={"kind": "Deployment", "name": "web"}, percentage=40)], [DEPLOYMENT])
    assert (read.replicas, read.pod.labels) == (2, {"app": "buf"})


@pytest.mark.parametrize(
    "written",
    [
        buffer(podTemplateRef={"name": "gone"}, replicas=3),
        buffer(podTemplateRef={"name": "tpl"}, replicas=3, provisioningStrategy="other"),
        buffer({"replicas": 3}, podTemplateRef={"name": "tpl"}, replicas=3),
        buffer(
            {"conditions": [{"type": "ReadyForProvisioning", "status": "False"}]}, podTemplateRef={"name": "tpl"}, replicas=3
        ),
        buffer(podTemplateRef={"name": "tpl"}, replicas=0),
    ],
)
def test_what_keeps_nothing(written: CapacityBuffer):
    """A missing template, another strategy, a controller that has not called it ready, no replicas."""
    # S-124
    assert read_buffers([written], [TEMPLATE]) == ()


def test_what_the_controller_said_comes_first():
    """A status that is ready says how many pods there are, whatever the spec has become since."""
    # S-124
    ready = {"replicas": 2, "conditions": [{"type": "ReadyForProvisioning", "status": "True"}]}
    (read,) = read_buffers([buffer(ready, podTemplateRef={"name": "tpl"}, replicas=7)], [TEMPLATE])
    assert read.replicas == 2
