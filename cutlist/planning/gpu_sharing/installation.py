"""How the device plugin is installed: which ConfigMap it reads, which of its texts by default, and the strategy for MIG.

The GPU operator says that in its ClusterPolicy, the chart of the plugin in its DaemonSet (spec: gpu-sharing 2; GS-6, GS-9).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from cutlist.documents.document import Document
from cutlist.documents.members import entries, mapping, text

NAMED: Final = "named"
SINGLE: Final = "single"
EMPTY: Final = "empty"
_IMAGE: Final = "k8s-device-plugin"
_STRATEGY_FLAG: Final = "--mig-strategy"


@dataclass(frozen=True, slots=True)
class Installation:
    """What decides about the configuration of a node. `config_map` and `mig_config_map` are names, empty for any; `default` is
    the text without a label, `fallbacks` are ways to choose one without a default. `strategy` is that for MIG, empty where the
    text says it, None where nothing is known of the installation."""

    config_map: str = ""
    default: str = ""
    fallbacks: tuple[str, ...] = (NAMED, SINGLE)
    strategy: str | None = None
    mig_config_map: str = ""

    @staticmethod
    def of(documents: Iterable[Document]) -> Installation:
        """Return what a ClusterPolicy says, else what the DaemonSet of the device plugin says, else what its chart does by
        default."""
        listed = list(documents)
        policy = next((mapping(d.data.get("spec")) for d in listed if is_cluster_policy(d)), None)
        if policy is not None:
            return _of_policy(policy)
        return next(filter(None, map(_of_daemon_set, (d for d in listed if d.kind == "DaemonSet"))), Installation())


def is_cluster_policy(document: Document) -> bool:
    """Tell whether an object is the GPU operator's ClusterPolicy; Kyverno's has the same kind."""
    return document.kind == "ClusterPolicy" and document.api_version.startswith("nvidia.com/")


def _at(data: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
    for member in path:
        data = mapping(data.get(member))
    return data


def _of_policy(spec: Mapping[str, Any]) -> Installation:
    """Return what a ClusterPolicy says. With a ConfigMap of its own, the operator chooses no text without label or default."""
    config = _at(spec, "devicePlugin", "config")
    name = text(config.get("name"))
    return Installation(
        name,
        text(config.get("default")),
        (EMPTY,) if name else (NAMED, SINGLE),
        text(_at(spec, "mig").get("strategy")),
        text(_at(spec, "migManager", "config").get("name")),
    )


def _of_daemon_set(document: Document) -> Installation | None:
    """Return what the DaemonSet of the device plugin's chart says, None for another DaemonSet."""
    pod = _at(document.data, "spec", "template", "spec")
    containers = [mapping(c) for part in ("containers", "initContainers") for c in entries(pod.get(part))]
    if not any(_IMAGE in text(container.get("image")) for container in containers):
        return None
    variables = {text(mapping(e).get("name")): text(mapping(e).get("value")) for c in containers for e in entries(c.get("env"))}
    maps = [text(_at(mapping(volume), "configMap").get("name")) for volume in entries(pod.get("volumes"))]
    fallbacks = variables.get("FALLBACK_STRATEGIES")
    return Installation(
        next(filter(None, maps), ""),
        variables.get("DEFAULT_CONFIG", ""),
        (NAMED, SINGLE) if fallbacks is None else tuple(filter(None, fallbacks.split(","))),
        next(_flags(containers), variables.get("MIG_STRATEGY", "")),
    )


def _flags(containers: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the values of the flag for the strategy, which counts before the environment variable."""
    for container in containers:
        words = [text(word) for part in ("command", "args") for word in entries(container.get(part))]
        for word, following in pairwise((*words, "")):
            name, sign, value = word.partition("=")
            if name == _STRATEGY_FLAG:
                yield value if sign else following
