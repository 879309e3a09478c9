"""What the NodeClaim of a claim says (spec 10.3, 10.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import NodePool
from cutlist.api.nodepool_hash import HASH, HASH_VERSION
from cutlist.core.annotations import MIN_VALUES_RELAXED, PRICE_OVERLAID
from cutlist.core.labels import CAPACITY_TYPE, HOSTNAME, INITIALIZED, INSTANCE_TYPE, NODEPOOL, REGISTERED, ZONE
from cutlist.core.quantity import amounts
from cutlist.core.requirement import Expression, Requirement
from cutlist.core.requirements import Requirements
from cutlist.core.taints import Taint
from cutlist.scheduling.instancetype_options import MAX_TYPES
from cutlist.scheduling.refusals import TooFewValues
from cutlist.scheduling.results import Results
from cutlist.workloads.pods import Pod
from tests.conformance.nodeclaim import CAPACITY_OVERLAID, NodeClaim, NodeClaims
from tests.unit.scheduling.builders import (
    EIGHT,
    FOUR,
    MACHINES,
    NODE_CLASS,
    REGISTRY,
    SIZE,
    TWO,
    label,
    machine,
    names,
    only,
    pending,
    pod,
    pool,
    run,
    term,
)

CLASS_LABEL = "example.com/examplenodeclass"
FAMILY = "example.com/family"


def claims_of(result: Results, *pools: NodePool, hashes: dict[str, str] | None = None) -> list[NodeClaim]:
    writer = NodeClaims({p.name: p for p in pools}, REGISTRY, hashes or {})
    return [writer.of(claim) for claim in result.claims]


def launched(*pods: Pod, of: NodePool | None = None, hashes: dict[str, str] | None = None, **more: Any) -> NodeClaim:
    """The NodeClaim of the one claim for these pods."""
    node_pool = of or pool()
    result = run(*pods, pools=[node_pool], **more)
    only(result)
    return claims_of(result, node_pool, hashes=hashes)[0]


def said(claim: NodeClaim) -> dict[str, Expression]:
    return {e.key: e for e in claim.requirements}


def test_types_are_listed_by_name():
    """The list that decides by price is written in the order of the alphabet."""
    # S-121, V-69
    assert said(launched(pod()))[INSTANCE_TYPE] == Expression(INSTANCE_TYPE, "In", ("eight", "four", "two"))


def test_min_values_on_types_stay():
    """Narrowing to the names keeps how many types the pool asks for."""
    # S-121
    claim = launched(pod(), of=pool(requirements=[Expression(INSTANCE_TYPE, "Exists", (), 2)]))
    assert said(claim)[INSTANCE_TYPE].min_values == 2


def test_capacity_types_are_those_on_offer():
    """Those in which the listed types can be bought under the requirements, nothing that is sold out."""
    # S-121
    both = machine("both", 4, capacity_types={"spot": 1.0, "on-demand": 3.0})
    sold_out = machine("gone", 4, capacity_types={"reserved": 0.0}, available=False)
    assert said(launched(pod(), types=(both, sold_out)))[CAPACITY_TYPE].values == ("on-demand", "spot")
    spot = pod(node_selector={CAPACITY_TYPE: "spot"})
    assert said(launched(spot, types=(both, sold_out)))[CAPACITY_TYPE].values == ("spot",)


def test_requests_include_daemons():
    """The NodeClaim asks for pods and daemons together, a pod of each counted."""
    # S-121
    claim = launched(pod("1"), pod("1"), daemons=[pod("100m", "128Mi")])
    assert claim.requests == amounts({"cpu": "2100m", "memory": f"{2 * 1024 + 128}Mi", "pods": "3"})


def test_no_hostname_and_nothing_of_the_lifecycle():
    """Requirements that exist only while scheduling are not in the object, nor in its labels."""
    # S-121, S-33
    claim = launched(pod())
    assert not {HOSTNAME, REGISTERED, INITIALIZED} & (said(claim).keys() | claim.labels.keys())


def test_what_the_template_says_is_copied():
    """Taints, startup taints, annotations, node class and life times come from the NodePool."""
    # S-121 V-68 K-88 K-90
    node_pool = pool(
        taints=[Taint("k", "PreferNoSchedule")],
        startup_taints=[Taint("boot", "NoSchedule")],
        annotations={"note": "x"},
        expire_after="48h",
        termination_grace_period="1h",
    )
    claim = launched(pod(), of=node_pool)
    assert (claim.taints, claim.startup_taints) == ((Taint("k", "PreferNoSchedule"),), (Taint("boot", "NoSchedule"),))
    assert (claim.node_class_ref, claim.name_prefix) == (NODE_CLASS, "default-")
    assert (claim.expire_after, claim.termination_grace_period) == ("48h", "1h")
    assert claim.annotations == {"note": "x", HASH_VERSION: "v3", MIN_VALUES_RELAXED: "false"}


def test_bounds_are_written_back_inclusive():
    """`Gt 2` becomes `Gte 3`."""
    # S-13, S-121
    claim = launched(pod(), of=pool(requirements=[Expression("num", "Gt", ("2",))]))
    assert said(claim)["num"] == Expression("num", "Gte", ("3",))


def test_the_hash_of_the_pool_is_noted_when_it_is_known():
    """Without a hash there is no annotation for it."""
    # V-68
    assert HASH not in launched(pod()).annotations
    assert launched(pod(), hashes={"default": "123"}).annotations[HASH] == "123"


def test_labels_name_pool_and_class():
    """The template's labels, the NodePool and its class; well-known keys come from the cloud and are not labels yet."""
    # S-122, V-68
    claim = launched(pod(node_selector={ZONE: "zone-a", SIZE: "small"}), of=pool(labels={"team": "red"}))
    assert claim.labels == {"team": "red", NODEPOOL: "default", CLASS_LABEL: "default"}


