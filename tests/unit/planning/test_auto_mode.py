"""Plans for EKS Auto Mode: the class that EKS manages, findings of their own, and Auto Mode beside self-managed Karpenter."""

from __future__ import annotations

from collections import Counter

import pytest

from cutlist import AutoNodeClass, NodePool, plan_inputs, types
from cutlist.catalog.embedded import load
from cutlist.catalog.prices import usd
from cutlist.core.errors import InputError
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.providers.eks_auto import managed_class
from cutlist.verbs.plan.answer import plan
from tests.unit.planning.manifests import AUTO_CLASS, C5, NODE_CLASS, auto_pool, buffer, deployment, pod_template
from tests.unit.planning.manifests import pool as self_managed_pool
from tests.unit.planning.test_existing import node


def daemon(name: str, extra: str = "") -> str:
    return f"""
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: {name}, namespace: kube-system}}
spec:
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec:
      {extra}
      containers: [{{name: main, image: img, resources: {{requests: {{cpu: 100m}}}}}}]
"""


NOT_AUTO = (
    "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: ["
    "{key: eks.amazonaws.com/compute-type, operator: NotIn, values: [auto]}]}]}}}"
)
ON_AUTO = "nodeSelector: {eks.amazonaws.com/compute-type: auto}"


def inputs_of(*documents: str, **options) -> PlanInputs:
    return read_inputs(["-"], **{"region": "us-west-2", **options}, stdin="\n---\n".join(documents))


def refusal_of(*documents: str, **options) -> str:
    with pytest.raises(InputError) as error:
        inputs_of(*documents, **options)
    return str(error.value)


def codes(notes) -> set[str]:
    return {n.code for n in notes}


def test_the_managed_class_need_not_be_written() -> None:
    """A pool may refer to `default` alone; the plan says where it assumes subnets, the profile, and the fee."""
    planned = plan(inputs_of(auto_pool(), deployment()))
    (node,) = planned.nodes
    assert node.instance_type == "c5.large"
    assert {"zones", "overhead-profile", "management-fee"} <= codes(planned.assumptions)
    assert "memory-estimate" not in codes(planned.assumptions)


def test_what_is_not_known_of_a_class_is_said() -> None:
    """Reservations are not looked up and the lock on the kernel is not checked; the plan says both."""
    own = AUTO_CLASS + "  capacityReservationSelectorTerms: [{id: cr-1}]\n  advancedSecurity: {kernelLockdown: Integrity}\n"
    own += "  advancedCompute: {kubelet: {evictionHard: {memory.available: 1Gi}}}\n"
    planned = plan(inputs_of(own, auto_pool(node_class="own"), deployment()))
    assert {"reservations-unknown", "kernel-lockdown", "advanced-compute"} <= codes(planned.assumptions)
    pods = AUTO_CLASS + "  advancedCompute: {kubelet: {maxPods: 20}}\n"
    assert "advanced-compute" not in codes(plan(inputs_of(pods, auto_pool(node_class="own"), deployment())).assumptions)


def test_another_class_must_be_there() -> None:
    """A name that is not a class of the input is reported with its kind."""
    assert "refers to the NodeClass 'mine', which is not in the input" in refusal_of(auto_pool(node_class="mine"))


def test_the_price_is_what_is_paid() -> None:
    """Node and candidate cost EC2's price and the fee, and are marked as estimates for the fee's sake."""
    (node,) = plan(
        inputs_of(auto_pool(f"[{C5}, {{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}}]"), deployment())
    ).nodes
    assert node.price.usd_per_hour == pytest.approx(0.085 * 1.12)
    assert node.candidates[0].price.usd_per_hour == node.price.usd_per_hour
    assert node.is_estimated


