"""The regions that configurations of Terraform and OpenTofu name: of their provider for AWS, and of clusters on Azure."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.core.errors import Problems
from cutlist.documents.folders import CONFIGURATIONS
from cutlist.documents.regions import NamedRegion
from cutlist.documents.terraform.hcl.json_syntax import searchable
from cutlist.documents.terraform.hcl.modules import Module
from cutlist.documents.terraform.hcl.parsing import is_installed
from cutlist.documents.terraform.hcl.variable_files import given_in

_NAMES: Final = re.compile(r'^\s*(provider\s+"aws"|resource\s+"azurerm_(resource_group|kubernetes_cluster)")', re.MULTILINE)
_AWS: Final = re.compile("aws")
_AZURE: Final = re.compile(r"azurerm_(resource_group|kubernetes_cluster)")


def named_regions(files: Sequence[str], chosen: frozenset[str]) -> tuple[NamedRegion, ...]:
    """Return the regions that each configuration among files names; those that only an apply knows are left out.

    `chosen` are the real paths of the files of variables that were named.
    """
    naming = [path for path in files if path.endswith(CONFIGURATIONS) and _NAMES.search(searchable(path))]
    if not naming or not is_installed():
        return ()
    folders = dict.fromkeys(os.path.dirname(path) for path in naming)
    return tuple(named for folder in folders for named in _in_module(folder, chosen))


def _in_module(folder: str, chosen: frozenset[str]) -> Iterator[NamedRegion]:
    """Yield the regions that the files of a folder name with the values that its variables have without a caller."""
    problems = Problems()  # those of the files are reported where their objects are read
    module = Module(folder, given_in(folder, chosen, problems), problems, set()).load()
    for where, region in module.written("provider", _AWS, "region"):
        if isinstance(region, str) and region:
            yield NamedRegion(region, f"provider {where}", folder)
    for where, location in module.written("resource", _AZURE, "location"):
        if isinstance(location, str) and location:
            yield NamedRegion(location.lower().replace(" ", ""), where, folder)