def test_custom_keys_become_labels():
    """One value is itself, of several it is one, what is only required to exist is a number, what must not exist is absent."""
    # S-122
    wanted = [*term("one", "In", "x"), *term("many", "In", "y", "x"), *term("any", "Exists"), *term("none", "DoesNotExist")]
    claim = launched(pod(), of=pool(requirements=wanted))
    assert {k: claim.labels.get(k) for k in ("one", "many", "any", "none")} == {
        "one": "x",
        "many": "x",
        "any": "0",
        "none": None,
    }
    assert said(claim)["many"].values == ("x", "y"), "the choice is not written back"


def test_a_pod_decides_a_custom_key():
    """A pod's value for a key that the pool only requires to exist is the label."""
    # S-122
    node_pool = pool(requirements=[*term("any", "Exists")])
    assert launched(pod(node_selector={"any": "v"}), of=node_pool).labels["any"] == "v"


@pytest.mark.parametrize(
    ("requirement", "value"),
    [
        (Requirement.of("k", "In", ["b", "a"]), "a"),
        (Requirement.of("k", "DoesNotExist"), ""),
        (Requirement.of("k", "Exists"), "0"),
        (Requirement.of("k", "NotIn", ["0", "1", "x"]), "2"),
        (Requirement.of("k", "Gt", ["5"]), "6"),
        (Requirement.of("k", "Lt", ["-5"]), "-6"),
        (Requirement.of("k", "Gte", ["-5"]), "0"),
        (Requirement.of("k", "Gte", ["3"]) & Requirement.of("k", "NotIn", ["3"]), "4"),
    ],
)
def test_any_value_is_always_the_same(requirement: Requirement, value: str):
    """Where Karpenter draws at random, here it is the first value that is allowed."""
    # S-122
    assert requirement.any_value() == value


@given(
    st.sampled_from(["In", "NotIn", "Exists", "Gt", "Lt", "Gte", "Lte"]),
    st.integers(-5, 5),
    st.sampled_from(["NotIn", "Exists", "Gte", "Lte"]),
    st.integers(-5, 5),
)
def test_any_value_is_allowed(one, first, two, second):
    """Whatever a requirement allows includes the value taken, unless it allows none or only excluded integers."""
    r = Requirement.of("k", one, [str(first)]) & Requirement.of("k", two, [str(second)])
    value = r.any_value()
    only_excluded = r.complement and r.gte is not None and r.gte == r.lte and str(r.gte) in r.values
    assert r.has(value) or (not value and not r.complement and not r.values) or only_excluded


def by_family(of: str, **fields: Any) -> Any:
    """A machine of a family, which NodePools can ask several of."""
    instance_type = machine(of, 2, **fields)
    return replace(instance_type, requirements=instance_type.requirements & Requirements([label(FAMILY, of)]))


def test_relaxed_min_values_are_noted():
    """Under BestEffort a claim that found two of three families says 2 and that this is less than asked."""
    # S-76
    node_pool = pool(requirements=[Expression(FAMILY, "Exists", (), 3)])
    two = (by_family("c"), by_family("m"))
    claim = launched(pod(), of=node_pool, types=two, strict_min_values=False)
    assert said(claim)[FAMILY].min_values == 2
    assert claim.annotations[MIN_VALUES_RELAXED] == "true"
    assert pending(run(pod(), pools=[node_pool], types=two)) == 1, "under Strict the pod waits"


