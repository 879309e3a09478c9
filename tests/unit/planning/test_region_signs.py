"""The region of a plan for which none is given: that of the zones in the input, or of its configuration (F-14)."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.core.errors import InputError
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool


def zoned(*zones: str, name: str = "zoned") -> str:
    """A NodePool that only launches in some zones."""
    requirement = f"{{key: topology.kubernetes.io/zone, operator: In, values: [{', '.join(zones)}]}}"
    return pool(name, f"[{requirement}]")


def provider(region: str, more: str = "") -> str:
    return f'provider "aws" {{\n  region = {region}\n  {more}\n}}\n'


def read(folder: Path, *manifests: str, region: str | None = None, **files: str) -> PlanInputs:
    """The inputs of a folder with manifests and files of Terraform."""
    (folder / "all.yaml").write_text("\n---\n".join((NODE_CLASS, deployment(), *manifests)))
    for name, text in files.items():
        (folder / f"{name}.tf").write_text(text)
    return read_inputs([folder], region=region)


def test_the_zones_of_a_nodepool_name_the_region(tmp_path: Path) -> None:
    inputs = read(tmp_path, zoned("eu-central-1a", "eu-central-1b"))
    assert inputs.catalog.region == "eu-central-1"
    (said,) = [note.text for note in inputs.workloads.notes if note.code == "named-region"]
    assert said.startswith("the region eu-central-1 is that of zone eu-central-1a of NodePool zoned (")


def test_a_region_that_is_given_takes_precedence_over_zones(tmp_path: Path) -> None:
    assert read(tmp_path, zoned("eu-central-1a"), region="us-west-2").catalog.region == "us-west-2"


def test_zones_of_several_regions_decide_nothing_and_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no region is given.*us-west-2 of zone us-west-2a of NodePool b") as raised:
        read(tmp_path, zoned("eu-central-1a", name="a"), zoned("us-west-2a", name="b"))
    assert "eu-central-1 of zone eu-central-1a of NodePool a" in str(raised.value)


def test_names_that_are_no_zones_of_the_catalogue_name_no_region(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no region is given"):
        read(tmp_path, zoned("rack-7"))


def test_a_provider_names_the_region_where_no_zone_does(tmp_path: Path) -> None:
    """Its variable has a default; a provider with an alias is for single resources."""
    pytest.importorskip("hcl2")
    files = {"main": 'variable "where" { default = "eu-west-1" }\n' + provider("var.where")}
    files["other"] = provider('"us-east-1"', 'alias = "public"')
    assert read(tmp_path, pool(), **files).catalog.region == "eu-west-1"


def test_zones_take_precedence_over_a_provider(tmp_path: Path) -> None:
    pytest.importorskip("hcl2")
    assert read(tmp_path, zoned("eu-central-1a"), main=provider('"us-east-1"')).catalog.region == "eu-central-1"


def test_a_region_that_only_an_apply_knows_names_none(tmp_path: Path) -> None:
    pytest.importorskip("hcl2")
    with pytest.raises(InputError, match="no region is given"):
        read(tmp_path, pool(), main=provider("var.where"))


def test_the_location_of_a_cluster_on_azure_names_the_region(tmp_path: Path) -> None:
    pytest.importorskip("hcl2")
    main = 'resource "azurerm_resource_group" "main" {\n  name = "a"\n  location = "West Europe"\n}\n'
    (tmp_path / "main.tf").write_text(main)
    (tmp_path / "all.yaml").write_text(deployment())
    assert read_inputs([tmp_path], built_in_pools=["default"]).catalog.region == "westeurope"
