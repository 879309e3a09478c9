"""What happens to hashes on NodeClaims when their version becomes another."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cutlist import EC2NodeClass
from cutlist.disruption.restamping import differs, restamping
from cutlist.providers.aws.node_class_hash import HASH, HASH_VERSION
from tests.examples import examples
from tests.unit.api.manifests import CLASS, changed

STAMPS = st.fixed_dictionaries(
    {}, optional={HASH: st.sampled_from(["1", "2"]), HASH_VERSION: st.sampled_from(["v4", "v5", "v6"])}
)
CLAIMS = st.lists(st.tuples(STAMPS, st.booleans(), st.sampled_from(["ours", "other"])), max_size=6)


def claim(name: str, stamps: dict[str, str], pool: str, *, drifted: bool) -> dict[str, Any]:
    """A NodeClaim of a NodePool with these annotations."""
    conditions = [{"type": "Drifted", "status": "True", "reason": "AMIDrift"}] if drifted else []
    metadata = {"name": name, "labels": {"karpenter.sh/nodepool": pool}, "annotations": stamps}
    return {"metadata": metadata, "spec": {}, "status": {"conditions": conditions}}


def node_class(stamps: dict[str, str]) -> EC2NodeClass:
    return EC2NodeClass.from_manifest(changed(CLASS, {"metadata.annotations": stamps}))


# VA15-24
@given(STAMPS, CLAIMS)
@examples(0.5)
def test_each_claim_of_a_class_is_counted_once(of_class: dict[str, str], drawn: list[Any]) -> None:
    """And those that are absorbed are among those that get the new hash."""
    thing = node_class(of_class)
    claims = [claim(f"c{n}", stamps, pool, drifted=drifted) for n, (stamps, drifted, pool) in enumerate(drawn)]
    stamps = restamping("EC2NodeClass", "v5", "v6", [thing], {"ours": thing.name}, claims)
    counted = sorted((*stamps.restamped, *stamps.drifted, *stamps.unstamped, *stamps.current))
    assert counted == sorted(
        c["metadata"]["name"] for c in claims if c["metadata"]["labels"]["karpenter.sh/nodepool"] == "ours"
    )
    assert set(stamps.absorbed) <= set(stamps.restamped)
    assert stamps.claims == len(counted)


# D-69 VA15-24
def test_a_claim_is_absorbed_where_it_would_have_drifted() -> None:
    """Both carry a hash of the earlier version, and not the same; one that is marked already stays drifted."""
    thing = node_class({HASH: "1", HASH_VERSION: "v5"})
    other, same = {HASH: "2", HASH_VERSION: "v5"}, {HASH: "1", HASH_VERSION: "v5"}
    claims = [claim("differs", other, "ours", drifted=False), claim("marked", other, "ours", drifted=True)]
    claims += [
        claim("same", same, "ours", drifted=False),
        claim("older", {HASH: "2", HASH_VERSION: "v4"}, "ours", drifted=False),
    ]
    stamps = restamping("EC2NodeClass", "v5", "v6", [thing], {"ours": thing.name}, claims)
    assert (stamps.absorbed, stamps.drifted) == (("differs",), ("marked",))
    assert stamps.restamped == ("differs", "older", "same")


def test_hashes_are_compared_only_where_both_have_the_version() -> None:
    """That Karpenter writes."""
    first, second = {HASH: "1", HASH_VERSION: "v5"}, {HASH: "2", HASH_VERSION: "v5"}
    assert differs("EC2NodeClass", first, second, "v5")
    assert not differs("EC2NodeClass", first, second, "v6")
    assert not differs("EC2NodeClass", first, {HASH: "2"}, "v5")
    assert not differs("EC2NodeClass", first, first, "v5")
