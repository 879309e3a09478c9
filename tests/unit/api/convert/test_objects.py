"""What happens to single objects, and what is said of it."""

from __future__ import annotations

import pytest

from tests.unit.api.convert.manifests import conversion, converted, node_class, pool, refused, said


def spec_of(manifest):
    return manifest["spec"]


# V-122
def test_when_underutilized_becomes_its_successor_without_waiting():
    """The policy has another name, and consolidateAfter: 0s beside it."""
    (made,) = converted(pool(disruption={"consolidationPolicy": "WhenUnderutilized"}))
    assert made["spec"]["disruption"] == {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"}


# V-122
def test_never_under_when_underutilized_is_warned_about():
    """Consolidation that was switched off is switched on, as by the webhook, and the report says how to keep it off."""
    old = pool(disruption={"consolidationPolicy": "WhenUnderutilized", "consolidateAfter": "Never"})
    (made,), found = converted(old), conversion(old)
    assert made["spec"]["disruption"]["consolidateAfter"] == "0s"
    (warning,) = said(found, "changes meaning")
    assert "switched on" in warning.change.text
    assert warning.change.advice == "write consolidateAfter: Never again in the result to keep it off"


def test_when_empty_keeps_its_time():
    """WhenEmpty and its consolidateAfter stay as they are."""
    disruption = {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "30s"}
    (made,) = converted(pool(disruption=disruption))
    assert made["spec"]["disruption"] == disruption


def test_no_disruption_block_stays_none():
    """What the API server of today fills in is what the old one did."""
    (made,) = converted(pool())
    assert "disruption" not in made["spec"]


def test_an_empty_list_of_budgets_becomes_the_default():
    """The webhook lost it; the report says so, and how to have no limit again."""
    old = pool(disruption={"budgets": []})
    (made,) = converted(old)
    assert made["spec"]["disruption"] == {"consolidateAfter": "0s"}
    assert [one.change.old for one in said(conversion(old), "changes meaning")] == ["spec.disruption.budgets"]


# V-123
@pytest.mark.parametrize(("disruption", "expected"), [({"expireAfter": "240h"}, "240h"), ({}, "720h"), (None, "720h")])
def test_expiry_belongs_to_the_template(disruption, expected):
    """A written expireAfter moves; without one the default of both versions is written out."""
    (made,) = converted(pool(**({} if disruption is None else {"disruption": disruption})))
    assert made["spec"]["template"]["spec"]["expireAfter"] == expected
    assert "expireAfter" not in made["spec"].get("disruption", {})


# V-124, K-73
@pytest.mark.parametrize(
    ("reference", "group", "kind"),
    [
        ({"apiVersion": "karpenter.k8s.aws/v1beta1", "name": "x"}, "karpenter.k8s.aws", "EC2NodeClass"),
        ({"name": "x"}, "karpenter.k8s.aws", "EC2NodeClass"),
        (
            {"apiVersion": "karpenter.azure.com/v1alpha2", "kind": "AKSNodeClass", "name": "x"},
            "karpenter.azure.com",
            "AKSNodeClass",
        ),
    ],
)
def test_references_name_a_group(reference, group, kind):
    """The group is what stands before the slash; what is not written is Karpenter's for AWS."""
    (made,) = converted(pool(reference=reference))
    assert list(made["spec"]["template"]["spec"]["nodeClassRef"].items()) == [("group", group), ("kind", kind), ("name", "x")]


# K-73
def test_a_name_alone_means_a_class_of_azure_where_only_that_is_there():
    """A reference with a name alone follows the classes that are in the input."""
    aks = {"apiVersion": "karpenter.azure.com/v1alpha2", "kind": "AKSNodeClass", "metadata": {"name": "default"}, "spec": {}}
    made, _ = converted(pool(reference={"name": "default"}), aks)
    assert made["spec"]["template"]["spec"]["nodeClassRef"]["group"] == "karpenter.azure.com"


# V-126, K-118
def test_al2_without_terms_is_an_alias():
    """The family goes, the alias comes, and the hint about Kubernetes 1.33 is given."""
    (made,), found = converted(node_class(amiFamily="AL2")), conversion(node_class(amiFamily="AL2"))
    assert made["spec"]["amiSelectorTerms"] == [{"alias": "al2@latest"}]
    assert "amiFamily" not in made["spec"]
    assert any("1.33" in one.change.advice for one in found.changes)


# V-126, K-119
def test_a_family_with_terms_is_kept():
    """Both stay as they are."""
    terms = [{"name": "my-*"}]
    (made,) = converted(node_class(amiFamily="AL2", amiSelectorTerms=terms))
    assert (made["spec"]["amiFamily"], made["spec"]["amiSelectorTerms"]) == ("AL2", terms)


# V-127
def test_ubuntu_without_terms_is_refused_with_what_to_choose():
    """Nothing could be launched with it, so its owner has to say what."""
    (problem,) = refused(node_class(amiFamily="Ubuntu"))
    assert "you have to choose" in problem
    assert "amiSelectorTerms that find your Ubuntu images" in problem


# V-127
@pytest.mark.parametrize("mappings", [None, [{"deviceName": "/dev/sda1", "ebs": {"volumeSize": "50Gi"}}]])
def test_ubuntu_with_terms_is_al2_with_its_own_volume(mappings):
    """The volume is Ubuntu's default only where none was given."""
    (made,) = converted(node_class(amiFamily="Ubuntu", amiSelectorTerms=[{"id": "ami-1"}], blockDeviceMappings=mappings))
    assert made["spec"]["amiFamily"] == "AL2"
    default = {"encrypted": True, "volumeType": "gp3", "volumeSize": "20Gi"}
    expected = mappings or [{"deviceName": "/dev/sda1", "rootVolume": True, "ebs": default}]
    assert made["spec"]["blockDeviceMappings"] == expected


# V-128
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"httpPutResponseHopLimit": 2}, {"httpPutResponseHopLimit": 2}),
        ({"httpTokens": "optional"}, {"httpTokens": "optional", "httpPutResponseHopLimit": 2}),
        (None, None),
    ],
)
def test_the_hop_limit_keeps_its_meaning_where_an_object_says_something(options, expected):
    """Written limits stay, the default of a block without one is written out, no block stays none."""
    (made,) = converted(node_class(metadataOptions=options))
    assert made["spec"].get("metadataOptions") == expected


