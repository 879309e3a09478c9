"""The NodePool that has some terms: only the requirements that they are about differ."""

from __future__ import annotations

from cutlist import NodePool
from cutlist.core.karpenter.baselines import BASELINES, DEFAULT
from cutlist.core.requirement import Expression
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.pool_terms import PoolTerms, widened, without_requirements

ARCH, CAPACITY = "kubernetes.io/arch", "karpenter.sh/capacity-type"
FAMILY, CPU = "karpenter.k8s.aws/instance-family", "karpenter.k8s.aws/instance-cpu"


def pool(*requirements: dict[str, object], group: str = "karpenter.k8s.aws", kind: str = "EC2NodeClass") -> NodePool:
    spec = {"nodeClassRef": {"group": group, "kind": kind, "name": "default"}, "requirements": list(requirements)}
    manifest = {"metadata": {"name": "general"}, "spec": {"template": {"spec": spec}, "limits": {"cpu": "10"}}}
    return NodePool.from_manifest({"apiVersion": "karpenter.sh/v1", "kind": "NodePool", **manifest})


def term(key: str, operator: str, *values: str, **more: int) -> dict[str, object]:
    return {"key": key, "operator": operator, "values": list(values), **more}


def written(of: NodePool) -> list[Expression]:
    return list(of.requirements)


def test_terms_are_added_and_everything_else_stays():
    before = pool(term(ARCH, "In", "amd64"))
    after = PoolTerms(frozenset({"m5", "c5"}), 2, 16, frozenset({"spot"}), 65536).on(before)
    assert written(after) == [
        Expression(ARCH, "In", ("amd64",)),
        Expression(FAMILY, "In", ("c5", "m5")),
        Expression(CPU, "Gt", ("2",)),
        Expression(CPU, "Lt", ("16",)),
        Expression("karpenter.k8s.aws/instance-memory", "Lt", ("65536",)),
        Expression(CAPACITY, "In", ("spot",)),
    ]
    assert after.limits == before.limits


def test_a_term_takes_the_place_of_the_pools_own_and_keeps_its_min_values():
    before = pool(term(FAMILY, "In", "m5", "c5", "r5", minValues=2), term(CPU, "Lt", "64"))
    after = PoolTerms(frozenset({"m5", "c5"}), less_cpu=16).on(before)
    assert written(after) == [Expression(FAMILY, "In", ("c5", "m5"), 2), Expression(CPU, "Lt", ("16",))]


def test_no_terms_change_nothing():
    assert PoolTerms().on(pool(term(ARCH, "In", "amd64"))) == pool(term(ARCH, "In", "amd64"))


def test_what_is_allowed_is_added_where_the_pool_lists_the_other():
    before = pool(term(ARCH, "In", "amd64"), term(CAPACITY, "In", "on-demand"))
    after = widened(before, Allowances(arm64=True, spot=True))
    assert written(after) == [Expression(ARCH, "In", ("amd64", "arm64")), Expression(CAPACITY, "In", ("on-demand", "spot"))]


def test_nothing_is_widened_that_is_not_allowed():
    before = pool(term(ARCH, "In", "amd64"), term(CAPACITY, "In", "on-demand"), term(FAMILY, "In", "m5"))
    assert widened(before, Allowances()) == before


def test_a_pool_without_capacity_types_gets_both_where_spot_is_allowed():
    """Karpenter itself adds on-demand to a NodePool that says nothing."""
    after = widened(pool(), Allowances(spot=True))
    assert written(after) == [Expression(CAPACITY, "In", ("on-demand", "spot"))]


def test_types_drop_the_rules_on_families_and_sizes_alone():
    before = pool(
        term(FAMILY, "In", "m5"), term("node.kubernetes.io/instance-type", "In", "m5.large"), term(ARCH, "In", "amd64")
    )
    assert written(widened(before, Allowances(types=True))) == [Expression(ARCH, "In", ("amd64",))]


def test_each_provider_has_its_own_labels():
    auto = pool(group="eks.amazonaws.com", kind="NodeClass")
    azure = pool(group="karpenter.azure.com", kind="AKSNodeClass")
    terms = PoolTerms(frozenset({"x"}), less_cpu=8)
    assert [e.key for e in terms.on(auto).requirements] == [
        "eks.amazonaws.com/instance-family",
        "eks.amazonaws.com/instance-cpu",
    ]
    assert [e.key for e in terms.on(azure).requirements] == ["karpenter.azure.com/sku-series", "karpenter.azure.com/sku-cpu"]


def test_requirements_on_a_label_are_removed():
    assert written(without_requirements(pool(term(CPU, "Lt", "8"), term(ARCH, "In", "amd64")), CPU)) == [
        Expression(ARCH, "In", ("amd64",))
    ]


def test_min_values_that_a_term_cannot_have_stay_beside_it():
    """The API server would refuse fewer values than minValues in one requirement."""
    before = pool(term(FAMILY, "In", "m5", "c5", "r5", minValues=3))
    assert written(PoolTerms(frozenset({"m5"})).on(before)) == [
        Expression(FAMILY, "In", ("m5", "c5", "r5"), 3),
        Expression(FAMILY, "In", ("m5",)),
    ]


def test_a_pool_stays_one_of_its_karpenter():
    (old,) = {baseline for baseline in BASELINES if baseline is not DEFAULT and str(baseline).startswith("1.14.1")}
    assert PoolTerms(less_cpu=8).on(pool().under(old)).karpenter is old
