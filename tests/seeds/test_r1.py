"""R1, EKS Auto Mode: its class, its pools, the message for a wrong label, and the spot node that two nginx pods got."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from types import MappingProxyType

import pytest
import yaml

from cutlist import AutoNodeClass, NodePool
from cutlist.catalog.prices import Price, usd
from cutlist.catalog.regions import RegionCatalog
from cutlist.core.errors import InputError
from cutlist.core.quantity import amounts
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PlannedNode
from cutlist.planning.read_inputs import read_inputs
from cutlist.providers.eks_auto import AutoSettings, built_in_pools
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.types.answer import types
from tests.nodepool_hash import nodepool_hash
from tests.seeds.steps import Seed, named

R1 = Seed("r1-eks-auto-mode", "ap-northeast-1", "acd")
APP = "3-sample-app-on-system-pool"
NGINX = "6-nginx-on-spot"


def with_spot_fixture(inputs: PlanInputs, types: list[str] | None = None) -> PlanInputs:
    """The inputs with the seed's own spot prices: a share of the on-demand price but for one type; of all or of some types."""
    fixture = yaml.safe_load((R1.folder / "cluster.yaml").read_text())["prices"]["spot"]["fixture"]
    catalog = inputs.catalog
    spot = {
        name: {zone: Price(price.usd_per_hour * fixture["default"], "fixture") for zone in catalog.offered.get(name, ())}
        for name, price in catalog.on_demand.items()
    }
    for one in fixture["overrides"]:
        spot[one["type"]][one["zone"]] = Price(one["price"], "fixture")
    return replace(inputs, catalog=_only(replace(catalog, spot=spot), types))


def _only(catalog: RegionCatalog, types: list[str] | None) -> RegionCatalog:
    if types is None:
        return catalog
    return replace(catalog, machines=MappingProxyType({name: catalog.machines[name] for name in types}))


def nginx_node(types: list[str] | None = None) -> PlannedNode:
    planned = plan(with_spot_fixture(R1.inputs_of(NGINX), types))
    (node,) = planned.nodes
    assert planned.pending == ()
    return node


def settled(pool: NodePool) -> dict[str, object]:
    """What a pool says, without what a controller wrote to it."""
    left_out = ("_source", "node_class", "_written", "conditions", "pool_annotations")
    return {f.name: getattr(pool, f.name) for f in dataclasses.fields(pool) if f.name not in left_out}


def test_the_managed_class_has_the_defaults_of_auto_mode():
    """Storage, network policy and SNAT of the class are what the page shows; the class is managed."""
    # K-125
    expected = R1.step("1-look-at-default-class")["expect"]["class"]
    (found,) = R1.inputs_of(APP).node_classes
    storage = found.ephemeral_storage
    shown = {"size": str(storage.size), "iops": storage.iops, "throughput": storage.throughput}
    assert (found.name, found.is_managed) == (expected["name"], True)
    assert {
        "ephemeralStorage": shown,
        "networkPolicy": found.network_policy,
        "networkPolicyEventLogs": found.network_policy_event_logs,
        "snatPolicy": found.snat_policy,
    } == expected["defaults"]


def test_what_the_controller_found_is_read_with_the_managed_class():
    """Its conditions as the page lists them, the instance profile, and the groups and subnets with their zones."""
    # K-126
    (found,) = R1.inputs_of(APP).node_classes
    assert isinstance(found, AutoNodeClass)
    conditions = [{"type": one.type, "status": one.status} for one in found.status.conditions]
    assert conditions == R1.step("1-look-at-default-class")["expect"]["conditions"]
    written = yaml.safe_load((R1.folder / "manifests/01-nodeclass-default-managed.yaml").read_text())["status"]
    assert found.status.instance_profile == written["instanceProfile"] != ""
    assert [one.zone for one in found.subnets] == [one["zone"] for one in written["subnets"]]


def test_built_in_pools_are_those_of_the_cluster():
    """Both pools as this product makes them say what the cluster's own say."""
    # K-127
    read = {p.name: settled(p) for p in R1.inputs_of(APP).node_pools}
    assert {p.name: settled(p) for p in built_in_pools()} == read


