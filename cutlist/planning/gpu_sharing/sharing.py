"""What nodes of a NodePool offer of their GPUs, as the configurations in the input say.

Which text of the device plugin counts on a node, the label `nvidia.com/device-plugin.config` of its NodePool says; else it is
the default of the installation. Its MIG manager obeys the label `nvidia.com/mig.config`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from cutlist.api.nodepool import NodePool
from cutlist.core.identity import SameObject
from cutlist.core.quantity import NANO
from cutlist.core.wording import listed
from cutlist.documents.document import Document
from cutlist.planning.gpu_sharing.configurations import MPS, SHARED, ConfigText, config_texts
from cutlist.planning.gpu_sharing.installation import NAMED, SINGLE, Installation, is_cluster_policy
from cutlist.planning.gpu_sharing.machines import gpus_of, model_of
from cutlist.planning.gpu_sharing.partitions import MIG_LABEL, MigConfiguration, Partitions, UnfitError
from cutlist.providers.instance_types import NVIDIA_GPU, InstanceType
from cutlist.providers.mig_profiles import resource_of

CONFIG_LABEL: Final = "nvidia.com/device-plugin.config"
CLUSTER_POLICY: Final = "ClusterPolicy (nvidia.com)"
_MIXED: Final = "mixed"
_NONE: Final = "none"
_UNIFORM: Final = "single"
_DEFAULT_KEY: Final = "default"
MIG: Final = "MIG"


@dataclass(frozen=True, slots=True)
class SharedGpus:
    """What a device plugin makes of the GPUs of a NodePool's nodes: by the text `plugin` of its configuration, after the MIG
    manager has split them by `mig`, which nodes offer by a `strategy`."""

    plugin: ConfigText | None
    mig: MigConfiguration | None
    strategy: str

    @property
    def source(self) -> str:
        """Return what says so: a ConfigMap, or two, or a label."""
        sources = [of.source for of in (self.mig, self.plugin) if of is not None]
        return listed(dict.fromkeys(sources))

    @property
    def method(self) -> str:
        """Return how GPUs are shared."""
        return " and ".join(filter(None, (MIG if self.mig else "", self.plugin.method if self.plugin else "")))

    def offered(self, instance_type: InstanceType) -> Mapping[str, int]:
        """Return what a node offers of the resources that sharing is about, in nano-units; nothing of those that vanish. It is
        empty for a machine without GPUs, and for one where sharing fails or does nothing."""
        try:
            return {resource: amount * NANO for resource, amount in self._offered(instance_type).items()}
        except UnfitError:
            return {}

    def failure(self, instance_type: InstanceType) -> str:
        """Return why sharing fails on a machine; empty if it does not."""
        try:
            self._offered(instance_type)
        except UnfitError as unfit:
            return str(unfit)
        return ""

    def of_each(self, instance_type: InstanceType) -> tuple[tuple[str, int], ...]:
        """Return what is made of each GPU of a machine; nothing if its GPUs are not shared alike."""
        gpus, offered = gpus_of(instance_type), {r: n // NANO for r, n in self.offered(instance_type).items() if n}
        alike = gpus and not any(amount % gpus for amount in offered.values())
        return tuple((resource, amount // gpus) for resource, amount in offered.items()) if alike else ()

    def _offered(self, instance_type: InstanceType) -> Mapping[str, int]:
        gpus = gpus_of(instance_type)
        devices = self._devices(instance_type, gpus)
        offered: Counter[str] = Counter()
        replicas = self.plugin.replicas if self.plugin is not None and self.plugin.method else {}
        for resource, count in devices.items():
            times = replicas.get(resource, 1)
            renamed = resource in replicas and self.plugin is not None and self.plugin.renames
            offered[f"{resource}{SHARED}" if renamed else resource] += count * times
        if offered == {NVIDIA_GPU: gpus}:
            return {}
        return {**({} if NVIDIA_GPU in offered else {NVIDIA_GPU: 0}), **offered} if gpus else {}

    def _devices(self, instance_type: InstanceType, gpus: int) -> Mapping[str, int]:
        """Return the devices of a machine by resource, before they are shared. Raises UnfitError if nodes offer none."""
        model = model_of(instance_type)
        if self.mig is None or model is None:
            return {NVIDIA_GPU: gpus}
        each = self.mig.of(model, gpus)
        if self.strategy == _NONE:
            return {NVIDIA_GPU: gpus}
        parts = Counter[str]()
        for partitions in each:
            parts.update({"": 1} if partitions is None else partitions)
        if parts.keys() != {""} and self.plugin is not None and self.plugin.method == MPS:
            raise UnfitError("the device plugin shares no MIG partitions with MPS, and does not start")
        if self.strategy == _MIXED:
            return {resource_of(profile) if profile else NVIDIA_GPU: count for profile, count in parts.items()}
        return {NVIDIA_GPU: _uniform(each, parts)}


def _uniform(each: Sequence[Partitions], parts: Mapping[str, int]) -> int:
    """Return how many GPUs a node with the strategy `single` offers. Raises UnfitError for partitions of several kinds."""
    if len(parts) > 1 or any(partitions == {} for partitions in each):
        kinds = listed(sorted(profile or "whole GPUs" for profile in parts)) or "no partitions at all"
        raise UnfitError(
            f"with the MIG strategy single all GPUs are split alike, not into {kinds}: the device plugin does not start"
        )
    return sum(parts.values())


def gpu_sharing(documents: tuple[Document, ...]) -> GpuSharing:
    """Return the configurations of device plugins in the objects of an input, which a plan asks for several times."""
    return _read_once(SameObject(documents))


@lru_cache(maxsize=1)
def _read_once(documents: SameObject) -> GpuSharing:
    return GpuSharing(cast("tuple[Document, ...]", documents.of))


class GpuSharing:
    """The configurations of device plugins in some objects."""

    __slots__ = ("_installation", "_mig", "_plugin", "_policies", "texts")

    def __init__(self, documents: Iterable[Document]) -> None:
        """Read the ConfigMaps and how the device plugin is installed. Other objects are ignored."""
        listed_ = list(documents)
        self.texts = config_texts(listed_)
        self._installation = Installation.of(listed_)
        self._policies = sum(map(is_cluster_policy, listed_))
        sound = [one for one in self.texts if not one.mistakes]
        self._plugin = [one for one in sound if not one.is_mig and self._is_read(one, self._installation.config_map)]
        self._mig = [one for one in sound if one.is_mig and self._is_read(one, self._installation.mig_config_map)]

    @staticmethod
    def _is_read(of: ConfigText, config_map: str) -> bool:
        return not config_map or of.config_map == config_map

    @property
    def mistakes(self) -> Iterator[tuple[ConfigText, str]]:
        """Yield the mistakes of texts, each with its text."""
        return ((one, mistake) for one in self.texts for mistake in one.mistakes)

    @property
    def read(self) -> Mapping[str, int]:
        """Return how many objects were read, by kind: ConfigMaps with a configuration, and the ClusterPolicy."""
        return {"ConfigMap": len({one.source for one in self.texts}), CLUSTER_POLICY: self._policies}

    def of(self, pool: NodePool) -> SharedGpus | None:
        """Return what is made of the GPUs of a NodePool's nodes, or None if nothing says that they are shared."""
        plugin, mig = self._text_of(pool), self._mig_of(pool)
        if mig is None and (plugin is None or not plugin.method):
            return None
        return SharedGpus(plugin, mig, self._strategy(plugin))

    def missing(self, pool: NodePool) -> str:
        """Return the configuration of the device plugin that a NodePool's nodes are to have and that is not there; empty if
        there is no such mistake."""
        chosen = pool.labels.get(CONFIG_LABEL) or self._installation.default
        return chosen if chosen and self._plugin and all(one.key != chosen for one in self._plugin) else ""

    def _text_of(self, pool: NodePool) -> ConfigText | None:
        chosen = pool.labels.get(CONFIG_LABEL) or self._installation.default
        if chosen:
            return next((one for one in self._plugin if one.key == chosen), None)
        return next(self._fallen_back_on(), None)

    def _fallen_back_on(self) -> Iterator[ConfigText]:
        for fallback in self._installation.fallbacks:
            if fallback == NAMED:
                yield from (one for one in self._plugin if one.key == _DEFAULT_KEY)
            elif fallback == SINGLE and len(self._plugin) == 1:
                yield self._plugin[0]

    def _mig_of(self, pool: NodePool) -> MigConfiguration | None:
        chosen = pool.labels.get(MIG_LABEL, "")
        if not chosen:
            return None
        having = (one for one in self._mig if chosen in one.data["mig-configs"])
        return MigConfiguration(chosen, next(having, self._mig[0] if self._mig else None))

    def _strategy(self, plugin: ConfigText | None) -> str:
        """Return the strategy for MIG: that of the installation counts before that of the text (GS-9)."""
        written = plugin.strategy if plugin is not None else ""
        installed = self._installation.strategy
        return installed or written or (_UNIFORM if installed is None else _NONE)