# V-128
def test_absent_metadata_options_are_warned_about():
    """The limit was 2 and is 1: pods may lose the metadata service."""
    warnings = said(conversion(node_class()), "changed default")
    assert [one.change.new for one in warnings] == ["spec.metadataOptions.httpPutResponseHopLimit"]
    assert "they lose it" in warnings[0].change.advice


def test_a_tag_that_v1_restricts_is_refused_at_its_place():
    """What v1 does not take is said of the old object, before anything is written."""
    (problem,) = refused(node_class(tags={"eks:eks-cluster-name": "x"}))
    assert "v1 refuses what happens to it: tag contains a restricted tag matching eks:eks-cluster-name" in problem


# V-129, K-106
def test_the_container_runtime_is_refused_with_its_hint():
    """It was no field of v1beta1 already."""
    (problem,) = refused(pool(kubelet={"containerRuntime": "containerd"}))
    assert "removed before v1beta1; containerd is the only runtime" in problem


def test_notes_of_the_webhook_are_taken_away():
    """Annotations that Karpenter's conversion left for itself do not stay; others do."""
    old = node_class()
    old["metadata"]["annotations"] = {"compatibility.karpenter.k8s.aws/v1-alias-version": "v20240807", "team": "a"}
    (made,) = converted(old)
    assert made["metadata"]["annotations"] == {"team": "a"}
    assert made["spec"]["amiSelectorTerms"] == [{"alias": "al2023@v20240807"}]


def test_a_claim_takes_the_expiry_of_its_pool():
    """The pool may be converted in the same run; a claim of no pool never expires."""
    claim = {"apiVersion": "karpenter.sh/v1beta1", "kind": "NodeClaim", "metadata": {"name": "general-1"}}
    claim["spec"] = {"nodeClassRef": {"name": "default"}, "requirements": [], "kubelet": {"maxPods": 5}}
    of_pool = {**claim, "metadata": {"name": "general-2", "labels": {"karpenter.sh/nodepool": "general"}}}
    conversion = converted(claim, of_pool, pool(disruption={"expireAfter": "48h"}))
    assert [one["spec"]["expireAfter"] for one in conversion[:2]] == ["Never", "48h"]
    assert "kubelet" not in conversion[0]["spec"]


