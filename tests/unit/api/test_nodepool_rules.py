"""What the API server's rules and Karpenter's own checks refuse in a NodePool."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.api.nodepool_rules import NODE_POOL
from cutlist.api.validation import validate
from cutlist.core import labels
from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import BASELINES
from tests.unit.api.manifests import POOL, changed, pool, pool_problems, said

IN_VALUES = "requirements with operator 'In' must have a value defined"
BOUND = "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value"
MIN_VALUES = "requirements with 'minValues' must have at least that many values specified in the 'values' field"


def with_requirement(**requirement: Any) -> dict[str, Any]:
    return {"template.spec.requirements": [{"key": "example.com/a", **requirement}]}


def with_key(key: str) -> dict[str, Any]:
    return with_requirement(key=key, operator="Exists")


def with_budget(**budget: Any) -> dict[str, Any]:
    return {"disruption": {"consolidateAfter": "0s", "budgets": [{"nodes": "1", **budget}]}}


@pytest.mark.parametrize("provider", ["", labels.AWS_GROUP, labels.AZURE_GROUP, labels.AUTO_GROUP])
def test_a_valid_pool_breaks_no_rule(provider: str) -> None:
    """Under any provider."""
    assert validate(NODE_POOL, POOL, provider=provider).findings == []


@pytest.mark.parametrize(
    ("key", "provider", "at_fault"),
    [
        ("karpenter.k8s.aws/instance-familly", labels.AWS_GROUP, True),
        ("karpenter.k8s.aws/instance-familly", labels.AZURE_GROUP, False),
        ("karpenter.azure.com/sku-cpus", labels.AZURE_GROUP, True),
        ("karpenter.azure.com/sku-cpus", labels.AWS_GROUP, False),
        ("agentpool", labels.AZURE_GROUP, True),
        ("agentpool", "", False),
    ],
)
def test_the_provider_decides_what_is_restricted(key: str, provider: str, at_fault: bool) -> None:
    """Each copy of the CRD knows its own domains alone."""
    manifest = changed(POOL, {f"spec.{path}": value for path, value in with_key(key).items()})
    paths = [finding.path for finding in validate(NODE_POOL, manifest, provider=provider).findings]
    assert paths == ["spec.template.spec.requirements[0].key"] * at_fault


def test_a_label_of_machines_in_karpenters_own_domain_is_named_where_each_cloud_has_it() -> None:
    manifest = changed(POOL, {f"spec.{path}": value for path, value in with_key("karpenter.sh/instance-family").items()})
    (finding,) = validate(NODE_POOL, manifest, provider=labels.AWS_GROUP).findings
    ways = "karpenter.k8s.aws/instance-family or eks.amazonaws.com/instance-family"
    assert finding.allowed.endswith(f"; machines have {ways}, by the cloud")


@pytest.mark.parametrize("reason", ["Bored", "Unhealthy"])
def test_the_reasons_of_a_budget_are_those_of_the_release(reason: str) -> None:
    """What is allowed instead is what the chosen Karpenter knows, whether a later one knows the reason or none does."""
    # V15-61
    manifest = changed(POOL, {f"spec.{path}": value for path, value in with_budget(reasons=[reason]).items()})
    older, newer = (validate(NODE_POOL.under(karpenter), manifest).findings for karpenter in (BASELINES[0], BASELINES[-1]))
    assert [finding.allowed for finding in older] == ["Underutilized, Empty, Drifted"]
    assert [finding.allowed for finding in newer] == ["Underutilized, Empty, Drifted, Unhealthy"] * (reason == "Bored")


@pytest.mark.parametrize("values", [{}, {"values": []}])
def test_in_needs_values(values: dict[str, Any]) -> None:
    """V-16"""
    assert pool_problems(with_requirement(operator="In", **values)) == [f"template.spec.requirements[0]: {IN_VALUES}"]


@pytest.mark.parametrize("operator", ["Gt", "Lt", "Gte", "Lte"])
@pytest.mark.parametrize("values", [["1", "2"], [], ["a"], ["1.5"], ["-1"]])
def test_bounds_take_one_whole_number(operator: str, values: list[str]) -> None:
    """V-17"""
    (said,) = pool_problems(with_requirement(operator=operator, values=values))
    assert said.startswith(f"template.spec.requirements[0].values: {BOUND}, found [{', '.join(values)}]")


@pytest.mark.parametrize(
    "requirement",
    [
        {"operator": "Gt", "values": ["0"]},  # V-18
        {"operator": "NotIn"},  # V-19
        {"operator": "Exists", "values": ["a"]},  # V-20
        {"operator": "Exists", "minValues": 5},  # V-24
        {"operator": "In", "values": ["a", "b"], "minValues": 2},
        {"operator": "In", "values": [""]},
    ],
)
def test_what_is_not_refused(requirement: dict[str, Any]) -> None:
    """Though a reader may think so."""
    assert pool(with_requirement(**requirement)).requirements


@pytest.mark.parametrize("operator", ["in", "Equals"])
def test_unknown_operators(operator: str) -> None:
    """V-21: with all that there are."""
    (said,) = pool_problems(with_requirement(operator=operator, values=["a"]))
    assert said.startswith(f"template.spec.requirements[0].operator: found the text {operator!r}; allowed: Gte, Lte, In,")
    assert said.endswith("did you mean In?") == (operator == "in")


def test_min_values_larger_than_the_number_of_values() -> None:
    """V-22"""
    (said,) = pool_problems(with_requirement(operator="In", values=["a", "b"], minValues=3))
    assert said == f"template.spec.requirements[0].minValues: {MIN_VALUES}; allowed: at most 2, or more values"


@pytest.mark.parametrize(("number", "bound"), [(0, "at least 1"), (51, "at most 50")])
def test_min_values_out_of_range(number: int, bound: str) -> None:
    """V-23"""
    (said,) = pool_problems(with_requirement(operator="Exists", minValues=number))
    assert said == f"template.spec.requirements[0].minValues: found {number}; allowed: {bound}"


@pytest.mark.parametrize("key", ["Example.com/x", "a/b/c", "-x"])
def test_malformed_keys(key: str) -> None:
    """V-28"""
    assert pool_problems(with_key(key))[0].startswith(f"template.spec.requirements[0].key: {key!r} is not valid here")


def test_a_name_longer_than_63() -> None:
    """V-28: it passes the apply, and the controller refuses it."""
    assert "is not a qualified name" in pool_problems(with_key("example.com/" + "a" * 64))[0]


@pytest.mark.parametrize("value", ["bad value!", "a" * 64, "-a"])
def test_values_that_no_label_can_have(value: str) -> None:
    """V-29"""
    (said,) = pool_problems(with_requirement(operator="NotIn", values=["good", value]))
    assert said.startswith(f"template.spec.requirements[0].values[1]: invalid value {value} for key example.com/a")


@pytest.mark.parametrize(
    ("key", "values", "near"),
    [
        ("karpenter.sh/capacity-type", ["ondemand"], "on-demand"),
        ("karpenter.sh/capacity-type", ["ON-DEMAND", "Spot"], "on-demand"),
        ("karpenter.k8s.aws/instance-tenancy", ["dedicatd"], "dedicated"),
    ],
)
def test_no_known_value(key: str, values: list[str], near: str) -> None:
    """V-30, V-34: such a pool could never launch anything."""
    (said,) = pool_problems(with_requirement(key=key, operator="In", values=values))
    assert f"no valid values found in [{' '.join(values)}] for {key}" in said
    assert said.endswith(f"did you mean {near}?")


def test_a_mix_of_known_and_unknown_values() -> None:
    """V-31, V-32, V-33: fine while enough known ones are left."""
    key = "karpenter.sh/capacity-type"
    assert pool(with_requirement(key=key, operator="In", values=["spot", "sport"]))
    assert pool(with_requirement(key=key, operator="NotIn", values=["foo"]))
    (said,) = pool_problems(with_requirement(key=key, operator="In", values=["spot", "sport"], minValues=2))
    assert "not enough valid values found in [spot sport]" in said


@pytest.mark.parametrize("where", ["requirement", "label"])
@pytest.mark.parametrize(
    ("key", "said", "near"),
    [
        ("karpenter.sh/nodepool", 'label "karpenter.sh/nodepool" is restricted', ""),
        ("kubernetes.io/hostname", 'label "kubernetes.io/hostname" is restricted', ""),
        ("karpenter.sh/foo", 'label domain "karpenter.sh" is restricted', ""),
        ("a.karpenter.sh/foo", 'label domain "karpenter.sh" is restricted', ""),
        ("mykarpenter.sh/foo", 'label domain "karpenter.sh" is restricted', ""),
        ("karpenter.sh/provisioner-name", 'label domain "karpenter.sh" is restricted', "karpenter.sh/nodepool"),
        (
            "karpenter.k8s.aws/instance-familly",
            'label domain "karpenter.k8s.aws" is restricted',
            "karpenter.k8s.aws/instance-family",
        ),
        ("karpenter.k8s.aws/ec2nodeclass", 'label "karpenter.k8s.aws/ec2nodeclass" is restricted', ""),
    ],
)
def test_restricted_keys(where: str, key: str, said: str, near: str) -> None:
    """V-36, V-37, V-39, V-40, V-42: as label and as requirement."""
    changes = with_key(key) if where == "requirement" else {"template.metadata.labels": {key: "a"}}
    path = "template.spec.requirements[0].key" if where == "requirement" else f"template.metadata.labels.{key}"
    (found,) = pool_problems(changes)
    assert found.startswith(f"{path}: {said}")
    assert not near or found.endswith(f"did you mean {near}?")


@pytest.mark.parametrize(
    "key",
    [
        *sorted(labels.AWS.well_known - {labels.NODEPOOL}),  # V-38, V-41
        "example.kubernetes.io/team",  # V-43
        "node.kubernetes.io/foo",  # V-44
        "node-restriction.kubernetes.io/foo",
        "kops.k8s.io/foo",
        "team",
    ],
)
def test_free_and_well_known_keys(key: str) -> None:
    """Accepted as requirements."""
    assert pool(with_key(key)).requirements[0].key == key


def test_label_values() -> None:
    """V-45"""
    assert pool({"template.metadata.labels": {"a": ""}}).labels == {"a": ""}
    assert "at most 63 characters" in pool_problems({"template.metadata.labels": {"a": "x" * 64}})[0]


def test_taints() -> None:
    """V-47, V-48, V-49, V-51"""
    path = "template.spec.taints"
    assert pool_problems({path: [{"effect": "NoSchedule"}]}) == [f"{path}[0].key: is missing and required"]
    assert "did you mean NoSchedule?" in pool_problems({path: [{"key": "a", "effect": "noschedule"}]})[0]
    assert "'' is not valid here" in pool_problems({path: [{"key": "a", "value": "", "effect": "NoSchedule"}]})[0]
    assert pool({path: [{"key": "a", "value": "example.com/x", "effect": "NoSchedule"}]})
    assert pool({path: [{"key": "a", "effect": "NoSchedule"}, {"key": "a", "effect": "NoExecute"}]})


def test_one_key_and_effect_only_once() -> None:
    """V-50: over taints and startup taints together, whatever the values."""
    taint = {"key": "a", "effect": "NoSchedule"}
    problems = pool_problems({"template.spec.taints": [taint], "template.spec.startupTaints": [{**taint, "value": "b"}]})
    assert problems == ["template.spec.startupTaints[0]: duplicate taint Key/Effect pair a=NoSchedule"]


@pytest.mark.parametrize("nodes", ["0", "0%", "10%", "100%", "5"])
def test_budget_nodes(nodes: str) -> None:
    """V-52"""
    assert pool(with_budget(nodes=nodes)).disruption.budgets[0].nodes == nodes


@pytest.mark.parametrize("nodes", ["101%", "-5", "5.5%", "10 %", "", 10])
def test_wrong_budget_nodes(nodes: object) -> None:
    """V-52"""
    assert pool_problems(with_budget(nodes=nodes))[0].startswith("disruption.budgets[0].nodes: ")


@pytest.mark.parametrize("half", [{"schedule": "@daily"}, {"duration": "8h"}])
def test_schedule_and_duration_belong_together(half: dict[str, str]) -> None:
    """V-53"""
    assert pool_problems(with_budget(**half)) == ["disruption.budgets[0]: 'schedule' must be set with 'duration'"]


@pytest.mark.parametrize("duration", ["8h", "90m", "1h30m", "8h0m0s"])
def test_budget_durations(duration: str) -> None:
    """V-54"""
    assert pool(with_budget(schedule="@daily", duration=duration))


@pytest.mark.parametrize("duration", ["30s", "1h30m15s", "Never", "30m1h"])
def test_wrong_budget_durations(duration: str) -> None:
    """V-54"""
    assert pool_problems(with_budget(schedule="@daily", duration=duration))[0].startswith("disruption.budgets[0].duration: ")


def test_budget_reasons() -> None:
    """V-55"""
    assert "found the text 'Expired'" in pool_problems(with_budget(reasons=["Expired"]))[0]
    assert pool_problems(with_budget(reasons=["Empty", "Empty"])) == [
        "disruption.budgets[0].reasons[1]: Empty appears twice; allowed: each entry once"
    ]


@pytest.mark.parametrize("schedule", ["0 9 * * mon-fri", "*/5 0-6,22 1 JAN,3 ?", "0 0 31 2 *", "@weekly"])
def test_budget_schedules(schedule: str) -> None:
    """What the controller can read."""
    assert pool(with_budget(schedule=schedule, duration="8h"))


@pytest.mark.parametrize(
    "schedule",
    ["@dailyish", "TZ=UTC 0 9 * * *", "0 0 9 * * *", "@every 1h", "60 9 * * *", "0 9 * * 7", "0 9 L * *", "0 9 * * mon#1",
     "5-1 * * * *", "*/0 * * * *", "a b c d e"],
)  # fmt: skip
def test_wrong_budget_schedules(schedule: str) -> None:
    """V-57, V-58: the pool would allow no disruption at all."""
    assert pool_problems(with_budget(schedule=schedule, duration="8h"))[0].startswith("disruption.budgets[0].schedule: ")


def test_a_limit_cannot_be_negative() -> None:
    """The API server lets it through, and the pool would never launch anything."""
    assert pool_problems({"limits": {"cpu": "1", "memory": "-1Gi"}}) == [
        "limits.memory: a limit cannot be negative, found -1Gi; allowed: 0 or more"
    ]


def test_static_pools() -> None:
    """V-64, V-65"""
    assert pool({"replicas": 3, "limits": {"nodes": 5}}).is_static
    assert pool({"replicas": 0, "limits": {}}).replicas == 0
    assert pool_problems({"replicas": 3, "limits": {"cpu": 1}}) == [
        "limits.cpu: only 'limits.nodes' is supported on static NodePools"
    ]
    assert pool_problems({"replicas": 3, "weight": 1}) == ["weight: 'weight' is not supported on static NodePools"]


def test_the_reference_to_the_node_class() -> None:
    """V-11"""
    path = "template.spec.nodeClassRef"
    assert "'a/b' is not valid here" in pool_problems({f"{path}.group": "a/b"})[0]
    for member in ("group", "kind", "name"):
        assert f"{path}.{member}: {member} may not be empty" in pool_problems({f"{path}.{member}": ""})


def test_a_lifetime_that_no_controller_can_read() -> None:
    """Longer than 64 bits of nanoseconds."""
    assert "longer than a controller can read" in pool_problems({"template.spec.expireAfter": "99999999h"})[0]


def test_the_pools_own_name_and_labels() -> None:
    """As the API server takes them."""
    with pytest.raises(InputError) as error:
        type(pool()).from_manifest(changed(POOL, {"metadata": {"name": "Big_Pool", "labels": {"a": "bad value!"}}}))
    name, label = map(said, error.value.problems)
    assert name.endswith("did you mean big-pool?")
    assert "metadata.labels.a: invalid value bad value! for key a" in label


def test_all_mistakes_are_shown_together() -> None:
    """Never the first alone."""
    problems = pool_problems(
        {**with_requirement(operator="In"), "limits": {"cpu": -1}, "template.metadata.labels": {"karpenter.sh/x": "a"}}
    )
    assert len(problems) == 3
