"""Configurations of Terraform and OpenTofu among the files that are read.

Most inputs have none, so what reads HCL is imported here, where one is met.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cutlist.core.errors import Problems
from cutlist.core.ledger import Environment
from cutlist.core.notes import Notes
from cutlist.documents.account.accounting import files_of_folders
from cutlist.documents.cloud_resources import azure_locations
from cutlist.documents.delivery.releases import is_of_flux
from cutlist.documents.document import Document
from cutlist.documents.folders import CONFIGURATIONS, FILES_OF_CONFIGURATIONS, VARIABLES, Reading
from cutlist.documents.input_files import Paths
from cutlist.documents.pulumi_stacks import stack_regions
from cutlist.documents.regions import NamedRegion
from cutlist.documents.root_modules import of_variables

if TYPE_CHECKING:
    from cutlist.documents.terraform.installed import Installed


@dataclass(frozen=True, slots=True)
class Configured:
    """What configurations write: objects, ConfigMaps from which Flux may take variables, objects and clusters by root module;
    and the releases that they install. `read` are the files that they consist of."""

    objects: tuple[Document, ...] = ()
    read: AbstractSet[str] = frozenset()
    config_maps: Sequence[Document] = ()
    by_root: Mapping[str, Sequence[Document]] = field(default_factory=dict)
    clusters: Mapping[str, Sequence[Document]] = field(default_factory=dict)
    releases: Sequence[Installed] = ()

    @property
    def charts(self) -> frozenset[str]:
        """Return the real paths of the charts in folders that they install."""
        return frozenset(os.path.realpath(of.release.chart) for of in self.releases if of.release.chart)


def configured_objects(paths: Paths, files_of_folders: Sequence[str], problems: Problems, notes: Notes) -> Configured:
    """Return what the configurations write that were named, or that are among the files of the folders."""
    files = [*files_of_folders, *(path for path in map(str, paths) if path.endswith(CONFIGURATIONS))]
    if not _has(files, FILES_OF_CONFIGURATIONS):
        return Configured()
    from cutlist.documents.terraform.hcl.configuration import Configuration

    configuration = Configuration(problems, notes, _chosen_variables(paths))
    objects = configuration.documents(files)
    made = configuration.config_maps, configuration.made, configuration.clusters, configuration.releases
    return Configured(objects, configuration.read, *made)


def environments_by_variables(files: Sequence[str], paths: Paths, reading: Reading) -> tuple[Environment, ...]:
    """Return the files of variables with which configurations among files write different objects."""
    if not _has(files, CONFIGURATIONS):
        return ()
    from cutlist.documents.terraform.hcl.variables import by_variables

    written = by_variables(files, [os.fspath(path) for path in paths])
    return of_variables(written, paths, recursive=reading.recursive)


def configured_regions(paths: Paths, reading: Reading) -> tuple[NamedRegion, ...]:
    """Return the regions that configurations, templates of Azure and stacks of Pulumi in the folders name."""
    files = files_of_folders(paths, reading)
    others = (*stack_regions(files), *azure_locations(files))
    if not _has(files, CONFIGURATIONS):
        return others
    from cutlist.documents.terraform.hcl.regions import named_regions

    return (*named_regions(files, _chosen_variables(paths)), *others)


def _has(files: Sequence[str], ends: tuple[str, ...]) -> bool:
    return any(path.endswith(ends) for path in files)


def _chosen_variables(paths: Paths) -> frozenset[str]:
    """Return the real paths of the files of variables that were named."""
    return frozenset(os.path.realpath(path) for path in map(str, paths) if path.endswith(VARIABLES))


def config_maps_for(documents: Sequence[Document], config_maps: Sequence[Document]) -> tuple[Document, ...]:
    """Return the ConfigMaps of configurations from which Kustomizations of Flux among the objects take variables."""
    if not any(is_of_flux(document) for document in documents):
        return ()
    from cutlist.documents.terraform.hcl.around import config_maps_for as found

    return found(documents, config_maps)
