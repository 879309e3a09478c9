"""The form of an add-on's own settings, before EKS refuses it in the middle of an update."""

from __future__ import annotations

from datetime import date

import pytest

from cutlist.core.errors import Place
from cutlist.infrastructure.add_on_pods import unmet_labels
from cutlist.infrastructure.add_on_settings import form_problems
from cutlist.infrastructure.add_ons import problems

AT = Place(path="addOns")


class Late:
    """What only an update knows."""


def texts(configuration: object, name: str = "some-mesh") -> list[str]:
    return [str(problem) for problem in problems({name: {"configuration": configuration}}, "1.34", AT)]


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        ({"nodeSelector": "x"}, "nodeSelector: expected a mapping, found 'x'"),
        ({"nodeSelector": None}, "nodeSelector: expected a mapping, found nothing"),
        ({"nodeSelector": {"own": True}}, 'nodeSelector.own: true is not text; did you mean "true"?'),
        ({"nodeSelector": {"own": None}}, "nodeSelector.own: expected text, found nothing"),
        ({"nodeSelector": {"a.b/c": 1}}, "nodeSelector['a.b/c']: 1 is not text; did you mean \"1\"?"),
        ({"tolerations": None}, "tolerations: expected a list, found nothing"),
        ({"tolerations": {"operator": "Exists"}}, "tolerations: expected a list, found a mapping"),
        ({"tolerations": ["own"]}, "tolerations[0]: expected a mapping, found 'own'"),
        (
            {"tolerations": [{"key": "own", "operator": "exists"}]},
            "tolerations[0].operator: 'exists' is unknown; allowed: Exists, Equal, Lt, Gt; did you mean Exists?",
        ),
        (
            {"tolerations": [{"operator": "Exists", "effect": "NoScheduled"}]},
            "tolerations[0].effect: 'NoScheduled' is unknown; allowed: NoSchedule, PreferNoSchedule, NoExecute; "
            "did you mean NoSchedule?",
        ),
        (
            {"tolerations": [{"key": "own", "operator": "Exists", "value": "x"}]},
            "tolerations[0].value: 'x' with the operator Exists, which takes no value; allowed: operator: Equal",
        ),
        ({"tolerations": [{"key": "own", "value": True}]}, 'tolerations[0].value: true is not text; did you mean "true"?'),
        ({"tolerations": [{}]}, "tolerations[0].key: is missing; allowed: the key of a taint, or operator: Exists"),
        (
            {"tolerations": [{"operator": "Exists", "keys": "own"}]},
            "tolerations[0].keys: is not a field here; allowed: key, operator, value, effect, tolerationSeconds; "
            "did you mean key?",
        ),
        ({"affinity": []}, "affinity: expected a mapping, found a list"),
        ({"topologySpreadConstraints": {}}, "topologySpreadConstraints: expected a list, found a mapping"),
        ({"topologySpreadConstraints": [1]}, "topologySpreadConstraints[0]: expected a mapping, found 1"),
        ({"replicaCount": "2"}, "replicaCount: expected a whole number, found '2'"),
        ({"replicas": -1}, "replicas: -1 is out of range; allowed: 0 or more"),
        ({"replicas": True}, "replicas: expected a whole number, found true"),
        (
            {"since": date(2026, 1, 2)},
            "since: datetime.date(2026, 1, 2) is not a value of JSON; "
            "allowed: a string in quotes, a number, a list or a mapping",
        ),
        (
            {"sizes": [1, {2}]},
            "sizes[1]: {2} is not a value of JSON; allowed: a string in quotes, a number, a list or a mapping",
        ),
        ({1: "one"}, "1: 1 is not a name; allowed: a string in quotes"),
    ],
)
def test_settings_of_a_wrong_form_are_named_with_what_is_allowed(configuration, message):  # I-6
    """At the top and wherever else an add-on has the template of its pods."""
    assert texts(configuration) == [f"addOns.some-mesh.configuration.{message}"]
    [nested] = texts({"controller": {"pods": [configuration]}})
    assert nested == f"addOns.some-mesh.configuration.controller.pods[0].{message}"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        *(("corends", "coredns"), ("vpc_cni", "vpc-cni"), ("metric-server", "metrics-server")),
        *(("aws-ebs-csi-drivr", "aws-ebs-csi-driver"), ("ebs-csi-driver", "aws-ebs-csi-driver"), ("CoreDNS", "coredns")),
    ],
)
def test_a_name_with_a_typing_mistake_is_refused(name, near):
    [problem] = problems({name: {}}, "1.34", AT)
    assert str(problem).startswith(f"addOns.{name}: EKS is not known to have an add-on {name!r}; allowed: adot, ")
    assert problem.nearest == near


