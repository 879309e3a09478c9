"""Plans for AKS: what they choose, what they take for granted, what they warn of, and what they report of wrong input."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cutlist import AKSNodeClass, NodeClassRef, NodePool
from cutlist.core.errors import InputError
from cutlist.core.quantity import MEBI, NANO
from cutlist.planning.inputs import plan_inputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan, with_launches
from cutlist.verbs.types.answer import pool_notes, types
from tests.unit.planning.azure_manifests import (
    CLASS,
    D8,
    KEYS,
    ON_DEMAND,
    codes,
    daemon,
    inputs_of,
    plan_of,
    pool,
    text_of,
    the_node,
)
from tests.unit.planning.manifests import deployment


def refused(*documents: str, **more: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        inputs_of(*documents, **more)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("version", ["v1beta1", "v1alpha2"])
def test_both_versions_of_a_class_are_planned_alike(version):
    """In 1.14 they have the same fields."""  # K-129
    node = the_node(plan_of(CLASS.replace("v1beta1", version), pool(D8, ON_DEMAND), deployment()))
    assert (node.instance_type, node.capacity_type, node.price.usd_per_hour) == ("Standard_D8_v4", "on-demand", 0.496)
    assert (node.zones, node.certainty) == (("japaneast-1", "japaneast-2", "japaneast-3"), "determined")
    assert node.allocatable["memory"] == 27174266470 * NANO


# Z-24 K-188
def test_pools_that_aks_makes_need_not_be_written_down():
    """`default` takes what asks for nothing, `system-surge` what tolerates its taint, each with the class of its name."""
    both = ["default", "system-surge"]
    node = the_node(plan(read_inputs(["-"], region="japaneast", stdin=deployment(), built_in_pools=both)))
    family = next(e.values for e in node.requirements if e.key == f"{KEYS}/sku-family")
    assert (node.node_pool, node.capacity_type, family) == ("default", "on-demand", ("D",))
    asking = "nodeSelector: {kubernetes.azure.com/mode: system}"
    waiting = plan(read_inputs(["-"], region="japaneast", stdin=deployment(extra=asking), built_in_pools=["system-surge"]))
    assert [p.reason for p in waiting.pending] == [
        "NodePool system-surge: the pod does not tolerate CriticalAddonsOnly=true:NoSchedule"
    ]
    tolerant = deployment(extra=asking + "\n      tolerations: [{key: CriticalAddonsOnly, operator: Exists}]")
    assert (
        the_node(plan(read_inputs(["-"], region="japaneast", stdin=tolerant, built_in_pools=both))).node_pool == "system-surge"
    )


def test_an_unknown_built_in_pool_is_reported():
    with pytest.raises(InputError, match="'system-surg' is not a built-in NodePool of AKS") as caught:
        read_inputs(["-"], region="japaneast", stdin=deployment(), built_in_pools=["system-surg"])
    assert caught.value.problems[0].nearest == "system-surge"


# Z-36
@pytest.mark.slow
def test_a_label_of_the_data_plane_is_one_that_the_pool_has_to_carry():
    """It is not well-known, so nobody takes it for granted."""
    wanting = deployment(extra="nodeSelector: {kubernetes.azure.com/ebpf-dataplane: cilium}")
    without = plan_of(pool(D8), wanting)
    assert [p.reason for p in without.pending] == [
        "NodePool general: its nodes have no label kubernetes.azure.com/ebpf-dataplane, which the pod requires"
    ]
    assert the_node(plan_of(pool(D8, labels="{kubernetes.azure.com/ebpf-dataplane: cilium}"), wanting)).count == 1


@pytest.mark.parametrize("group", ["", "MC_shop_prod_japaneast"])
def test_system_pods_take_room_as_daemonsets(group):
    """Whether the cluster's name is known or not."""
    reported = {"nodeResourceGroup": group} if group else {"networkPlugin": "azure"}
    node = the_node(plan_of(pool(D8), deployment(cpu="1"), daemon("200m"), reported=reported))
    assert node.requests["cpu"] == 1200 * NANO // 1000
    assert node.requests["memory"] == (1024 + 50) * MEBI


# Z-63
def test_what_follows_from_names_is_named():
    """A size of which a record is at hand has nothing of the kind."""
    derived = plan_of(pool("{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_D8s_v6]}"), deployment())
    assert text_of(derived.assumptions, "derived-facts").startswith("Standard_D8s_v6: ")
    assert "disks" in text_of(derived.assumptions, "derived-facts")
    assert "in which zone of japaneast is not known" in text_of(derived.assumptions, "catalogue")


