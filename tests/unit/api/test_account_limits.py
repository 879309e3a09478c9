"""What EC2 refuses at launch although Karpenter accepts the class."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist import AutoNodeClass, EC2NodeClass
from cutlist.api.account_limits import account_findings

NODE_CLASS: dict[str, Any] = {"name": "default", "role": "node", "ami": "al2023@v20260625", "discovery": "demo"}


def found_in(node_class: EC2NodeClass | AutoNodeClass) -> list[tuple[str, str, str]]:
    """Return path, message and what is allowed of everything that EC2 refuses of a class."""
    findings = account_findings(node_class.KIND, node_class.manifest()["spec"])
    return [(finding.path, finding.message, finding.allowed) for finding in findings]


def refusals(**fields: Any) -> list[tuple[str, str, str]]:
    return found_in(EC2NodeClass(**NODE_CLASS, **fields))


def of_volume(ebs: dict[str, Any], device: str = "/dev/xvdb") -> list[tuple[str, str, str]]:
    return refusals(block_device_mappings=[{"deviceName": device, "ebs": ebs}])


EBS = "spec.blockDeviceMappings[0].ebs"


@pytest.mark.parametrize(
    ("kind", "member", "low", "high"),
    [
        ("gp3", "iops", 3_000, 80_000),
        ("io1", "iops", 100, 64_000),
        ("io2", "iops", 100, 256_000),
    ],
)
def test_operations_have_a_least_and_a_most(kind: str, member: str, low: int, high: int):
    """V-138, at each limit and one beyond; the volume is large enough for all of them."""
    size = "16000Gi"
    for value, is_made in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        found = of_volume({"volumeType": kind, "volumeSize": size, member: value})
        assert not found if is_made else [path for path, *_ in found] == [f"{EBS}.{member}"]


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [("gp2", 1, 16_384), ("gp3", 1, 59_000), ("st1", 125, 16_384), ("sc1", 125, 16_384), ("standard", 1, 1_024)],
)
def test_sizes_have_a_least_and_a_most(kind: str, low: int, high: int):
    """V-138. Karpenter itself refuses more than 59000Gi."""
    sizes = [
        (low, True),
        (high, True),
        *([(low - 1, False)] if low > 1 else []),
        *([(high + 1, False)] if high < 59_000 else []),
    ]
    for gib, is_made in sizes:
        found = of_volume({"volumeType": kind, "volumeSize": f"{gib}Gi"})
        assert not found if is_made else [path for path, *_ in found] == [f"{EBS}.volumeSize"]


@pytest.mark.parametrize(
    ("ebs", "is_made"),
    [
        ({"volumeType": "gp3", "volumeSize": "1Gi", "iops": 3_000}, True),
        ({"volumeType": "gp3", "volumeSize": "10Gi", "iops": 5_000}, True),
        ({"volumeType": "gp3", "volumeSize": "10Gi", "iops": 5_001}, False),
        ({"volumeType": "io1", "volumeSize": "4Gi", "iops": 200}, True),
        ({"volumeType": "io1", "volumeSize": "4Gi", "iops": 201}, False),
        ({"volumeType": "io2", "volumeSize": "4Gi", "iops": 4_000}, True),
        ({"volumeType": "io2", "volumeSize": "4Gi", "iops": 4_001}, False),
        ({"volumeType": "io1", "snapshotID": "snap-1", "iops": 60_000}, True),
    ],
)
def test_operations_are_limited_by_the_size(ebs: dict[str, Any], is_made: bool):
    """V-138: the ratio of each type; the size of a snapshot is not known."""
    assert not of_volume(ebs) if is_made else [path for path, *_ in of_volume(ebs)] == [f"{EBS}.iops"]


@pytest.mark.parametrize(
    ("throughput", "iops", "is_made"),
    [
        (124, None, False),
        (125, None, True),
        (750, None, True),
        (751, None, False),
        (1_000, 4_000, True),
        (2_001, 80_000, False),
    ],
)
def test_throughput_is_at_most_a_quarter_of_the_operations(throughput: int, iops: int | None, is_made: bool):
    """V-138."""
    ebs = {"volumeType": "gp3", "volumeSize": "1000Gi", "throughput": throughput} | ({"iops": iops} if iops else {})
    assert not of_volume(ebs) if is_made else [path for path, *_ in of_volume(ebs)] == [f"{EBS}.throughput"]


@pytest.mark.parametrize(
    ("ebs", "path"),
    [
        ({"volumeSize": "20Gi", "iops": 3_000}, f"{EBS}.iops"),
        ({"volumeType": "gp2", "volumeSize": "20Gi", "throughput": 125}, f"{EBS}.throughput"),
        ({"volumeType": "st1", "volumeSize": "125Gi", "iops": 500}, f"{EBS}.iops"),
        ({"volumeType": "io2", "volumeSize": "20Gi"}, f"{EBS}.iops"),
        ({"volumeType": "io2", "volumeSize": "20Gi", "iops": 400, "throughput": 125}, f"{EBS}.throughput"),
    ],
)
def test_a_type_takes_its_own_figures_alone(ebs: dict[str, Any], path: str):
    """V-138. Without a type EC2 makes a gp2."""
    assert [found for found, *_ in of_volume(ebs)] == [path]


def test_figures_of_zero_are_not_set():
    """V-138."""
    assert not of_volume({"volumeType": "standard", "volumeSize": "20Gi", "iops": 0, "throughput": 0})


def test_a_refused_figure_comes_with_those_that_are_made():
    (found,) = of_volume({"volumeType": "gp3", "volumeSize": "50Gi", "iops": 300, "throughput": 125})
    assert found == (f"{EBS}.iops", "EC2 makes no gp3 volume with 300 iops", "3,000 to 80,000")


@pytest.mark.parametrize(("device", "boots"), [("/dev/xvda", True), ("/dev/sda1", True), ("/dev/xvdb", False)])
@pytest.mark.parametrize("kind", ["st1", "sc1"])
def test_no_instance_starts_from_a_volume_of_these_types(kind: str, device: str, boots: bool):
    """V-139."""
    found = of_volume({"volumeType": kind, "volumeSize": "200Gi"}, device)
    assert [path for path, *_ in found] == ([f"{EBS}.volumeType"] if boots else [])


@pytest.mark.parametrize(
    ("tags", "path"),
    [
        ({f"k{n}": "v" for n in range(44)} | {"Name": "web"}, ""),
        ({f"k{n}": "v" for n in range(45)}, "spec.tags"),
        ({"k" * 128: "v" * 256}, ""),
        ({"k" * 129: "v"}, f"spec.tags.{'k' * 129}"),
        ({"key": "v" * 257}, "spec.tags.key"),
        ({"aws:team": "a"}, "spec.tags.aws:team"),
        ({"AWS:team": "a"}, "spec.tags.AWS:team"),
        ({"awsteam": "a"}, ""),
    ],
)
@pytest.mark.parametrize("kind", [EC2NodeClass, AutoNodeClass])
def test_tags_are_within_what_a_resource_has(kind: type, tags: dict[str, str], path: str):
    """V-140."""
    own = {"role": "node", "discovery": "demo", **({"ami": NODE_CLASS["ami"]} if kind is EC2NodeClass else {})}
    assert [found for found, *_ in found_in(kind(name="own", tags=tags, **own))] == ([path] if path else [])


@pytest.mark.parametrize(("size", "is_taken"), [(16_384, True), (16_385, False)])
def test_user_data_has_a_size(size: int, is_taken: bool):
    """V-141."""
    assert not refusals(user_data="x" * size) if is_taken else refusals(user_data="x" * size)[0][0] == "spec.userData"


def test_the_size_of_user_data_counts_bytes():
    """V-141."""
    assert refusals(user_data="é" * 8_193)


@pytest.mark.parametrize("wrong", ["?", 3, None, {"a": 1}])
def test_what_is_not_known_passes(wrong: object):
    """A stack has values that only an update knows."""
    mapping = {"deviceName": wrong, "ebs": {"volumeType": wrong, "volumeSize": wrong, "iops": wrong}}
    spec = {"blockDeviceMappings": [mapping, wrong], "tags": wrong, "userData": wrong}
    assert not list(account_findings("EC2NodeClass", spec))
