"""The volumes that a plan's pods claim: how many, what they become, and what they cost beside the nodes."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.planning.model import Plan
from cutlist.planning.model.volumes import ClaimedVolume
from cutlist.verbs.plan.csv import plan_csv
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from tests.examples import examples
from tests.unit.planning import azure_manifests
from tests.unit.planning.manifests import deployment, plan_of
from tests.unit.planning.test_attaching import M5, stateful

CLASS = """
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {{name: {name}}}
provisioner: {provisioner}
volumeBindingMode: WaitForFirstConsumer
parameters: {parameters}
"""
USING = "volumes: [{{name: d, persistentVolumeClaim: {{claimName: {}}}}}]"


def storage_class(parameters: dict[str, str] | None = None, provisioner: str = "ebs.csi.aws.com", name: str = "disk") -> str:
    return CLASS.format(name=name, provisioner=provisioner, parameters=json.dumps(parameters or {}))


def claim(size: str = "100Gi", name: str = "shared", **spec: Any) -> str:
    written = {
        "accessModes": ["ReadWriteMany"],
        "resources": {"requests": {"storage": size}},
        "storageClassName": "disk",
        **spec,
    }
    return f"\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: {name}}}\nspec: {json.dumps(written)}\n"


def using(name: str = "shared", replicas: int = 1, workload: str = "web") -> str:
    return deployment(workload, replicas=replicas, cpu="100m", extra=USING.format(name))


def the_volume(*documents: str) -> ClaimedVolume:
    (volume,) = plan_of(M5, *documents).volumes
    return volume


def azure_volume(sku: str, size: str, **parameters: str) -> ClaimedVolume:
    made = storage_class({"skuName": sku, **parameters}, "disk.csi.azure.com")
    pools = azure_manifests.pool(azure_manifests.D8)
    (volume,) = azure_manifests.plan_of(pools, made, claim(size), using(), region="westeurope").volumes
    return volume


def month(volume: ClaimedVolume) -> float:
    assert volume.price_per_hour is not None
    return volume.price_per_hour * 730


def test_each_pod_of_a_statefulset_has_its_claims_and_others_share_theirs() -> None:
    """Templates count times the pods, a claim that two workloads name counts once."""
    # VL-8
    planned = plan_of(M5, storage_class(), stateful(3, volumes=2), claim(), using(replicas=4), using(workload="also"))
    assert [(v.workload, v.claim, v.count, v.gib) for v in planned.volumes] == [
        ("deployment/web", "shared", 1, 100),
        ("statefulset/db", "d0", 3, 1),
        ("statefulset/db", "d1", 3, 1),
    ]
    assert planned.volume_totals.volumes == 7


def test_a_generic_ephemeral_volume_is_a_claim_of_each_pod() -> None:
    """It lives as long as the pod, and costs as much as any other."""
    # VL-8
    spec = "{accessModes: [ReadWriteOnce], storageClassName: disk, resources: {requests: {storage: 10Gi}}}"
    scratch = f"volumes: [{{name: tmp, ephemeral: {{volumeClaimTemplate: {{spec: {spec}}}}}}}]"
    volume = the_volume(storage_class(), deployment(replicas=3, extra=scratch))
    assert (volume.claim, volume.count, volume.gib) == ("tmp", 3, 10)


@pytest.mark.parametrize(
    ("parameters", "size", "type_", "gib", "per_month"),
    [
        ({}, "100Gi", "gp3", 100, 8.0),
        ({"type": "gp3", "iops": "4000", "throughput": "225"}, "100Gi", "gp3", 100, 8 + 1000 * 0.005 + 100 * 0.04),
        ({"Type": "gp2"}, "100Gi", "gp2", 100, 10.0),
        ({"type": "io1", "iopsPerGB": "10"}, "100Gi", "io1", 100, 12.5 + 1000 * 0.065),
        ({"type": "st1"}, "10Gi", "st1", 125, 125 * 0.045),
        ({}, "1500M", "gp3", 2, 0.16),
    ],
)
def test_a_storage_class_says_what_ebs_makes(
    parameters: dict[str, str], size: str, type_: str, gib: int, per_month: float
) -> None:
    """Type, operations and throughput are its parameters, the size is rounded up to whole GiB."""
    # VL-9, VL-10
    volume = the_volume(storage_class(parameters), claim(size), using())
    assert (volume.type, volume.gib) == (type_, gib)
    assert month(volume) == pytest.approx(per_month)
    assert volume.source == "AWS price page for EBS, 2024-07-18"


@pytest.mark.parametrize(
    ("sku", "size", "type_", "per_month"),
    [
        ("Premium_LRS", "128Gi", "Premium_LRS P10", 21.68),
        ("Premium_LRS", "129Gi", "Premium_LRS P15", 41.811428),
        ("Premium_ZRS", "128Gi", "Premium_ZRS P10", 32.519),
        ("StandardSSD_LRS", "5Gi", "StandardSSD_LRS E2", 0.6),
        ("Standard_LRS", "5Gi", "Standard_LRS S4", 1.536),
        ("PremiumV2_LRS", "100Gi", "PremiumV2_LRS", 100 * 0.00013 * 730),
    ],
)
def test_a_managed_disk_is_billed_by_the_step_of_its_size(sku: str, size: str, type_: str, per_month: float) -> None:
    """Each kind has its own steps; the second version of premium is billed by GiB."""
    # VL-11
    volume = azure_volume(sku, size)
    assert volume.type == type_
    assert month(volume) == pytest.approx(per_month)


def test_operations_beyond_those_that_are_free_cost_extra_on_premium_v2() -> None:
    """3,000 operations and 125 MiB/s are in the price."""
    # VL-11
    more = azure_volume("PremiumV2_LRS", "100Gi", DiskIOPSReadWrite="4000", DiskMBpsReadWrite="225")
    assert month(more) == pytest.approx((100 * 0.00013 + 1000 * 0.000008 + 100 * 0.000065) * 730)


def test_shared_disks_cost_each_mount_and_bursting_is_extra() -> None:
    """The disk, and a mount for each VM that may share it; bursting on demand beyond 512 GiB."""
    # VL-11
    assert month(azure_volume("Premium_LRS", "128Gi", maxShares="2")) == pytest.approx(21.68 + 2 * 1.183)
    plain, bursting = azure_volume("Premium_LRS", "1Ti"), azure_volume("Premium_LRS", "1Ti", enableBursting="true")
    assert (month(bursting) or 0) - (month(plain) or 0) == pytest.approx(31.949)
    assert month(azure_volume("Premium_LRS", "128Gi", enableBursting="true")) == pytest.approx(21.68)


@pytest.mark.parametrize(
    ("documents", "why"),
    [
        ((using(),), "the claim is not in the input"),
        ((claim(), using()), "storage class disk is not in the input"),
        ((storage_class(provisioner="efs.csi.aws.com"), claim(), using()), "volumes of efs.csi.aws.com are not disks"),
        ((storage_class({"iops": "many"}), claim(), using()), "iops: many is not a whole number"),
        ((storage_class({"type": "gp9"}), claim(), using()), "no price of gp9 in this region"),
    ],
)
def test_a_volume_without_a_price_says_why(documents: tuple[str, ...], why: str) -> None:
    """It is listed, counted and left out of the sum."""
    planned = plan_of(M5, *documents)
    (volume,) = planned.volumes
    assert volume.price_per_hour is None
    assert volume.unpriced.startswith(why)
    assert (planned.volume_totals.unpriced, planned.volume_totals.price_per_hour) == (1, None)
    assert "1 volume, whose price is not known" in render_plan(planned)


def test_classes_that_a_cluster_has_from_the_start_are_known() -> None:
    """A claim of AKS's default class is a standard SSD, although no file has the class."""
    # VL-12
    pools = azure_manifests.pool(azure_manifests.D8)
    planned = azure_manifests.plan_of(pools, claim("5Gi", storageClassName="default"), using(), region="westeurope")
    assert [(v.type, v.storage_class) for v in planned.volumes] == [("StandardSSD_LRS E2", "default")]
    assert "built-in-classes" in {note.code for note in planned.assumptions}


