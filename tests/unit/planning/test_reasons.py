"""Why pods stay pending, in words."""

from __future__ import annotations

import pytest

from cutlist.core.quantity import NANO
from cutlist.core.requirement import Requirement
from cutlist.planning.reasons import sentence
from cutlist.scheduling.refusals import NoReservation, NoTopology, NoType, ReservationShortage
from cutlist.verbs.plan.answer import plan
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool

SMALL = f"[{ON_DEMAND}, {TYPES.format('m5.large')}]"


def reason(*documents: str) -> str:
    (pending,) = plan_of(*documents).pending
    return pending.reason


def test_too_large_a_pod_is_reported_with_what_the_largest_type_has() -> None:
    """The shortfall is a number."""
    # S-73, K-144
    said = reason(pool(requirements=SMALL), deployment(cpu="3"))
    assert said == "NodePool general: the pod needs 3 cpu and the largest allowed instance type has 1930m"


def test_daemons_that_take_the_room_are_named_as_such() -> None:
    """The reason of a pod that would fit an empty node names what DaemonSets take."""
    daemon = deployment("agent", cpu="500m").replace("Deployment", "DaemonSet").replace("  replicas: 1\n", "")
    said = reason(pool(requirements=SMALL), deployment(cpu="1500m"), daemon)
    assert said == (
        "NodePool general: the pod needs 2 cpu (500m of it for DaemonSets) and the largest allowed instance type has 1930m"
    )


def test_a_taint_without_toleration() -> None:
    """The taint is written as kubectl writes it."""
    said = reason(pool(requirements=SMALL, extra="taints: [{key: team, value: a, effect: NoSchedule}]"), deployment())
    assert said == "NodePool general: the pod does not tolerate team=a:NoSchedule"


def test_a_label_that_no_node_has_comes_with_the_nearest_one() -> None:
    """A misspelt well-known label is recognised."""
    # S-26
    said = reason(pool(requirements=SMALL), deployment(extra="nodeSelector: {topology.kubernetes.io/zoone: us-west-2a, a: b}"))
    assert "no label" in said
    zone = reason(pool(requirements=SMALL), deployment(extra="nodeSelector: {zone: us-west-2a}"))
    assert zone.endswith("no label zone, which the pod requires; did you mean topology.kubernetes.io/zone?")


def test_contradicting_requirements_show_both_sides() -> None:
    """What the pod wants and what the pool has stand side by side."""
    said = reason(pool(requirements=SMALL), deployment(extra="nodeSelector: {karpenter.sh/capacity-type: spot}"))
    assert said == (
        "NodePool general: the pod wants karpenter.sh/capacity-type In [spot] where the NodePool has In [on-demand]"
    )


def test_a_requirement_that_no_type_has_is_pointed_out() -> None:
    """Of several requirements the one that excludes every type is named."""
    said = reason(pool(requirements=SMALL), deployment(extra="nodeSelector: {kubernetes.io/arch: arm64}"))
    assert said == "NodePool general: no instance type that it allows satisfies the pod's kubernetes.io/arch In [arm64]"


def test_a_limit_that_is_used_up_says_what_is_left() -> None:
    """Limits are met when claims are opened, with the largest type each may become."""
    # S-67, K-91
    said = reason(pool(requirements=SMALL, spec="limits: {cpu: 3}"), deployment(replicas=2, cpu="1500m"))
    assert said == "NodePool general: every instance type is larger than what its limits still allow (1 cpu left)"


@pytest.mark.parametrize(
    ("limits", "cpu", "text"),
    [
        ("cpu: 2", "3", "the largest instance type that its limits still allow (2 cpu left) has 1930m"),
        ("memory: 8Gi, cpu: 100", "3", "the largest instance type that its limits still allow (8Gi memory left) has 1930m"),
        (
            "memory: 8Gi, cpu: 3",
            "3",
            "the largest instance type that its limits still allow (3 cpu, 8Gi memory left) has 1930m",
        ),
        ("cpu: 3, memory: 1Ti", "3", "the largest instance type that its limits still allow (3 cpu left) has 1930m"),
        ("cpu: 2", "40", "the largest allowed instance type has 3920m"),
        ("cpu: 100", "40", "the largest allowed instance type has 3920m"),
    ],
)
def test_a_limit_that_leaves_only_types_that_are_too_small_is_named(limits: str, cpu: str, text: str) -> None:
    """Unless the larger ones are too small as well."""
    # S-67
    two = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.xlarge')}]"
    said = reason(pool(requirements=two, spec=f"limits: {{{limits}}}"), deployment(cpu=cpu))
    assert said == f"NodePool general: the pod needs {cpu} cpu and {text}"


