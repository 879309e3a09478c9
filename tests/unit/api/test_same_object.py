"""A manifest and the Python constructor give the same object, and what is written is read back."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import (
    Budget,
    Disruption,
    DoesNotExist,
    EC2NodeClass,
    Exists,
    Gt,
    Gte,
    In,
    Lt,
    Lte,
    NodeClassRef,
    NodePool,
    NotIn,
    SubnetSelectorTerm,
)
from cutlist.core.errors import InputError, Problems
from cutlist.core.requirement import Expression
from cutlist.core.taints import Taint
from cutlist.documents.parsing import parse_documents
from tests.quoted_yaml import quoted
from tests.unit.api.manifests import said

POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    metadata: {labels: {team: web}}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
      - {key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m, r]}
      - {key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ["4"]}
      taints: [{key: dedicated, value: web, effect: NoSchedule}]
  disruption: {consolidateAfter: 1m, budgets: [{nodes: "5"}]}
  limits: {cpu: "1000", memory: 1000Gi}
"""

CLASS = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: KarpenterNodeRole-demo
  amiSelectorTerms: [{alias: al2023@v20260625}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: demo}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: demo}}]
"""


def a_class(**more: Any) -> EC2NodeClass:
    return EC2NodeClass(name="default", role="KarpenterNodeRole-demo", ami="al2023@v20260625", discovery="demo", **more)


def a_pool(**changes: Any) -> NodePool:
    return NodePool(**{"name": "general", "node_class": "default", **changes})


def requirements(given_requirements: Any) -> tuple[Expression, ...]:
    return a_pool(requirements=given_requirements).requirements


def problems(**changes: Any) -> list[str]:
    with pytest.raises(InputError) as error:
        a_pool(**changes)
    return [said(p) for p in error.value.problems]


def test_a_pool_from_yaml_equals_one_from_python() -> None:
    """Whatever the spelling: `1000` and `"1000"` are one limit."""
    (document,) = parse_documents(POOL, "pools.yaml", Problems())
    built = NodePool(
        name="general",
        node_class=a_class(),
        labels={"team": "web"},
        requirements={"karpenter.k8s.aws/instance-category": ["c", "m", "r"], "karpenter.k8s.aws/instance-generation": Gt(4)},
        taints=[Taint("dedicated", "NoSchedule", "web")],
        disruption=Disruption(consolidate_after="1m", budgets=(Budget(nodes="5"),)),
        limits={"cpu": 1000, "memory": "1000Gi"},
    )
    assert NodePool.read(document) == built
    assert NodePool.from_manifest(built.manifest()) == built


def test_a_class_from_yaml_equals_one_from_python() -> None:
    """`ami` and `discovery` are short for the selector terms."""
    (document,) = parse_documents(CLASS, "classes.yaml", Problems())
    assert EC2NodeClass.read(document) == a_class()
    assert a_class().manifest() == document.data


def test_pools_that_differ_are_not_equal() -> None:
    """Equality looks at every value."""
    assert a_pool() == a_pool(weight=None)
    assert a_pool() != a_pool(weight=1)
    assert a_pool() != a_pool(node_class="other")


def test_the_class_given_stays_with_the_pool() -> None:
    """For whoever wants to know what the pool may launch."""
    mine = a_class()
    assert a_pool(node_class=mine).node_class is mine
    assert a_pool(node_class="default").node_class is None
    assert a_pool(node_class=mine) == a_pool(
        node_class=NodeClassRef(group="karpenter.k8s.aws", kind="EC2NodeClass", name="default")
    )


@pytest.mark.parametrize(
    ("written", "operator", "values"),
    [
        ("a", "In", ("a",)),
        (["a", "b"], "In", ("a", "b")),
        (In(["a"]), "In", ("a",)),
        (NotIn(["a", "b"]), "NotIn", ("a", "b")),
        (NotIn("abc"), "NotIn", ("abc",)),
        (Exists(), "Exists", ()),
        (DoesNotExist(), "DoesNotExist", ()),
        (Gt(4), "Gt", ("4",)),
        (Lt(4), "Lt", ("4",)),
        (Gte(4), "Gte", ("4",)),
        (Lte(4), "Lte", ("4",)),
    ],
)
def test_operators(written: Any, operator: str, values: tuple[str, ...]) -> None:
    """A value, a list or an operator a key."""
    assert requirements({"example.com/a": written}) == (Expression("example.com/a", operator, values),)


def test_several_operators_of_one_key() -> None:
    """They hold together."""
    assert [e.operator for e in requirements({"example.com/a": [Gt(2), Lt(9)]})] == ["Gt", "Lt"]


def test_min_values() -> None:
    """With every operator that takes them."""
    assert requirements({"example.com/a": In(["a", "b"], min_values=2)})[0].min_values == 2
    assert requirements({"example.com/a": Exists(min_values=5)})[0].min_values == 5


def test_expressions_are_taken_as_they_are() -> None:
    """What another pool says can be given on."""
    one = Expression("example.com/a", "NotIn", ("x",))
    assert requirements([one]) == (one,)


def test_numbers_are_refused_in_python_too() -> None:
    """With the quoted form, as in a manifest."""
    assert problems(requirements={"karpenter.k8s.aws/instance-cpu": [4, "8"]}) == [
        "NodePool/general spec.template.spec.requirements[0].values[0]: found the number 4 where text is needed; "
        'did you mean "4"?'
    ]
    assert len(problems(requirements={"karpenter.k8s.aws/instance-cpu": 4})) == 1


def test_rules_hold_in_python_too() -> None:
    """With the paths of the manifest, all at once."""
    said = problems(requirements={"example.com/a": []}, limits={"cpu": -1}, expire_after="99999999h", weight=0)
    assert [p.partition(": ")[0] for p in said] == [
        "NodePool/general spec.weight",
        "NodePool/general spec.template.spec.requirements[0]",
        "NodePool/general spec.template.spec.expireAfter",
        "NodePool/general spec.limits.cpu",
    ]


def test_disruption_built_in_python_always_has_consolidate_after() -> None:
    """V-4: releases differ in whether it may be left out."""
    assert a_pool(disruption=Disruption(budgets=())).manifest()["spec"]["disruption"] == {
        "consolidateAfter": "0s",
        "budgets": [],
    }


def test_nothing_is_written_that_was_not_given() -> None:
    """The API server fills in its own defaults."""
    assert a_pool().manifest()["spec"] == {
        "template": {
            "spec": {
                "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                "requirements": [],
            }
        }
    }


def test_an_alias_beside_terms_is_refused() -> None:
    """Neither is dropped silently."""
    with pytest.raises(InputError, match="'alias' is mutually exclusive"):
        a_class(ami_selector_terms=[{"id": "ami-1"}])


def test_terms_of_ones_own_go_before_discovery() -> None:
    """`discovery` stands for what is not given."""
    terms = [SubnetSelectorTerm(id="subnet-1")]
    built = a_class(subnet_selector_terms=terms)
    assert built.subnet_selector_terms == tuple(terms)
    assert built.security_group_selector_terms[0].tags == {"karpenter.sh/discovery": "demo"}


def test_objects_cannot_be_changed() -> None:
    """They are values."""
    with pytest.raises(AttributeError):
        a_pool().weight = 5  # type: ignore[misc]


def test_objects_go_to_other_processes() -> None:
    """Pickled and read back they are equal."""
    for one in (a_pool(node_class=a_class(), limits={"cpu": 1}), a_class(user_data="x")):
        assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301


names = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True)
keys = st.builds(lambda d, n: f"{d}.example.com/{n}", names, names)
words = st.from_regex(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,6}[A-Za-z0-9])?", fullmatch=True)
durations = st.from_regex(r"([0-9]{1,4}[smh]){1,3}|Never", fullmatch=True)
bounds = st.integers(0, 2**31)
constraints = st.one_of(
    words,
    st.lists(words, min_size=1, max_size=4),
    st.builds(NotIn, st.lists(words, max_size=4)),
    st.builds(Gt, bounds),
    st.builds(Lte, bounds, min_values=st.none() | st.integers(1, 50)),
    st.builds(Exists, min_values=st.none() | st.integers(1, 50)),
    st.just(DoesNotExist()),
)
labels = st.dictionaries(keys, words, max_size=3)
quantities = st.integers(0, 10**6) | st.from_regex(r"[0-9]{1,4}(Ki|Mi|Gi|m|k)?", fullmatch=True)
budgets = st.builds(Budget, nodes=st.from_regex(r"[0-9]{1,2}%?", fullmatch=True)) | st.builds(
    Budget, nodes=st.just("1"), schedule=st.just("@daily"), duration=st.just("8h"), reasons=st.just(("Empty", "Drifted"))
)
disruptions = st.builds(
    Disruption,
    consolidate_after=durations,
    consolidation_policy=st.sampled_from(["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"]),
    budgets=st.lists(budgets, max_size=3).map(tuple),
)
taints = st.lists(st.builds(Taint, keys, st.just("NoSchedule"), words), max_size=3, unique_by=lambda t: t.key)
pools = st.builds(
    NodePool,
    name=names,
    node_class=names,
    requirements=st.dictionaries(keys, constraints, max_size=4),
    labels=st.none() | labels,
    annotations=st.none() | labels,
    taints=st.none() | taints,
    limits=st.none() | st.dictionaries(st.sampled_from(["cpu", "memory", "nodes", "nvidia.com/gpu"]), quantities),
    weight=st.none() | st.integers(1, 100),
    expire_after=st.none() | durations,
    disruption=st.none() | disruptions,
    pool_labels=st.none() | labels,
)
classes = st.builds(
    EC2NodeClass,
    name=names,
    role=words,
    ami=st.sampled_from(["al2023@latest", "bottlerocket@v1.20.4"]),
    discovery=words,
    user_data=st.none() | st.text(max_size=20),
    tags=st.none() | labels,
    detailed_monitoring=st.none() | st.booleans(),
    ip_prefix_count=st.none() | st.integers(0, 10),
)


@given(pools)
def test_a_pool_that_is_written_is_read_back(one: NodePool) -> None:
    """read(manifest(x)) = x, through YAML as well, and writing again changes nothing."""
    assert NodePool.from_manifest(one.manifest()) == one
    (document,) = parse_documents(quoted(one.manifest()), "x.yaml", Problems())
    again = NodePool.read(document)
    assert again == one
    assert again.manifest() == one.manifest()


@given(classes)
def test_a_class_that_is_written_is_read_back(one: EC2NodeClass) -> None:
    """read(manifest(x)) = x, through YAML as well, and writing again changes nothing."""
    (document,) = parse_documents(quoted(one.manifest()), "x.yaml", Problems())
    again = EC2NodeClass.read(document)
    assert again == one
    assert again.manifest() == one.manifest()


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
places = st.sampled_from(
    [
        *("metadata", "metadata.name", "metadata.labels", "status", "spec", "spec.limits", "spec.weight", "spec.disruption"),
        *("spec.template", "spec.template.metadata.labels", "spec.template.spec.requirements", "spec.template.spec.taints"),
        *("spec.disruption.budgets", "spec.template.spec.nodeClassRef"),
        *("spec.kubelet", "spec.amiSelectorTerms", "spec.blockDeviceMappings", "spec.tags"),
    ]
)


@given(places, junk, st.sampled_from([NodePool, EC2NodeClass]))
def test_no_value_raises_anything_but_input_error(path: str, value: Any, kind: type[NodePool] | type[EC2NodeClass]) -> None:
    """Whatever stands anywhere, the answer is an object or a list of problems."""
    from tests.unit.api import manifests

    base = manifests.POOL if kind is NodePool else manifests.CLASS
    try:
        kind.from_manifest(manifests.changed(base, {path: value}))
    except InputError as error:
        said = error.problems
    else:
        said = ()
    assert all(p.message for p in said)
