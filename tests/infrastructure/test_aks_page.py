"""The page on AKS: its programs run, and the settings it names are there."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from pulumi_cutlist.azure import (
    AksAdoptedNetworkArgs,
    AksMonitoringArgs,
    AksNodeNetworkArgs,
    AksNodeProvisioningArgs,
    AksOwnNetworkArgs,
    AksSettings,
)
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.protection import HOW_TO_LIFT

from tests.documentation import section
from tests.infrastructure.azure_stand_in import AzureStandIn

PAGE = section("aks.md", "A cluster")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
[STACK_FILE] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
MADE = [
    ["AksCluster", "AksIdentity", "AksNetwork", "AksNodeProvisioning", "NodeConfiguration"],
    ["AksCluster", "AksIdentity", "AksNetwork", "AksNodeProvisioning", "NodeConfiguration"],
    ["AksCluster", "AksDiskKeys", "AksIdentity", "AksNetwork"],
    ["AksAdoptedCluster"],
    ["AksCluster", "AksKarpenter"],
]


def config() -> dict[str, str]:
    [(key, settings)] = yaml.safe_load(STACK_FILE)["config"].items()
    return {key: json.dumps(settings), "shop:bootstrapToken": "abcdef.0123456789abcdef"}


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("number", range(len(MADE)))
def test_programs_on_the_page_run(number, mode, tmp_path):
    """Each by itself, as it stands, and none has anything to warn of."""
    (tmp_path / "__main__.py").write_text(PROGRAMS[number])
    program = Program(tmp_path, tmp_path, "shop", "dev", config(), secrets=["shop:bootstrapToken"])
    recording = program.run(mode, AzureStandIn(mode))
    made = {r.type.rpartition(":")[2] for r in recording.resources.values() if r.type.startswith("cutlist:")}
    assert set(MADE[number]) <= made
    assert [log for log in recording.logs if log.severity != "info"] == []


def test_the_page_says_what_protects(tmp_path):
    """The resource that a destroy of production ends at, and that of the cluster by itself."""
    (tmp_path / "__main__.py").write_text(PROGRAMS[0])
    recording = Program(tmp_path, tmp_path, "shop", "dev", config()).run(Mode.PREVIEW, AzureStandIn(Mode.PREVIEW))
    protections = {one.name for one in recording.of_type("cutlist:index:Protection")}
    assert protections == {f"shop-protection{HOW_TO_LIFT}", f"shop-cluster-protection{HOW_TO_LIFT}"}
    assert f"`shop-protection{HOW_TO_LIFT}`" in PAGE


def test_each_program_of_the_page_is_run():
    assert len(PROGRAMS) == len(MADE)


def test_the_settings_that_the_page_names_are_there():
    """Every input in the table of what one may say."""
    kinds = (
        AksAdoptedNetworkArgs,
        AksMonitoringArgs,
        AksNodeNetworkArgs,
        AksNodeProvisioningArgs,
        AksOwnNetworkArgs,
        AksSettings,
    )
    known = {key for kind in kinds for key in kind.__annotations__}
    table = PAGE[PAGE.index("| to get | set |") : PAGE.index("### In a stack file")]
    said = {word for cell in re.findall(r"`([^`]+)`", table) for word in re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", cell)}
    assert len(said) > 8
    assert said <= known
