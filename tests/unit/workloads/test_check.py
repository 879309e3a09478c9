"""What is wrong with a manifest: every mistake with its line and path, and nothing that is right."""

from __future__ import annotations

import pytest

from cutlist.core.errors import Problems
from cutlist.core.shapes import Paths, Report
from cutlist.workloads import check
from tests.unit.workloads.reading import attempt, controller, messages


def in_pod(text: str) -> list[str]:
    return messages(controller(pod=f"{text}\ncontainers: [{{name: a}}]"))


def in_container(text: str) -> list[str]:
    return messages(controller(pod=f"containers: [{{name: a, {text}}}]"))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (messages(controller(spec="replicas: -1")), "spec.replicas: -1 is out of range; allowed: 0 or more"),
        (messages(controller(spec="replicas: 9999999999")), "9999999999 is out of range; allowed: 0 to 2147483647"),
        (messages(controller(spec="replicas: '3'")), "spec.replicas: expected a whole number, found '3'"),
        (messages(controller(pod="restartPolicy: Always")), "spec.template.spec.containers: is missing"),
        (messages(controller(pod="containers: []")), "spec.template.spec.containers: is empty; at least one entry is needed"),
        (messages(controller(pod="containers: [main]")), "containers[0]: expected a mapping, found 'main'"),
        (in_container("resources: {requests: {cpu: 1 core}}"), "resources.requests.cpu: '1 core' is not a quantity"),
        (in_container("resources: {requests: {cpu: -1}}"), "resources.requests.cpu: -1 is negative"),
        (in_container("resources: {requests: {cpu: [1]}}"), "resources.requests.cpu: expected a quantity, found a list"),
        (in_container("resources: {requests: 1}"), "resources.requests: expected a mapping, found 1"),
        (in_container("resources: {request: {cpu: 1}}"), "resources.request: is not a field here"),
        (in_container("resources: {requests: {cpu: 2}, limits: {cpu: 1}}"), "requests.cpu: 2 is more than the limit of 1"),
        (in_container("resource: {}"), "did you mean resources?"),
        (in_container("ports: [{hostPort: 99999}]"), "ports[0].hostPort: 99999 is out of range; allowed: 0 to 65535"),
        (in_pod("nodeSelector: {gpu: true}"), 'nodeSelector.gpu: true is not text; did you mean "true"?'),
        (in_pod("nodeselector: {a: b}"), "spec.template.spec.nodeselector: is not a field here; did you mean nodeSelector?"),
        (in_pod("tolerations: [{operator: Exist}]"), "did you mean Exists?"),
        (in_pod("tolerations: [{key: a, effect: noschedule}]"), "did you mean NoSchedule?"),
        (in_pod("tolerations: {key: a}"), "tolerations: expected a list, found a mapping"),
        (in_pod(f"tolerations: [{'{key: a}, ' * 2001}]"), "tolerations: has 2,001 entries; allowed: 2,000 at most"),
        (
            in_pod("topologySpreadConstraints: [{topologyKey: z, maxSkew: 0, whenUnsatisfiable: DoNotSchedule}]"),
            "maxSkew: 0 is out of range",
        ),
        (in_pod("topologySpreadConstraints: [{maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]"), "topologyKey: is missing"),
        (in_pod("affinity: {nodeAfinity: {}}"), "did you mean nodeAffinity?"),
        (in_pod("terminationGracePeriodSeconds: 60s"), "terminationGracePeriodSeconds: expected a whole number, found '60s'"),
        (in_pod("volumes: [{name: v, persistentVolumeClaim: {}}]"), "persistentVolumeClaim.claimName: is missing"),
        (messages(controller(metadata="labels: [a]")), "metadata.labels: expected a mapping, found a list"),
    ],
)
def test_a_mistake_is_named_with_its_path(found: list[str], expected: str):
    """One message, which says where, what, and what would be right."""
    assert len(found) == 1, found
    assert found[0].startswith("app.yaml:")
    assert expected in found[0]


def test_all_mistakes_of_all_objects_are_found_together():
    """Nobody likes to mend one mistake a run."""
    pod = "tolerations: [{operator: Exist}]\ncontainers: [{name: a, resources: {requests: {cpu: x, memory: y}}}]"
    mistakes = messages(controller(spec="replicas: -1", pod=pod), controller(name="other", pod="containers: []"))
    assert len(mistakes) == 5


def test_an_object_with_mistakes_is_left_out():
    """What is right around it is still read, so that its mistakes show as well."""
    workloads, mistakes = attempt(controller(spec="replicas: -1"), controller(name="good"))
    assert [g.name for g in workloads.groups] == ["good"]
    assert len(mistakes) == 1


def test_the_same_object_twice_is_a_mistake_that_names_both_places():
    """Which of the two was meant?"""
    (message,) = messages(controller(), controller())
    assert "Deployment web is in the input twice, first in app.yaml:1" in message
    assert message.startswith("app.yaml:15 (document 2) metadata.name:")


def test_equal_names_of_other_kinds_and_namespaces_are_fine():
    """A name is unique within its kind and namespace only."""
    assert not messages(controller(), controller("StatefulSet"), controller(metadata="namespace: other"))


def test_a_nameless_object_is_a_mistake():
    """Nothing can refer to it."""
    (message,) = messages(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {}\nspec: {template: {spec: {containers: [{name: a}]}}}"
    )
    assert "metadata.name: is missing" in message


@pytest.mark.parametrize(
    ("version", "kind", "meant"),
    [
        ("apps/v1", "Deploymnet", "Deployment"),
        ("v1", "Deployment", "apiVersion: apps/v1"),
        ("apps/v1", "Job", "apiVersion: batch/v1"),
    ],
)
def test_a_misspelt_kind_does_not_make_a_workload_vanish(version: str, kind: str, meant: str):
    """Kinds of Kubernetes' own groups are all known."""
    (message,) = messages(f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: web}}")
    assert message == f"app.yaml:2 kind: {version} has no kind {kind}; did you mean {meant}?"


POD_SPEC = """
    activeDeadlineSeconds affinity automountServiceAccountToken containers dnsConfig dnsPolicy
    enableServiceLinks ephemeralContainers hostAliases hostIPC hostNetwork hostPID hostUsers hostname
    hostnameOverride imagePullSecrets initContainers nodeName nodeSelector os overhead preemptionPolicy
    priority priorityClassName readinessGates resourceClaims resources restartPolicy runtimeClassName
    schedulerName schedulingGates securityContext serviceAccount serviceAccountName setHostnameAsFQDN
    shareProcessNamespace subdomain terminationGracePeriodSeconds tolerations topologySpreadConstraints
    volumes workloadRef
"""
CONTAINER = """
    args command env envFrom image imagePullPolicy lifecycle livenessProbe name ports readinessProbe
    resizePolicy resources restartPolicy restartPolicyRules securityContext startupProbe stdin stdinOnce
    terminationMessagePath terminationMessagePolicy tty volumeDevices volumeMounts workingDir
"""
METADATA = """
    annotations creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName
    generation labels managedFields name namespace ownerReferences resourceVersion selfLink uid
"""


def test_no_field_of_kubernetes_is_taken_for_a_slip():
    """A field is refused only if Kubernetes has none of that name; null stands for a value that is not looked at."""
    metadata = dict.fromkeys(METADATA.split())
    container = {**dict.fromkeys(CONTAINER.split()), "name": "a"}
    pod = {"metadata": metadata, "spec": {**dict.fromkeys(POD_SPEC.split()), "containers": [container]}}
    problems = Problems()
    check.shape_of("Pod")(pod, "", Report(Paths(), problems))
    assert not problems.found