def test_once_only_notes_come_with_old_objects():
    """What changes with v1 anyway is said once for all objects, and not at all when all is v1."""
    found = conversion(pool("a"), pool("b"), node_class())
    assert any("expiry is forceful" in note for note in found.notes)
    assert conversion(*converted(pool("a"), node_class())).notes == ()


def test_objects_of_v1_stay_as_they_are():
    """A second run changes nothing and says nothing."""
    again = conversion(*converted(pool("a", kubelet={"maxPods": 5}), node_class()))
    assert (again.converted, again.changes) == ((), ())


def test_old_keys_in_workloads_are_named():
    """What no node has and nothing reads any longer is found wherever it stands."""
    template = {"metadata": {"annotations": {"karpenter.sh/do-not-evict": "true"}}}
    term = {"matchExpressions": [{"key": "karpenter.sh/provisioner-name", "operator": "Exists"}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}
    spec = {"affinity": affinity, "tolerations": [{"key": "karpenter.sh/disruption", "operator": "Exists"}]}
    web = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
    converted = conversion({**web, "spec": {"template": {**template, "spec": spec}}})
    assert [(one.subject, one.change.advice) for one in converted.changes] == [
        ("Deployment web", 'write karpenter.sh/do-not-disrupt: "true"'),
        ("Deployment web", "use karpenter.sh/nodepool"),
        ("Deployment web", "tolerate karpenter.sh/disrupted"),
    ]
    assert converted.converted == ()


def test_everything_that_is_wrong_is_said_together():
    """All objects are looked at before the conversion is refused."""
    broken = node_class("broken", amiFamily="Debian")
    found = refused(pool(disruption={"consolidateAfter": "30s"}), broken, node_class(amiFamily="Ubuntu"))
    assert len(found) == 3


def test_two_objects_of_one_name_are_refused():
    """Which of them the other objects mean would be undetermined."""
    (problem,) = refused(pool(), pool())
    assert "NodePool general is defined twice" in problem


# K-129
def test_a_class_of_azure_has_another_version():
    """Its fields are the same, but for the version of its images."""
    old = {"apiVersion": "karpenter.azure.com/v1alpha2", "kind": "AKSNodeClass", "metadata": {"name": "a"}}
    spec = {"imageFamily": "AzureLinux", "osDiskSizeGB": 128}
    (made,) = converted({**old, "spec": {**spec, "imageVersion": "1.0"}})
    assert made == {**old, "apiVersion": "karpenter.azure.com/v1beta1", "spec": spec}
    assert [one.change.new for one in said(conversion({**old, "spec": {}}), "changed default")] == ["spec.imageFamily"]


@pytest.mark.parametrize("written", [{}, {"metadata": None}, {"metadata": {}}])
def test_a_class_of_azure_without_a_name_is_refused(written):
    """Whatever is missing of its metadata."""
    (problem,) = refused({"apiVersion": "karpenter.azure.com/v1alpha2", "kind": "AKSNodeClass", "spec": {}, **written})
    assert "metadata.name: is missing and required" in problem


@pytest.mark.parametrize(("written", "kind"), [({}, "changes meaning"), ({"expireAfter": "1h"}, "lost")])
def test_an_expiry_that_v1_drops_in_silence_is_moved(written, kind):
    """A pool of v1 with the expiry where v1beta1 had it; that of the template wins."""
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}
    template = {"nodeClassRef": reference, "requirements": [], **written}
    disruption = {"consolidateAfter": "0s", "expireAfter": "Never"}
    spec = {"template": {"spec": template}, "disruption": disruption}
    old = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "p"}, "spec": spec}
    (made,) = converted(old)
    assert made["spec"]["template"]["spec"]["expireAfter"] == written.get("expireAfter", "Never")
    assert "expireAfter" not in made["spec"]["disruption"]
    assert [one.change.kind for one in conversion(old).changes] == [kind]


def test_a_class_without_a_spec_cannot_be_converted():
    """There is nothing to convert, and what an API server would make of it is refused today."""
    made = {key: value for key, value in node_class().items() if key != "spec"}
    assert "there is nothing to convert" in str(refused(made))
