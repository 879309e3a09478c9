"""What Karpenter 1.15 makes of the kubelet settings of an EC2NodeClass, and what 1.14 makes of the same."""

from __future__ import annotations

import pytest

from cutlist import EC2NodeClass
from cutlist.api.kinds import kind_of_manifest
from cutlist.api.kubelet_expressions import ExpressionError, Variables, evaluated, resolved_max_pods, resolved_reservations
from cutlist.api.kubelet_type import KUBELET
from cutlist.api.strict_decoding import decoding_faults
from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import baseline_of
from cutlist.core.quantity import NANO, Quantity
from cutlist.providers.aws.node_class_hash import stored_hash
from cutlist.providers.aws.profile import Threshold

BEFORE, SINCE = baseline_of("1.14.1"), baseline_of("1.15.1")
LARGE = Variables(vcpus=2, memory_mib=8192, default_enis=3, ips_per_eni=10, max_pods=29, instance_type="m5.large")


def manifest(kubelet, alias="al2023@v20260625", **spec):
    return {
        "apiVersion": "karpenter.k8s.aws/v1",
        "kind": "EC2NodeClass",
        "metadata": {"name": "default"},
        "spec": {
            "role": "node-role",
            "amiSelectorTerms": [{"alias": alias}],
            "subnetSelectorTerms": [{"tags": {"a": "b"}}],
            "securityGroupSelectorTerms": [{"tags": {"a": "b"}}],
            **({"kubelet": kubelet} if kubelet is not None else {}),
            **spec,
        },
    }


def said(karpenter, kubelet, alias="al2023@v20260625", gates=frozenset()):
    try:
        EC2NodeClass.from_manifest(manifest(kubelet, alias), karpenter, gates)
    except InputError as error:
        return [problem.message for problem in error.problems]
    return []


@pytest.mark.parametrize(
    ("kubelet", "alias"),
    [({"podsPerCore": 2}, "bottlerocket@v1.40.0"), ({"clusterDNS": ["10.0.0.1", "10.0.0.2"]}, "al2@v20240101")],
)
def test_a_class_that_worked_in_1_14_can_be_not_ready_in_1_15(kubelet, alias):
    """VA15-11: fields that the image family drops."""
    assert said(BEFORE, kubelet, alias) == []
    assert [text for text in said(SINCE, kubelet, alias) if "is not ready and launches nothing" in text]


def test_any_field_of_the_kubelet_is_taken_since_1_15():
    """VA15-1, VA15-3: only the controller knows the fields."""
    assert "unknown field" in said(BEFORE, {"containerLogMaxFiles": 3})[0]
    assert said(SINCE, {"containerLogMaxFiles": 3}) == []


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"logging": {"options": {"text": {"x": 1}}}}, 'unknown field "logging.options.text.x"'),
        ({"shutdownGracePeriodByPodPriority": [{"a": 1}]}, 'unknown field "shutdownGracePeriodByPodPriority[0].a"'),
        (
            {"authentication": {"anonymous": {"enabled": 1}}},
            "json: cannot unmarshal number into Go struct field KubeletAnonymousAuthentication.authentication."
            "anonymous.enabled of type bool",
        ),
        ({"syncFrequency": "5"}, 'time: missing unit in duration "5"'),
        ({"syncFrequency": "x"}, 'time: invalid duration "x"'),
        ({"port": 1.5}, "json: cannot unmarshal number 1.5 into Go struct field KubeletConfiguration.port of type int32"),
    ],
)
def test_what_go_cannot_decode_is_named(settings, fault):
    """VA15-3"""
    assert [found.message for found in decoding_faults(KUBELET, settings)] == [fault]


def test_null_is_read_as_absent():
    """VA15-3: as Go does."""
    assert decoding_faults(KUBELET, {"maxPods": None, "authentication": {"webhook": None}}) == []


def test_what_a_later_karpenter_reads_is_typed_as_far_as_it_is_the_same_for_all_types():
    """VA15-37: expressions count as not written, amounts beside them stay."""
    kubelet = {"maxPods": "max_pods / 2", "kubeReserved": {"cpu": "vcpus * 10", "memory": "1Gi"}, "podsPerCore": 3}
    read = EC2NodeClass.from_manifest(manifest(kubelet), SINCE, frozenset({"NodeClassCEL"}))
    assert read.kubelet is not None
    assert (read.kubelet.max_pods, read.kubelet.pods_per_core) == (None, 3)
    assert read.kubelet.kube_reserved == {"memory": Quantity.parse("1Gi")}
    assert read.kubelet_as_written == kubelet


@pytest.mark.parametrize(
    ("text", "result"),
    [("double(vcpus) * 0.7", 1), ("max(vcpus, 2.5)", 2), ("instance_type == 'm5.large' ? 8 : 9", 8), ("-7 / 2", -3)],
)
def test_an_expression_gives_a_whole_number(text, result):
    """VA15-31, VA15-32: fractions are cut towards zero."""
    assert evaluated(text, LARGE) == result


