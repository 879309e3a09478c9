"""The devices that the AWS provider expects on instance types, as its own code printed them."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import pytest

from cutlist.api.gpu_sharing import SHARING
from cutlist.catalog.devices import adapters, gpus
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.karpenter.versions import read_version
from cutlist.providers.aws.devices import EFA_DRIVER, GPU_DRIVER, dynamic_resources
from tests.recorded import VECTORS

BOTH = ("DRANVIDIAGPU", "DRAEFA")
VERSIONS = ("1.15.1", "1.15.2")
MODES = ("", "memory", "unlimited", "4", "+7", "9223372036854775807")


@lru_cache
def recorded(version: str) -> dict[str, Any]:
    """What the provider printed, by the annotation's value and instance type."""
    return json.loads((VECTORS / "aws-devices" / f"{version}.json").read_text("utf-8"))


def drivers(*asked: Any) -> list[str]:
    """The drivers of the slices of an answer."""
    return [template["driver"] for template in dynamic_resources(*asked).get("resourceSliceTemplates", ())]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("mode", MODES)
def test_each_type_has_the_devices_that_the_provider_prints(version: str, mode: str) -> None:
    """In the same order, with the same quantities."""  # VA15-90, VA15-92, VA15-120, R-120, R-121
    release, answers = read_version(version), recorded(version)[mode]
    assert answers
    for name, answer in answers.items():
        assert dynamic_resources(name, release, BOTH, {SHARING: mode}) == answer, name


@pytest.mark.parametrize(("version", "of_gpus", "of_adapters"), [("1.15.0", 53, 29), ("1.15.1", 53, 29), ("1.15.2", 60, 302)])
def test_a_release_has_the_types_of_its_own_tables(version: str, of_gpus: int, of_adapters: int) -> None:
    """And of no other one."""  # VA15-120
    release = read_version(version)
    assert (len(gpus().types(release)), len(adapters().types(release))) == (of_gpus, of_adapters)
    if version in VERSIONS:
        assert gpus().types(release) | adapters().types(release) == recorded(version)[""].keys()


def test_the_tables_of_earlier_releases_are_empty() -> None:
    """1.14 has no devices at all; a release after the newest one known has those of the newest."""
    newest = BASELINES[-1].aws_release
    for baseline in BASELINES:
        types = gpus().types(baseline.aws_release)
        assert bool(types) == (baseline.minor >= BASELINES[-1].minor)
    assert gpus().types(read_version("1.99.0")) == gpus().types(newest)


@pytest.mark.parametrize(
    ("gates", "found"),
    [(BOTH, [GPU_DRIVER, EFA_DRIVER]), (("DRANVIDIAGPU",), [GPU_DRIVER]), (("DRAEFA",), [EFA_DRIVER]), ((), [])],
)
def test_each_gate_brings_the_devices_of_its_driver(gates: tuple[str, ...], found: list[str]) -> None:
    """Both are off by default."""  # VA15-90
    newest = BASELINES[-1].aws_release
    assert drivers("p5.48xlarge", newest, gates) == found
    assert drivers("g6.xlarge", newest, gates) == [driver for driver in found if driver == GPU_DRIVER]
    assert dynamic_resources("m6i.large", newest, gates) == {}


@pytest.mark.parametrize("mode", ["", "disabled", "0", "-1", "4.5", "memory=true", str(2**63)])
def test_a_value_that_shares_nothing_leaves_gpus_as_they_are(mode: str) -> None:
    """Also one that the controller refuses, which makes the class not ready."""  # VA15-92
    newest = BASELINES[-1].aws_release
    assert dynamic_resources("g6.12xlarge", newest, BOTH, {SHARING: mode}) == recorded("1.15.2")[""]["g6.12xlarge"]