def test_volumes_are_beside_the_price_of_nodes_in_every_form() -> None:
    """Their sum has a line of its own; the price of nodes does not change with them."""
    # VL-8
    with_volumes = plan_of(M5, storage_class(), stateful(2))
    assert with_volumes.totals.price_per_hour == plan_of(M5, stateful(2)).totals.price_per_hour
    assert "volumes  2 volumes, $0.16 a month that is not in the price" in render_plan(with_volumes)
    assert "- volumes: 2 volumes" in plan_markdown(with_volumes)
    assert 'id="volumes"' in plan_html(with_volumes)
    (row,) = [r for r in csv.DictReader(io.StringIO(plan_csv(with_volumes))) if r["kind"] == "volume"]
    assert (row["workload"], row["count"], row["volume_type"], row["gib"]) == ("statefulset/db", "2", "gp3", "1")
    data = with_volumes.to_dict()
    assert data["volumeTotals"]["pricePerMonth"] == 0.16
    assert Plan.from_dict(data) == with_volumes


@examples(0.6)
@given(st.integers(1, 40), st.integers(1, 3), st.integers(1, 2000), st.sampled_from(["gp3", "gp2", "st1", "io1"]))
def test_the_sum_is_that_of_all_volumes_and_grows_with_each(replicas: int, each: int, gib: int, kind: str) -> None:
    """As many times the price of one as there are claims."""
    # VL-8, VL-9
    made = storage_class({"type": kind, "iops": "3000"} if kind == "io1" else {"type": kind})
    planned = plan_of(M5, made, stateful(replicas, volumes=each).replace("1Gi}}", f"{gib}Gi}}}}"))
    one = planned.volumes[0].price_per_hour
    assert one is not None
    assert planned.volume_totals.volumes == replicas * each
    assert planned.volume_totals.price_per_hour == pytest.approx(one * replicas * each)
    assert all(volume.gib is not None and volume.gib >= gib for volume in planned.volumes)