def test_a_fee_of_the_price_list_or_of_the_user_is_no_estimate() -> None:
    """The catalogue has the rows that were published, and Figures may have any type of the region."""
    # V-145
    types = "[{key: node.kubernetes.io/instance-type, operator: In, values: [m7i.large, m7i.xlarge, m7i.2xlarge]}, "
    types += "{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]"
    own = "apiVersion: cutlist/v1\nkind: Figures\nresources: {eks-auto-m7i.xlarge: 0.05}\n"
    inputs = inputs_of(auto_pool(types), own, region="ap-northeast-1", allow_empty=True)
    prices = {t.name: t.offerings[0].paid for t in inputs.cloud.types(managed_class()) if t.name.startswith("m7i.")}
    on_demand = load("ap-northeast-1").on_demand
    fees = {name: round(prices[name].usd_per_hour - on_demand[name].usd_per_hour, 5) for name in ("m7i.large", "m7i.xlarge")}
    assert fees == {"m7i.large": 0.01562, "m7i.xlarge": 0.05}
    sources = {name: prices[name].provenance for name in fees}
    assert "Auto Mode fee: AWS price list AmazonEKS, 2026-09-18" in sources["m7i.large"]
    assert "Auto Mode fee: your own figures" in sources["m7i.xlarge"]
    assert [prices[name].estimated for name in ("m7i.large", "m7i.xlarge", "m7i.2xlarge")] == [False, False, True]


def test_the_profile_is_a_choice() -> None:
    """Under 2025-node a c5.large offers 1780m, under the default 1480m."""
    (usual,) = plan(inputs_of(auto_pool(), deployment())).nodes
    (other,) = plan(inputs_of(auto_pool(), deployment(), overhead_profile="2025-node")).nodes
    assert (usual.allocatable["cpu"], other.allocatable["cpu"]) == (1_480 * 10**6, 1_780 * 10**6)


def test_built_in_pools_alone() -> None:
    """With built-in pools on, no NodePool needs to be written; a wrong name and a wrong profile are reported together."""
    planned = plan(inputs_of(deployment(), built_in_pools=["general-purpose"]))
    assert [n.node_pool for n in planned.nodes] == ["general-purpose"]
    text = refusal_of(deployment(), built_in_pools=["general"], overhead_profile="2023")
    assert "'general' is not a built-in NodePool" in text
    assert "overhead profile '2023' is not known" in text


def test_what_auto_mode_does_not_launch_is_explained() -> None:
    """A type and a family outside the list are warned of, with the rule; the pool then allows nothing."""
    # V-114
    types = "{key: node.kubernetes.io/instance-type, operator: In, values: [t3.micro]}"
    family = "{key: eks.amazonaws.com/instance-family, operator: In, values: [a1]}"
    planned = plan(inputs_of(auto_pool(f"[{types}]"), auto_pool(f"[{family}]", "other"), deployment()))
    reported = {n.text for n in planned.warnings if n.code == "not-in-auto-mode"}
    assert (
        "NodePool auto: EKS Auto Mode launches no t3.micro: types of the sizes nano, micro and small are not offered"
        in reported
    )
    assert any("NodePool other: EKS Auto Mode launches no a1: family a1 is not offered" in text for text in reported)
    assert "no-instance-type" in codes(planned.warnings)


def test_values_of_auto_mode_keys_are_checked() -> None:
    """A family that EC2 does not have is warned of under Auto Mode's key as well."""
    inputs = inputs_of(auto_pool("[{key: eks.amazonaws.com/instance-family, operator: In, values: [c5x]}]"))
    (text,) = (note.text for note in inputs.warnings if note.code == "not-a-value")
    assert "no known EC2 instance type has eks.amazonaws.com/instance-family c5x; did you mean c5" in text


def test_auto_modes_key_under_an_ec2nodeclass() -> None:
    """It would limit nothing, so it is an error that names the key that does."""
    # V-110
    wanted = "[{key: eks.amazonaws.com/instance-category, operator: In, values: [c]}]"
    text = refusal_of(NODE_CLASS, self_managed_pool(requirements=wanted))
    assert "limits no instance type; did you mean karpenter.k8s.aws/instance-category?" in text


