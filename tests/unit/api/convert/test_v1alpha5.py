"""Provisioners and AWSNodeTemplates."""

from __future__ import annotations

import pytest

from tests.unit.api.convert.manifests import conversion, converted, refused, said

EVERY_REQUIREMENT = [
    {"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]},
    {"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]},
    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]},
    {"key": "karpenter.k8s.aws/instance-family", "operator": "In", "values": ["c7g"]},
]


def provisioner(**spec):
    members = {"providerRef": {"name": "default"}, "requirements": EVERY_REQUIREMENT, **spec}
    kept = {key: value for key, value in members.items() if value is not None}
    return {"apiVersion": "karpenter.sh/v1alpha5", "kind": "Provisioner", "metadata": {"name": "p"}, "spec": kept}


def template(**spec):
    members = {
        "subnetSelector": {"karpenter.sh/discovery": "demo"},
        "securityGroupSelector": {"aws-ids": "sg-1, sg-2"},
        "instanceProfile": "profile",
        **spec,
    }
    kept = {key: value for key, value in members.items() if value is not None}
    about = {"apiVersion": "karpenter.k8s.aws/v1alpha1", "kind": "AWSNodeTemplate", "metadata": {"name": "default"}}
    return {**about, "spec": kept}


# V-131, K-71
def test_a_provisioner_becomes_a_pool_as_a_whole():
    """Each field of it stands in its successor."""
    taint = {"key": "a", "effect": "NoSchedule"}
    (made,) = converted(
        provisioner(
            labels={"team": "a"},
            annotations={"x": "y"},
            taints=[taint],
            startupTaints=[{**taint, "key": "b"}],
            ttlSecondsAfterEmpty=30,
            ttlSecondsUntilExpired=2592000,
            limits={"resources": {"cpu": 1000}},
            weight=10,
        )
    )
    assert made == {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "p"},
        "spec": {
            "template": {
                "metadata": {"labels": {"team": "a"}, "annotations": {"x": "y"}},
                "spec": {
                    "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                    "requirements": EVERY_REQUIREMENT,
                    "taints": [taint],
                    "startupTaints": [{**taint, "key": "b"}],
                    "expireAfter": "720h",
                },
            },
            "disruption": {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "30s"},
            "limits": {"cpu": 1000},
            "weight": 10,
        },
    }


@pytest.mark.parametrize(
    ("spec", "policy", "after"),
    [
        ({"consolidation": {"enabled": True}}, "WhenEmptyOrUnderutilized", "0s"),
        ({"ttlSecondsAfterEmpty": 90}, "WhenEmpty", "90s"),
        ({"ttlSecondsAfterEmpty": 0}, "WhenEmpty", "0s"),
        ({}, "WhenEmpty", "Never"),
    ],
)
def test_when_nodes_go(spec, policy, after):
    """Consolidation and empty nodes have one policy now; a Provisioner that says neither keeps all nodes."""
    (made,) = converted(provisioner(**spec))
    assert made["spec"]["disruption"] == {"consolidationPolicy": policy, "consolidateAfter": after}


def test_nodes_that_never_expired_never_expire():
    """The default of today would end them after 720h, so Never is written out and reported."""
    (made,) = converted(provisioner())
    assert made["spec"]["template"]["spec"]["expireAfter"] == "Never"
    assert "spec.template.spec.expireAfter" in [one.change.new for one in said(conversion(provisioner()), "changed default")]


def test_what_the_webhook_of_then_filled_in_is_written_out():
    """Operating system, architecture, capacity type and instance categories had defaults, and have none any longer."""
    (made,) = converted(provisioner(requirements=None))
    assert {r["key"]: r["values"] for r in made["spec"]["template"]["spec"]["requirements"]} == {
        "kubernetes.io/os": ["linux"],
        "kubernetes.io/arch": ["amd64"],
        "karpenter.sh/capacity-type": ["on-demand"],
        "karpenter.k8s.aws/instance-category": ["c", "m", "r"],
        "karpenter.k8s.aws/instance-generation": ["2"],
    }


def test_each_step_says_whose_reading_it_is():
    """No webhook converted these objects; what follows from v1beta1 on is the webhook's."""
    converted = conversion(provisioner(), template())
    ours = {one.change.text.partition(" ")[0] for one in converted.changes if one.change.is_ours}
    assert {"Provisioner", "providerRef", "AWSNodeTemplate", "subnetSelector"} <= ours
    assert any(not one.change.is_ours for one in converted.changes)


def test_a_template_becomes_a_class():
    """Selectors are lists of terms, ids each a term; the family had a default."""
    (made,) = converted(template(tags={"team": "a"}, amiSelector={"aws::name": "a, b", "aws::owners": "self"}))
    assert made["kind"] == "EC2NodeClass"
    assert made["spec"] == {
        "amiFamily": "AL2",
        "amiSelectorTerms": [{"name": "a", "owner": "self"}, {"name": "b", "owner": "self"}],
        "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
        "securityGroupSelectorTerms": [{"id": "sg-1"}, {"id": "sg-2"}],
        "instanceProfile": "profile",
        "tags": {"team": "a"},
    }


def test_the_profile_of_the_settings_is_that_of_the_class():
    """The default for all classes was removed, so it is written into each."""
    data = {"aws.defaultInstanceProfile": "for-all"}
    settings = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "karpenter-global-settings"}, "data": data}
    conversion = converted(template(instanceProfile=None), settings)
    assert conversion[0]["spec"]["instanceProfile"] == "for-all"


def test_the_kubelet_of_a_provisioner_moves_to_the_class():
    """As that of a pool does; the choice of a runtime is dropped with a word."""
    objects = provisioner(kubeletConfiguration={"maxPods": 10, "containerRuntime": "containerd"}), template()
    assert converted(*objects)[1]["spec"]["kubelet"] == {"maxPods": 10}
    assert [one.change.old for one in said(conversion(*objects), "lost")] == ["spec.kubeletConfiguration.containerRuntime"]


# V-131
@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        (provisioner(providerRef=None), "spec.providerRef: is missing"),
        (provisioner(providerRef=None, provider={"x": "y"}), "spec.provider: settings of AWS inside a pool"),
        (provisioner(kubeletConfiguration={"containerRuntime": "dockerd"}), "dockerd was removed"),
        (provisioner(consolidation={"enabled": True}, ttlSecondsAfterEmpty=1), "exclude each other"),
        (provisioner(ttlSecondsAfterEmtpy=1), "did you mean ttlSecondsAfterEmpty?"),
        (template(launchTemplate="mine"), "your own launch templates have no successor"),
        (template(instanceProfile=None), "spec.instanceProfile: is missing"),
        (template(subnetSelector=None), "spec.subnetSelector: is missing"),
        (template(subnetSelector={"aws-ids": "subnet-1", "a": "b"}), "ids and other ways to select stand together"),
        (template(amiFamily="Ubuntu"), "you have to choose"),
    ],
)
def test_what_has_no_successor_is_refused(manifest, words):
    """There is no partial conversion."""
    assert words in "\n".join(refused(manifest))


def test_a_machine_is_left_out():
    """Karpenter makes its successors itself."""
    machine = {"apiVersion": "karpenter.sh/v1alpha5", "kind": "Machine", "metadata": {"name": "m"}, "spec": {}}
    assert converted(machine) == []
    assert "NodeClaims" in said(conversion(machine), "lost")[0].change.text
