"""What services that run Karpenter decide: the version, the feature gates, the NodePools and classes that they make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from cutlist.core.errors import InputError
from cutlist.core.quantity import NANO
from cutlist.core.services import AKS, EKS_AUTO, SERVICES
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.disrupt.answer import disrupt
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.types.answer import pool_notes, types
from cutlist.verbs.validate.answer import validate
from tests.unit.planning.azure_manifests import codes, text_of, the_node

FILES = Path(__file__).parent / "services"
EUROPE = "westeurope"
BOTH = ["default", "system-surge"]
OVERLAY = """
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {name: cheap}
spec:
  requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64, arm64]}]
  price: "0.01"
"""
STATIC = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: fixed}
spec:
  replicas: 1
  template:
    spec:
      nodeClassRef: {group: GROUP, kind: KIND, name: default}
      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]
"""


def read(name: str, *more: str, region: str = EUROPE, figures: dict[str, Any] | None = None, **settings: Any) -> PlanInputs:
    """Return the inputs of a file and of further objects."""
    manifests = [] if figures is None else [{"apiVersion": "cutlist/v1", "kind": "Figures", **figures}]
    text = "\n---\n".join(((FILES / f"{name}.yaml").read_text(), *more))
    return read_inputs(["-"], region=region, stdin=text, manifests=manifests, **settings)


def planned(name: str, *more: str, **settings: Any) -> Plan:
    return plan(read(name, *more, **settings))


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_every_fact_has_a_source_and_a_date(service):
    facts = [service.version_from, service.pools_from, *(g.source for g in service.gates), *(x.source for x in service.limits)]
    assert all(fact.text and len(fact.date) == len("2026-07-17") for fact in (*facts, *(f.source for f in service.class_forms)))
    assert {"NodeOverlay", "StaticCapacity", "SpotToSpotConsolidation", "NodeRepair"} <= set(service.gate_states)


def test_aks_runs_1_14_and_auto_mode_does_not_say():
    """A plan names the service, in text and as data."""  # Z-73, V-142
    on_aks, auto = planned("localdns-required"), planned("auto-spot-any", region="us-west-2")
    assert (on_aks.karpenter, on_aks.headline) == ("1.14.1", "westeurope, Karpenter 1.14.1")
    assert [(s.name, s.karpenter, s.date) for s in on_aks.services] == [(AKS.name, "1.14.0", "2026-07-17")]
    assert auto.headline == "us-west-2, EKS Auto Mode (Karpenter of unknown version, rules of 1.15.0)"
    assert [(s.name, s.karpenter, s.provider) for s in auto.services] == [(EKS_AUTO.name, "", "")]
    assert "is not published" in text_of(auto.assumptions, "service-version")
    assert planned("pool-d", karpenter="1.15", allow_empty=True).karpenter == "1.15.0"


def test_an_object_for_aks_has_the_rules_that_aks_runs():
    """Its CRD requires consolidateAfter; the one of 1.15 does not."""  # Z-73, V15-60
    path = FILES / "aks-no-consolidateafter.yaml"
    refused = validate([path])
    assert [p.place.path for p in refused.problems] == ["spec.disruption.consolidateAfter"]
    assert any(note.text.startswith("AKS Node Auto Provisioning runs Karpenter 1.14") for note in refused.notes)
    assert not validate([path], karpenter="1.15").problems


def test_each_object_of_a_folder_has_the_rules_of_its_own_service(tmp_path):
    """A NodePool of self-managed Karpenter beside one of AKS, in either order."""  # Z-73
    aks = (FILES / "aks-no-consolidateafter.yaml").read_text()
    own = aks.replace("karpenter.azure.com, kind: AKSNodeClass", "karpenter.k8s.aws, kind: EC2NodeClass")
    own = own.replace("name: p}", "name: own}").replace("karpenter.azure.com/sku-family", "karpenter.k8s.aws/instance-family")
    for number, texts in enumerate(((aks, own), (own, aks))):
        file = tmp_path / f"{number}.yaml"
        file.write_text("\n---\n".join(texts))
        assert [p.place.path for p in validate([file]).problems] == ["spec.disruption.consolidateAfter"]


