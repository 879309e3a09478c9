"""What would help a pending pod: one change, tried before it is reported."""

from __future__ import annotations

import pytest

from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, plan_of, pool

SMALL = f"[{ON_DEMAND}, {TYPES.format('m5.large')}]"


def remedy(*documents: str) -> str:
    (pending,) = plan_of(*documents).pending
    return pending.remedy


@pytest.mark.parametrize(
    ("reported", "node_pool", "workload"),
    [
        (
            "with a toleration for team=a:NoSchedule it fits NodePool general",
            pool(requirements=SMALL, extra="taints: [{key: team, value: a, effect: NoSchedule}]"),
            deployment(),
        ),
        (
            "without its requirement on kubernetes.io/arch it fits NodePool general",
            pool(requirements=SMALL),
            deployment(extra="nodeSelector: {kubernetes.io/arch: arm64}"),
        ),
        ("with a cpu request of at most 1930m it fits NodePool general", pool(requirements=SMALL), deployment(cpu="3")),
        (
            "raise the cpu limit of NodePool general by 1",
            pool(requirements=SMALL, spec="limits: {cpu: 3}"),
            deployment(replicas=2, cpu="1500m"),
        ),
        (
            "without its topology rules it fits NodePool general",
            pool(requirements=SMALL),
            deployment(
                extra="affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: nobody}}}]}}"
            ),
        ),
    ],
)
def test_one_change_that_helps(reported: str, node_pool: str, workload: str) -> None:
    """The change is named with the pool that would then take the pod."""
    assert remedy(node_pool, workload) == reported


def test_what_is_reported_does_help() -> None:
    """A request cut to what was reported is placed; a little more is not."""
    assert remedy(pool(requirements=SMALL), deployment(cpu="3")).endswith("at most 1930m it fits NodePool general")
    assert not plan_of(pool(requirements=SMALL), deployment(cpu="1930m")).pending
    assert plan_of(pool(requirements=SMALL), deployment(cpu="1931m")).pending


def test_where_two_things_are_wrong_nothing_is_promised() -> None:
    """A pod that lacks a toleration and is too large as well is not sent to add a toleration."""
    tainted = pool(requirements=SMALL, extra="taints: [{key: team, effect: NoSchedule}]")
    assert remedy(tainted, deployment(cpu="3")) == ""