def test_assumptions_of_a_plan_on_azure():
    """Nothing is said of EC2 or of subnets."""
    planned = plan_of(pool(D8), deployment())
    assert {"memory-estimate", "quotas-unknown", "restrictions-unknown", "spot-capacity", "zone-by-chance"} <= codes(
        planned.assumptions
    )
    everything = " ".join(note.text for note in (*planned.assumptions, *planned.warnings))
    assert not [word for word in ("EC2", "subnet", "EKS") if word in everything]


@pytest.mark.parametrize(("version", "less"), [("1.28", False), ("1.29.4", True), ("1.33", True)])
def test_the_plan_says_that_memory_is_estimated_with_care(version, less):
    """From 1.29 on AKS itself keeps less than Karpenter takes off."""
    planned = plan_of(pool(D8), deployment(), reported={"kubernetesVersion": version})
    assert ("AKS reserves less" in text_of(planned.assumptions, "memory-estimate")) is less


@pytest.mark.parametrize(("version", "line"), [("1.33", "Ubuntu 22.04"), ("1.34", "Ubuntu 24.04")])
def test_the_image_line_is_reported_where_the_version_is_known(version, line):
    planned = plan_of(pool(D8), deployment(), reported={"kubernetesVersion": version})
    assert line in text_of(planned.assumptions, "image-line")


# Z-50
def test_a_sum_with_an_unknown_price_says_so():
    """A size that Karpenter's table does not name has no price, and is taken when nothing else is there."""
    inputs = inputs_of(pool(D8), deployment())
    catalog = inputs.catalog
    nameless = replace(catalog, on_demand={}, spot={})
    planned = plan(replace(inputs, catalog=nameless))
    assert (the_node(planned).price, the_node(planned).certainty) == (None, "unknown price")
    assert (planned.totals.price_per_hour, planned.totals.unpriced_nodes) == (None, 1)


def test_zones_of_a_location_without_zones():
    """Its machines are in zone 0, which a note explains."""
    planned = plan_of(pool(D8), deployment(), region="westus")
    assert the_node(planned).zones == ("0",)
    assert "zone 0 stands for machines" in text_of(planned.assumptions, "no-zone")


def test_only_named_zones_are_looked_at():
    """As with `--zone` on the command line."""
    assert the_node(plan_of(pool(D8), deployment(), zones=["japaneast-2"])).zones == ("japaneast-2",)


def test_no_launch_is_shown_and_why():
    """There is no request with a choice."""
    inputs = inputs_of(pool(D8), deployment())
    planned = with_launches(plan(inputs), inputs)
    assert planned.launches == ()
    assert "one machine of the size" in text_of(planned.assumptions, "launch-not-published")


# Z-49
def test_a_family_without_quota_is_reported_and_left_out():
    """On-demand machines of the family are closed, its spot is not."""
    reported = {"quotas": {"standardDv4Family": 4}}
    on_demand = plan_of(pool(D8, ON_DEMAND), deployment(), reported=reported)
    assert [p.count for p in on_demand.pending] == [1]
    assert text_of(on_demand.warnings, "quota-used-up") == (
        "NodePool general: quotas of vCPUs leave none of its sizes on demand: standardDv4Family (4 left)"
    )
    assert the_node(plan_of(pool(D8), deployment(), reported=reported)).capacity_type == "spot"
    some = plan_of(pool("{key: karpenter.azure.com/sku-series, operator: In, values: [D_v4]}"), deployment(), reported=reported)
    assert text_of(some.assumptions, "quota") == (
        "NodePool general: quotas of vCPUs leave 2 of 7 of its sizes on demand: standardDv4Family (4 left), too few for "
        "Standard_D16_v4, Standard_D32_v4, Standard_D48_v4, Standard_D64_v4, Standard_D8_v4"
    )


def test_more_nodes_than_the_quota_are_warned_of():
    """Each fits by itself, together they do not; so it is with spot and with the whole location."""
    many = deployment(replicas=3, cpu="6")
    planned = plan_of(pool(D8, ON_DEMAND), many, reported={"quotas": {"standardDv4Family": 16, "cores": 20}})
    reported = [note.text for note in planned.warnings if note.code == "quota-exceeded"]
    assert [text.partition(",")[0] for text in reported] == [
        "all nodes of the plan have 24 vCPUs of the quota cores",
        "on-demand nodes of the plan have 24 vCPUs of the quota standardDv4Family",
    ]
    spot = plan_of(pool(D8), many, reported={"quotas": {"lowPriorityCores": 16}})
    assert "spot nodes of the plan have 24 vCPUs" in text_of(spot.warnings, "quota-exceeded")


