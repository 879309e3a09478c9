"""A plan as the cluster that it describes: what happens to its nodes, pods, volumes, budgets and reservations."""

from __future__ import annotations

import pytest

from cutlist.core.errors import InputError
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.planned_cluster import with_plan
from cutlist.planning.read_inputs import read_inputs
from cutlist.state.statenode import state_nodes
from cutlist.verbs.plan.answer import plan
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, pool
from tests.unit.planning.test_existing import removed_node, running
from tests.unit.planning.test_reservations import with_reservation

LARGE = f"[{ON_DEMAND}, {TYPES.format('m5.large')}]"
ZONE = "topology.kubernetes.io/zone"
BUDGET = """
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{name: web}}
spec: {{{rule}, selector: {{matchLabels: {{app: web}}}}}}
"""
STATEFUL = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: main, image: img, resources: {requests: {cpu: 1500m, memory: 1Gi}}}]}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
"""


def planned(*documents: str) -> PlanInputs:
    """The inputs of these documents once their plan has happened."""
    inputs = inputs_of(*documents)
    return with_plan(inputs, plan(inputs), 1_000.0)


def test_nodes_run_the_pods_and_the_daemons_of_the_plan() -> None:
    """Each node has the pods that the plan puts there, and a pod of every DaemonSet that it accepts."""
    agent = deployment("agent", cpu="100m").replace("Deployment", "DaemonSet").replace("  replicas: 1\n", "")
    (node,) = state_nodes(planned(pool(requirements=LARGE), deployment(replicas=1), agent).cluster)
    assert sorted((p.name, *p.owners) for p in node.pods) == [("agent-planned-00001", "DaemonSet"), ("web-0", "ReplicaSet")]
    assert (node.name, node.instance_type, node.pool, node.initialized, node.ready) == (
        "planned-00001",
        "m5.large",
        "general",
        True,
        True,
    )


# W-83
def test_pods_that_move_and_daemons_have_the_zone_of_the_planned_node() -> None:
    """Kubernetes 1.35 copies it when a pod is bound: the zone of the node before is that of no new one."""
    agent = deployment("agent", cpu="100m").replace("Deployment", "DaemonSet").replace("  replicas: 1\n", "")
    by_agent = "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: agent, uid: u, controller: true}], labels: {"
    pods = [running("old", "node-a"), running("agent-a", "node-a").replace("labels: {", by_agent)]
    bound = [text.replace("labels: {", f"labels: {{{ZONE}: us-west-2a, ") for text in pods]
    elsewhere = pool(requirements=f"[{ON_DEMAND}, {{key: {ZONE}, operator: In, values: [us-west-2c]}}]")
    nodes = state_nodes(planned(elsewhere, *removed_node(), *bound, agent).cluster)
    (planned_node,) = (node for node in nodes if node.name.startswith("planned-"))
    zones = {p.name: p.pod.labels.get(ZONE) for p in planned_node.pods}
    assert zones == {"old": "us-west-2c", f"agent-{planned_node.name}": "us-west-2c"}


def test_pods_without_a_node_wait() -> None:
    """What is pending in the plan is what is left of the workloads."""
    there = planned(pool(requirements=LARGE, spec="limits: {cpu: 2}"), deployment(replicas=3, cpu="1500m"))
    assert [(g.workload, g.count, g.bound) for g in there.workloads.groups] == [("deployment/web", 2, 1)]


def test_claims_of_pods_that_run_are_bound_in_the_zone_of_their_node() -> None:
    """Each replica has its own volume, which from now on ties it to the zone."""
    there = planned(pool(requirements=LARGE), STATEFUL)
    zones = {n.name: n.zone for n in state_nodes(there.cluster)}
    for pod in there.cluster.pods:
        claim = there.cluster.storage.claims["default", f"data-{pod.name}"]
        (term,) = there.cluster.storage.volumes[claim.volume].terms
        assert [(e.key, e.values) for e in term] == [(ZONE, (zones[pod.node],))]


@pytest.mark.parametrize(
    ("rule", "allowed"),
    [
        ("maxUnavailable: 1", 1),
        ("maxUnavailable: 0", 0),
        ("minAvailable: 2", 2),
        ("minAvailable: 60%", 1),
        ("maxUnavailable: 30%", 2),
    ],
)
def test_budgets_allow_what_healthy_pods_allow(rule: str, allowed: int) -> None:
    """No controller has written a status, so it is worked out: percentages are rounded up."""
    there = planned(pool(requirements=LARGE), deployment(replicas=4, cpu="100m"), BUDGET.format(rule=rule))
    ((budget,),) = there.cluster.budgets.by_namespace.values()
    assert budget.disruptions_allowed == allowed


def test_reservations_that_the_nodes_use_are_used_up() -> None:
    """The next plan finds so many fewer instances free."""
    first = "[{key: karpenter.sh/capacity-type, operator: In, values: [reserved, on-demand]}, " + TYPES.format("m5.large") + "]"
    documents = (with_reservation("availableInstanceCount: 3"), pool(requirements=first), deployment(replicas=2, cpu="1500m"))
    inputs = read_inputs(["-"], region="us-west-2", stdin="\n---\n".join(documents))
    (node_class,) = with_plan(inputs, plan(inputs)).node_classes
    assert [r.available_instance_count for r in node_class.capacity_reservations] == [1]


def test_a_type_that_the_inputs_do_not_have_is_refused() -> None:
    """A plan of another catalogue or NodePool names what is missing."""
    inputs = inputs_of(pool(requirements=LARGE), deployment())
    other = inputs_of(pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.xlarge')}]"), deployment())
    planned = plan(inputs)
    assert len(with_plan(other, planned).cluster.nodes) == 1  # it may have been launched before the NodePool was changed
    unknown = planned.to_dict()
    unknown["nodes"][0]["instanceType"] = "m5.huge"
    with pytest.raises(InputError, match=r"NodePool general does not allow the plan's instance type m5\.huge"):
        with_plan(inputs, type(planned).from_dict(unknown))
