"""What in the input says that a cluster has built-in NodePools: those of EKS Auto Mode, or of node auto-provisioning on AKS.

A ClusterConfig of eksctl names the pools and the region (api-objects 8.2); other objects only show that there are some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.built_in import AKS_POOLS, AUTO_POOLS
from cutlist.core.csi import EBS_OF_AUTO_MODE
from cutlist.core.errors import Place
from cutlist.core.labels import AUTO_GROUP, AZURE_GROUP, NODEPOOL
from cutlist.core.notes import Notes
from cutlist.documents.document import Document
from cutlist.documents.members import entries, mapping
from cutlist.documents.terraform.opentofu import TERRAFORM
from cutlist.planning.built_in_resources import pools_of_cluster
from cutlist.settings.planning import PlanSettings

EKSCTL: Final = ("eksctl.io", "ClusterConfig")
_COMPUTE_TYPE: Final = f"{AUTO_GROUP}/compute-type"
_AUTO: Final = "auto"
_OF_INSTANCES: Final = f"{AUTO_GROUP}/instance-"
_AUTO_CONTROLLERS: Final = {"StorageClass": ("provisioner", EBS_OF_AUTO_MODE)}
_AUTO_CLASS: Final = "NodeClass"
_OF_AZURE: Final = f"{AZURE_GROUP}/"
_AZURE_CLASS: Final = "AKSNodeClass"
_SELECTING: Final = ("key", "topologyKey")


@dataclass(frozen=True, slots=True)
class BuiltInPools:
    """The built-in NodePools that a cluster may have, and what of the input says so."""

    names: tuple[str, ...]
    sign: str
    place: Place


@dataclass(frozen=True, slots=True)
class ClusterConfig:
    """What a ClusterConfig of eksctl says about a cluster. `pools` is None without EKS Auto Mode."""

    document: Document
    region: str
    pools: tuple[str, ...] | None

    @staticmethod
    def read(document: Document) -> ClusterConfig:
        """Return what a document says; members of another form than eksctl's count as missing."""
        metadata, auto = mapping(document.data.get("metadata")), mapping(document.data.get("autoModeConfig"))
        region = metadata.get("region")
        return ClusterConfig(document, region if isinstance(region, str) else "", _pools_of(auto))


def _pools_of(auto: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the NodePools that EKS creates: all of them if Auto Mode is on and none are listed."""
    if auto.get("enabled") is not True:
        return None
    listed = auto.get("nodePools")
    return AUTO_POOLS if listed is None else tuple(name for name in AUTO_POOLS if name in entries(listed))


def with_cluster_config(settings: PlanSettings, documents: Sequence[Document], notes: Notes) -> PlanSettings:
    """Return the settings with the region and the built-in NodePools that the ClusterConfigs of the input agree on, where these
    are not set, and add a note on what is taken from there."""
    configs = [ClusterConfig.read(d) for d in documents if is_cluster_config(d)]
    regions = {config.region for config in configs} - {""}
    if settings["region"] is None and len(regions) == 1:
        (region,) = regions
        settings = {**settings, "region": region}
        notes.add("eksctl-region", f"the region {region} is that of {_shown(configs[0])}")
    named = [config for config in configs if config.pools and config.region in ("", settings["region"])]
    if not named or settings["built_in_pools"] or len({config.pools for config in named}) > 1:
        return settings
    pools = named[0].pools or ()
    notes.add("eksctl-pools", f"{' and '.join(pools)}: built-in NodePools of EKS Auto Mode, by {_shown(named[0])}")
    return {**settings, "built_in_pools": pools}


def is_cluster_config(document: Document) -> bool:
    """Tell whether a document is a ClusterConfig of eksctl."""
    return (document.api_version.partition("/")[0], document.kind) == EKSCTL


def built_in_pools_of(documents: Iterable[Document], cloud: Sequence[str] | None) -> BuiltInPools | None:
    """Return the built-in NodePools that the first object with a sign of them speaks of, or None without a sign.

    `cloud` are the names that the cloud of the region has, None where the region is not known. That pods select a NodePool by
    such a name counts least: a NodePool of one's own may have it.
    """
    weak: BuiltInPools | None = None
    for document in documents:
        for pools, sign, is_certain in _signs(document):
            if cloud is not None and not set(pools) <= set(cloud):
                continue
            found = BuiltInPools(pools, _in_words(sign, document), document.place)
            if is_certain:
                return found
            weak = weak or found
    return weak


def _in_words(sign: str, document: Document) -> str:
    """Return a sign with its object; the place of a resource names it already."""
    if document.api_version.startswith(f"{TERRAFORM}/"):
        return sign
    return f"{sign} of {document.kind} {document.name}".removeprefix(" of ")


def _signs(document: Document) -> Iterator[tuple[tuple[str, ...], str, bool]]:
    """Yield what in an object speaks of built-in NodePools: their names, the sign, and whether it is certain."""
    group, kind = document.api_version.partition("/")[0], document.kind
    if is_cluster_config(document) and (pools := ClusterConfig.read(document).pools):
        yield pools, "autoModeConfig", True
    switched_on, by = pools_of_cluster(document)
    if switched_on:
        yield switched_on, by, True
    if (group, kind) == (AUTO_GROUP, _AUTO_CLASS):
        yield AUTO_POOLS, "", True
    if (group, kind) == (AZURE_GROUP, _AZURE_CLASS):
        yield AKS_POOLS, "", True
    member, value = _AUTO_CONTROLLERS.get(kind, ("", ""))
    if member and document.data.get(member) == value:
        yield AUTO_POOLS, f"the {member} {value}", True
    for key, of in labels_in(document.data):
        if pools := _pools_of_label(key, of):
            yield pools, f"{key}{f': {of}' if isinstance(of, str) else ''}", key != NODEPOOL


def _pools_of_label(key: str, value: Any) -> tuple[str, ...]:
    """Return the built-in NodePools of the cloud that sets a label on the nodes of these."""
    if key == _COMPUTE_TYPE and _AUTO in ([value] if isinstance(value, str) else entries(value)):
        return AUTO_POOLS
    if key.startswith(_OF_INSTANCES):
        return AUTO_POOLS
    if key.startswith(_OF_AZURE):
        return AKS_POOLS
    names = {value} if isinstance(value, str) else {name for name in entries(value) if isinstance(name, str)}
    if key == NODEPOOL and names & set(AUTO_POOLS):
        return AUTO_POOLS
    return AKS_POOLS if key == NODEPOOL and AKS_POOLS[-1] in names else ()


def labels_in(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield every label that an object has or asks for: keys of mappings with their values, and keys of expressions with
    theirs."""
    waiting: list[Any] = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            for name in _SELECTING:
                if isinstance(key := value.get(name), str):
                    yield key, value.get("values")
            yield from ((key, member) for key, member in value.items() if isinstance(key, str) and "/" in key)
            waiting += reversed(list(value.values()))
        elif isinstance(value, list):
            waiting += reversed(value)


def _shown(config: ClusterConfig) -> str:
    return f"ClusterConfig {config.document.name} of eksctl ({config.document.place})"
