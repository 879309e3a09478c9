"""Volumes: where they let a pod go, what they take of attach limits, and which pods are not tried because of them (spec 9)."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.labels import AWS, CORE, HOSTNAME, ZONE
from cutlist.state.volumes import NO_VOLUMES, PodVolumes, Storage
from cutlist.workloads.pods import Pod, Volume

BOUND = {"pv.kubernetes.io/bind-completed": "yes"}


def claim(name: str, volume: str = "", storage_class: str | None = "wait", *, phase: str = "Bound", **metadata: Any) -> Any:
    spec = {"storageClassName": storage_class, "volumeName": volume}
    return {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "annotations": BOUND, **metadata},
        "spec": {k: v for k, v in spec.items() if v is not None},
        "status": {"phase": phase},
    }


def volume(name: str, *terms: dict[str, list[str]], source: dict[str, Any] | None = None, **metadata: Any) -> Any:
    spec: dict[str, Any] = {"csi": {"driver": "disks"}} if source is None else dict(source)
    if terms:
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [{"matchExpressions": expressions(t)} for t in terms]}}
    return {"kind": "PersistentVolume", "metadata": {"name": name, **metadata}, "spec": spec}


def expressions(values: dict[str, list[str]]) -> list[dict[str, Any]]:
    return [{"key": k, "operator": "In", "values": v} for k, v in values.items()]


def storage_class(name: str = "wait", *zones: str, mode: str = "WaitForFirstConsumer", provisioner: str = "disks") -> Any:
    return {
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": provisioner,
        "volumeBindingMode": mode,
        "allowedTopologies": [{"matchLabelExpressions": [{"key": ZONE, "values": [z]}]} for z in zones],
    }


def using(*claims: str) -> Pod:
    return Pod(volumes=tuple(map(Volume, claims)))


def found(pod: Pod, *objects: Any, name: str = "web-0") -> PodVolumes:
    return Storage.of(objects).of_pod(pod, name, CORE)


def zones(volumes: PodVolumes) -> list[set[str]]:
    return [set(alternative[ZONE].values) if ZONE in alternative else set() for alternative in volumes.alternatives]


def test_a_pod_without_volumes_is_free():
    """Nothing is asked for, and nothing is attached."""
    assert found(Pod()) is NO_VOLUMES


def test_the_terms_of_a_volume_are_alternatives_in_order():
    """A volume that two zones can reach names them one after the other."""
    # S-116
    pv = volume("pv", {ZONE: ["b"]}, {ZONE: ["a"]})
    assert zones(found(using("c"), claim("c", "pv"), pv)) == [{"b"}, {"a"}]


def test_allowed_topologies_are_alternatives_in_order():
    """A claim that is not bound yet may be bound where its class allows it."""
    # S-116
    assert zones(found(using("c"), claim("c"), storage_class("wait", "b", "a"))) == [{"b"}, {"a"}]


def test_the_class_of_a_bound_claim_does_not_matter():
    """Once there is a volume, only where that lies counts."""
    objects = claim("c", "pv"), volume("pv", {ZONE: ["a"]}), storage_class("wait", "b")
    assert zones(found(using("c"), *objects)) == [{"a"}]


@pytest.mark.parametrize("source", [{"local": {"path": "/mnt"}}, {"hostPath": {"path": "/mnt"}}])
def test_the_hostname_of_a_local_volume_is_ignored(source: dict[str, Any]):
    """A pod may move off the machine; a term of the hostname alone becomes an alternative without constraint."""
    # S-116
    pv = volume("pv", {HOSTNAME: ["n1"], ZONE: ["a"]}, {HOSTNAME: ["n2"]}, source=source)
    assert zones(found(using("c"), claim("c", "pv"), pv)) == [{"a"}, set()]


def test_the_hostname_of_other_volumes_counts():
    """A volume of a CSI driver that names a host keeps its pod there."""
    # S-116
    (alternative,) = found(using("c"), claim("c", "pv"), volume("pv", {HOSTNAME: ["n1"]})).alternatives
    assert alternative[HOSTNAME].values == {"n1"}


def test_combinations_that_cannot_be_are_dropped():
    """Of two volumes in two zones each, only the pairs in one zone are left, the first volume's order first."""
    # S-117
    objects = claim("c", "pv"), claim("d", "pw"), volume("pv", {ZONE: ["a"]}, {ZONE: ["b"]})
    other = volume("pw", {ZONE: ["b"]}, {ZONE: ["a"]})
    assert zones(found(using("c", "d"), *objects, other)) == [{"a"}, {"b"}]