def test_sizes_that_the_subscription_may_not_use_are_left_out():
    inputs = inputs_of(pool(D8), deployment(), reported={"restricted": ["Standard_D8_v4"]})
    assert "no-instance-type" in codes(pool_notes(inputs))
    assert types(inputs)[0].types == ()


def test_who_asks_for_ultra_disks_reads_that_nobody_knows_where_they_are():
    """Neither a record nor a name says it, so no size is taken to have it, and no plan goes on as if that were certain."""
    asked = "{key: karpenter.azure.com/sku-storage-ultra-ssd, operator: In, values: ['true']}"
    of_pods = deployment(extra="nodeSelector: {karpenter.azure.com/sku-storage-ultra-ssd: 'true'}")
    for documents, who in (((pool(asked), deployment()), "NodePool general"), ((pool(D8), of_pods), "deployment/web")):
        said = text_of(plan_of(*documents).warnings, "ultra-disks-unknown")
        assert f"so none is assumed to, and {who} finds none here" in said
    either = deployment(extra="nodeSelector: {karpenter.azure.com/sku-storage-ultra-ssd: 'false'}")
    assert "ultra-disks-unknown" not in codes(plan_of(pool(D8), either).warnings)


def test_a_class_whose_images_do_not_start_a_size_is_reported():
    """FIPS has images for amd64 of generation 2 alone."""
    fips = CLASS.replace("spec: {}", "spec: {fipsMode: FIPS}")
    arm = "{key: kubernetes.io/arch, operator: In, values: [arm64]}"
    found = pool_notes(inputs_of(fips, pool(arm)))
    assert "start none of its sizes" in text_of(found, "no-image")


@pytest.mark.parametrize(
    ("key", "values", "message", "hint"),
    [
        (
            "topology.kubernetes.io/zone",
            "japaneast-4",
            "japaneast has no topology.kubernetes.io/zone japaneast-4",
            "japaneast-",
        ),
        ("topology.kubernetes.io/zone", '"2"', "zone 2, only", "did you mean japaneast-2?"),
        ("karpenter.azure.com/sku-name", "Standard_D8_v44", "VM size has karpenter.azure.com/sku-name", "Standard_D8_v4"),
        ("karpenter.azure.com/sku-family", "X", "no known VM size has karpenter.azure.com/sku-family X", ""),
        ("karpenter.azure.com/placement-scope", "zone, zonal", "placement-scope zone", "zonal"),
        ("kubernetes.io/os", "windows, linux", "kubernetes.io/os windows, only linux", ""),
        ("karpenter.sh/capacity-type", "reserved, spot", "capacity-type reserved", ""),
    ],
)
def test_values_that_no_size_has_are_warned_of(key, values, message, hint):
    """With what there is, or the nearest; the catalogue may be older than they are."""
    inputs = inputs_of(pool(f"{{key: {key}, operator: In, values: [{values}]}}"))
    assert any(message in text and hint in text for text in (n.text for n in inputs.warnings if n.code == "not-a-value"))


@pytest.mark.parametrize(
    ("requirement", "region", "code", "text"),
    [
        (
            "{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_D8s_v6]}",
            "malaysiawest",
            "not-in-region",
            "no machine of malaysiawest has karpenter.azure.com/sku-name Standard_D8s_v6",
        ),
        ("{key: karpenter.azure.com/sku-cpu, operator: In, values: ['7']}", "japaneast", "not-a-value", "did you mean"),
        (
            "{key: node.kubernetes.io/instance-type, operator: In, values: [Standard_F1s]}",
            "japaneast",
            "never-used",
            "Karpenter on AKS launches no Standard_F1s",
        ),
    ],
)
def test_values_that_lead_to_nothing_here_are_warned_of(requirement, region, code, text):
    """A size that the location does not sell, a number that no size has, a size that is never used."""
    planned = plan_of(pool(requirement), deployment(), region=region)
    assert text in text_of(planned.warnings, code)
    assert [p.count for p in planned.pending] == [1]


def test_a_zone_that_the_location_lacks_is_reported():
    (problem,) = refused(pool(D8), zones=["japaneast-4"])
    assert "zone 'japaneast-4' is not in japaneast" in problem
    assert "0, japaneast-1, japaneast-2, japaneast-3" in problem


@pytest.mark.parametrize(
    ("documents", "region", "text"),
    [
        ((pool(D8),), "us-west-2", "NodePool general is for Azure, by its AKSNodeClass, and us-west-2 is of AWS"),
        (
            (pool(D8).replace("karpenter.azure.com, kind: AKSNodeClass", "karpenter.k8s.aws, kind: EC2NodeClass"),),
            "japaneast",
            "NodePool general is for AWS, by its EC2NodeClass, and japaneast is of Azure",
        ),
    ],
)
def test_a_pool_of_another_cloud_is_reported(documents, region, text):
    assert any(text in problem for problem in refused(*documents, region=region))