@pytest.mark.parametrize(
    ("types", "limits", "left"),
    [
        ("m5.large", "cpu: 1, memory: 100Gi, nodes: 9", "1 cpu left"),
        ("m5.large", "cpu: 100, memory: 1Gi", "1Gi memory left"),
        ("m5.large", "cpu: 1, memory: 1Gi, pods: 1k", "1 cpu, 1Gi memory left"),
        ("c5.xlarge, r5.large", "cpu: 3, memory: 10Gi, ephemeral-storage: 1Ti", "3 cpu, 10Gi memory left"),
    ],
)
def test_of_several_limits_those_that_refuse_are_named(types: str, limits: str, left: str) -> None:
    """Those that each rule out every type that suits the pod, else the fewest that do so together."""
    # S-67
    said = reason(pool(requirements=f"[{ON_DEMAND}, {TYPES.format(types)}]", spec=f"limits: {{{limits}}}"), deployment())
    assert said == f"NodePool general: every instance type is larger than what its limits still allow ({left})"


def test_a_limit_that_leaves_no_type_that_suits_the_pod_is_named() -> None:
    """Although smaller types that do not suit it are still allowed."""
    # S-67
    two = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.4xlarge')}]"
    pods = deployment(extra="nodeSelector: {node.kubernetes.io/instance-type: m5.4xlarge}")
    assert reason(pool(requirements=two, spec="limits: {cpu: 8, memory: 200Gi}"), pods) == (
        "NodePool general: every instance type that suits the pod is larger than what its limits still allow (8 cpu left)"
    )


def test_a_limit_that_leaves_too_few_values_is_named() -> None:
    """The types that it rules out would have made the values enough."""
    # S-67, S-78
    three = "[{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large, m5.4xlarge, m5.8xlarge], minValues: 2}]"
    assert reason(pool(requirements=three, spec="limits: {cpu: 8, memory: 200Gi}"), deployment()) == (
        "NodePool general: too few different values are left for node.kubernetes.io/instance-type (minValues) "
        "within its limits (8 cpu left)"
    )


def test_a_pod_that_would_not_fit_anyway_is_not_sent_to_raise_the_limit() -> None:
    """Where a limit is used up and the pod contradicts the pool as well, the contradiction is the reason."""
    made = plan_of(
        pool(requirements=SMALL, spec="limits: {cpu: 2}"),
        deployment("first", cpu="1500m"),
        deployment("second", extra="nodeSelector: {kubernetes.io/arch: arm64}"),
    )
    (pending,) = made.pending
    assert pending.workload == "deployment/second"
    assert "arm64" in pending.reason


def test_the_nearest_miss_of_several_pools_is_the_reason_and_all_are_listed() -> None:
    """A pool that only lacks room explains more than one that was never meant for the pod."""
    # S-56
    made = plan_of(
        pool("tainted", SMALL, extra="taints: [{key: team, effect: NoSchedule}]"), pool("open", SMALL), deployment(cpu="3")
    )
    (pending,) = made.pending
    assert pending.reason.startswith("NodePool open: the pod needs 3 cpu")
    assert [name for name, _ in pending.by_node_pool] == ["tainted", "open"]


def test_a_pod_that_karpenter_passes_over_says_why() -> None:
    """Pods that forbid NodePools are not Karpenter's."""
    # S-41
    affinity = (
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
        "[{matchExpressions: [{key: karpenter.sh/nodepool, operator: DoesNotExist}]}]}}}"
    )
    assert reason(pool(), deployment(extra=affinity)).startswith("Karpenter skips it: configured to not run")


# --- every reason of section 6 of the page on scheduling


ZONES = f"{SMALL[:-1]}, {{key: topology.kubernetes.io/zone, operator: In, values: [us-west-2a, us-west-2b]}}]"
DATA = "volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]"
VOLUME = """
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: "", volumeName: pv-1}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-1}
spec:
  nodeAffinity:
    required:
      nodeSelectorTerms: [{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [us-west-2c]}]}]
"""
IN_C = "its volume data can be used where topology.kubernetes.io/zone In [us-west-2c]"