def test_agents_that_are_built_in() -> None:
    """A DaemonSet of an agent that would run a second time is warned of; one that excludes the nodes is not, nor takes room."""
    # V-146
    agents = ("kube-proxy", "neuron-device-plugin-daemonset")
    planned = plan(inputs_of(auto_pool(), deployment(), *map(daemon, (*agents, "fluent-bit"))))
    assert [n.text.split(":")[0] for n in planned.warnings if n.code == "agent-built-in"] == [
        f"kube-system/daemonset/{agent}" for agent in agents
    ]
    excluded = plan(inputs_of(auto_pool(), deployment(), daemon("kube-proxy", NOT_AUTO)))
    assert "agent-built-in" not in codes(excluded.warnings)
    assert planned.nodes[0].requests["cpu"] - excluded.nodes[0].requests["cpu"] == 3 * 100 * 10**6


BOTH = (NODE_CLASS, self_managed_pool("own"), auto_pool())


def test_two_controllers_share_the_pods_that_are_split() -> None:
    """Pods that select Auto Mode get its nodes and types, pods that exclude it those of self-managed Karpenter."""
    planned = plan(inputs_of(*BOTH, deployment("a", extra=ON_AUTO), deployment("b", extra=NOT_AUTO)))
    assert {n.node_pool: [s.workload for s in n.pods] for n in planned.nodes} == {
        "auto": ["deployment/a"],
        "own": ["deployment/b"],
    }
    assert planned.pending == ()
    assert "two-controllers" not in codes(planned.warnings)
    allocatable = {n.node_pool: n.allocatable for n in planned.nodes}
    assert "vpc.amazonaws.com/pod-eni" in allocatable["own"]
    assert "vpc.amazonaws.com/pod-eni" not in allocatable["auto"]


def test_two_controllers_both_launch_for_pods_that_are_not() -> None:
    """Neither knows of the other: two nodes, and a warning that says how to part the pods."""
    planned = plan(inputs_of(*BOTH, deployment("a")))
    assert [n.node_pool for n in planned.nodes] == ["auto", "own"]
    (note,) = [n for n in planned.warnings if n.code == "two-controllers"]
    assert note.text.startswith("deployment/a: both EKS Auto Mode and self-managed Karpenter would launch nodes")


def test_a_pod_that_both_launch_for_is_on_one_node() -> None:
    """The kube-scheduler binds it once: the node of the other has no pod, and no pod is counted twice."""
    planned = plan(inputs_of(*BOTH, deployment("a", replicas=2, cpu="100m")))
    assert {n.node_pool: (n.count, n.pods_each) for n in planned.nodes} == {"auto": (1, 2), "own": (1, 0)}
    assert (planned.totals.pods, planned.totals.pending) == (2, 0)


def test_a_pod_that_waits_gets_what_is_left_of_a_node_that_was_launched_twice() -> None:
    """Limits keep both from launching for it, and the node without pods has room."""
    one_node = "limits: {cpu: 2}"
    pools = (self_managed_pool("own", spec=one_node), auto_pool(spec=one_node))
    apart = "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}}"
    away = f"affinity: {{podAntiAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: [{apart}]}}}}"
    later = deployment("b", cpu="500m", extra=away)
    planned = plan(inputs_of(NODE_CLASS, *pools, deployment("a", cpu="600m"), later))
    assert planned.pending == ()
    assert {s.workload: n.node_pool for n in planned.nodes for s in n.pods} == {"deployment/a": "auto", "deployment/b": "own"}


def test_pending_with_two_controllers_is_what_both_refuse() -> None:
    """Pods that neither takes are pending once, with the reasons of both."""
    planned = plan(
        inputs_of(*BOTH, deployment("a", replicas=3, extra="nodeSelector: {disk: fast}"), deployment("b", extra=ON_AUTO))
    )
    (pending,) = planned.pending
    assert (pending.workload, pending.count) == ("deployment/a", 3)
    assert {pool for pool, _ in pending.by_node_pool} == {"auto", "own"}


