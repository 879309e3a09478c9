"""What NodePools offer is worked out once for all that offer the same, and as often as demands differ."""

from __future__ import annotations

import pytest

from cutlist.optimization import pool_supply
from cutlist.optimization.pool_supply import placed_market
from cutlist.optimization.supply import Option
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.plan.answer import inputs_by_controller
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, pool

NARROW = f"[{ON_DEMAND}, {TYPES.format('m5.large, c5.large, r5.large')}]"


def _types_worked_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the name of each type whose offers are worked out."""
    names: list[str] = []
    work = pool_supply._cheapest

    def counted(instance_type, *given, **named):
        names.append(instance_type.name)
        return work(instance_type, *given, **named)

    monkeypatch.setattr(pool_supply, "_cheapest", counted)
    return names


def _options(inputs: PlanInputs) -> tuple[Option, ...]:
    parts = [ready for _, ready in inputs_by_controller(inputs).values()]
    return placed_market(parts, {}, in_zones=False).options


@pytest.mark.parametrize("count", [4, 8, 16])
def test_equal_node_pools_are_worked_out_once(count, monkeypatch):
    """Their names differ, which no offering depends on: the first one's options are enough."""
    names = _types_worked_out(monkeypatch)
    options = _options(inputs_of(*(pool(f"pool-{n:02d}", NARROW) for n in range(count)), deployment()))
    assert sorted(names) == ["c5.large", "m5.large", "r5.large"]
    assert {option.node_pool for option in options} == {f"pool-{count - 1:02d}"}


def test_node_pools_for_different_pods_share_what_they_offer(monkeypatch):
    """Each has a taint that only its own workload tolerates, so each has options of its own."""
    names = _types_worked_out(monkeypatch)
    documents = []
    for n in range(4):
        documents.append(pool(f"pool-{n}", NARROW, extra=f"taints: [{{key: team, value: t{n}, effect: NoSchedule}}]"))
        documents.append(deployment(name=f"w{n}", extra=f"tolerations: [{{key: team, value: t{n}}}]"))
    options = _options(inputs_of(*documents))
    assert len(names) == 3
    assert {(option.node_pool, option.suits) for option in options} == {(f"pool-{n}", 1 << n) for n in range(4)}


def test_another_capacity_type_is_another_offer(monkeypatch):
    """Spot costs less, and is another offering."""
    names = _types_worked_out(monkeypatch)
    spot = NARROW.replace("on-demand", "spot")
    options = _options(inputs_of(pool("a", NARROW), pool("b", spot), deployment()))
    assert len(names) == 6
    assert {(option.node_pool, option.capacity_type) for option in options} >= {("b", "spot")}