def spread(more: str = "", key: str = "topology.kubernetes.io/zone") -> str:
    rule = f"maxSkew: 1, topologyKey: {key}, whenUnsatisfiable: DoNotSchedule{more}"
    return f"topologySpreadConstraints: [{{{rule}, labelSelector: {{matchLabels: {{app: web}}}}}}]"


def test_host_ports_that_daemons_hold_everywhere() -> None:
    """No type is left, for on each the port is taken."""
    # 6.2, S-37
    ports = "ports: [{hostPort: 80}], "
    daemon = deployment("agent").replace("Deployment", "DaemonSet").replace("  replicas: 1\n", "")
    documents = (d.replace("image: img, ", f"image: img, {ports}") for d in (daemon, deployment()))
    said = reason(pool(requirements=SMALL), *documents)
    assert said == "NodePool general: the pod's host ports are taken by DaemonSets on every instance type"


def test_a_volume_in_another_zone_than_the_pod_asks_for_is_named_and_no_pool() -> None:
    """The contradiction is between the pod and its volume, whatever the NodePool."""
    # 6.4
    asking = deployment(extra=f"{DATA}\n      nodeSelector: {{topology.kubernetes.io/zone: us-west-2a}}")
    said = reason(pool(requirements=SMALL), asking, VOLUME)
    assert said == f"{IN_C}, and the pod wants topology.kubernetes.io/zone In [us-west-2a]"


def test_a_volume_outside_the_zones_of_the_pool_is_named() -> None:
    """With what would help: a volume elsewhere, not other topology rules."""
    # 6.4
    (pending,) = plan_of(pool(requirements=ZONES), deployment(extra=DATA), VOLUME).pending
    pool_has = "topology.kubernetes.io/zone In [us-west-2a us-west-2b]"
    assert pending.reason == f"NodePool general: {IN_C}, and the NodePool has {pool_has}"
    assert pending.remedy == "with data in another place it fits NodePool general"


def test_a_volume_of_a_node_by_name_is_named() -> None:
    """No node that is yet to come has that name."""
    # 9.1, S-116
    volume = VOLUME.replace("topology.kubernetes.io/zone", "kubernetes.io/hostname").replace("us-west-2c", "old-node")
    said = reason(pool(requirements=SMALL), deployment(extra=DATA), volume)
    place = "its volume data can be used where kubernetes.io/hostname In [old-node]"
    assert said == f"NodePool general: {place}, and each new node has its own name"


def test_a_volume_where_no_type_is_sold_is_named() -> None:
    """Without the volume there would be one."""
    # 6.4, 6.6
    types = f"[{ON_DEMAND}, {TYPES.format('h1.2xlarge')}]"
    assert "us-west-2a" not in plan_of(pool(requirements=types), deployment()).nodes[0].zones
    said = reason(pool(requirements=types), deployment(extra=DATA), VOLUME.replace("us-west-2c", "us-west-2a"))
    place = "topology.kubernetes.io/zone In [us-west-2a]"
    assert said.endswith(f": no instance type that suits the pod is on offer where its volume data can be used: {place}")


def test_a_volume_that_keeps_a_spread_in_one_zone_is_named() -> None:
    """The rule alone would have domains left."""
    # 6.4, 6.5
    (pending,) = plan_of(pool(requirements=SMALL), deployment(replicas=3, extra=f"{DATA}\n      {spread()}"), VOLUME).pending
    assert pending.reason.endswith(f"; {IN_C}")


def test_min_domains_that_the_pool_cannot_reach_are_the_reason() -> None:
    """With two of three domains a second pod in a zone is one too many."""
    # 6.5, S-90
    said = reason(pool(requirements=ZONES), deployment(replicas=3, extra=spread(", minDomains: 3")))
    assert said == (
        "NodePool general: no domain of topology.kubernetes.io/zone satisfies the topology spread rule: minDomains asks for 3, "
        "and the pod may use 2 (pods there: us-west-2a: 1, us-west-2b: 1)"
    )


def test_min_domains_are_not_blamed_for_what_they_do_not_cause() -> None:
    """A rule on a key without any domain fails anyway."""
    # S-93
    said = reason(pool(requirements=SMALL), deployment(extra=spread(", minDomains: 2", "example.com/rack")))
    assert said == "NodePool general: no domain of example.com/rack satisfies the topology spread rule"


