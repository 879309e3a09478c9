"""Karpenter's charts: keys by version, values of users, what never reaches the controller, and CRDs."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.api.convert.chart_values import chart_values, is_settings
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.karpenter.feature_gates import FEATURE_GATES
from cutlist.core.karpenter.versions import KarpenterVersion, read_version
from cutlist.infrastructure.charts.check import checked_values
from cutlist.infrastructure.charts.crds import crd_values, crds_of, served_by
from cutlist.infrastructure.charts.keys import KEYS, keys_of
from cutlist.infrastructure.charts.settings import (
    AwsFeatureGates,
    ControllerSettings,
    FeatureGates,
    ImageMirror,
    controller_values,
    flow_schemas,
)

TODAY = KarpenterVersion(1, 14, 1)
V1_15 = KarpenterVersion(1, 15, 1)
SETTINGS = ControllerSettings("shop")


def values(of: ControllerSettings = SETTINGS, version: KarpenterVersion = TODAY, **user: object) -> dict:
    problems = Problems()
    made = controller_values(of, version, user, problems)
    problems.raise_if_any()
    return made


def refusal(version: KarpenterVersion = TODAY, **user: object) -> list[str]:
    problems = Problems()
    checked_values(user, version, Place(path="values"), problems)
    return [str(problem) for problem in problems.found]


def variables(made: dict) -> dict[str, str]:
    return {one["name"]: one["value"] for one in made["controller"]["env"]}


# I-50
def test_what_the_template_drops_becomes_a_variable():
    """Off and zero are false to the chart's template; the controller hears of them through its environment."""
    assert "env" not in values()["controller"]
    made = values(settings={"ignoreDRARequests": False, "vmMemoryOverheadPercent": 0})
    assert variables(made) == {"IGNORE_DRA_REQUESTS": "false", "VM_MEMORY_OVERHEAD_PERCENT": "0"}
    assert "ignoreDRARequests" not in made["settings"]


# I-50
def test_variables_of_the_user_come_after_ours_and_win():
    made = values(settings={"reservedENIs": 0}, controller={"env": [{"name": "AWS_REGION", "value": "eu-west-1"}]})
    assert [one["name"] for one in made["controller"]["env"]] == ["RESERVED_ENIS", "AWS_REGION"]
    assert made["controller"]["resources"]["limits"] == {"memory": "1Gi"}


# I-50
@pytest.mark.parametrize(
    ("user", "said"),
    [
        ({"settings": {"interruptionQueueName": "q"}}, "did you mean settings.interruptionQueue?"),
        ({"settings": {"aws": {"clusterName": "c"}}}, "did you mean settings.clusterName?"),
        ({"settings": {"batchMaxDuraton": "5s"}}, "did you mean settings.batchMaxDuration?"),
        ({"featureGates": {"nodeRepair": True}}, "no such key"),
        ({"dnsPolice": "Default"}, "did you mean dnsPolicy?"),
        ({"webhook": {"enabled": True}}, "no longer has this key; allowed: until 1.1.0"),
        ({"settings": {"featureGates": {"nodeRepair": "true"}}}, 'found "true" where true or false is needed'),
        ({"replicas": "2"}, "did you mean 2?"),
        ({"settings": True}, "holds other keys"),
        ({"terminationGracePeriodSeconds": 0}, "template leaves out 0"),
        ({"settings": {"batchMaxDuration": ""}}, 'template leaves out ""'),
        ({"podSecurityContext": None}, "null removes nothing"),
        ({"tolerations": {"key": "x"}}, "found a mapping where a list is needed"),
    ],
)
def test_values_that_would_do_nothing_are_refused(user, said):
    [problem] = refusal(**user)
    assert problem.startswith("values.")
    assert said in problem


# I-50
def test_all_wrong_values_are_reported_together():
    assert len(refusal(foo=1, settings={"bar": 2, "isolatedVPC": "yes"}, replicas=None)) == 4


def test_keys_are_those_of_the_version():
    """A key is refused before the version that brought it, and taken from there on."""
    gate = {"settings": {"featureGates": {"capacityBuffer": True}}}
    assert refusal(**gate) == []
    assert "since 1.14.0" in refusal(KarpenterVersion(1, 13, 1), **gate)[0]
    assert "since 1.6.2" in refusal(KarpenterVersion(1, 6, 1), settings={"disableDryRun": True})[0]
    assert refusal(KarpenterVersion(0, 31, 0), replicas=2) == [
        "values: the values of chart 0.31.0 are not known; allowed: 0.32.0 or later"
    ]