def test_local_dns_that_is_required_takes_four_vcpus():
    node = the_node(planned("localdns-required"))
    assert node.allocatable["cpu"] > 2_000_000_000  # Z-70
    assert not any(row.cpu < 4 * NANO for pool in types(read("localdns-required")) for row in pool.types)


@pytest.mark.parametrize(
    ("name", "bought", "zones"),
    [
        ("overlay-spot-tie", "spot", ("westeurope-1", "westeurope-2", "westeurope-3")),
        ("overlay-zone", "on-demand", ("westeurope-1", "westeurope-2", "westeurope-3")),
    ],
)
def test_an_overlay_leaves_the_order_of_offerings(name, bought, zones):
    made = planned(name)
    assert (the_node(made).capacity_type, the_node(made).zones) == (bought, zones)  # Z-71
    assert "feature-gates" not in codes(made.assumptions)  # AKS has the gate on


def test_a_pod_of_the_system_makes_no_node_for_users():
    """Since AKS's NodePools have the label of their mode."""  # Z-75
    waiting = planned("default-mode-user", built_in_pools=BOTH)
    assert not waiting.nodes
    assert waiting.pending[0].reason.startswith("NodePool default: the pod wants kubernetes.azure.com/mode In [system]")
    tolerant = (
        (FILES / "default-mode-user.yaml")
        .read_text()
        .replace("nodeSelector:", "tolerations: [{key: CriticalAddonsOnly, operator: Exists}]\n      nodeSelector:")
    )
    made = plan(read_inputs(["-"], region=EUROPE, stdin=tolerant, built_in_pools=BOTH))
    assert the_node(made).node_pool == "system-surge"
    by_name = {pool.name: pool for pool in read("default-mode-user", built_in_pools=BOTH).node_pools}
    assert {name: pool.node_class_ref.name for name, pool in by_name.items()} == dict.fromkeys(BOTH, "default")
    assert by_name["default"].labels == {"kubernetes.azure.com/mode": "user"}


def test_aks_automatic_has_other_classes():
    """AzureLinux, and LocalDNS, which leaves out sizes of less than 4 vCPUs."""  # Z-76
    figures = yaml.safe_load((FILES / "automatic.yaml").read_text())
    pods = (FILES / "default-mode-user.yaml").read_text().replace("mode: system", "mode: user")
    read_as = lambda **more: read_inputs(["-"], region=EUROPE, stdin=pods, built_in_pools=BOTH, **more)  # noqa: E731
    base, automatic = read_as(), read_as(manifests=[figures])
    assert [c.image_family for c in automatic.node_classes] == ["AzureLinux"]
    smallest = [min(row.cpu // NANO for row in types(inputs)[0].types) for inputs in (base, automatic)]
    assert smallest == [2, 4]
    assert the_node(plan(automatic)).price.usd_per_hour > the_node(plan(base)).price.usd_per_hour


def test_automatic_provisions_nodes_itself():
    figures = {"aks": {"sku": "Automatic", "nodeProvisioning": "Manual"}}
    with pytest.raises(InputError, match="Automatic always makes nodes by itself"):
        read("pool-d", figures=figures)


def cluster(figures: dict[str, Any] | None = None) -> tuple[PlanInputs, Plan]:
    """Return a cluster of EKS Auto Mode that runs on a larger spot node than its NodePool would take now, and its plan."""
    large = planned("auto-spot-big", region="us-west-2")
    return read("auto-spot-any", region="us-west-2", figures=figures), large


def test_auto_mode_replaces_spot_by_cheaper_spot():
    """AWS runs it with the gate on, whatever the user's Figures say, and a flag for it says nothing new."""  # V-142, D-50
    inputs, large = cluster()
    (step,) = disrupt(inputs, plan=large).forecast.commands
    assert step.savings > 0.5 * large.totals.price_per_hour
    assert disrupt(inputs, plan=large, gates=FeatureGates(spot_to_spot=True, node_repair=True)).forecast.commands
    against, large = cluster({"controller": {"featureGates": {"spotToSpotConsolidation": False}}})
    answer = disrupt(against, plan=large)
    assert answer.forecast.commands
    assert any("SpotToSpotConsolidation is not yours to set" in text for text in answer.oddities)
    assert [service.name for service in answer.services or ()] == [EKS_AUTO.name]


def test_a_gate_that_the_service_has_off_is_refused():
    inputs, large = cluster()
    with pytest.raises(InputError, match="PodDeletionCostManagement is not yours to set"):
        disrupt(inputs, plan=large, gates=FeatureGates(pod_deletion_cost_management=True))  # V-142
    on_aks = read("localdns-required")
    with pytest.raises(InputError, match="SpotToSpotConsolidation is not yours to set, and it is off there"):
        disrupt(on_aks, plan=plan(on_aks), gates=FeatureGates(spot_to_spot=True))  # Z-73
    with pytest.raises(InputError, match="NodeClassCEL is not yours to set"):
        read("auto-spot-any", region="us-west-2", feature_gates=["NodeClassCEL"])


def test_an_own_karpenter_on_aks_has_the_users_gates():
    """It is the user's own where node provisioning is Manual; its version is AKS's in any case."""  # Z-73
    own = {"aks": {"nodeProvisioning": "Manual"}, "controller": {"featureGates": {"spotToSpotConsolidation": True}}}
    inputs = read("localdns-required", figures=own)
    made = plan(inputs)
    assert (made.karpenter, made.services) == ("1.14.1", ())
    assert disrupt(inputs, plan=made, gates=FeatureGates(spot_to_spot=True)).services is None
    assert "feature-gates" in codes(planned("overlay-zone", figures={"aks": {"nodeProvisioning": "Manual"}}).assumptions)


def test_auto_mode_has_no_overlays_and_static_pools():
    """An overlay has no effect there, and the plan says why; a NodePool with replicas needs no remark."""  # V-142
    static = STATIC.replace("GROUP", "eks.amazonaws.com").replace("KIND", "NodeClass")
    made = planned("auto-spot-any", OVERLAY, static, region="us-west-2")
    assert text_of(made.warnings, "feature-gate-off").startswith("EKS Auto Mode runs without the feature gate NodeOverlay")
    assert "feature-gates" not in codes(made.assumptions)
    assert {node.node_pool for node in made.nodes} == {"fixed", "spot"}
    assert all(node.overlay_price is None for node in made.nodes)


def test_beside_an_own_karpenter_each_has_its_own_gates():
    """Overlays count for the NodePools of the Karpenter that the user runs."""  # V-142
    own = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: own}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{id: subnet-0123456789abcdef0}]
  securityGroupSelectorTerms: [{id: sg-0123456789abcdef0}]