def test_min_values_that_no_longer_hold() -> None:
    """What the pod asks for leaves too few types."""
    # 6.8, S-76
    types = "{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large, m5.xlarge], minValues: 2}"
    said = reason(pool(requirements=f"[{ON_DEMAND}, {types}]"), deployment(cpu="3"))
    assert said == "NodePool general: too few different values are left for node.kubernetes.io/instance-type (minValues)"


def test_a_node_claim_that_the_api_server_refuses() -> None:
    """A pod of one zone leaves fewer values than the NodePool's minValues: no node comes, and no pass changes that."""
    # 10.5, S-125
    zones = "{key: topology.kubernetes.io/zone, operator: Exists, minValues: 2}"
    selects = "nodeSelector: {topology.kubernetes.io/zone: us-west-2a}"
    several = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}, {zones}]")
    planned = plan(inputs_of(several, deployment(replicas=2, extra=selects), karpenter="1.14"))
    (pending,) = planned.pending
    assert (planned.totals.nodes, planned.passes, pending.count, pending.remedy) == (0, 1, 2, "")
    assert pending.reason == (
        "NodePool general: the API server refuses its NodeClaim: minValues of topology.kubernetes.io/zone is 2 and the pods "
        "leave 1 value"
    )


def test_reserved_capacity_that_is_taken() -> None:
    """Karpenter waits for it rather than buy other."""
    # 6.9
    assert sentence(NoReservation(ReservationShortage.TAKEN)) == "only reserved capacity fits, but it is used up"


def test_devices_that_are_claimed_dynamically() -> None:
    """Karpenter leaves such pods alone; so does 1.15 by default, which resolves more kinds where its gates are on."""
    # S-123 V15-79
    said = reason(pool(requirements=SMALL), deployment(extra="resourceClaims: [{name: gpu, resourceClaimName: one}]"))
    assert said.endswith("the pod claims devices by dynamic resource allocation, which Karpenter ignores by default")


NEITHER = "no instance type satisfies its requirements and the pod's together"
NOT_OFFERED = "no instance type that satisfies the requirements is on offer in an allowed zone and capacity type"
TOO_SMALL = "the pod needs 3 cpu and the largest allowed instance type has 2"


@pytest.mark.parametrize(
    ("met", "pairs", "largest", "text"),
    [
        ("", "", 0, NEITHER),
        ("offered", "", 0, NEITHER),
        ("fits", "", 0, NEITHER),
        ("compatible", "", 2, NOT_OFFERED),
        ("offered fits", "fits_and_offered", 0, NEITHER),
        ("offered compatible", "", 2, TOO_SMALL),
        ("offered compatible", "", 4, "no allowed instance type has enough of every resource at once"),
        ("fits compatible", "", 4, NOT_OFFERED),
        ("fits compatible offered", "compatible_and_fits", 4, "no instance type has both room for the pod"),
        ("fits compatible offered", "fits_and_offered", 4, "no instance type has both room for the pod"),
        ("fits compatible offered", "compatible_and_offered", 2, TOO_SMALL),
        ("fits compatible offered", "", 4, "no instance type has both room for the pod"),
    ],
)
def test_every_row_of_the_table_of_filter_errors_has_a_sentence(met: str, pairs: str, largest: int, text: str) -> None:
    """Which of the three checks no type passed, and which of them together."""
    # 6.6
    flags = ("compatible", "fits", "offered", "compatible_and_fits", "compatible_and_offered", "fits_and_offered")
    named = {flag: flag in (met.split() if "_" not in flag else pairs.split()) for flag in flags}
    refusal = NoType(**named, requirements="", needs={"cpu": 3 * NANO}, daemons={}, largest={"cpu": largest * NANO})
    assert sentence(refusal).startswith(text)


@pytest.mark.parametrize(
    ("kind", "there"),
    [
        ("topology spread", " (pods there: us-west-2a: 0, us-west-2b: 2)"),
        ("pod anti-affinity", " (pods there: us-west-2b: 2)"),
        ("pod affinity", " (pods there: us-west-2b: 2)"),
    ],
)
def test_domains_without_pods_are_listed_for_spread_alone(kind: str, there: str) -> None:
    """No pod there keeps another one out or lets it in."""
    # S-94
    key = "topology.kubernetes.io/zone"
    anywhere = Requirement.exists(key)
    refusal = NoTopology(kind, key, (("us-west-2a", 0), ("us-west-2b", 2)), 0, anywhere, anywhere)
    assert sentence(refusal) == f"no domain of topology.kubernetes.io/zone satisfies the {kind} rule{there}"