def test_the_last_claim_of_a_pool_decides_the_note():
    """Claims of one pool share the note: one that was opened without relaxing after one with makes both say false."""
    # S-76
    node_pool = pool(requirements=[Expression(FAMILY, "Exists", (), 2)])
    types = (by_family("c"), by_family("m", zones=("zone-a",)))
    pods = [pod("2", "2Gi", node_selector={ZONE: "zone-b"}), pod("1500m", "2Gi", node_selector={ZONE: "zone-a"})]
    result = run(*pods, pools=[node_pool], types=types, strict_min_values=False)
    assert [c.requirements[FAMILY].min_values for c in result.claims] == [1, 2]
    assert [c.annotations[MIN_VALUES_RELAXED] for c in claims_of(result, node_pool)] == ["false", "false"]


def test_overlays_are_noted():
    """A type in the list whose price or capacity an overlay set marks the NodeClaim; types cut off do not."""
    priced = replace(TWO, offerings=tuple(o._replace(price_overlaid=True) for o in TWO.offerings))
    grown = replace(EIGHT, capacity_overlaid=True)
    both = launched(pod(), types=(priced, FOUR, grown)).annotations
    assert (both[PRICE_OVERLAID], both[CAPACITY_OVERLAID]) == ("true", "true")
    large = launched(pod("3"), types=(priced, FOUR, grown)).annotations
    assert PRICE_OVERLAID not in large
    assert large[CAPACITY_OVERLAID] == "true"


def test_the_dearest_types_are_cut():
    """Of more than 600 types the cheapest are listed."""
    # S-120, V-69
    many = tuple(machine(f"m{n:03d}", 2, price=float(1000 - n), zones=("zone-a",)) for n in range(MAX_TYPES + 5))
    assert said(launched(pod(), types=many))[INSTANCE_TYPE].values == tuple(f"m{n:03d}" for n in range(5, MAX_TYPES + 5))


def test_a_cut_that_breaks_min_values_drops_the_claim():
    """When the dear types were needed for the number of families, the pods stay pending with the whole claim."""
    # S-120
    many = tuple(by_family("c") for _ in range(MAX_TYPES))
    many = tuple(replace(t, name=f"m{n:03d}") for n, t in enumerate(many))
    node_pool = pool(requirements=[Expression(FAMILY, "Exists", (), 2)])
    result = run((pod(), 2), pools=[node_pool], types=(*many, by_family("dear", price=99.0)))
    assert (result.claims, pending(result)) == ((), 2)
    assert [u.refusals for u in result.unplaced] == [(("default", TooFewValues((FAMILY,))),)]
    relaxed = only(run((pod(), 2), pools=[node_pool], types=(*many, by_family("dear", price=99.0)), strict_min_values=False))
    assert len(names(relaxed)) == MAX_TYPES


def test_the_manifest_is_an_api_object():
    """Amounts are quantities again, and what is empty is left out."""
    # S-121
    manifest = launched(pod("1500m"), of=pool(startup_taints=[Taint("k", "NoSchedule", "v")]), types=MACHINES[:1]).manifest()
    assert manifest["metadata"] == {
        "generateName": "default-",
        "labels": {CLASS_LABEL: "default", NODEPOOL: "default"},
        "annotations": {MIN_VALUES_RELAXED: "false", HASH_VERSION: "v3"},
    }
    assert manifest["spec"] == {
        "requirements": [
            {"key": CLASS_LABEL, "operator": "In", "values": ["default"]},
            {"key": CAPACITY_TYPE, "operator": "In", "values": ["on-demand"]},
            {"key": NODEPOOL, "operator": "In", "values": ["default"]},
            {"key": INSTANCE_TYPE, "operator": "In", "values": ["two"]},
        ],
        "resources": {"requests": {"cpu": "1500m", "memory": "1Gi", "pods": "1"}},
        "startupTaints": [{"key": "k", "value": "v", "effect": "NoSchedule"}],
        "nodeClassRef": {"group": "example.com", "kind": "ExampleNodeClass", "name": "default"},
        "expireAfter": "720h",
    }


def test_pods_with_device_claims_fail_at_once():
    """No NodePool is asked, nothing is given up, and the other pods go on."""
    # S-123
    devices = pod(uses_dynamic_resources=True)
    result = run(devices, pod())
    assert pending(result) == 1
    assert [str(r) for _, r in result.unplaced[0].refusals] == [
        "pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter"
    ]
    assert [claim.pods for claim in result.claims] == [{1: 1}]
