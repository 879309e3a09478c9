"""KarpenterCharts: two releases, one after the other, with every option that a later destroy depends on."""

from __future__ import annotations

from pathlib import Path

import pytest
from pulumi.runtime import rpc
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording, Registration

from cutlist.core.errors import InputError
from tests.infrastructure.program import run
from tests.infrastructure.unknowns import has_unknowns

RELEASE = "kubernetes:helm.sh/v3:Release"
GIVEN = {"karpenter_version": "1.14.1", "cluster_name": "shop"}
BODY = 'kubernetes.KarpenterCharts("karpenter", given)'


def releases(recording: Recording) -> tuple[Registration, Registration]:
    controller, crds = recording.of_type(RELEASE)
    assert (controller.name, crds.name) == ("karpenter-controller", "karpenter-crds")
    return crds, controller


@pytest.fixture
def charts(tmp_path: Path):
    def make(mode: Mode = Mode.PREVIEW, **more: object) -> tuple[Registration, Registration]:
        return releases(run(tmp_path, BODY, {**GIVEN, **more}, mode))

    return make


# I-48 I-49 K-32
@pytest.mark.parametrize("mode", Mode)
def test_the_crds_come_first_and_both_are_of_one_version(charts, mode):
    crds, controller = charts(mode)
    assert crds.urn in controller.request.dependencies
    assert crds.inputs["version"] == controller.inputs["version"] == "1.14.1"
    assert (crds.inputs["name"], controller.inputs["name"]) == ("karpenter-crd", "karpenter")
    assert crds.inputs["chart"] == "oci://public.ecr.aws/karpenter/karpenter-crd"
    assert controller.inputs["chart"] == "oci://public.ecr.aws/karpenter/karpenter"
    assert controller.inputs["skipCrds"]
    assert not has_unknowns(controller)


# I-48
def test_releases_wait_and_keep_what_a_failed_start_leaves(charts):
    crds, controller = charts()
    for release in (crds, controller):
        assert not release.inputs["skipAwait"]
        assert not release.inputs["atomic"]
        assert not release.inputs["takeOwnership"]
        assert release.inputs["maxHistory"] == 10
        assert not release.inputs["createNamespace"]
    assert (crds.inputs["timeout"], controller.inputs["timeout"]) == (600, 900)


# I-57
def test_the_controller_is_deleted_like_anything_else(charts):
    """Nothing keeps it, and nothing lets an engine skip its deletion."""
    for release in charts(adopt=True)[1], *charts():
        assert not release.request.retainOnDelete
        assert not release.request.deletedWith


# I-52
def test_adopted_crds_stay_when_the_stack_goes(charts):
    crds, controller = charts(adopt=True)
    assert crds.inputs["takeOwnership"]
    assert controller.inputs["takeOwnership"]
    assert crds.request.retainOnDelete
    assert crds.inputs["values"]["additionalAnnotations"] == {"helm.sh/resource-policy": "keep"}


def test_without_the_chart_of_the_crds_the_controller_stands_alone(tmp_path):
    recording = run(tmp_path, BODY, {**GIVEN, "install_crds": False})
    assert [release.name for release in recording.of_type(RELEASE)] == ["karpenter-controller"]


# I-51
def test_in_a_namespace_of_its_own_the_flow_schemas_come_before_the_controller(tmp_path):
    recording = run(tmp_path, BODY, {**GIVEN, "namespace": "karpenter"})
    schemas = recording.of_type("kubernetes:flowcontrol.apiserver.k8s.io/v1:FlowSchema")
    assert sorted(schema.inputs["spec"]["matchingPrecedence"] for schema in schemas) == [200, 1000]
    crds, controller = releases(recording)
    assert {schema.urn for schema in schemas} <= set(controller.request.dependencies)
    assert crds.inputs["createNamespace"]
    assert controller.inputs["createNamespace"]
    assert controller.inputs["namespace"] == "karpenter"


def test_in_kube_system_there_are_no_flow_schemas(tmp_path):
    recording = run(tmp_path, BODY, GIVEN)
    assert recording.of_type("kubernetes:flowcontrol.apiserver.k8s.io/v1:FlowSchema") == []


LATE = """
thing = Thing("identity")
charts = kubernetes.KarpenterCharts(
    "karpenter",
    {**given, "interruption_queue": thing.late, "role_arn": thing.late, "identity_hash": thing.late, "cluster_endpoint": "https://x"},
    pulumi.ResourceOptions(depends_on=[thing]),
)
pulumi.export("namespace", charts.namespace)
"""


# I-32
def test_what_the_component_waits_for_both_releases_wait_for(tmp_path):
    """An engine does not hand `depends_on` on to children."""
    recording = run(tmp_path, LATE, GIVEN)
    [thing] = recording.of_type("test:index:Thing")
    assert all(thing.urn in release.request.dependencies for release in recording.of_type(RELEASE))