@pytest.mark.parametrize("text", ["1.0 / 0.0", "vcpus / 0", "0.0 / 0.0"])
def test_an_expression_without_a_finite_result_fails(text):
    """VA15-32"""
    with pytest.raises(ExpressionError):
        evaluated(text, LARGE)


def test_results_have_units_and_failures_are_left_out():
    """VA15-33, VA15-34, VA15-35"""
    written = {"cpu": "71 + vcpus - 2", "memory": "470", "ephemeral-storage": "vcpus + 0 ", "pid": "vcpus * 500"}
    assert resolved_reservations(written, LARGE) == {
        "cpu": "80m",
        "memory": "470",  # an amount: 470 bytes
        "ephemeral-storage": "2Gi",
        "pid": "1000",
    }
    assert resolved_reservations({"memory": "vcpus * 240", "cpu": "vcpus / 0", "pid": "vcpus - 9"}, LARGE) == {
        "memory": "480Mi"
    }


def test_max_pods_out_of_range_fails():
    """VA15-36"""
    assert resolved_max_pods("max_pods * 2", LARGE) == 58
    with pytest.raises(ExpressionError, match=r"outside the valid range \[0, 2147483647\]"):
        resolved_max_pods("max_pods - 30", LARGE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"clusterDNS": ["a", "b"]}, {"clusterDNS": ["b", "a"]}),
        ({"kubeReserved": {"cpu": "1"}}, {"kubeReserved": {"cpu": "1000m"}}),
        ({"maxPods": 0}, {}),
    ],
)
def test_each_written_difference_counts_in_the_hash(one, other):
    """VA15-22"""
    hashes = {stored_hash(manifest(kubelet)["spec"], karpenter=SINCE) for kubelet in (one, other)}
    assert len(hashes) == 2


def test_an_empty_kubelet_is_as_none_and_a_disabled_enclave_is_not():
    """VA15-21, VA15-23"""
    plain = stored_hash(manifest(None)["spec"], karpenter=SINCE)
    assert stored_hash(manifest({})["spec"], karpenter=SINCE) == plain
    assert stored_hash(manifest(None, enclaveOptions={"enabled": False})["spec"], karpenter=SINCE) != plain


def test_the_first_check_that_fails_is_the_only_one_shown():
    """VA15-12: structure, then expressions, then dropped fields."""
    assert len(said(SINCE, {"bogus": 1, "maxPods": "1"}, "bottlerocket@v1.40.0")) == 1
    (text,) = said(SINCE, {"podsPerCore": 1, "maxPods": "1"}, "bottlerocket@v1.40.0")
    assert "NodeClassCEL" in text
    (text,) = said(SINCE, {"podsPerCore": 1, "maxPods": "1"}, "bottlerocket@v1.40.0", frozenset({"NodeClassCEL"}))
    assert "dropped" in text


def test_whole_numbers_are_stored_as_such():
    """VA15-8: 1.0 is 1 to the API server, so the controller can read it."""
    assert said(SINCE, {"podsPerCore": 1.0}) == []
    assert len(said(SINCE, {"podsPerCore": 1.5})) == 1


@pytest.mark.parametrize(
    ("text", "name"), [("[1]", "list(int)"), ("null", "null_type"), ("duration('1s')", "google.protobuf.Duration")]
)
def test_the_type_of_a_result_is_named_as_karpenter_does(text, name):
    """VA15-10"""
    (found,) = said(SINCE, {"maxPods": text}, gates=frozenset({"NodeClassCEL"}))
    assert f"output-type={name})" in found


# VA15-5
@pytest.mark.parametrize(
    ("number", "is_taken"),
    [
        *((n, True) for n in ("1_0", "0x_1p1", "0X1P1", "1e-400", ".5", "5.", "0x.8p3", "1_0.5", "-0", "1E+2")),
        *((n, False) for n in ("1__0", "+NaN", "inf", "1e400", "0x1", "_1", "1_", "100.0000001", "5 ", "0b1")),
    ],
)
def test_a_percentage_is_any_number_from_0_to_100_that_go_reads(number, is_taken):
    """Recorded from the controller; capacity is counted with the same number."""
    assert (said(SINCE, {"evictionHard": {"memory.available": f"{number}%"}}) == []) is is_taken
    if is_taken:
        assert Threshold.read(f"{number}%").of(NANO * 100) >= 0


def test_not_a_number_is_refused_although_the_controller_lets_it_pass():
    """It panics where it computes with it."""
    assert said(SINCE, {"evictionHard": {"memory.available": "NaN%"}}) != []


# VA15-1 VA15-20
@pytest.mark.parametrize(("written", "stored"), [(2**63 - 1, 2**63 - 1), (2**63, 9223372036854776000), (10**21, 1e21)])
def test_a_number_beyond_64_bits_is_stored_as_a_fraction(written, stored):
    """Written with as few digits as tell it apart, which counts in the hash."""
    kind = kind_of_manifest(manifest({"port": written}), SINCE)
    assert kind.stored(manifest({"port": written}))["spec"]["kubelet"]["port"] == stored
