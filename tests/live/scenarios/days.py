"""Days: ten minutes of a cluster that grows and shrinks by a script, for what takes time and not a single decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from tests.live.scenario import VERSIONS, Change, Object, Patch, Scale
from tests.live.scenarios.builders import (
    FAMILY,
    FOUR_CPU,
    ON_DEMAND,
    SPOT,
    ZONE,
    consolidating_pool,
    daemon_set,
    deployment,
    pod_anti_affinity,
    pod_disruption_budget,
    pod_spec,
    requirement,
    spread,
    taint,
    toleration,
    workload,
)


@dataclass(frozen=True, slots=True)
class Day:
    """A script of changes to an empty cluster, each so many seconds after its beginning."""

    name: str
    about: str
    objects: Sequence[Object]
    """What is there before it begins: NodePools, DaemonSets, PodDisruptionBudgets."""
    script: Sequence[tuple[float, Sequence[Change]]]
    seconds: float = 600
    """How long it is watched."""
    gates: Mapping[str, bool] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    versions: Sequence[str] = VERSIONS
    kind: Literal["day"] = "day"


def _replicas(**replicas: int) -> list[Change]:
    """Return changes of the number of replicas of Deployments."""
    return [Scale("Deployment", name, number) for name, number in replicas.items()]


_WEB: Final = Day(
    "day-web",
    "two tiers of a service in two waves, with batches on spot nodes of their own in between",
    [
        consolidating_pool("general", budgets=[{"nodes": "50%"}], after="20s", limits={"cpu": "64"}),
        consolidating_pool(
            "batch",
            SPOT,
            requirement(FAMILY, "In", "c"),
            policy="WhenEmpty",
            after="10s",
            labels={"team": "batch"},
            taints=[taint("team", "batch")],
        ),
        daemon_set("log", "100m", "128Mi", tolerations=[{"operator": "Exists"}]),
    ],
    [
        (
            0,
            [
                deployment("web", 4, "500m", "512Mi"),
                deployment("api", 3, "1", "2Gi", topologySpreadConstraints=[spread(ZONE, "api")]),
                workload("StatefulSet", "db", 2, pod_spec("2", "4Gi", affinity=pod_anti_affinity("db"))),
            ],
        ),
        (60, _replicas(web=10)),
        (90, _replicas(api=6)),
        (120, [deployment("batch", 8, "1500m", "2Gi", nodeSelector={"team": "batch"}, tolerations=[toleration("team")])]),
        (150, _replicas(web=16)),
        (200, _replicas(batch=0)),
        (240, _replicas(web=9, api=3)),
        (300, _replicas(batch=6)),
        (330, [deployment("canary", 2, "700m", "1Gi", affinity=pod_anti_affinity("canary"))]),
        (360, _replicas(web=5, batch=0)),
        (420, _replicas(web=12)),
        (480, _replicas(web=4, canary=0)),
        (540, _replicas(api=2)),
    ],
)

_ROLLOUT: Final = Day(
    "day-rollout",
    "nodes are replaced one by one after a change of their NodePool, then consolidated beside a NodePool of more weight",
    [
        consolidating_pool("default", ON_DEMAND, FOUR_CPU, budgets=[{"nodes": "1"}], after="15s"),
        pod_disruption_budget("web", "web", maxUnavailable=2),
        daemon_set("log", "100m", "128Mi", tolerations=[{"operator": "Exists"}]),
    ],
    [
        (0, [deployment("web", 10, "1500m", "2Gi"), deployment("cache", 2, "1", "4Gi", affinity=pod_anti_affinity("cache"))]),
        (60, [Patch("NodePool", "default", {"spec": {"template": {"metadata": {"labels": {"image": "second"}}}}})]),
        (300, _replicas(web=5)),
        (420, [consolidating_pool("large", ON_DEMAND, requirement(FAMILY, "In", "c"), after="15s", weight=10)]),
        (430, _replicas(web=9)),
        (480, [Patch("NodePool", "default", {"spec": {"disruption": {"budgets": [{"nodes": "100%"}]}}})]),
        (520, _replicas(web=3)),
    ],
)

DAYS: Final = {day.name: day for day in (_WEB, _ROLLOUT)}
