"""The configurations of NVIDIA's device plugin and MIG manager, as texts of ConfigMaps have them (spec: gpu-sharing 1, 3).

A mistake in one is not a mistake of the ConfigMap: the API server takes any text. The device plugin, or the MIG manager, does
not start with it, so it is a warning, and the text counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.shapes import Below, Report, boolean, closed, either, fields, integer, list_of, map_of, one_of, text
from cutlist.core.shapes import filled as filled_text
from cutlist.core.shapes.shape import Ruled
from cutlist.documents.document import Document
from cutlist.documents.members import mapping
from cutlist.documents.members import text as text_of
from cutlist.documents.text.go_yaml import from_yaml
from cutlist.providers.mig_profiles import is_profile

SHARED: Final = ".shared"
_PREFIX: Final = "nvidia.com/"
MPS: Final = "MPS"
TIME_SLICING: Final = "time-slicing"
_METHODS: Final = {"mps": MPS, "timeSlicing": TIME_SLICING}  # MPS counts where both are written (GS-4)

_RESOURCE: Final = fields({"name": filled_text("a resource such as nvidia.com/gpu"), "replicas": integer(2)}, {"rename": text})
_SHARING: Final = fields(
    {"resources": list_of(_RESOURCE, at_least=1)}, {"renameByDefault": boolean, "failRequestsGreaterThanOne": boolean}
)
_VERSION: Final = one_of("v1")
_PLUGIN: Final = fields(
    {},
    {
        "version": _VERSION,
        "flags": fields({}, {"migStrategy": one_of("none", "single", "mixed")}),
        "sharing": fields({}, {"timeSlicing": _SHARING, "mps": _SHARING}),
    },
)


def _partitions(value: Any, path: str, report: Report) -> Any:
    read = map_of(integer(1))(value, path, report)
    for name in value if isinstance(value, Mapping) else ():
        if not is_profile(str(name)):
            report.add(f"{path}[{str(name)!r}]", "is not a MIG profile", "a profile such as 1g.5gb")
    return read


_DEVICES: Final = either(one_of("all"), list_of(integer(0)))
_ENTRY: Final = closed(
    {"devices": _DEVICES, "mig-enabled": boolean},
    {"device-filter": either(text, list_of(text)), "mig-devices": Ruled(_partitions, {}, "a mapping")},
)
_MIG: Final = closed({"version": _VERSION, "mig-configs": map_of(list_of(_ENTRY, at_least=1))})


@dataclass(frozen=True, slots=True)
class ConfigText:
    """A text of a ConfigMap, as data. `source` names the ConfigMap; `mistakes` say what is wrong with the text."""

    source: str
    config_map: str
    key: str
    data: Mapping[str, Any]
    is_mig: bool
    mistakes: tuple[str, ...] = ()

    @property
    def strategy(self) -> str:
        """Return the MIG strategy of a configuration of the device plugin; empty if it says nothing."""
        return text_of(mapping(self.data.get("flags")).get("migStrategy"))

    @property
    def method(self) -> str:
        """Return how a configuration of the device plugin shares GPUs: by time-slicing or MPS; empty if not at all."""
        return next((method for member, method in _METHODS.items() if self._sharing(member)), "")

    @property
    def replicas(self) -> Mapping[str, int]:
        """Return how often each resource is offered for one device, by the resource's name."""
        entries = self._active.get("resources") or ()
        return {f"{_PREFIX}{entry['name'].removeprefix(_PREFIX)}": entry["replicas"] for entry in entries}

    @property
    def renames(self) -> bool:
        """Tell whether shared resources get the suffix `.shared`."""
        return self._active.get("renameByDefault") is True

    @property
    def refuses_several(self) -> bool:
        """Tell whether a container may have only one of a shared resource: by default with MPS, not otherwise (GS-5)."""
        written = self._active.get("failRequestsGreaterThanOne")
        return written is True or (written is None and self.method == MPS)

    @property
    def ignored(self) -> tuple[str, ...]:
        """Return the members that the device plugin ignores, though it knows them (GS-3)."""
        entries = self._active.get("resources") or ()
        return tuple(member for member in ("rename", "devices") if any(_is_own(entry, member) for entry in entries))

    @property
    def _active(self) -> Mapping[str, Any]:
        return next(filter(None, map(self._sharing, _METHODS)), {})

    def _sharing(self, member: str) -> Mapping[str, Any]:
        return mapping(mapping(self.data.get("sharing")).get(member))


def _is_own(entry: Mapping[str, Any], member: str) -> bool:
    return entry.get(member) not in (None, "", "all")


def config_texts(documents: Iterable[Document]) -> list[ConfigText]:
    """Return the configurations among the texts of ConfigMaps. Other texts are ignored."""
    return [found for document in documents if document.kind == "ConfigMap" for found in _texts(document)]


def _texts(document: Document) -> Iterator[ConfigText]:
    namespace = text_of(mapping(document.data.get("metadata")).get("namespace"))
    source = f"ConfigMap {namespace}/{document.name}" if namespace else f"ConfigMap {document.name}"
    for key, written in mapping(document.data.get("data")).items():
        data = _read(str(written))
        is_mig = "mig-configs" in data
        if is_mig or _is_of_plugin(data):
            problems = Problems()
            report = Report(Below(document, f"data.{key}"), problems)
            (_MIG if is_mig else _PLUGIN)(data, "", report)
            mistakes = tuple(f"{problem}" for problem in problems.found)
            yield ConfigText(source, document.name, str(key), data, is_mig, mistakes)


def _read(written: str) -> Mapping[str, Any]:
    """Return a text as data, empty for one that cannot be such a configuration."""
    if not ("sharing" in written or "mig-" in written or "migStrategy" in written):
        return {}
    try:
        return mapping(from_yaml(written))
    except ValueError:
        return {}


def _is_of_plugin(data: Mapping[str, Any]) -> bool:
    sharing, flags = mapping(data.get("sharing")), mapping(data.get("flags"))
    return any(member in sharing for member in _METHODS) or "migStrategy" in flags
