"""Claims that are not bound in the input: what binds them, and what nothing can bind (spec: scheduling 9.4)."""

from __future__ import annotations

import pytest

from cutlist.disruption.feature_gates import FeatureGates
from cutlist.planning.model import Plan
from cutlist.verbs.cluster_state import cluster_state_of
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool

LARGE = f"[{ON_DEMAND}, {TYPES.format('m5.large')}]"
USER = deployment(extra="volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]")


def claim(spec: str = "", name: str = "data") -> str:
    return f"""
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {{name: {name}}}
spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 10Gi}}}}, {spec}}}
"""


def volume(spec: str = "", name: str = "pv-1", zone: str = "us-west-2c") -> str:
    term = f"{{matchExpressions: [{{key: topology.kubernetes.io/zone, operator: In, values: [{zone}]}}]}}"
    affinity = f"nodeAffinity: {{required: {{nodeSelectorTerms: [{term}]}}}}, " if zone else ""
    return f"""
apiVersion: v1
kind: PersistentVolume
metadata: {{name: {name}}}
spec: {{capacity: {{storage: 20Gi}}, accessModes: [ReadWriteOnce], {affinity}{spec}}}
"""


def storage_class(name: str = "fast", mode: str = "Immediate", provisioner: str = "ebs.csi.aws.com", extra: str = "") -> str:
    return f"""
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {{name: {name}, annotations: {{storageclass.kubernetes.io/is-default-class: "{str(name == "default").lower()}"}}}}
provisioner: {provisioner}
volumeBindingMode: {mode}
{extra}
"""


def made(*documents: str) -> Plan:
    return plan_of(pool(requirements=LARGE), USER, *documents)


def note(plan: Plan, code: str) -> str:
    return next(n.text for n in plan.assumptions if n.code == code)


def reason(plan: Plan) -> str:
    (pending,) = plan.pending
    return pending.reason.removeprefix("Karpenter skips it: ")


@pytest.mark.parametrize("provisioner", ["ebs.csi.aws.com", "efs.csi.aws.com", "fsx.csi.aws.com", "s3.csi.aws.com"])
def test_a_claim_of_a_class_that_binds_at_once_gets_its_volume(provisioner: str) -> None:
    """Its volume is there before Karpenter looks; the plan lists what it takes for granted."""
    plan = made(claim("storageClassName: fast"), storage_class(provisioner=provisioner))
    assert not plan.pending
    assert note(plan, "volumes-provisioned").endswith("in a zone where their pods can run: default/data (fast)")


def test_two_claims_of_one_class_are_both_listed() -> None:
    """What holds for the first claim holds for all."""
    other = deployment("api", extra="volumes: [{name: d, persistentVolumeClaim: {claimName: files}}]")
    plan = made(claim("storageClassName: fast"), claim("storageClassName: fast", "files"), other, storage_class())
    assert not plan.pending
    assert note(plan, "volumes-provisioned").endswith(": default/data (fast), default/files (fast)")


def test_the_topology_of_a_class_that_binds_at_once_counts() -> None:
    """The volume is made where the class allows it, so that is where the pod goes."""
    zones = "[{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [us-west-2b]}]}]"
    plan = made(claim("storageClassName: fast"), storage_class(extra=f"allowedTopologies: {zones}"))
    assert plan.nodes[0].zones == ("us-west-2b",)


def test_claims_of_a_stateful_set_are_made_and_bound() -> None:
    """Each replica has its own claim of the class."""
    stateful = (
        deployment().replace("kind: Deployment", "kind: StatefulSet")
        + """\
  volumeClaimTemplates:
    - {metadata: {name: data}, spec: {storageClassName: fast, resources: {requests: {storage: 1Gi}}}}
"""
    )
    plan = plan_of(pool(requirements=LARGE), stateful, storage_class())
    assert not plan.pending
    assert "default/data-web-0 (fast)" in note(plan, "volumes-provisioned")


def test_a_claim_that_names_its_volume_is_bound_to_it() -> None:
    """Where the volume lies is where the pod goes."""
    plan = made(claim("storageClassName: '', volumeName: pv-1"), volume())
    assert plan.nodes[0].zones == ("us-west-2c",)
    assert note(plan, "volumes-bound").endswith("the volume that fits: default/data to pv-1")


def test_a_static_claim_is_bound_to_the_smallest_volume_that_fits() -> None:
    """Too small a volume, one of another class and one of another claim are passed over."""
    others = [
        volume("", "pv-0", "us-west-2a").replace("20Gi", "5Gi"),
        volume("storageClassName: fast", "pv-2", "us-west-2a").replace("20Gi", "11Gi"),
        volume("claimRef: {name: other, namespace: default}", "pv-3", "us-west-2a").replace("20Gi", "11Gi"),
        volume("", "pv-4", "us-west-2b").replace("20Gi", "30Gi"),
    ]
    plan = made(claim("storageClassName: ''"), *others, volume())
    assert plan.nodes[0].zones == ("us-west-2c",)
    assert "default/data to pv-1" in note(plan, "volumes-bound")


def test_a_volume_that_names_the_claim_is_taken_before_all_others() -> None:
    """Also under a class that binds late."""
    owned = volume("storageClassName: fast, claimRef: {name: data, namespace: default}")
    plan = made(claim("storageClassName: fast"), storage_class(mode="WaitForFirstConsumer"), owned)
    assert plan.nodes[0].zones == ("us-west-2c",)


