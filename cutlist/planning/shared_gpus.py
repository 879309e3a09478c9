"""GPUs that a device plugin shares: what nodes offer once they are ready, as its configuration in the input says.

The configuration is a text in a ConfigMap: of NVIDIA's device plugin (time-slicing, MPS), or of the MIG manager of the GPU
operator. Which text counts on a node, the label `nvidia.com/device-plugin.config` or `nvidia.com/mig.config` of its NodePool
says; else it is the default of the ClusterPolicy, the text called `default`, or the only one. Karpenter reads nothing of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api import NodePool
from cutlist.core.labels import AUTO_GPU_COUNT, AWS_GPU_COUNT, AZURE_GPU_COUNT
from cutlist.core.quantity import NANO
from cutlist.documents import Document
from cutlist.documents.members import entries, mapping, text
from cutlist.documents.text.go_yaml import from_yaml
from cutlist.providers.instance_types import NVIDIA_GPU, InstanceType

_CONFIG_LABEL: Final = "nvidia.com/device-plugin.config"
_MIG_LABEL: Final = "nvidia.com/mig.config"
_METHODS: Final = {"timeSlicing": "time-slicing", "mps": "MPS"}
_SHARED: Final = ".shared"
_MIXED: Final = "mixed"
_COUNTS: Final = (AWS_GPU_COUNT, AUTO_GPU_COUNT, AZURE_GPU_COUNT)


@dataclass(frozen=True, slots=True)
class SharedGpus:
    """What a device plugin makes of one GPU: how many of each resource. `source` is the ConfigMap with the text, `method` how
    the GPU is shared."""

    source: str
    method: str
    of_each: tuple[tuple[str, int], ...]

    def offered(self, gpus: int) -> Mapping[str, int]:
        """Return what a node with some GPUs offers, in nano-units."""
        whole = {} if NVIDIA_GPU in dict(self.of_each) else {NVIDIA_GPU: 0}
        return {**whole, **{resource: amount * gpus * NANO for resource, amount in self.of_each}}


@dataclass(frozen=True, slots=True)
class _Text:
    """A text of a ConfigMap, as data."""

    source: str
    key: str
    data: Mapping[str, Any]


class GpuSharing:
    """The configurations of device plugins in some objects."""

    __slots__ = ("_default", "_mig", "_plugin", "_strategy")

    def __init__(self, documents: Iterable[Document]) -> None:
        """Read the ConfigMaps and the ClusterPolicy among the objects. Other texts are ignored."""
        listed = list(documents)
        texts = [one for document in listed if document.kind == "ConfigMap" for one in _texts(document)]
        policies = [mapping(d.data.get("spec")) for d in listed if d.kind == "ClusterPolicy"]
        self._plugin = [one for one in texts if "sharing" in one.data or "flags" in one.data]
        self._mig = [one for one in texts if "mig-configs" in one.data]
        self._default = next((text(_at(p, "devicePlugin", "config").get("default")) for p in policies), "")
        own = [text(_at(one.data, "flags").get("migStrategy")) for one in self._plugin]
        strategies = [*own, *(text(_at(p, "mig").get("strategy")) for p in policies)]
        self._strategy = next(filter(None, strategies), "")

    @property
    def sources(self) -> frozenset[str]:
        """Return the ConfigMaps that were read."""
        return frozenset(one.source for one in (*self._plugin, *self._mig))

    def of(self, pool: NodePool) -> SharedGpus | None:
        """Return what is made of the GPUs of a NodePool's nodes, or None if nothing says that they are shared."""
        return self._partitioned(pool) or self._sliced(pool)

    def _sliced(self, pool: NodePool) -> SharedGpus | None:
        chosen = pool.labels.get(_CONFIG_LABEL) or self._default
        texts = [one for one in self._plugin if not chosen or one.key == chosen]
        only = texts if len(texts) == 1 else [one for one in texts if one.key == "default"]
        for one in only:
            for member, method in _METHODS.items():
                shared = dict(_replicas(_at(one.data, "sharing", member)))
                if shared:
                    return SharedGpus(one.source, method, tuple(shared.items()))
        return None

    def _partitioned(self, pool: NodePool) -> SharedGpus | None:
        """Return the partitions of the MIG manager: by their profiles, or as whole GPUs with the strategy `single`."""
        chosen = pool.labels.get(_MIG_LABEL, "")
        for one in self._mig if chosen else ():
            devices = entries(_at(one.data, "mig-configs").get(chosen))
            profiles = {k: n for d in devices for k, n in mapping(mapping(d).get("mig-devices")).items() if type(n) is int}
            if profiles and self._strategy == _MIXED:
                return SharedGpus(one.source, "MIG", tuple((f"nvidia.com/mig-{name}", n) for name, n in profiles.items()))
            if profiles:
                return SharedGpus(one.source, "MIG", ((NVIDIA_GPU, sum(profiles.values())),))
        return None


def _replicas(sharing: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield the resources that are shared, under the names that nodes have them by, with how many there are of each GPU."""
    renames = sharing.get("renameByDefault") is True
    for entry in entries(sharing.get("resources")):
        written = mapping(entry)
        name, replicas = text(written.get("name")), written.get("replicas")
        if name == NVIDIA_GPU and type(replicas) is int and replicas > 1:
            yield text(written.get("rename")) or (f"{name}{_SHARED}" if renames else name), replicas


def _texts(document: Document) -> Iterator[_Text]:
    namespace = text(mapping(document.data.get("metadata")).get("namespace"))
    source = f"ConfigMap {namespace}/{document.name}" if namespace else f"ConfigMap {document.name}"
    for key, written in mapping(document.data.get("data")).items():
        if "sharing" in str(written) or "mig-" in str(written) or "migStrategy" in str(written):
            try:
                data = from_yaml(str(written))
            except ValueError:
                continue
            if isinstance(data, dict):
                yield _Text(source, str(key), data)


def _at(data: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
    for member in path:
        data = mapping(data.get(member))
    return data


def gpus_of(instance_type: InstanceType) -> int:
    """Return how many GPUs a machine has, whatever NodeOverlays say of its capacity."""
    for key in _COUNTS:
        counts = instance_type.requirements.get(key)
        if counts is not None and len(counts.values) == 1 and (count := next(iter(counts.values))).isdecimal():
            return int(count)
    return instance_type.capacity.get(NVIDIA_GPU, 0) // NANO