@given(
    st.sampled_from(KEYS), st.sampled_from([(0, 32, 10), (0, 37, 8), (1, 0, 14), (1, 6, 1), (1, 8, 0), (1, 14, 1), (1, 15, 1)])
)
def test_a_key_is_taken_by_the_versions_that_have_it_and_no_other(key, numbers):
    version = KarpenterVersion(*numbers)
    sample = {
        "text": "x",
        "a number": 1,
        "true or false": True,
        "text or a number": "1",
        "a mapping": {"a": "b"},
        "a list": ["x"],
    }
    nested: object = sample[key.shape.words]
    for member in reversed(key.path.split(".")):
        nested = {member: nested}
    assert (refusal(version, **nested) == []) == (key.path in keys_of(version))


def test_no_two_rows_of_a_version_are_of_one_key():
    for version in {key.since for key in KEYS}:
        paths = [key.path for key in KEYS if key.is_in(version)]
        assert len(paths) == len(set(paths))
        assert not [(one, other) for one in paths for other in paths if other.startswith(f"{one}.")]
        assert set(keys_of(version)) == set(paths)


# VA15-112
def test_the_chart_of_1_15_passes_on_that_dra_requests_count():
    """Before, the template dropped the false, and the controller takes it from its environment."""
    off = {"ignoreDRARequests": False}
    assert values(version=V1_15, settings=off)["settings"]["ignoreDRARequests"] is False
    assert "env" not in values(version=V1_15, settings=off)["controller"]
    assert variables(values(settings=off)) == {"IGNORE_DRA_REQUESTS": "false"}


# V15-65 VA15-112
@pytest.mark.parametrize(
    ("user", "said"),
    [
        ({"enableDRA": True, "awsFeatureGates": {"draEFA": True}}, "fails with settings.awsFeatureGates.draEFA written"),
        ({"enableDRA": True, "awsFeatureGates": {"draNVIDIAGPU": False}}, "settings.awsFeatureGates.draNVIDIAGPU"),
        ({"enableDRA": True, "ignoreDRARequests": False}, "fails with settings.ignoreDRARequests written beside it"),
        (
            {"legacyNodeRepair": True, "featureGates": {"terminateFirstRepair": True, "nodeRepair": True}},
            "fails with settings.featureGates.terminateFirstRepair written beside it",
        ),
        ({"featureGates": {"terminateFirstRepair": True}}, "allowed: settings.featureGates.nodeRepair: true as well"),
        ({"awsFeatureGates": {"rebootForRepair": True}}, "allowed: settings.featureGates.nodeRepair: true as well"),
    ],
)
def test_values_that_exclude_one_another_are_refused(user, said):
    """The template fails with the first four; the last two would do nothing."""
    with pytest.raises(InputError) as caught:
        values(version=V1_15, settings=user)
    [problem] = map(str, caught.value.problems)
    assert problem.startswith("values.settings.")
    assert said in problem


# V15-65 VA15-112
@pytest.mark.parametrize(
    "user",
    [
        {"enableDRA": False, "awsFeatureGates": {"draEFA": True}, "ignoreDRARequests": True},
        {"enableDRA": True, "awsFeatureGates": {"nodeClassCEL": True}},
        {"legacyNodeRepair": True, "featureGates": {"nodeRepair": True, "terminateFirstRepair": False}},
        {"awsFeatureGates": {"rebootForRepair": True}, "featureGates": {"nodeRepair": True, "terminateFirstRepair": True}},
    ],
)
def test_values_that_go_together_are_taken(user):
    """A gate of DRA alone turns ignoreDRARequests off by itself."""
    assert values(version=V1_15, settings=user)["settings"] == {"clusterName": "shop", **user}


# V15-65 VA15-110
def test_gates_of_1_15_are_among_its_values_and_refused_before():
    gates = FeatureGates(node_repair=True, terminate_first_drift=True, pod_deletion_cost_management=False)
    of_aws = AwsFeatureGates(node_class_cel=True, dra_nvidia_gpu=True, dra_efa=False, reboot_for_repair=True)
    settings = ControllerSettings("shop", feature_gates=gates, aws_feature_gates=of_aws)
    assert values(settings, V1_15)["settings"] == {
        "clusterName": "shop",
        "featureGates": {"nodeRepair": True, "terminateFirstDrift": True, "podDeletionCostManagement": False},
        "awsFeatureGates": {"nodeClassCEL": True, "draNVIDIAGPU": True, "draEFA": False, "rebootForRepair": True},
    }
    with pytest.raises(InputError) as caught:
        values(settings)
    assert [str(p) for p in caught.value.problems] == [
        f"{path}: Karpenter 1.14.1 has no such feature gate; allowed: since 1.15.0"
        for path in (
            "awsFeatureGates.draNvidiaGpu",
            "awsFeatureGates.nodeClassCel",
            "awsFeatureGates.rebootForRepair",
            "featureGates.terminateFirstDrift",
        )
    ]