@pytest.mark.parametrize(
    ("reported", "text"),
    [
        ({"quotas": {"standardDv44Family": 1}}, "no quota is named 'standardDv44Family'"),
        ({"quotas": {"standardDv4Family": -1}}, "-1 is out of range"),
        ({"restricted": ["Standard_D8_v44"]}, "no VM size is named 'Standard_D8_v44'"),
        ({"restricted": [{"Standard_D8_v4": True}]}, "expected text, found a mapping"),
        ({"quotas": 4}, "expected a mapping, found 4"),
        ({"networkPlugin": "kubenet"}, "'kubenet' is unknown"),
        ({"kubernetesVersion": 1.33}, "1.33 is not a version of Kubernetes"),
        ({"kubernetesVersion": "latest"}, "'latest' is not a version of Kubernetes"),
        ({"network": "azure"}, "network"),
    ],
)
def test_mistaken_figures_are_reported(reported, text):
    """Each at its place."""
    (problem,) = refused(pool(D8), reported=reported)
    assert text in problem


def test_memory_of_nodes_is_no_figure_on_azure():
    """Karpenter's provider does not learn it."""
    with pytest.raises(InputError, match="goes by its estimate of memory"):
        read_inputs(
            ["-"],
            region="japaneast",
            stdin=CLASS + "---" + pool(D8),
            manifests=[{"apiVersion": "cutlist/v1", "kind": "Figures", "memory": {"Standard_D8_v4": "31Gi"}}],
        )


@pytest.mark.slow
def test_discounts_count_as_they_do_elsewhere():
    reported = {"apiVersion": "cutlist/v1", "kind": "Figures", "prices": {"onDemandDiscount": "50%"}}
    inputs = read_inputs(
        ["-"], region="japaneast", stdin="\n---\n".join((CLASS, pool(D8, ON_DEMAND), deployment())), manifests=[reported]
    )
    assert the_node(plan(inputs)).price.usd_per_hour == 0.248


def test_pools_from_python_are_planned():
    """With a class that AKS makes or with one of their own."""
    own = NodePool(name="own", node_class=AKSNodeClass(name="mine", max_pods=50), requirements={f"{KEYS}/sku-cpu": "8"})
    (found,) = types(plan_inputs([own], region="japaneast"))
    assert {row.allocatable["pods"] for row in found.types} == {50 * NANO}
    made = NodePool(
        name="made",
        node_class=NodeClassRef(group=KEYS, kind="AKSNodeClass", name="default"),
        requirements={f"{KEYS}/sku-name": "Standard_D8_v4"},
    )
    assert the_node(plan(plan_inputs([made], inputs_of(pool(D8), deployment()).workloads, region="japaneast"))).count == 1


def test_values_of_one_requirement_about_which_the_same_is_said_are_one_warning():
    """Zones by their numbers, as Azure's other tools have them."""
    inputs = inputs_of(pool("{key: topology.kubernetes.io/zone, operator: In, values: ['1', '2', '3']}"))
    (text,) = [note.text for note in inputs.warnings if note.code == "not-a-value"]
    assert "topology.kubernetes.io/zone 1, 2 or 3, only" in text
    assert text.endswith("did you mean japaneast-1, japaneast-2 or japaneast-3?")


OVERLAY = """
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {name: reserved}
spec:
  requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_D8_v4]}]
  {change}
"""


@pytest.mark.parametrize(
    ("kinds", "change", "bought"),
    [
        ("spot, on-demand", 'price: "0.01"', "spot"),  # a tie, which spot wins
        ("on-demand", 'price: "0.01"', "on-demand"),
        ("spot, on-demand", 'priceAdjustment: "-100%"', "spot"),
        ("on-demand", 'priceAdjustment: "+0.1"', "on-demand"),
    ],
)
def test_an_overlay_keeps_the_order_of_equal_prices(kinds, change, bought):
    """Spot before on-demand, and zones before none."""  # Z-52, Z-71
    capacity = f"{{key: karpenter.sh/capacity-type, operator: In, values: [{kinds}]}}"
    made = the_node(plan_of(pool(D8, capacity), OVERLAY.replace("{change}", change), deployment()))
    assert (made.capacity_type, made.zones) == (bought, ("japaneast-1", "japaneast-2", "japaneast-3"))