@pytest.mark.parametrize(
    "name", ["aws-efs-csi-driver", "snapshot-controller", "aws-xyz-csi-driver", "kubecost_kubecost", "adot"]
)
def test_other_add_ons_of_eks_and_newer_ones_pass(name):
    assert list(problems({name: {}}, "1.34", AT)) == []


def test_a_template_of_pods_is_a_mapping():
    assert texts({"controller": "x"}, "aws-ebs-csi-driver") == [
        "addOns.aws-ebs-csi-driver.configuration.controller: expected a mapping, found 'x'"
    ]
    assert texts({"controller": "x"}) == []  # what it is there, nobody here knows


@pytest.mark.parametrize(
    "configuration",
    [
        None,
        {},
        {"nodeSelector": {}, "tolerations": [], "affinity": {}, "topologySpreadConstraints": [], "replicaCount": 0},
        {"tolerations": [{"operator": "Exists"}, {"key": "own"}, {"key": "own", "operator": "Equal", "value": "x"}]},
        {"tolerations": [{"key": "own", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 30}]},
        {"nodeSelector": Late(), "tolerations": Late(), "affinity": Late(), "topologySpreadConstraints": [Late()]},
        {"nodeSelector": {"own": Late()}, "tolerations": [Late(), {"key": "own", "value": Late(), "effect": Late()}]},
        {"env": {"ENABLE_PREFIX_DELEGATION": "true"}, "resources": {"limits": {"cpu": 1.5}}, "list": [None, True]},
    ],
)
def test_settings_that_eks_may_take_pass(configuration):
    assert texts(configuration) == list(form_problems(configuration, AT)) == []


def pool(labels: dict[str, str] | None = None, *requirements: dict[str, object]) -> dict[str, object]:
    return {"spec": {"template": {"metadata": {"labels": labels or {}}, "spec": {"requirements": list(requirements)}}}}


OWN = {"own": "x"}
ARM = {"kubernetes.io/arch": "arm64"}


@pytest.mark.parametrize(
    ("selector", "pools", "unmet"),
    [
        (OWN, [], OWN),
        (OWN, [pool(), pool({"own": "y"})], OWN),
        (OWN, [pool(), pool(OWN)], {}),
        (OWN, [pool(None, {"key": "own", "operator": "In", "values": ["x", "y"]})], {}),
        (OWN, [pool(None, {"key": "own", "operator": "Exists"})], {}),
        (OWN, [pool(None, {"key": "own", "operator": "In", "values": ["y"]})], OWN),
        (OWN, [pool(None, {"key": "own", "operator": "DoesNotExist"})], OWN),
        ({**OWN, "team": "a"}, [pool(OWN), pool({"team": "a"})], {**OWN, "team": "a"}),
        ({**OWN, **ARM}, [pool(OWN)], {}),
        (ARM, [pool()], {}),
        ({}, [], {}),
    ],
)
def test_labels_that_nodes_of_no_node_pool_have_are_found(selector, pools, unmet):  # I-6
    """One NodePool has to have all of them; those that the cloud sets are left open."""
    assert unmet_labels("metrics-server", {"nodeSelector": selector}, pools) == unmet
    assert unmet_labels("aws-ebs-csi-driver", {"controller": {"nodeSelector": selector}}, pools) == unmet
    assert unmet_labels("some-mesh", {"nodeSelector": selector}, pools) == {}
