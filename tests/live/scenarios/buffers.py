"""CapacityBuffers: room that is kept free for pods to come."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Pause, Scenario
from tests.live.scenarios.builders import FOUR_CPU, ZONE, capacity_buffer, deployment, node_pool, pod_spec, pod_template

_GATE: Final = {"CapacityBuffer": True}
_SPARE: Final = pod_template("spare", pod_spec("1500m", "1Gi"), app="spare")

SCENARIOS: Final = (
    Scenario(
        "buffers-kept-free",
        "pods arrive beside a buffer: its room stays free",
        [node_pool("default", FOUR_CPU), _SPARE, capacity_buffer("spare", podTemplateRef={"name": "spare"}, replicas=2)],
        [deployment("web", 3, "1200m")],
        phases=[[Pause(8)]],
        gates=_GATE,
    ),
    Scenario(
        "buffers-of-a-workload",
        "a buffer of half a Deployment",
        [node_pool("default", FOUR_CPU)],
        [deployment("more", 2, "700m")],
        phases=[
            [deployment("web", 4, "900m")],
            [
                capacity_buffer(
                    "half",
                    scalableRef={"apiGroup": "apps", "kind": "Deployment", "name": "web"},
                    percentage=50,
                ),
                Pause(8),
            ],
        ],
        gates=_GATE,
    ),
    Scenario(
        "buffers-with-limits",
        "a buffer as large as its limits allow",
        [
            node_pool("default", FOUR_CPU),
            _SPARE,
            capacity_buffer("spare", podTemplateRef={"name": "spare"}, limits={"cpu": "5"}),
        ],
        [deployment("web", 2, "1")],
        phases=[[Pause(8)]],
        gates=_GATE,
    ),
    Scenario(
        "buffers-in-a-zone",
        "a buffer whose pods need a zone",
        [
            node_pool("default", FOUR_CPU),
            pod_template("zonal", pod_spec("2", "1Gi", nodeSelector={ZONE: "test-zone-c"}), app="zonal"),
            capacity_buffer("zonal", podTemplateRef={"name": "zonal"}, replicas=1),
        ],
        [deployment("web", 2, "1800m")],
        phases=[[Pause(8)]],
        gates=_GATE,
    ),
    Scenario(
        "buffers-gate-off",
        "a buffer without its feature gate",
        [node_pool(), _SPARE, capacity_buffer("spare", podTemplateRef={"name": "spare"}, replicas=3)],
        [deployment("web", 2)],
        phases=[[Pause(3)]],
    ),
)