def test_hashes_of_the_built_in_pools_are_those_of_the_cluster():
    """Both numbers that the cluster wrote come out, of its own pools and of those that this product makes."""
    # K-103 H-3
    expected = R1.step("2-look-at-built-in-pools")["expect"]["hashes"]
    assert {p.name: nodepool_hash(p) for p in R1.inputs_of(APP).node_pools} == expected
    assert {p.name: nodepool_hash(p) for p in built_in_pools()} == expected


def test_the_hash_of_an_own_pool():
    """Requirements and disruption are not hashed, so the own pool has the number of general-purpose."""
    # K-103
    step = R1.step("5-apply-own-pool")
    for file in ("06-nodepool-default.yaml", "07-nodepool-default-readback.yaml"):
        (pool,) = R1.inputs([f"manifests/{file}"]).node_pools
        assert nodepool_hash(pool) == step["expect"]["hash"]


def test_the_wrong_label_is_reported_in_the_words_of_auto_mode():
    """A self-managed key gives the observed message byte for byte, and the key to use instead."""
    # K-104
    step = R1.step("4-wrong-label")
    with pytest.raises(InputError) as error:
        R1.inputs_of("4-wrong-label")
    (problem,) = error.value.problems
    assert problem.message == step["expect"]["message"]
    assert problem.nearest == step["derived"]["hint"]
    assert problem.place.path == "spec.template.spec.requirements[2].key"


def test_defaults_of_an_own_pool():
    """The pool has the defaults that the cluster filled in, and says the same as what was read back."""
    # K-94 K-96 K-98
    expected = R1.step("5-apply-own-pool")["expect"]["defaultsFilled"]
    (pool,) = R1.inputs(["manifests/06-nodepool-default.yaml"]).node_pools
    (back,) = R1.inputs(["manifests/07-nodepool-default-readback.yaml"]).node_pools
    assert {
        "expireAfter": pool.expire_after,
        "terminationGracePeriod": pool.termination_grace_period,
        "consolidateAfter": pool.disruption.consolidate_after,
        "consolidationPolicy": pool.disruption.consolidation_policy,
        "budgets": [{"nodes": b.nodes} for b in pool.disruption.budgets],
    } == expected
    assert settled(pool) == settled(back)


@pytest.mark.parametrize(
    ("profile", "member"), [("2024-estimate", "sizeWithProfile2024"), ("2025-node", "sizeWithProfile2025")]
)
def test_the_overhead_profile_decides_on_the_size(profile: str, member: str):
    """Three pods of 500m need four vCPU under the one profile and two under the other, at EC2's price and the fee."""
    # K-151
    step = R1.step(APP)
    planned = plan(replace(R1.inputs_of(APP), auto=AutoSettings(overhead_profile=profile)))
    (node,) = planned.nodes
    assert (node.node_pool, node.capacity_type) == (step["expect"]["nodePool"], step["expect"]["capacityType"])
    assert list(planned.pending) == step["expect"]["pending"]
    assert node.requests == amounts(step["derived"]["requests"])
    words = step["derived"][member].replace("(", " ").replace(")", " ").replace(",", " ").split()
    price = float(words[words.index(node.instance_type) + 1])
    assert usd(node.price) == pytest.approx(price * 1.12)
    (note,) = (n for n in planned.assumptions if n.code == "overhead-profile")
    assert profile in note.text


def test_without_the_toleration_the_pods_stay_pending(tmp_path):
    """The selector wants the pool system, whose taint then refuses them."""
    # K-89 K-143
    deployment = yaml.safe_load((R1.folder / "manifests/04-deployment-sample-app.yaml").read_text())
    del deployment["spec"]["template"]["spec"]["tolerations"]
    (tmp_path / "app.yaml").write_text(yaml.safe_dump(deployment))
    planned = plan(R1.inputs([*R1.step(APP)["inputs"][:3], str(tmp_path / "app.yaml")]))
    (pending,) = planned.pending
    assert (pending.count, planned.nodes) == (3, ())
    assert "CriticalAddonsOnly" in pending.reason


