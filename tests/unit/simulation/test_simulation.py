"""What a cluster goes through: pods come, nodes come, both go again."""

from __future__ import annotations

from cutlist import Budget
from cutlist.simulation.demand.jobs import JobTerms
from cutlist.simulation.events import HOUR, MINUTE, SECOND, Interrupted
from cutlist.simulation.outside_events import JobStarted, ReplicasSet
from tests.unit.disruption.builders import LARGE, cluster, guard, guarded, node, pool
from tests.unit.scheduling.builders import spread
from tests.unit.simulation.builders import commands, group, inputs, replica, simulation


def test_pods_wait_for_the_window_and_for_a_node():
    """A second of quiet closes the window, then the node starts."""
    result = simulation(inputs(group(count=3)), startup=40 * SECOND).result()
    assert result.totals.pending_seconds == {0.5: 41.0, 0.9: 41.0, 0.99: 41.0, 1.0: 41.0}
    assert [life.instance_type for life in result.lives] == ["medium"]


def test_a_pod_that_never_gets_a_node_keeps_no_other_from_one():
    """The second comes when nothing but its coming has changed."""
    of = inputs(group("huge", 1, "100"), group())
    result = simulation(of, [ReplicasSet(30 * MINUTE, "deployment/web", 1)]).result()
    assert [life.instance_type for life in result.lives] == ["small"]
    assert result.totals.pending == 1


def test_pods_that_keep_coming_close_the_window_after_ten_seconds():
    demand = [ReplicasSet(n * SECOND // 2, "deployment/web", n + 1) for n in range(40)]
    first = simulation(inputs(group(cpu="100m")), demand).result().commands[0]
    assert first.at == 10 * SECOND


def test_a_node_costs_money_from_its_launch_to_its_end():
    demand = [ReplicasSet(0, "deployment/web", 2), ReplicasSet(30 * MINUTE, "deployment/web", 0)]
    result = simulation(inputs(group()), demand).result()
    [life] = result.lives
    assert life.started == 4 * SECOND  # a second for the window, three for the launch
    assert life.ended is not None
    assert 30 * MINUTE < life.ended < 31 * MINUTE
    assert result.totals.usd == (life.ended - life.started) / HOUR * life.price
    assert sum(usd for hour in result.series for usd in hour.usd.values()) == result.totals.usd


def test_an_empty_node_is_removed_after_validation():
    of = cluster(node("a"))
    assert commands(simulation(inputs(of=of))) == [("emptiness", "delete", ("a",))]


def test_a_node_that_gets_a_pod_during_validation_stays():
    of = cluster(node("a"))
    run = simulation(inputs(group(), of=of), [ReplicasSet(5 * SECOND, "deployment/web", 4)])
    [dropped] = [c for c in run.result().commands if c.decision == "delete"]
    assert dropped.outcome == "dropped: churn"
    assert run.world.cluster.pods["default/web-0"].node == "a"


def test_consolidation_moves_pods_to_a_cheaper_node():
    of = cluster(node("a", replica(web := group()), of=LARGE))
    result = simulation(inputs(web, of=of)).result()
    [command] = [c for c in result.commands if c.decision == "replace"]
    assert (command.nodes, command.savings, len(command.launched)) == (("a",), 3.0, 1)
    assert result.evictions == {("deployment/web", "Underutilized"): 1}


def test_a_budget_of_pods_lets_one_go_at_a_time():
    """The second pod is evicted once the first one's successor is ready."""
    web = group()
    of = cluster(node("a", replica(web, 0), replica(web, 1), of=LARGE), evictions=guarded(guard(minAvailable=1)))
    run = simulation(inputs(web, of=of), pod_start=20 * SECOND)
    assert run.result().evictions == {("deployment/web", "Underutilized"): 2}
    [life] = [life for life in run.result().lives if life.name == "a"]
    [command] = [c for c in run.result().commands if c.decision == "replace"]
    assert life.ended is not None
    assert life.ended - command.at >= 80 * SECOND  # a start of the node, and one of a pod


def test_a_pod_that_must_not_be_disrupted_keeps_its_node():
    web = group(annotations={"karpenter.sh/do-not-disrupt": "true"})
    of = cluster(node("a", replica(web, do_not_disrupt="true"), of=LARGE))
    assert commands(simulation(inputs(web, of=of))) == []


def test_an_expired_node_is_drained_whatever_budgets_say():
    web = group()
    of = cluster(
        node("a", *(replica(web, n) for n in range(4)), expire_after="24h10m"), pools=[pool(budgets=[Budget(nodes="0")])]
    )
    result = simulation(inputs(web, of=of)).result()
    [old] = [life for life in result.lives if life.name == "a"]
    assert (old.cause, result.evictions) == ("Expired", {("deployment/web", "Expired"): 4})


def test_an_interrupted_node_stops_after_its_notice():
    web = group(annotations={"karpenter.sh/do-not-disrupt": "true"})
    of = cluster(node("a", *(replica(web, n, do_not_disrupt="true") for n in range(4))))
    run = simulation(inputs(web, of=of))
    assert run.result().lives[0].ended is None
    run = simulation(inputs(web, of=of), [Interrupted(MINUTE, "a")])
    assert run.result().lives[0].ended == 3 * MINUTE


def test_a_job_ends_when_its_completions_are_done():
    """Five pods, two at a time, ten minutes each, and five seconds for each start."""
    job = group("report", kind="Job")
    run = simulation(inputs(job), [JobStarted(0, "job/report", JobTerms(5, 2), 10 * MINUTE)], hours=2, startup=30 * SECOND)
    assert run.world.pods_made == 5
    assert not run.world.cluster.pods
    [life] = run.result().lives
    assert life.ended is not None
    assert 30 * MINUTE < life.ended < 32 * MINUTE


def test_pods_with_rules_of_topology_are_spread():
    web = group(count=6, spread=(spread(),))
    run = simulation(inputs(web))
    zones = [run.world.cluster.nodes[p.node].zone for p in run.world.cluster.pods.values()]
    assert sorted(map(zones.count, set(zones))) == [2, 2, 2]


def test_a_deployment_gives_up_pods_that_wait_first():
    demand = [ReplicasSet(0, "deployment/web", 4), ReplicasSet(10 * MINUTE, "deployment/web", 5)]
    demand.append(ReplicasSet(10 * MINUTE + 500, "deployment/web", 4))
    run = simulation(inputs(group()), demand)
    assert len(run.result().lives) == 1


def test_the_same_inputs_give_the_same_result():
    demand = [ReplicasSet(n * MINUTE, "deployment/web", 3 + n * 7 % 11) for n in range(12)]
    results = [simulation(inputs(group()), demand, 2).result() for _ in range(2)]
    assert results[0] == results[1]