# I-33 K-35 K-36
def test_values_that_are_known_late_are_passed_on(tmp_path):
    """A preview holds their place; what is known already stands beside them."""
    recording = run(tmp_path, LATE, GIVEN)
    [controller, _] = recording.of_type(RELEASE)
    values = controller.inputs["values"]
    assert has_unknowns(controller)
    assert values["settings"]["clusterEndpoint"] == "https://x"
    assert values["settings"]["clusterName"] == "shop"
    assert "eks.amazonaws.com/role-arn" in values["serviceAccount"]["annotations"]
    assert values["serviceAccount"]["name"] == "karpenter"
    assert list(values["podAnnotations"]) == ["cutlist/identity-hash"]
    assert recording.exports == {"namespace": "kube-system"}


# I-33
def test_another_identity_is_another_annotation_of_the_pods(charts):
    before, after = (charts(identity_hash=text)[1].inputs["values"]["podAnnotations"] for text in ("a", "b"))
    assert before != after


# K-40
def test_one_changed_setting_changes_one_value(charts):
    """Everything else of both releases is as it was, so an update is an upgrade that keeps its values."""
    (crds, before), (same_crds, after) = charts(), charts(feature_gates={"spot_to_spot_consolidation": True})
    assert crds.inputs == same_crds.inputs
    changed = after.inputs
    assert changed["values"]["settings"].pop("featureGates") == {"spotToSpotConsolidation": True}
    assert changed == before.inputs


# I-41
def test_a_queue_by_its_arn_is_refused(charts):
    with pytest.raises(InputError, match="did you mean shop"):
        charts(interruption_queue="arn:aws:sqs:eu-west-1:111122223333:shop")


# I-41
@pytest.mark.parametrize("mode", Mode)
def test_a_queue_that_is_known_late_is_checked_then(tmp_path, mode):
    body = BODY.replace("given)", '{**given, "interruption_queue": pulumi.Output.from_input("https://sqs/1/shop")})')
    with pytest.raises(InputError, match="not a queue's name"):
        run(tmp_path, body, GIVEN, mode)


# I-50
def test_all_mistakes_are_reported_before_anything_is_registered(charts):
    with pytest.raises(InputError) as caught:
        charts(values={"settings": {"interruptionQueueName": "q"}, "foo": 1}, replicas=0)
    assert len(caught.value.problems) == 3


def test_misspelt_and_missing_inputs_are_reported(tmp_path, charts):
    with pytest.raises(InputError) as caught:
        charts(replica=3, feature_gates={"node_repare": True}, memory=2, mirror={"tag": "x"}, isolated_vpc="yes")
    reported = {problem.place.path: problem.nearest for problem in caught.value.problems}
    assert reported == {
        "feature_gates.node_repare": "node_repair",
        "isolated_vpc": "",
        "memory": '"2"',
        "mirror.repository": "",
        "replica": "replicas",
    }
    with pytest.raises(InputError, match="cluster_name: is missing"):
        run(tmp_path, BODY, {"karpenter_version": "1.14.1"})


# I-50
def test_values_of_the_user_lie_on_top(charts):
    values = charts(values={"podLabels": {"team": "a"}, "settings": {"ignoreDRARequests": False}})[1].inputs["values"]
    assert values["podLabels"] == {"team": "a"}
    assert values["controller"]["env"] == [{"name": "IGNORE_DRA_REQUESTS", "value": "false"}]


def test_numbers_of_other_languages_are_whole(charts):
    assert charts(replicas=1.0, feature_gates={"node_repair": True})[1].inputs["values"]["replicas"] == 1


def test_a_registry_of_ones_own(tmp_path):
    """Charts come from there; the password is a secret wherever it stands."""
    registry = {"repository": "oci://mirror.example.com/karpenter/", "username": "me", "password": "hunter2"}
    recording = run(tmp_path, BODY, {**GIVEN, "registry": registry, "mirror": {"repository": "m/controller", "digest": ""}})
    crds, controller = releases(recording)
    assert controller.inputs["chart"] == "oci://mirror.example.com/karpenter/karpenter"
    assert rpc.is_rpc_secret(crds.inputs["repositoryOpts"])
    assert controller.inputs["values"]["controller"]["image"] == {"repository": "m/controller", "digest": ""}
    [component] = recording.of_type("cutlist:index:KarpenterCharts")
    assert rpc.is_rpc_secret(component.inputs["registry"])


# I-57
@pytest.mark.parametrize("option", ["retain_on_delete=True", 'deleted_with=Thing("cluster")'])
@pytest.mark.parametrize("component", ["KarpenterCharts", "NodeConfiguration"])
def test_options_that_would_leave_machines_behind_are_refused(tmp_path, component, option):
    """An engine hands both on to what a component holds."""
    body = f'kubernetes.{component}("all", {{"node_pools": []}}, pulumi.ResourceOptions({option}))'
    with pytest.raises(InputError, match=f"opts.{option.partition('=')[0]}: would leave behind instances"):
        run(tmp_path, body)


def test_a_version_outside_of_support_is_warned_of_with_the_way_on(tmp_path):
    [log] = run(tmp_path, BODY, {**GIVEN, "karpenter_version": "0.32.10"}).logs
    assert (log.severity, "0.37.8, then 1.0.14, then 1.15.2" in log.message) == ("warning", True)
    assert run(tmp_path, BODY, GIVEN).logs == []