def test_every_gate_of_the_table_is_an_input_or_was_removed():
    """So that a gate of a later release is not forgotten here."""
    inputs = {field.name.replace("_", "") for gates in (FeatureGates, AwsFeatureGates) for field in fields(gates)}
    assert inputs == {gate.name.lower() for gate in FEATURE_GATES if gate.until is None}


# I-55 K-38
def test_without_other_nodes_for_coredns_names_come_from_the_vpc():
    assert values()["dnsPolicy"] == "ClusterFirst"
    assert values(ControllerSettings("shop", coredns_has_other_nodes=False))["dnsPolicy"] == "Default"


# I-75
def test_beside_auto_mode_the_controller_runs_on_the_system_pool():
    [term] = values(ControllerSettings("shop", beside_auto_mode=True))["affinity"]["nodeAffinity"][
        "requiredDuringSchedulingIgnoredDuringExecution"
    ]["nodeSelectorTerms"]
    assert term["matchExpressions"] == [{"key": "karpenter.sh/nodepool", "operator": "In", "values": ["system"]}]


# K-34 K-37 K-39
def test_settings_become_values():
    settings = ControllerSettings(
        "shop",
        replicas=1,
        isolated_vpc=True,
        custom_networking=True,
        zonal_shift=True,
        service_monitor=True,
        host_network=True,
        node_selector={"role": "system"},
        feature_gates=FeatureGates(spot_to_spot_consolidation=True, reserved_capacity=False),
        mirror=ImageMirror("mirror.example.com/karpenter", digest=""),
    )
    made = values(settings)
    assert made["settings"] == {
        "clusterName": "shop",
        "isolatedVPC": True,
        "reservedENIs": "1",
        "enableZonalShift": True,
        "featureGates": {"reservedCapacity": False, "spotToSpotConsolidation": True},
    }
    assert made["controller"]["resources"]["requests"] == {"cpu": "1", "memory": "1Gi"}
    assert made["controller"]["image"] == {"repository": "mirror.example.com/karpenter", "digest": ""}
    assert (made["replicas"], made["hostNetwork"], made["serviceMonitor"]) == (1, True, {"enabled": True})


# I-30
def test_settings_that_a_version_does_not_have_are_refused():
    settings = ControllerSettings("shop", zonal_shift=True, replicas=0, feature_gates=FeatureGates(capacity_buffer=True))
    with pytest.raises(InputError) as caught:
        values(settings, KarpenterVersion(1, 11, 0))
    assert [p.place.path for p in caught.value.problems] == ["featureGates.capacityBuffer", "replicas", "zonalShift"]


def test_requests_of_the_controller_are_quantities():
    settings = ControllerSettings("shop", cpu="0", memory="2Gb")
    with pytest.raises(InputError) as caught:
        values(settings)
    assert [p.place.path for p in caught.value.problems] == ["cpu", "memory"]
    assert "'2Gb'" in str(caught.value)


@given(st.builds(ControllerSettings, st.text("abc", min_size=1), replicas=st.integers(1, 3), isolated_vpc=st.booleans()))
def test_our_own_values_are_values_of_the_chart(settings):
    """What the settings make has only keys that each supported version knows."""
    for version in (KarpenterVersion(1, 0, 14), KarpenterVersion(1, 6, 8), TODAY):
        assert refusal(version, **values(settings, version)) == []


def test_what_more_hangs_on_is_set_by_settings_alone():
    with pytest.raises(InputError, match=r"values.settings.clusterName: is not set among the values; allowed: clusterName"):
        values(settings={"clusterName": "other"})