def test_two_pods_share_one_spot_node():
    """With the seed's spot prices the node is a c5a.large in 1c, on spot, of the own pool, with both pods on it."""
    # K-80 K-139 K-140 K-158
    (expected,) = R1.step(NGINX)["expect"]["nodes"]
    node = nginx_node()
    assert (node.instance_type, node.capacity_type, node.count) == (
        expected["instanceType"],
        expected["capacityType"],
        expected["count"],
    )
    assert (node.node_pool, node.pods_each) == (expected["nodePool"], len(expected["pods"]))
    assert expected["zone"] in node.zones
    assert node.certainty == "lowest price"
    assert named(R1.step(NGINX)["expect"]["requests"], node.requests) == amounts(R1.step(NGINX)["expect"]["requests"])


def test_allocatable_of_the_spot_node():
    """1480m, 2699Mi, 71Gi and 27 pods, as the NodeClaim says."""
    # K-151
    expected = R1.step(NGINX)["expect"]["allocatable"]
    assert named(expected, nginx_node().allocatable) == amounts(expected)


def test_candidates_hold_the_sixty_listed_types():
    """All 60 types of the claim are candidates, none has more than 8 vCPU."""
    # K-153
    inputs = with_spot_fixture(R1.inputs_of(NGINX))
    candidates = {c.instance_type for c in nginx_node().candidates}
    assert set(R1.step(NGINX)["expect"]["candidateInstanceTypes"]) <= candidates
    assert max(inputs.catalog.machines[name].vcpus for name in candidates) <= 8


def test_of_the_listed_types_all_are_candidates():
    """With nothing but the listed types on sale the claim lists exactly these."""
    # K-153
    expected = R1.step(NGINX)["expect"]["candidateInstanceTypes"]
    node = nginx_node(expected)
    assert sorted(c.instance_type for c in node.candidates) == sorted(expected)
    assert node.instance_type == "c5a.large"


def test_requirements_of_the_claim():
    """The claim asks for what the observed one asks for, instance types aside."""
    claim = yaml.safe_load((R1.folder / "observed/nodeclaim-default-xngjq.yaml").read_text())
    observed = {r["key"]: sorted(r["values"]) for r in claim["spec"]["requirements"]}
    del observed["node.kubernetes.io/instance-type"]
    found = {r.key: sorted(r.values) for r in nginx_node().requirements}
    assert {key: found.get(key) for key in observed} == observed


def test_built_in_pools_compete_without_being_declared(tmp_path):
    """Switched on they take pods that select nothing, switched off they are not in the plan."""
    # K-127 K-128 K-159
    deployment = yaml.safe_load((R1.folder / "manifests/08-deployment-nginx-spot.yaml").read_text())
    del deployment["spec"]["template"]["spec"]["nodeSelector"]
    (tmp_path / "app.yaml").write_text(yaml.safe_dump(deployment))
    files = [R1.folder / "manifests/06-nodepool-default.yaml", tmp_path / "app.yaml"]
    alone = plan(read_inputs(files, region=R1.region))
    competing = plan(read_inputs(files, region=R1.region, built_in_pools=["general-purpose", "system"]))
    assert [(n.node_pool, n.pods_each) for n in alone.nodes] == [("default", 2)]
    assert [(n.node_pool, n.pods_each) for n in competing.nodes] == [("general-purpose", 2)]


def test_types_of_the_built_in_pools():
    """general-purpose launches amd64 alone, system the same types and those of arm64."""
    # K-82 K-86 K-127
    general, system = types(R1.inputs(["manifests/02-nodepool-general-purpose-managed.yaml", *SYSTEM]))
    assert {t.name for t in general.types} < {t.name for t in system.types}
    assert "m6g.large" in {t.name for t in system.types} - {t.name for t in general.types}


SYSTEM = ("manifests/03-nodepool-system-managed.yaml",)
