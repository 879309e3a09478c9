"""Whom topology rules look at: which nodes, which taints, which namespaces; and which claim a pod joins."""

from __future__ import annotations

from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.core.taints import Taint
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pods import LabelSelector, Pod, PodTerm
from tests.one_pass import schedule
from tests.unit.scheduling.builders import MACHINES, REGISTRY, by_zone, only, pending, pod, pool, run, selecting, spread

WEB = {"app": "web"}
TAINT = Taint("dedicated", "NoSchedule", "x")


def test_a_pod_joins_a_light_pools_claim_before_a_heavy_pool_opens_one() -> None:
    """Weight decides only which pool opens a new claim."""
    # S-53
    heavy = pool("heavy", weight=10, requirements={"team": "red"})
    first = pod(cpu="2", node_selector={"karpenter.sh/nodepool": "light"})
    claim = only(run(first, pod(cpu="1"), pools=[heavy, pool("light")]))
    assert claim.node_pool == "light"
    assert sum(claim.pods.values()) == 2


def test_taints_that_the_pod_cannot_stand_take_zones_away_only_under_the_honor_policy() -> None:
    """A zone behind a taint counts as a domain with nobody in it, unless the policy leaves it out."""
    # S-95
    tainted = pool("tainted", requirements={ZONE: "zone-c"}, taints=[TAINT])
    open_pool = pool("open", requirements={ZONE: ["zone-a", "zone-b"]})
    ignoring, honoring = (pod(labels=WEB, spread=(spread(node_taints_policy=p),)) for p in ("Ignore", "Honor"))
    assert pending(run((ignoring, 6), pools=[tainted, open_pool])) == 4
    assert by_zone(run((honoring, 6), pools=[tainted, open_pool])) == {"zone-a": 3, "zone-b": 3}


def node(name: str, zone: str, **labels: str) -> SchedulingNode:
    """A full node of the cluster."""
    marks = {HOSTNAME: name, ZONE: zone, **labels}
    return SchedulingNode(name, node=name, labels=marks, own_labels=marks, available={"cpu": 0, "memory": 0, "pods": 0})


def with_nodes(pending_pod: Pod, count: int, nodes: list[SchedulingNode], bound: list[TopologyPods], **more: object) -> object:
    return schedule(
        SchedulerInputs(
            pools=[pool()],
            types={"default": MACHINES},
            batches=[PodBatch("b", pending_pod, count)],
            registry=REGISTRY,
            nodes=nodes,
            bound=bound,
            **more,  # type: ignore[arg-type]
        )
    )


def test_pods_on_nodes_that_the_pod_could_not_use_count_only_under_the_ignore_policy() -> None:
    """By default a spread looks only at nodes that match the pod's own selector."""
    # S-96
    nodes, running = [node("n1", "zone-a", disk="hdd")], [TopologyPods(pod(labels=WEB), "n1", pods=2)]
    for policy, zone_a in (("Honor", 1), ("Ignore", 0)):
        picky = pod(labels=WEB, node_selector={"disk": "ssd"}, spread=(spread(node_affinity_policy=policy),))
        result = schedule(
            SchedulerInputs(
                pools=[pool(labels={"disk": "ssd"})],
                types={"default": MACHINES},
                batches=[PodBatch("b", picky, 3)],
                registry=REGISTRY,
                nodes=nodes,
                bound=running,
            )
        )
        assert by_zone(result).get("zone-a", 0) == zone_a


def companion(**fields: object) -> Pod:
    return pod(affinity=(PodTerm(ZONE, selecting(app="web"), **fields),))  # type: ignore[arg-type]


def test_which_namespaces_an_affinity_speaks_of() -> None:
    """A list alone, a selector with a list, an empty selector for all, and none for the pod's own."""
    # S-106
    nodes, running = [node("n1", "zone-b")], [TopologyPods(pod(namespace="shop", labels=WEB), "n1")]
    namespaces = {"default": {}, "shop": {"tier": "front"}}

    def placed(pending_pod: Pod) -> bool:
        return not with_nodes(pending_pod, 1, nodes, running, namespaces=namespaces).unplaced  # type: ignore[attr-defined]

    assert not placed(companion())
    assert placed(companion(namespaces=frozenset({"shop"})))
    assert placed(companion(namespace_selector=selecting(tier="front")))
    assert not placed(companion(namespace_selector=selecting(tier="back")))
    assert placed(companion(namespace_selector=selecting(tier="back"), namespaces=frozenset({"shop"})))
    assert placed(companion(namespace_selector=LabelSelector()))


def test_affinity_starts_only_in_zones_whose_taints_the_pod_tolerates() -> None:
    """The first pod of an affinity to itself picks among domains that its creator can reach."""
    # S-110
    pools = [pool("tainted", requirements={ZONE: "zone-a"}, taints=[TAINT]), pool("open", requirements={ZONE: "zone-b"})]
    together = pod(labels=WEB, affinity=(PodTerm(ZONE, selecting(app="web")),))
    assert by_zone(run((together, 3), pools=pools)) == {"zone-b": 3}