# I-51 K-42
def test_a_namespace_of_its_own_has_two_flow_schemas():
    assert flow_schemas("kube-system", "karpenter") == {}
    schemas = flow_schemas("karpenter", "ctl").values()
    assert [(s["matchingPrecedence"], s["priorityLevelConfiguration"]["name"]) for s in schemas] == [
        (200, "leader-election"),
        (1000, "workload-high"),
    ]
    leases, rest = (schema["rules"][0] for schema in schemas)
    account = {"kind": "ServiceAccount", "serviceAccount": {"name": "ctl", "namespace": "karpenter"}}
    assert leases["subjects"] == rest["subjects"] == [account]
    assert [rule["resources"] for rule in leases["resourceRules"]] == [["leases"]]
    assert rest["resourceRules"][0]["resources"] == ["*"]


# K-41
def test_crds_are_those_of_the_version():
    beta = {"nodepools.karpenter.sh", "nodeclaims.karpenter.sh", "ec2nodeclasses.karpenter.k8s.aws"}
    assert crds_of(KarpenterVersion(1, 2, 1)) == beta
    assert crds_of(KarpenterVersion(1, 7, 0)) == beta | {"nodeoverlays.karpenter.sh"}
    assert crds_of(TODAY) - crds_of(KarpenterVersion(1, 13, 1)) == {"capacitybuffers.autoscaling.x-k8s.io"}
    assert len(crds_of(TODAY)) == 5
    assert served_by(KarpenterVersion(1, 0, 0)) == {"v1beta1", "v1"}
    assert served_by(KarpenterVersion(1, 1, 0)) == {"v1"}


# I-52
def test_kept_crds_are_marked_for_helm():
    assert crd_values(TODAY, "kube-system", keep=True) == {"additionalAnnotations": {"helm.sh/resource-policy": "keep"}}
    assert crd_values(TODAY, "kube-system", keep=False) == {}
    converting = crd_values(KarpenterVersion(1, 0, 14), "karpenter", keep=False)
    assert converting["webhook"]["serviceNamespace"] == "karpenter"


# I-53 K-43 K-49
def test_config_maps_of_old_become_settings():
    """Known keys become values, others are listed, and what cannot be read is a problem."""
    global_settings = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "karpenter-global-settings"},
        "data": {"aws.clusterName": "shop", "aws.interruptionQueueName": "q", "aws.clusterNmae": "x", "aws.tags": "{}"},
    }
    logging = {**global_settings, "metadata": {"name": "config-logging"}, "data": {"loglevel.controller": "debug"}}
    other = {**global_settings, "metadata": {"name": "other"}}
    assert [is_settings(config_map) for config_map in (global_settings, logging, other)] == [True, True, False]
    settings, log_level = chart_values(global_settings), chart_values(logging)
    values = {**settings.values, **log_level.values}
    assert values == {"settings": {"clusterName": "shop", "interruptionQueue": "q"}, "logLevel": "debug"}
    assert [c.old for c in settings.changes if c.kind == "needs a decision"] == ["data.aws.clusterNmae"]
    assert [c.old for c in settings.changes if c.kind == "lost"] == ["data.aws.tags"]
    assert settings.findings == log_level.findings == ()
    assert refusal(**values) == []
    [finding] = chart_values({**logging, "data": {"zap-logger-config": "{"}}).findings
    assert finding.path == "data.zap-logger-config"


@given(st.tuples(st.integers(0, 9), st.integers(0, 99), st.integers(0, 99)), st.sampled_from(["", "v"]))
def test_a_version_is_read_as_it_is_written(numbers, prefix):
    version = KarpenterVersion(*numbers)
    assert read_version(f"{prefix}{version}") == version


# I-48
@pytest.mark.parametrize(
    ("text", "near"), [("1.14", "1.14.0"), ("~1.14.1", "1.14.1"), (">=1.2", "1.2.0"), ("latest", ""), ("", "")]
)
def test_a_version_is_exact(text, near):
    with pytest.raises(InputError) as caught:
        read_version(text)
    assert caught.value.problems[0].nearest == near


@pytest.mark.skipif(shutil.which("helm") is None, reason="needs the command helm")
def test_helm_renders_what_we_say():
    """Where helm is, and the charts can be pulled, the template takes the values and writes the variables."""
    command = ["helm", "template", "karpenter", "oci://public.ecr.aws/karpenter/karpenter", "--version", str(TODAY), "-f", "-"]
    made = values(settings={"ignoreDRARequests": False})
    done = subprocess.run(command, input=json.dumps(made), capture_output=True, text=True, timeout=60)
    if "dial tcp" in done.stderr:
        pytest.skip("the registry of Karpenter's charts cannot be reached")
    assert done.returncode == 0, done.stderr
    assert "IGNORE_DRA_REQUESTS" in done.stdout
