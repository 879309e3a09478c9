"""What a raise of limits is said to do, it does: once it is written, all pods that it names get a node, at that price."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from cutlist.core.quantity import Quantity
from cutlist.planning.model import Plan
from cutlist.planning.remedies import limit_raises
from tests.unit.planning.manifests import ON_DEMAND, deployment, plan_of, pool

AMD64 = f"[{ON_DEMAND}, {{key: kubernetes.io/arch, operator: In, values: [amd64]}}]"
LARGE = (
    f"[{ON_DEMAND}, {{key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m]}}, "
    "{key: kubernetes.io/arch, operator: In, values: [amd64]}]"
)
RAISES = re.compile(r"raise the (?:(\S+) limit|limit on (nodes)) of NodePool (\S+) by (\S+?)(?: \(limits.nodes\))?: ")
SEVERAL = re.compile(r"raise the limits of NodePool (\S+): (.*?): the")
COST = re.compile(r"the (?:(\d+) pods|pod) that waits? for .* for \$([0-9,.]+) a month (more|less)$")


def limited(name: str = "general", requirements: str = LARGE, **limits: str) -> str:
    return pool(name, requirements, spec=f"limits: {{{', '.join(f'{k}: {v}' for k, v in limits.items())}}}")


def advised(text: str) -> tuple[str, dict[str, str]]:
    """Return the NodePool of an advice, and by how much each limit is raised."""
    if match := SEVERAL.match(text):
        return match[1], dict(part.split(" by ") for part in re.split(r", | and ", match[2]))
    match = RAISES.match(text)
    assert match, text
    return match[3], {match[1] or match[2]: match[4].replace(",", "")}


def raised(limits: Mapping[str, str], by: Mapping[str, str]) -> dict[str, str]:
    amounts = {name: Quantity.parse(by[name]).nanos if name in by else 0 for name in limits}
    return {name: Quantity(Quantity.parse(limit).nanos + amounts[name]).canonical() for name, limit in limits.items()}


def cost(plan: Plan) -> float:
    return plan.totals.price_per_month or 0.0


@pytest.mark.parametrize("cpu", ["8", "9", "12", "16"])
def test_what_is_advised_is_enough_and_costs_what_is_said(cpu: str):
    """Six pods of 3 CPUs: with higher limits Karpenter takes larger machines, so the raise is planned with from the start."""
    pods, limits = deployment(replicas=6, cpu="3"), {"cpu": cpu}
    before = plan_of(limited(**limits), pods)
    (pending,) = before.pending
    _, by = advised(pending.remedy)
    after = plan_of(limited(**raised(limits, by)), pods)
    said = COST.search(pending.remedy)
    assert said
    assert not after.pending
    assert int(said[1] or 1) == pending.count
    more = float(said[2].replace(",", "")) * (1 if said[3] == "more" else -1)
    assert more == pytest.approx(cost(after) - cost(before), abs=0.51)


def test_pods_of_several_workloads_get_one_advice_for_all():
    """Not one for each, of which the first would use up what was raised."""
    pods = [deployment(name=f"w{n}", cpu=f"{3 + n / 10}") for n in range(4)]
    plan = plan_of(limited(cpu="4"), *pods)
    (advice,) = {pending.remedy for pending in plan.pending}
    waiting = sum(pending.count for pending in plan.pending)
    assert waiting > 1
    assert f"the {waiting} pods that wait for it get a node" in advice
    _, by = advised(advice)
    assert not plan_of(limited(**raised({"cpu": "4"}, by)), *pods).pending


def test_two_limits_in_the_way_are_raised_together():
    limits, pods = {"cpu": "4", "memory": "8Gi"}, deployment(replicas=6, cpu="3", memory="6Gi")
    (pending,) = plan_of(limited(**limits), pods).pending
    name, by = advised(pending.remedy)
    assert (name, by.keys()) == ("general", {"cpu", "memory"})
    assert "that wait for them get a node" in pending.remedy
    assert not plan_of(limited(**raised(limits, by)), pods).pending


def test_of_several_node_pools_the_cheaper_raise_is_advised():
    """Either could be raised; machines of one have more memory, which these pods do not need."""
    costly = LARGE.replace("[c, m]", "[x]")
    pods = deployment(replicas=4, cpu="3")
    (pending,) = plan_of(limited("a", costly, cpu="2"), limited("b", cpu="2"), pods).pending
    assert pending.reason.startswith("NodePool b: ")
    assert advised(pending.remedy)[0] == "b"
    (other,) = plan_of(limited("a", cpu="2"), limited("b", costly, cpu="2"), pods).pending
    assert advised(other.remedy)[0] == "a"


def test_where_a_raise_does_not_help_none_is_advised():
    """No machine of the NodePool is large enough, with its limit or without."""
    (pending,) = plan_of(limited(cpu="2"), deployment(cpu="900")).pending
    assert "raise" not in pending.remedy


def test_a_raise_for_some_does_not_promise_others_a_node():
    plan = plan_of(limited(cpu="2"), deployment(name="web", replicas=2, cpu="3"), deployment(name="huge", cpu="900"))
    remedies = {pending.workload: pending.remedy for pending in plan.pending}
    assert "the 2 pods that wait for it get a node" in remedies["deployment/web"]
    assert "raise" not in remedies["deployment/huge"]


def _planned_afresh(monkeypatch: pytest.MonkeyPatch, count: int) -> int:
    """Return how many different pods were planned with, to find what helps so many different ones."""
    looked, run = [0], limit_raises.run_joint_passes

    def counted(controllers, *rest, **named):
        looked[0] += sum(batch.count > 0 for controller in controllers for batch in controller.inputs.batches)
        return run(controllers, *rest, **named)

    with monkeypatch.context() as patched:
        patched.setattr(limit_raises, "run_joint_passes", counted)
        pods = [deployment(name=f"w{n}", cpu=f"{500 + n}m") for n in range(count)]
        assert {"raise" in p.remedy for p in plan_of(limited(cpu="2"), *pods).pending} == {True}
    return looked[0]


@pytest.mark.slow
@pytest.mark.parametrize("count", [100, 200, 400])
def test_work_grows_no_faster_than_the_different_pods(count: int, monkeypatch: pytest.MonkeyPatch):
    """All share one search: without limits, up to two raises that should be enough, and a few smaller ones."""
    assert _planned_afresh(monkeypatch, count) <= (3 + limit_raises._SMALLER) * count