def test_pods_with_labels_of_the_other_controller() -> None:
    """Auto Mode passes over a pod that selects a self-managed key, in its own words; self-managed Karpenter takes it."""
    pod = deployment("a", replicas=2, extra="nodeSelector: {karpenter.k8s.aws/instance-family: c5}")
    planned = plan(inputs_of(*BOTH, pod))
    assert [(n.node_pool, n.pods_each) for n in planned.nodes] == [("own", 2)]
    assert planned.pending == ()
    (pending,) = plan(inputs_of(auto_pool(), pod)).pending
    assert pending.count == 2
    assert pending.reason.endswith("is restricted; did you mean eks.amazonaws.com/instance-family?")


def test_a_limit_of_one_controller() -> None:
    """What Auto Mode's limit leaves pending is counted, less what the other controller takes."""
    limited = auto_pool(spec='limits: {cpu: "2"}')
    planned = plan(
        inputs_of(NODE_CLASS, self_managed_pool("own"), limited, deployment("a", replicas=5, cpu="1", extra=ON_AUTO))
    )
    assert planned.totals.pods + planned.totals.pending == 5
    (pending,) = planned.pending
    assert pending.count == 4
    assert "EKS Auto Mode: NodePool auto:" in pending.reason


def test_room_on_existing_nodes_counts_once() -> None:
    """Both controllers find the same room on a node that exists; what is left is placed by the one that may."""
    planned = plan(inputs_of(*BOTH, node(), deployment("a", replicas=5)))
    ((filled,), pods) = planned.existing, planned.totals.pods
    assert [(s.workload, s.count) for s in filled.pods] == [("deployment/a", 4)]
    assert {n.node_pool: n.pods_each for n in planned.nodes} == {"auto": 1, "own": 0}
    assert pods == 5
    split = plan(inputs_of(*BOTH, node(), deployment("a", replicas=5, extra=NOT_AUTO)))
    assert (split.totals.pods, split.totals.pending) == (5, 0)


def test_a_plan_of_two_controllers_is_stable() -> None:
    """Equal inputs give equal plans, whatever the order of documents."""
    documents = (*BOTH, deployment("a", extra=ON_AUTO), deployment("b", extra=NOT_AUTO))
    assert plan(inputs_of(*documents)).to_json() == plan(inputs_of(*reversed(documents[:3]), *documents[3:])).to_json()


def test_a_capacity_buffer_is_planned_once_by_two_controllers() -> None:
    """Both launch for its pods, as for any; they are on the nodes of one, and the plan is one that its inputs can have."""
    spare = buffer("{replicas: 3, podTemplateRef: {name: spare}}"), pod_template("spare", "1500m")
    inputs = inputs_of(*BOTH, *spare, deployment("web", 2))
    made = plan(inputs)
    placed = Counter({s.workload: 0 for n in made.nodes for s in n.pods})
    for planned in made.nodes:
        placed.update({share.workload: share.count * planned.count for share in planned.pods})
    assert placed == {"capacitybuffer/spare": 3, "deployment/web": 2}
    assert made.pending == ()
    assert "two-controllers" in codes(made.warnings)
    assert len({planned.node_pool for planned in made.nodes}) == 2


def test_types_of_a_pool_built_in_python() -> None:
    """A pool built with its class resolves to Auto Mode's types, priced with the fee."""
    own = AutoNodeClass(name="own", role="NodeRole", discovery="demo")
    made = NodePool(name="p", node_class=own, requirements={"eks.amazonaws.com/instance-family": "c5"})
    (allowed,) = types(plan_inputs([made], region="us-west-2"))
    row = next(t for t in allowed.types if t.name == "c5.large")
    assert usd(row.on_demand) == pytest.approx(0.085 * 1.12)
    assert row.on_demand.estimated


def test_a_class_of_the_other_kind_does_not_count() -> None:
    """A NodeClass and an EC2NodeClass may share a name; each pool gets its own kind."""
    pools = [NodePool.from_manifest(p.manifest()) for p in inputs_of(*BOTH).node_pools]
    with pytest.raises(InputError, match="the EC2NodeClass 'default' of NodePool own is not given"):
        plan_inputs(pools, region="us-west-2")
