"""Labels, annotations and taints of Karpenter's past, wherever they stand (spec: api-objects 7.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.convert.changes import Change
from cutlist.api.legacy_keys import LEGACY_KEYS

PROVISIONER: Final = "karpenter.sh/provisioner-name"
_DO_NOT_DISRUPT: Final = 'karpenter.sh/do-not-disrupt: "true"'
_ANNOTATIONS: Final = ("karpenter.sh/do-not-evict", "karpenter.sh/do-not-consolidate")
_TAINT: Final = "karpenter.sh/disruption"


def old_key_changes(manifest: Mapping[str, Any]) -> Iterator[Change]:
    """Each place of an object that names something which Karpenter does not know any more. They are left as they are."""
    waiting: list[tuple[str, Any]] = [("", manifest)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            for key, member in value.items():
                yield from _of_member(f"{path}.{key}" if path else key, key, member)
            waiting += [(f"{path}.{key}" if path else key, member) for key, member in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [(f"{path}[{index}]", value[index]) for index in reversed(range(len(value)))]


def _of_member(where: str, key: str, member: Any) -> Iterator[Change]:
    if key in _ANNOTATIONS:
        yield Change("changes meaning", f"{key} has no effect any more", where, where, f"write {_DO_NOT_DISRUPT}")
    elif key == PROVISIONER or (key in ("key", "topologyKey") and member == PROVISIONER):
        yield _provisioner(where)
    elif key == "key" and member == _TAINT:
        text = f"Karpenter's taint {_TAINT}=disrupting is called karpenter.sh/disrupted and has no value"
        yield Change("changes meaning", text, where, where, "tolerate karpenter.sh/disrupted")


def _provisioner(where: str) -> Change:
    successor = LEGACY_KEYS[PROVISIONER]
    return Change("changes meaning", f"no node has the label {PROVISIONER} any more", where, where, f"use {successor}")