def test_where_no_combination_can_be_all_are_kept():
    """A contradiction turns into the absence of the label."""
    # S-117
    objects = claim("c", "pv"), claim("d", "pw"), volume("pv", {ZONE: ["a"]}), volume("pw", {ZONE: ["b"]})
    assert zones(found(using("c", "d"), *objects)) == [set()]


def test_old_keys_of_a_provider_are_read_as_todays():
    """A volume that names its driver's zone label constrains the zone."""
    objects = claim("c", "pv"), volume("pv", {"topology.ebs.csi.aws.com/zone": ["a"]})
    assert zones(Storage.of(objects).of_pod(using("c"), "p", AWS)) == [{"a"}]


def test_an_ephemeral_volume_is_the_claim_of_the_pod():
    """Its claim is called after pod and volume."""
    # S-116
    pod = Pod(volumes=(Volume("scratch", ephemeral=True),))
    assert zones(found(pod, claim("web-0-scratch", "pv"), volume("pv", {ZONE: ["a"]}), name="web-0")) == [{"a"}]


@pytest.mark.parametrize(
    ("objects", "driver"),
    [
        ([claim("c", "pv"), volume("pv")], "disks"),
        ([claim("c", "pv"), volume("pv", source={"awsElasticBlockStore": {"volumeID": "x"}})], "ebs.csi.aws.com"),
        ([claim("c", "pv"), volume("pv", source={"nfs": {"server": "x"}}), storage_class()], None),
        ([claim("c"), storage_class(provisioner="files")], "files"),
        ([claim("c"), storage_class(provisioner="kubernetes.io/gce-pd")], "pd.csi.storage.gke.io"),
        ([claim("c"), storage_class("other")], None),
        ([claim("c", storage_class="")], None),
    ],
)
def test_the_driver_is_the_volumes_or_else_the_classs(objects: list[Any], driver: str | None):
    """In-tree names are read as the CSI drivers that took their place; what no driver attaches counts nowhere."""
    attached = found(using("c"), *objects).attached
    assert attached == (frozenset() if driver is None else {(driver, "default/c")})


def test_a_claim_used_twice_is_attached_once():
    """What counts is the claim, not how often it is mounted."""
    # S-65
    assert found(using("c", "c"), claim("c", "pv"), volume("pv")).attached == {("disks", "default/c")}


def test_one_pod_may_represent_many_each_with_claims_of_its_own():
    """What all of them use has a name; what each has for itself is a number."""
    # S-64, S-65
    objects = (claim("c", "pv"), claim("e-web-0", "a"), claim("web-0-s", "b"), *(volume(v) for v in ("pv", "a", "b")))
    several = Pod(volumes=(Volume("c"), Volume("e", per_replica=True), Volume("s", ephemeral=True)))
    volumes = Storage.of(objects).of_pods(several, "web-0", CORE)
    assert volumes.attached == {("disks", "default/c")}
    assert volumes.own == (("disks", 2),)


def test_a_missing_claim_leaves_the_constraint_out():
    """The pod can still be attached to nodes, but its alternatives are unknown."""
    volumes = found(using("gone"))
    assert (volumes.alternatives, volumes.attachable, volumes.resolved) == ((), True, False)


def test_a_missing_volume_keeps_a_pod_off_existing_nodes():
    """Without its driver nobody knows which limit it counts against."""
    assert not found(using("c"), claim("c", "gone")).attachable


LOST = claim("c", phase="Lost")
GOING = claim("c", "pv", deletionTimestamp="2026-01-01T00:00:00Z")
UNBOUND = claim("c", "pv", annotations={})


@pytest.mark.parametrize(
    ("objects", "words"),
    [
        ([], "'c' not found"),
        ([GOING, volume("pv")], "is being deleted"),
        ([LOST, storage_class()], "no longer exists"),
        ([claim("c", "pv")], "'pv' not found"),
        ([claim("c", "pv"), volume("pv", deletionTimestamp="2026-01-01T00:00:00Z")], "'pv' is being deleted"),
        ([UNBOUND, volume("pv")], "counts as unbound"),
        ([claim("c", storage_class=None)], "must define a storage class"),
        ([claim("c")], "storageclass 'wait' not found"),
        ([claim("c"), storage_class(mode="Immediate")], "must be bound"),
    ],
)
def test_a_pod_with_a_volume_problem_is_not_tried(objects: list[Any], words: str):
    """The reason names the claim and what is wrong with it."""
    # S-118
    problem = found(using("c"), *objects).problem
    assert problem is not None
    assert words in problem


def test_sound_volumes_are_no_problem():
    """Bound, or waiting for the first consumer: the pod is tried."""
    # S-118
    objects = claim("c", "pv"), volume("pv"), claim("d"), storage_class()
    assert found(using("c", "d"), *objects).problem is None
    assert found(using("c", "d"), *objects).alternatives == ()