---
""" + STATIC.replace("GROUP", "karpenter.k8s.aws").replace("KIND", "EC2NodeClass").replace("name: default}", "name: own}")
    made = planned("auto-spot-any", OVERLAY, own, region="us-west-2")
    assert {node.node_pool: node.overlay_price is not None for node in made.nodes} == {"fixed": True, "spot": False}


@pytest.mark.parametrize(
    ("gate", "objects"), [("NodeOverlay", OVERLAY), ("StaticCapacity", STATIC.replace("GROUP", "karpenter.azure.com"))]
)
def test_aks_has_overlays_and_static_pools(gate, objects):
    made = planned("localdns-required", objects.replace("KIND", "AKSNodeClass"))
    assert f"feature gate {gate}" not in " ".join(note.text for note in (*made.assumptions, *made.warnings))  # Z-73


def test_the_os_disk_of_b20ms_is_a_managed_one():
    """Its cache of 32 GB comes before the larger temporary disk, and 128 GB do not fit."""  # Z-42
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: nginx, resources: "
    inputs = read("b20ms", f"{pod}{{requests: {{cpu: '18'}}}}}}]}}")
    assert "Standard_B20ms" in [row.name for row in types(inputs)[0].types]
    assert text_of(plan(inputs).assumptions, "managed-os-disk").startswith("Standard_B20ms: the OS disk of 128 GB is a managed")


def test_an_ephemeral_os_disk_costs_nothing():
    """The size with its own disk is cheaper as a whole than its price says; the ranking leaves disks out."""  # Z-42
    made = the_node(planned("ephemeral-vs-managed"))
    assert made.instance_type == "Standard_D4as_v5"
    assert made.disk_price is not None
    assert made.disk_price.usd_per_hour > 0


def test_answers_about_types_name_the_service():
    assert "service-version" in codes(pool_notes(read("pool-d", allow_empty=True)))  # Z-73
