"""NodeClaims that drift once a NodePool is as a file has it."""

from __future__ import annotations

from typing import Any

from cutlist import NodePool
from cutlist.disruption.drifted_nodes import drifted_nodes, in_words
from tests.nodepool_hash import nodepool_hash
from tests.unit.disruption.test_edits import POOL, changed, read

SPEC = POOL["spec"]["template"]["spec"]


def claim(name: str, of: NodePool, *, version: str = "v3", labels: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    """A claim as the pool's controller made it, with the changes given."""
    carried = {"karpenter.sh/nodepool": "general", "karpenter.sh/capacity-type": "spot", "team": "a", **(labels or {})}
    hashes = {"karpenter.sh/nodepool-hash": nodepool_hash(of), "karpenter.sh/nodepool-hash-version": version}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodeClaim",
        "metadata": {"name": name, "uid": name, "labels": carried, "annotations": hashes},
        "spec": {**SPEC, **spec},
    }


def reported(pool: NodePool, *claims: dict[str, Any]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.claim, str(one.reason), one.members) for one in drifted_nodes([pool], claims)]


def test_nodes_of_the_pool_as_it_is_do_not_drift():
    """Claims with the pool's own hash stay."""
    assert reported(read(POOL), claim("a", read(POOL))) == []


def test_a_node_drifts_by_what_its_claim_has_otherwise():
    """The hash differs, and the claim still shows the taints that it was made with."""
    edited = read(changed(POOL, "spec.template.spec.taints", []))
    assert reported(edited, claim("a", read(POOL))) == [("a", "NodePoolDrifted", ("spec.template.spec.taints",))]


def test_labels_that_a_claim_lacks_are_named():
    """A label of the template that the claim has not is what it drifts by."""
    edited = read(changed(POOL, "spec.template.metadata.labels", {"team": "b"}))
    assert reported(edited, claim("a", read(POOL))) == [("a", "NodePoolDrifted", ("spec.template.metadata.labels",))]


def test_a_duration_in_another_spelling_is_not_named():
    """Members are compared as the hash does it."""
    edited = read(changed(POOL, "spec.template.metadata.labels", {"team": "b"}))
    assert reported(edited, claim("a", read(POOL), expireAfter="1h0m0s")) == [
        ("a", "NodePoolDrifted", ("spec.template.metadata.labels",))
    ]


def test_a_hash_of_another_version_is_not_compared():
    """Claims of an older controller are stamped again before anybody compares."""
    edited = read(changed(POOL, "spec.template.spec.taints", []))
    assert reported(edited, claim("a", read(POOL), version="v2")) == []


def test_labels_outside_the_requirements_drift():
    """The pool wants on-demand now: the spot node goes, the other stays."""
    edited = read(
        changed(
            POOL,
            "spec.template.spec.requirements",
            [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]}],
        )
    )
    other = claim("b", read(POOL), labels={"karpenter.sh/capacity-type": "on-demand"})
    assert reported(edited, other, claim("a", read(POOL))) == [
        ("a", "RequirementsDrifted", ("spec.template.spec.requirements",))
    ]


def test_claims_of_other_pools_and_broken_ones_are_passed_over():
    """What is malformed is reported elsewhere; here it must not be in the way."""
    edited = read(changed(POOL, "spec.template.spec.taints", []))
    foreign = claim("a", read(POOL), labels={"karpenter.sh/nodepool": "other"})
    broken = [{"metadata": None}, {"metadata": {"labels": [], "annotations": 3}}, {}, claim("b", read(POOL), expireAfter=5)]
    assert reported(edited, foreign, *broken) == [("b", "NodePoolDrifted", ())]


def test_many_nodes_are_counted_and_few_named():
    """A sentence stays a sentence."""
    edited = read(changed(POOL, "spec.template.spec.taints", []))
    drifted = drifted_nodes([edited], [claim(f"n{number}", read(POOL)) for number in range(7)])
    text = "NodePool general: 7 nodes drift by spec.template.spec.taints (NodePoolDrifted): n0, n1, n2, n3, n4, ..."
    assert in_words("general", drifted) == text