def test_a_selector_chooses_among_static_volumes() -> None:
    """A volume without the labels is not bound."""
    labelled = volume(zone="us-west-2b", name="pv-2").replace("name: pv-2", "name: pv-2, labels: {disk: green}")
    plan = made(claim("storageClassName: '', selector: {matchLabels: {disk: green}}"), volume(), labelled)
    assert "default/data to pv-2" in note(plan, "volumes-bound")


def test_a_claim_without_a_class_has_the_default_one() -> None:
    """As the API server fills it in."""
    plan = made(claim(), storage_class("default"), storage_class("fast"))
    assert "default/data (default)" in note(plan, "volumes-provisioned")


def test_a_claim_without_a_class_where_no_class_is_given_is_assumed_to_get_one() -> None:
    """Files rarely hold the cluster's classes: the plan says what it takes for granted."""
    plan = made(claim())
    assert not plan.pending
    assert "the cluster's default" in note(plan, "storage-classes")


@pytest.mark.parametrize("others", [[], [volume(zone="us-west-2b")]])
@pytest.mark.parametrize("status", ["", "bound"])
def test_a_volume_that_is_named_and_not_given_is_assumed_to_be_usable_everywhere(others: list[str], status: str) -> None:
    """As a claim is that pods use and nobody gave, whether the claim says that it is bound or not."""
    named = claim("storageClassName: '', volumeName: pv-9")
    if status:
        named = named.replace("name: data", "name: data, annotations: {pv.kubernetes.io/bind-completed: 'yes'}")
    plan = made(named, *others)
    assert not plan.pending
    assert note(plan, "volumes") == "not in the input, assumed usable in every zone: persistent volume pv-9 of default/data"


@pytest.mark.parametrize(
    ("documents", "why"),
    [
        ([claim(), storage_class("fast")], "must define a storage class, because none is the default (fast)"),
        ([claim("storageClassName: ''")], "it asks for none, and no persistentvolume without one fits"),
        (
            [claim("storageClassName: '', volumeName: pv-1"), volume("claimRef: {name: other, namespace: default}")],
            "persistentvolume 'pv-1' belongs to persistentvolumeclaim default/other",
        ),
        (
            [claim("storageClassName: fast, volumeName: pv-1"), volume(), storage_class()],
            "persistentvolume 'pv-1' is of storage class '', not 'fast'",
        ),
        (
            [claim("storageClassName: '', volumeName: pv-1").replace("10Gi", "30Gi"), volume()],
            "persistentvolume 'pv-1' has 20Gi of 30Gi",
        ),
        (
            [claim("storageClassName: '', volumeName: pv-1").replace("ReadWriteOnce", "ReadWriteMany"), volume()],
            "persistentvolume 'pv-1' does not allow ReadWriteMany",
        ),
        (
            [claim("storageClassName: local"), storage_class("local", provisioner="kubernetes.io/no-provisioner")],
            "must be bound, and storage class 'local' makes no volumes",
        ),
    ],
)
def test_a_claim_that_nothing_can_bind_says_why(documents: list[str], why: str) -> None:
    """Its pods stay pending, as Karpenter passes them over."""
    # S-118
    plan = made(*documents)
    assert why in reason(plan)
    assert "'data'" in reason(plan)


def test_two_claims_cannot_have_one_volume() -> None:
    """The second goes without."""
    other = deployment("api", extra="volumes: [{name: d, persistentVolumeClaim: {claimName: files}}]")
    plan = made(claim("storageClassName: ''"), claim("storageClassName: ''", "files"), other, volume())
    assert [pending.workload for pending in plan.pending] == ["deployment/api"]


def test_waiting_pods_of_a_forecast_have_bound_claims_as_those_of_a_plan() -> None:
    """What Karpenter does next to a cluster depends on the pods that wait, with the claims of their own names."""
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nspec: {}\nstatus: {capacity: {cpu: 1}, allocatable: {cpu: 1}}"
    stateful = (
        deployment().replace("kind: Deployment", "kind: StatefulSet")
        + """\
  volumeClaimTemplates:
    - {metadata: {name: data}, spec: {storageClassName: fast, resources: {requests: {storage: 1Gi}}}}
"""
    )
    inputs = inputs_of(pool(requirements=LARGE), stateful, storage_class(), node)
    cluster = cluster_state_of(inputs, 0.0, FeatureGates())
    (batch,) = cluster.pending
    volumes = cluster.storage.of_pod(batch.pod, batch.name, cluster.registry)
    assert volumes.problem is None
    assert volumes.attached == {("ebs.csi.aws.com", "default/data-web-0")}


def test_claims_of_running_pods_that_are_not_given_are_where_the_pods_run() -> None:
    """A snapshot that left the claims out says nothing of pods that could not move: they move within the zone."""
    node = """
apiVersion: v1
kind: Node
metadata: {name: a, labels: {topology.kubernetes.io/zone: us-west-2b}}
status: {capacity: {cpu: 1}, allocatable: {cpu: 1}}
"""
    user = """
apiVersion: v1
kind: Pod
metadata: {name: db-0}
spec:
  nodeName: a
  containers: [{name: main, image: img}]
  volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]
status: {phase: Running}
"""
    given = [claim("storageClassName: '', volumeName: pv-1"), volume()]
    for documents, zone in (([], "us-west-2b"), (given, "us-west-2c")):
        cluster = cluster_state_of(inputs_of(pool(requirements=LARGE), node, user, *documents), 0.0, FeatureGates())
        (running,) = cluster.nodes[0].pods
        volumes = cluster.storage.of_pod(running.pod, running.name, cluster.registry)
        (place,) = volumes.alternatives
        assert place["topology.kubernetes.io/zone"].values == {zone}
        assert volumes.attachable
